"""Mixed levels: rooms on caves, all connected. It changes only the draft."""

from typing import Final

from gloam_server.rules.dice import Dice
from gloam_server.world.generation.draft import LevelDraft
from gloam_server.world.generation.terrain.caves import cave_terrain
from gloam_server.world.generation.terrain.corridors import dig_elbow, join_regions, pairs_to_join
from gloam_server.world.generation.terrain.rooms import RoomStyle, place_rooms
from gloam_shared.appearance import Terrain
from gloam_shared.geometry import Direction

STAMPED: Final = RoomStyle(attempts=14, widths=(5, 11), heights=(4, 7), extra=1, margin=4)


def build_mixed(
    draft: LevelDraft, dice: Dice, seed: int, attempt: int, directions: tuple[Direction, ...]
) -> None:
    """Make caves, put walled rooms on them, connect the rooms by corridors, then connect the remaining regions."""
    draft.terrain[:] = cave_terrain(draft.kind, seed, draft.partition, attempt)
    draft.rooms = place_rooms(draft, dice, STAMPED)
    for room in draft.rooms:
        for cell in room.walls(draft.width):
            draft.terrain[cell] = Terrain.WALL
        for cell in room.cells(draft.width):
            draft.terrain[cell] = Terrain.FLOOR
    for one, other in pairs_to_join(dice, draft.rooms, STAMPED.extra):
        dig_elbow(draft, one.centre, other.centre, across_first=dice.chance("elbow", 0, 50))
    join_regions(draft, dice, directions)
