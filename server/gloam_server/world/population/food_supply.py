"""The food supply grows with the number of players who come, so that a party does not starve (rule F48).

The items of a new level are for its first player. `party_scaling` calls this for every other player.
"""

from gloam_server.world.generation.placement.loot_schemes import LOOT_SCHEMES
from gloam_server.world.items.floor_items import create_item, drop_item
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.level import Level


def add_food(stage: TurnContext, places: list[int]) -> None:
    """Put as much food as the level was made with on some of these cells, at least one item."""
    level = stage.level
    scheme = LOOT_SCHEMES[level.level_kind.goods]
    for _ in range(_food_for_one(level)):
        kind = scheme.choose_food(level.campaign, stage.dice, level.state.difficulty)
        if kind is not None:
            cell = stage.dice.pick("provisions' place", stage.acting, places)
            drop_item(stage, create_item(stage, kind, cell), cell)


def _food_for_one(level: Level) -> int:
    """Return the approximate number of food items on a new level, by its rules."""
    campaign, rules = level.campaign, level.level_kind
    counted = sum(
        share.base + share.per_depth * (level.depth - 1)
        for share in rules.things
        if share.group == "food" or (share.kind and campaign.items[share.kind].food > 0)
    )
    return counted + LOOT_SCHEMES[rules.goods].count_food(campaign, rules)
