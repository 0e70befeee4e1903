"""The answer to a client's request for its player's memory of another level."""

from gloam_server.engine.player import Player
from gloam_server.views.projection import remembered_map
from gloam_server.world.transition.dungeon import Dungeon
from gloam_shared.protocol.messages.records import MapMemory
from gloam_shared.view import run_length


def map_memory_message(dungeon: Dungeon, player: Player, depth: int) -> MapMemory:
    """Return what a player remembers of the level at `depth`.

    A map without cells for a level never visited.
    """
    level, life = dungeon.levels.get(depth), dungeon.realm.lives.get(player.account)
    if level is None or life is None or life.number not in level.memory:
        return MapMemory(depth, 0, 0, b"")
    known = remembered_map(level, life.number)
    return MapMemory(
        depth,
        level.grid.width,
        level.grid.height,
        run_length.diff_values(bytes(len(known)), known, level.grid.width),
    )
