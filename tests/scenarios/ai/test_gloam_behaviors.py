"""The flagship's creatures, each alone with a player that it sees: a creature that holds them also does something (rule F29)."""

import pytest

from gloam_server.content.creatures import CreatureKind
from gloam_shared.protocol.commands import Wait
from support.content.campaigns import shipped
from support.scenarios.scenario import Scenario, kinds

TURNS = 150
DEEDS = {"strikes", "misses", "shoots", "casts", "steals", "calls"}
HALL = "\n".join(["." * 20] * 4 + ["." * 8 + "1....m......"] + ["." * 20] * 4)


def hunters() -> list[CreatureKind]:
    """Return the kinds that look about for prey on dry land, farther than the cells beside them."""
    campaign = shipped("gloam")
    return [
        kind
        for kind in campaign.creatures.values()
        if kind.key != campaign.player
        and kind.spawns
        and kind.sight > 1
        and kind.attack
        and "swim" not in kind.tasks
    ]


@pytest.mark.rule("F29")
@pytest.mark.parametrize("kind", hunters(), ids=lambda kind: kind.key)
def test_who_sees_a_player_does_not_stand_by_for_ever(kind: CreatureKind) -> None:
    scenario = Scenario(HALL, campaign=shipped("gloam"), m=kind.key)
    player = scenario["1"]
    for _ in range(TURNS):
        player.hp = player.hp_max
        if DEEDS.intersection(kinds(scenario.turn(("1", Wait())))):
            return
    pytest.fail(f"a {kind.name} saw a player for {TURNS} turns and did nothing")
