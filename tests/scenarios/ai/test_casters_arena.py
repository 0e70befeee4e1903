"""Every creature of a shipped campaign with spells casts each of them within 50 turns of an arena."""

import pytest

from gloam_server.content.shipped import SHIPPED
from gloam_server.world.model.events import Narration
from gloam_shared.protocol.commands import Wait
from support.content.shipped_files import campaign
from support.scenarios.scenario import Scenario

CASTERS = [
    (key, kind.key)
    for key in SHIPPED
    for kind in campaign(key).creatures.values()
    if kind.casts and kind.tasks
]
TURNS = 50
HALL = """
###############
#.............#
#.....1...c...#
#...........k.#
#.............#
###############
"""


@pytest.mark.parametrize(("key", "kind"), CASTERS)
def test_caster_uses_each_of_its_spells(key: str, kind: str) -> None:
    """A sturdy player stands in sight, and beside a healer one of its own kind is wounded at first."""
    rules = campaign(key)
    spells = [rules.spells[spell] for spell in rules.creatures[kind].casts]
    heals = any(not spell.harms for spell in spells)
    scenario = Scenario(HALL if heals else HALL.replace("k", "."), campaign=rules, seed=2, c=kind, k=kind)
    caster = scenario["c"].number
    wanted = {spell.name for spell in spells}
    cast: set[str] = set()
    for turn in range(TURNS):
        scenario.set_health("1", hp=9_000, hp_max=9_000)
        if heals and turn == 0:
            scenario.set_health("k", hp=max(1, scenario["k"].hp_max // 3))
        cast.update(_spells(scenario.turn(("1", Wait())), caster))
        if cast >= wanted:
            break
    assert cast >= wanted


def _spells(lines: list[Narration], caster: int) -> set[str]:
    return {line.source for line in lines if line.kind == "casts" and line.actor == caster}
