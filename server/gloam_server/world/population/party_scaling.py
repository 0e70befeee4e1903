"""Party scaling: a level gets more contents as more players join.

So each player of a party gains, fights and eats like a single player.

A level is made for one player. Each other player brings food (rule F48) and, if the level says so, other items (rule
F43), once in all of their lives, out of sight of all players. Creatures follow the players in play (rule F41): a player
who joins others on the level brings some, and they leave again after that player; so do goods that lie untouched.
`apply` calls this for each arrival. The difficulty tracker does not count them: it counts the original contents of a
depth.
"""

from typing import Final

from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.population import respawning
from gloam_server.world.population.guest_goods import give_goods, lacks_goods

_CLOSE: Final = 3
"""The size of a party whose members mostly fight side by side, each with a part in nearly every kill."""


def scale_for_newcomer(context: TurnContext, newcomer: Creature) -> None:
    """Scale the level for a player who arrives: goods on the first visit, creatures while others play there."""
    if not newcomer.account:
        return
    respawning.forget_absent(context)
    if lacks_goods(context.level, newcomer):
        give_goods(context, newcomer, respawning.unseen_cells(context.level))
    _join_company(context, newcomer.account)


def _join_company(context: TurnContext, account: int) -> None:
    """Count a player among the company of the level, and bring their creatures, up to its target.

    A player who returns brings only what left after them, or two could fill the level on the stairs again and again.
    """
    level, state = context.level, context.level.state
    if account in state.company:
        return
    state.company[account] = state.turns
    returns = state.away.pop(account, None) is not None
    count = state.withdrawn if returns else level.level_kind.monsters_per_guest
    count = min(
        count,
        level.level_kind.monsters_per_guest,
        respawning.population_target(level) - respawning.count_natives(level),
    )
    if len(state.company) == 1 or count <= 0:
        return
    cells = respawning.unseen_cells(level)
    for _ in range(count):
        creature = respawning.spawn_newcomer(context, cells)
        if creature is None:
            return
        creature.generation = 1 if returns else _generation(len(state.company))
        state.withdrawn -= returns


def _generation(players: int) -> int:
    """Return the generation of the creatures that appear with the newest of this number of players.

    Two players fight side by side, or three in a room, and nearly all of them share each kill: so the creatures that
    appear with the second and the third player give less experience (rule F35). In a larger party many players have no
    part in a kill, and the creatures that appear with the others give the full award.
    """
    return 1 if players <= _CLOSE else 0
