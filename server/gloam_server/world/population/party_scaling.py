"""Party scaling: a level gets more contents as more players come.

So each player of a party gains, fights and eats like a single player.

A level is made for its first player. Each other player brings, on the first visit in any of their lives, food
(rule F48) and, if the level says so, other items (rule F43) and creatures (rule F41), all out of sight of all players.
`apply` calls this for each arrival. The difficulty tracker does not count them: it counts the original
contents of a depth.
"""

from typing import Final

from gloam_server.world.generation.placement.item_placement import PlacedItem
from gloam_server.world.generation.placement.loot_tables import choose_item
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.population.food_supply import add_food
from gloam_server.world.population.respawning import spawn_newcomer, unseen_cells
from gloam_server.world.population.spawning import place_spawn

_CLOSE: Final = 3
"""The size of a party whose members mostly fight side by side, each with a part in nearly every kill."""


def scale_for_newcomer(stage: TurnContext, newcomer: Creature) -> None:
    """Scale the level for a player who has never been there before, except its first."""
    level = stage.level
    if not newcomer.account or newcomer.account in level.state.guests:
        return
    level.state.guests.append(newcomer.account)
    if len(level.state.guests) == 1:
        return
    places = unseen_cells(level)
    if places:
        add_food(stage, places)
        for _ in range(level.level_kind.items_per_guest):
            _place_item(stage, places)
    for _ in range(level.level_kind.monsters_per_guest):
        creature = spawn_newcomer(stage, places)
        if creature is not None:
            level.state.share += 1
            creature.generation = _generation(len(level.state.guests))


def _place_item(stage: TurnContext, places: list[int]) -> None:
    """Put an item on one of these cells, as the level might have been made with it."""
    level = stage.level
    good = choose_item(level.campaign, stage.dice, None, level.state.difficulty)
    if good is not None:
        cell = stage.dice.pick("guest's thing", stage.acting, places)
        place_spawn(stage, PlacedItem(good.kind, cell, good.power, good.bonus))


def _generation(players: int) -> int:
    """Return the generation of the creatures that come with the newest of this number of players.

    Two players fight side by side, or three in a room, and nearly all of them share each kill: so the creatures that
    come with the second and the third player give less experience (rule F35). In a larger party many players have no
    part in a kill, and the creatures that come with the others give the full award.
    """
    return 1 if players <= _CLOSE else 0
