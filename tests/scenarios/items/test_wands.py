"""Wands of the flagship, one scenario each, and what all wands have in common (rule F75)."""

from typing import Any

import pytest

from gloam_server.world.actions import plan
from gloam_server.world.model.events import Narration
from gloam_server.world.model.modifiers import is_afraid, is_silenced, speed_with_status
from gloam_server.world.model.outcome import Impossible
from gloam_shared.appearance import Terrain
from gloam_shared.protocol.commands import Wait, Zap
from gloam_shared.view.view import ItemFlag
from support.content.shipped_files import campaign
from support.scenarios.scenario import Scenario, kinds, read_events

GLOAM = campaign("gloam")


def scene(drawing: str, **letters: Any) -> Scenario:
    """Return a hall whose letters are ogres with much health that stand asleep."""
    ogres: dict[str, Any] = {letter: "ogre" for letter in "ab" if letter in drawing}
    scenario = Scenario(drawing, campaign=GLOAM, **ogres, **letters)
    for name in scenario.named:
        if name in "ab":
            scenario.set_health(name, hp=200, hp_max=200)
            scenario.put_to_sleep(name, 500)
    return scenario


def zap(scenario: Scenario, wand: str, target: str | None = "a", *, known: bool = True) -> list[Narration]:
    """Let player 1 zap a new wand at a creature; the wand is known if nothing else is said."""
    kind = f"wand_{wand}"
    if known:
        scenario["1"].known = [kind]
    if not any(item.kind == kind for item in scenario["1"].carried):
        scenario.give("1", kind)
    slot = next(at for at, item in enumerate(scenario["1"].slots) if item is not None and item.kind == kind)
    return scenario.turn(("1", Zap(slot, None if target is None else scenario[target].cell)))


@pytest.mark.rule("F75")
def test_slowing_halves_the_speed_of_one_creature() -> None:
    scenario = scene("#1...a.b#")
    before = speed_with_status(GLOAM, scenario["a"])
    events = zap(scenario, "slowing")
    assert speed_with_status(GLOAM, scenario["a"]) == before - 500
    assert speed_with_status(GLOAM, scenario["b"]) == before
    assert "The ogre is slowed." in read_events(events, scenario["1"])


@pytest.mark.rule("F75")
def test_slumber_puts_one_creature_to_sleep() -> None:
    scenario = scene("#1...a.#")
    scenario.put_to_sleep("a", 0)
    events = zap(scenario, "slumber")
    assert scenario["a"].asleep > 15
    assert "The ogre falls asleep." in read_events(events, scenario["1"])


@pytest.mark.rule("F75")
def test_digging_opens_a_way_of_eight_cells() -> None:
    rock = "#" * 19
    scenario = Scenario(f"{rock}\n#1..###########...#\n{rock}", campaign=GLOAM)
    scenario["1"].known.append("wand_digging")
    scenario.give("1", "wand_digging")
    scenario.turn(("1", Zap(0, scenario["1"].cell + 3)))
    row = bytes(scenario.level.terrain[20:38])
    assert row[:9] == bytes([Terrain.FLOOR] * 9)
    assert row[9] == Terrain.WALL


@pytest.mark.rule("F75")
def test_striking_throws_creature_back_until_something() -> None:
    """Striking throws a creature back until something stops it."""
    scenario = scene("#1.a......#\n#..b.......#")
    free = scenario.where("a")
    zap(scenario, "striking")
    assert scenario.where("a") == (free[0] + 4, free[1])
    assert scenario["a"].hp == 195
    walled = scene("#1.a.#")
    zap(walled, "striking")
    assert walled.where("a") == (4, 0)


@pytest.mark.rule("F75")
def test_banishing_sends_a_creature_somewhere_else() -> None:
    scenario = scene("#1a............................#")
    events = zap(scenario, "banishing")
    assert scenario.where("a") != (2, 0)
    assert {"fades_out", "fades_in"} <= set(kinds(events))


@pytest.mark.rule("F75")
def test_silence_keeps_a_caster_from_casting() -> None:
    scenario = scene("#1....s#", s="shaman")
    zap(scenario, "silence", "s")
    assert is_silenced(GLOAM, scenario["s"])
    for _ in range(10):
        assert "casts" not in kinds(scenario.turn(("1", Wait())))


@pytest.mark.rule("F75")
@pytest.mark.parametrize(("wand", "damage"), [("fire", 12), ("lightning", 32)])
def test_fire_lightning_take_health_from_one_creature(wand: str, damage: int) -> None:
    """Fire and lightning take health from one creature."""
    scenario = scene("#1...ab#")
    zap(scenario, wand)
    assert (scenario["a"].hp, scenario["b"].hp) == (200 - damage, 200)


@pytest.mark.rule("F75")
def test_terror_lets_a_creature_flee() -> None:
    scenario = scene("#1..a..........#")
    scenario.put_to_sleep("a", 0)
    zap(scenario, "terror")
    assert is_afraid(GLOAM, scenario["a"])
    for _ in range(3):
        scenario.turn(("1", Wait()))
    assert scenario.where("a")[0] > 4


@pytest.mark.rule("F75")
def test_exchange_lets_two_change_places() -> None:
    scenario = scene("#1...a.#")
    zap(scenario, "exchange")
    assert (scenario.where("1"), scenario.where("a")) == ((5, 0), (1, 0))


@pytest.mark.rule("F75")
def test_each_zap_takes_a_charge_and_last_one_wand() -> None:
    """Each zap takes a charge and the last one the wand."""
    scenario = scene("#1...a.#")
    (wand,) = scenario.give("1", "wand_fire")
    wand.charges = 2
    zap(scenario, "fire")
    assert scenario.view().inventory[0].charges == 1
    events = zap(scenario, "fire")
    assert scenario["1"].carried == []
    assert "The wand of fire crumbles to dust." in read_events(events, scenario["1"])
    assert scenario["a"].hp == 200 - 24


@pytest.mark.rule("F75")
def test_unknown_wand_shows_neither_name_nor_charges() -> None:
    """An unknown wand shows neither name nor charges until it is zapped."""
    scenario = scene("#1...a.#")
    scenario.give("1", "wand_fire")
    before = scenario.view().inventory[0]
    assert before.name.endswith(" wand")
    assert (before.charges, before.target, before.words) == (0, "", "")
    assert before.traits & ItemFlag.ZAPPABLE
    events = zap(scenario, "fire", known=False)
    after = scenario.view().inventory[0]
    assert after.name == "wand of fire"
    assert (after.charges, after.target, after.range) == (7, "creature", 7)
    assert f"You zap the {before.name}." in read_events(events, scenario["1"])
    assert f"The {before.name} is a wand of fire!" in read_events(events, scenario["1"])


@pytest.mark.rule("F75")
@pytest.mark.rule("F77")
def test_unknown_wand_finds_nearest_foe_without() -> None:
    """An unknown wand finds the nearest foe and without one has no effect."""
    scenario = scene("#1...a.b.#")
    zap(scenario, "fire", None, known=False)
    assert (scenario["a"].hp, scenario["b"].hp) == (188, 200)
    alone = scene("#1.....#")
    events = zap(alone, "fire", None, known=False)
    assert "It comes to nothing." in read_events(events, alone["1"])
    assert alone["1"].known == ["wand_fire"]
    assert alone["1"].slots[0] is not None
    assert alone["1"].slots[0].charges == 7


@pytest.mark.rule("F75")
def test_no_wand_cannot_be_zapped_known_one_needs_aim() -> None:
    """An item that is no wand cannot be zapped and a known one needs an aim."""
    scenario = scene("#1...a.#")
    scenario.give("1", "ration", "wand_fire")
    scenario["1"].known.append("wand_fire")
    refused = [plan(scenario.level, scenario["1"], Zap(slot)) for slot in (0, 1, 2)]
    assert [outcome.reason for outcome in refused if isinstance(outcome, Impossible)] == [
        "wrong_kind",
        "no_aim",
        "gone",
    ]


@pytest.mark.rule("F75")
def test_wands_share_no_slot() -> None:
    scenario = scene("#1...#")
    one, two = scenario.give("1", "wand_fire", "wand_fire")
    assert not GLOAM.items["wand_fire"].stacks
    assert one.charges == two.charges
