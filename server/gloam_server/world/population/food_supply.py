"""Provisions: what there is to eat grows with those who come, so that friends do not starve together (rule F48).

The items of a new level are for its first player. `party_scaling` calls this for every other player.
"""

from gloam_server.content.items import ItemKind
from gloam_server.world.generation.placement.loot_tables import choose_item
from gloam_server.world.items.floor_items import create_item, drop_item
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.level import Level


def add_food(stage: TurnContext, places: list[int]) -> None:
    """Lay as much food as the level was made with on some of these cells, one at least."""
    for _ in range(_food_for_one(stage.level)):
        kind = _food_kinds(stage)
        if kind is not None:
            cell = stage.dice.pick("provisions' place", stage.acting, places)
            drop_item(stage, create_item(stage, kind, cell), cell)


def _food_for_one(level: Level) -> int:
    """Return about how much food lies on a level when it is made, as its rules say."""
    campaign, rules = level.campaign, level.level_kind
    counted = sum(
        share.base + share.per_depth * (level.depth - 1)
        for share in rules.things
        if share.group == "food" or (share.kind and campaign.items[share.kind].food > 0)
    )
    match rules.goods:
        case "levelled" if rules.monsters_per_food:
            return counted + max(1, rules.monsters // rules.monsters_per_food)
        case "rooms":
            return counted + 1
        case "uniform" if campaign.common_items:
            return counted + rules.items * len(_common_foods(level)) // len(campaign.common_items)
        case _:
            return counted


def _food_kinds(stage: TurnContext) -> ItemKind | None:
    """Return a kind of food as the level would have been given it, None where the campaign has none."""
    level, dice = stage.level, stage.dice
    if level.level_kind.goods == "levelled":
        good = choose_item(level.campaign, dice, "food", level.state.difficulty)
        return None if good is None else level.campaign.items[good.kind]
    foods = level.campaign.items_of("food") or _common_foods(level)
    return dice.pick("provisions", 0, foods) if foods else None


def _common_foods(level: Level) -> tuple[ItemKind, ...]:
    return tuple(kind for kind in level.campaign.common_items if kind.food > 0)
