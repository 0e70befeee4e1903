"""The places where someone may enter a level unseen: found quickly for a whole hall of players, and rightly."""

import pytest

from gloam_server.world.model.ids import REALM_PARTITION
from gloam_server.world.model.inputs import EnterPlay
from gloam_server.world.model.level import Level
from gloam_server.world.population.respawning import SPAWN_DISTANCE_MIN, unseen_cells
from gloam_server.world.transition.dungeon import new_dungeon, populate
from support.content.campaigns import shipped
from support.run.effort import effort


def as_told(level: Level) -> list[int]:
    """Return the bare cells that no gate shuts off, no player sees and that are far enough from all, asked one by one."""
    players = level.players()
    shut_off = level.state.devices.sealed if level.state.devices else []
    return [
        cell
        for cell in range(len(level.terrain))
        if level.is_empty_floor(cell)
        and cell not in shut_off
        and not any(level.field_of_view(player)[cell] for player in players)
        and all(level.grid.distance(cell, player.cell) >= SPAWN_DISTANCE_MIN for player in players)
    ]


@pytest.mark.thorough
@pytest.mark.rule("F08", "F180")
@pytest.mark.parametrize("campaign", ["gloam", "jsrogue", "rltut", "ruggrogue"])
@pytest.mark.parametrize("seed", range(effort(1, 3)))
def test_no_respawn_where_a_player_sees_or_is_near(campaign: str, seed: int) -> None:
    dungeon = new_dungeon(shipped(campaign), seed)
    populate(dungeon)
    level = dungeon.levels[1]
    for players in (0, 1, 2, 9):
        for account in range(len(level.players()), players):
            dungeon.apply_input(REALM_PARTITION, EnterPlay(account + 1, f"Guest{account}"))
        assert len(level.players()) == players
        # Some of them stand at the edges and far from each other, as no newcomer does.
        for at, body in enumerate(level.players()):
            body.cell = (at * 997 + seed * 31) % len(level.terrain)
            level.sight.note_change(body.number)
        level.occupied.clear()
        level.occupied.update({body.cell: body.number for body in level.creatures.values()})
        assert unseen_cells(level) == as_told(level)
