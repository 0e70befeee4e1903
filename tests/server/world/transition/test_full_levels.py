"""Levels without a free cell: a body that would arrive there goes to another level, or stays where it was."""

import pytest

from gloam_lab.invariants import check_invariants
from gloam_server.world.model.context import RuleFault
from gloam_server.world.model.ids import REALM_PARTITION
from gloam_server.world.model.inputs import EnterPlay, PlayerAction, Turn
from gloam_server.world.transition.dungeon import Dungeon, new_dungeon
from gloam_shared.appearance import Terrain
from gloam_shared.protocol.commands import Climb
from support.content.campaigns import arena


def peopled(*accounts: int) -> Dungeon:
    """Return a dungeon without monsters in which these players stand."""
    here = new_dungeon(arena(), 5)
    for account in accounts:
        here.apply_input(REALM_PARTITION, EnterPlay(account, f"Player{account}"))
    return here


def fill(here: Dungeon, partition: int) -> None:
    """Wall up every free cell of a level: its bodies and its stairs stay."""
    level = here.levels[partition]
    for cell in range(len(level.terrain)):
        if level.is_free(cell) and level.terrain[cell] not in (Terrain.STAIRS_UP, Terrain.STAIRS_DOWN):
            level.dig(cell, Terrain.WALL)
    for cell in range(len(level.terrain)):
        if level.is_free(cell):
            level.occupied[cell] = -1  # as if a body stood there: no room at all


def place_of(here: Dungeon, account: int) -> int:
    """Return where a player's body is, as the realm and the level say."""
    life = here.realm.lives[account]
    assert life.number in here.levels[life.partition].creatures
    return life.partition


@pytest.mark.rule("A76")
def test_new_life_begins_below_a_full_level() -> None:
    here = peopled(1)
    fill(here, 1)
    here.apply_input(REALM_PARTITION, EnterPlay(2, "Player2"))
    assert (place_of(here, 1), place_of(here, 2)) == (1, 2)
    level = here.levels[2]
    body = level.creatures[here.realm.lives[2].number]
    assert level.terrain[body.cell] == Terrain.STAIRS_UP
    check_invariants(level)


def test_stairs_to_a_full_level_lead_nowhere() -> None:
    """A player who climbs towards a full level stays where they are, and can climb once there is room."""
    here = peopled(1)
    fill(here, 1)
    here.apply_input(REALM_PARTITION, EnterPlay(2, "Player2"))
    body = here.levels[2].creatures[here.realm.lives[2].number]
    climb = Turn((PlayerAction(body.number, 1, Climb(down=False)),))
    here.apply_input(2, climb)
    assert place_of(here, 2) == 2
    here.levels[1].occupied = {each.cell: each.number for each in here.levels[1].creatures.values()}  # type: ignore[misc]
    here.apply_input(2, climb)
    assert place_of(here, 2) == 1


def test_fault_names_a_dungeon_without_room() -> None:
    here = peopled(1)
    for partition in here.levels:
        fill(here, partition)
    with pytest.raises(RuleFault) as raised:
        here.apply_input(REALM_PARTITION, EnterPlay(2, "Player2"))
    assert "no level has a free cell" in str(raised.value.__cause__)
