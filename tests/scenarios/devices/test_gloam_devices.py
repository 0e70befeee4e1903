"""The devices of gloam as played: rules F175 to F180 with the campaign's own words."""

from functools import partial

import pytest

from gloam_shared.protocol.commands import Wait
from support.content.shipped_files import campaign
from support.scenarios.device_scenario import is_open, machine
from support.scenarios.scenario import W

gloam = partial(
    machine,
    campaign=campaign("gloam"),
    kinds={
        "k": "iron_lock",
        "b": "black_lock",
        "t": "thorn_lever",
        "g": "gate",
        "s": "seal",
        "l": "chain_lever",
        "p": "bone_plate",
        "G": "great_seal",
    },
)


@pytest.mark.rule("F176")
@pytest.mark.parametrize(("key", "lock"), [("iron_key", "k"), ("black_key", "b")])
def test_a_key_opens_its_lock_and_breaks(key: str, lock: str) -> None:
    scenario = gloam("#1..#.", f"{lock}...gv")
    scenario.give("1", key)
    scenario.go("1", W)
    assert scenario.names("1") == []
    assert is_open(scenario, 4)


@pytest.mark.rule("F176")
def test_thorns_carry_venom() -> None:
    """The venom_thorns of the lever take health for 10 turns, 2 a turn less what heals."""
    scenario = gloam("#1..#.", "t...sv")
    scenario.set_health("1", hp=40, hp_max=40)
    scenario.go("1", W)
    assert is_open(scenario, 4)
    lost = []
    for _ in range(14):
        before = scenario["1"].hp
        scenario.turn(("1", Wait()))
        lost.append(before - scenario["1"].hp)
    assert sum(each > 0 for each in lost) in (9, 10)
    assert scenario["1"].lasting == []


@pytest.mark.rule("F177")
def test_a_great_seal_needs_two_bodies_and_a_chain() -> None:
    """Two bodies on the plates do not move it; it opens once one of three pulls the chain."""
    scenario = gloam("#1.2.3.#.", "l..p.p.G.")
    for name in ("2", "3"):
        scenario.turn((name, Wait()))
    assert not is_open(scenario, 7)
    scenario.go("1", W)
    assert is_open(scenario, 7)
