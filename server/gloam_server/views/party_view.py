"""The players of the realm as each of them sees them in the party list."""

from collections.abc import Iterable

from gloam_server.world.model.creature import Creature
from gloam_server.world.model.creature_state import Down
from gloam_server.world.model.level import Level
from gloam_shared.view.downed import marks_of_downed
from gloam_shared.view.view import CreatureFlag, Friend


def friend_of(name: str, level: Level, body: Creature, marks: CreatureFlag) -> Friend:
    """Return a player in play as shown to the party."""
    condition = -(-4 * body.hp // body.hp_max)
    return Friend(name, level.partition, body.level, condition, int(marks) | down_marks(body))


def down_marks(body: Creature) -> int:
    """Return the marks of a downed player, with the turns left; 0 for all others."""
    return marks_of_downed(body.down.turns) if isinstance(body.down, Down) else 0


def sorted_by_name(friends: Iterable[Friend]) -> tuple[Friend, ...]:
    """Return the party in the order in which it is shown."""
    return tuple(sorted(friends, key=lambda friend: friend.name))
