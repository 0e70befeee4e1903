"""The goods of guests: each player has goods on a level, so that a party does not starve (rules F43, F48).

The first has those that the level was made with; `party_scaling` brings some for every other player. Goods that lie
untouched leave with their player, and return with that player: an account that only looked in leaves nothing behind.

Earlier lives take what is of use on the upper levels. A later life in company brings some items again (rule F43).
"""

from typing import Final

from msgspec import UNSET

from gloam_server.rules.dice import Dice
from gloam_server.world.generation.placement.item_placement import PlacedItem
from gloam_server.world.generation.placement.loot_schemes import LOOT_SCHEMES
from gloam_server.world.generation.placement.loot_tables import choose_item
from gloam_server.world.items.floor_items import create_item, destroy_item, drop_item, pick_item
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature, Item
from gloam_server.world.model.level import Level
from gloam_server.world.population.spawning import place_spawn

_MADE_BY: Final = 1
"""The input of each level that made its own goods: the first populates it."""

HEIRS_EVERY: Final = 1_000
"""The least turns of a level between the goods of two lives of a player: deaths on purpose gain no more than patience."""


def lacks_goods(level: Level, player: Creature) -> bool:
    """Return whether a player brings goods: on the first visit, and for a later life beside others after a while.

    Where heirs bring items, `supplied` knows the life that brought goods last.
    """
    state, account = level.state, player.account
    if account not in state.guests:
        return True
    if not level.level_kind.items_per_heir or state.company.keys() <= {account}:
        return False
    life, turn = (0, 0) if state.supplied is UNSET else state.supplied.get(account, (0, 0))
    return life != player.number and turn + HEIRS_EVERY <= state.turns


def give_goods(context: TurnContext, player: Creature, cells: list[int]) -> None:
    """Give a player who lacks goods here some: the level's own if they are free, else new ones on these cells.

    The goods of players who left the level empty do not wait for a newcomer. The items of a later life stay: it
    costs more than a look at the level.
    """
    level, state, account = context.level, context.level.state, player.account
    if level.level_kind.items_per_heir:
        supplied = {} if state.supplied is UNSET else state.supplied
        state.supplied = supplied | {account: (player.number, state.turns)}
    if account in state.guests:
        for _ in range(level.level_kind.items_per_heir if cells else 0):
            _place_item(context, cells)
        return
    for absent in [each for each in state.goods if each not in state.company]:
        take_back_goods(context, absent)
    laid = state.sequence if state.claimed else _MADE_BY
    if state.claimed and cells:
        _bring(context, account, cells)
    state.guests.append(account)
    state.claimed = True
    state.goods[account] = (laid, len(_untouched(level, laid)))


def take_back_goods(context: TurnContext, account: int) -> None:
    """Let the goods of a player who left go, if all of them lie untouched and unseen; else they stay permanently.

    Such a player gets goods again on a return: the same, because their dice know the account alone.
    """
    level, state = context.level, context.level.state
    laid, count = state.goods.pop(account, (0, 0))
    lying = _untouched(level, laid)
    if not count or len(lying) < count:
        return
    if laid == _MADE_BY:
        state.claimed = False
    elif any(level.witnesses(cell) for cell, _ in lying):
        return
    else:
        for cell, item in lying:
            destroy_item(context, pick_item(level, item, cell), cell)
    state.guests.remove(account)


def _untouched(level: Level, laid: int) -> list[tuple[int, Item]]:
    """Return the goods that an input laid and that were not moved since."""
    return [(cell, item) for cell, item in level.items_at() if item.laid == laid and not item.owner]


def _bring(context: TurnContext, account: int, cells: list[int]) -> None:
    """Put a player's food on some of these cells, and items as the level says."""
    level, dice = context.level, context.dice
    context.dice = Dice(level.realm_seed, level.partition, -account)  # no input has a number below 0
    for _ in range(_food_for_one(level)):
        _place_food(context, cells)
    for _ in range(level.level_kind.items_per_guest):
        _place_item(context, cells)
    context.dice = dice


def _place_food(context: TurnContext, cells: list[int]) -> None:
    level = context.level
    scheme = LOOT_SCHEMES[level.level_kind.goods]
    kind = scheme.choose_food(level.campaign, context.dice, level.state.difficulty)
    if kind is not None:
        cell = context.dice.pick("provisions' place", 0, cells)
        drop_item(context, create_item(context, kind, cell), cell)


def _place_item(context: TurnContext, cells: list[int]) -> None:
    """Put an item on one of these cells, as the level might have been made with it."""
    level = context.level
    good = choose_item(level.campaign, context.dice, None, level.state.difficulty)
    if good is not None:
        cell = context.dice.pick("guest's thing", 0, cells)
        place_spawn(context, PlacedItem(good.kind, cell, good.power, good.bonus))


def _food_for_one(level: Level) -> int:
    """Return the approximate number of food items on a new level, by its rules."""
    campaign, rules = level.campaign, level.level_kind
    counted = sum(
        share.base + share.per_depth * (level.depth - 1)
        for share in rules.things
        if share.group == "food" or (share.kind and campaign.items[share.kind].food > 0)
    )
    return counted + LOOT_SCHEMES[rules.goods].count_food(campaign, rules)
