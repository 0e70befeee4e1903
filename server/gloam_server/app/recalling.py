"""What a player remembers of a level elsewhere, as the answer to the client's question for it."""

from gloam_server.app.roster import Player
from gloam_server.views.projection import recall
from gloam_server.world.dungeon import Dungeon
from gloam_shared import runs
from gloam_shared.messages import Recalled


def recalled(dungeon: Dungeon, player: Player, depth: int) -> Recalled:
    """Return what a player remembers of the level at `depth`; of a level where the player never was, a map of no cells."""
    level, life = dungeon.levels.get(depth), dungeon.realm.lives.get(player.account)
    if level is None or life is None or life.number not in level.memory:
        return Recalled(depth, 0, 0, b"")
    known = recall(level, life.number)
    return Recalled(depth, level.width, level.height, runs.diff_values(bytes(len(known)), known, level.width))
