"""Floor items: created, put on piles, and destroyed, each with an event, and within bounds.

Items enter a level only by the functions here, and only `create_item` and `destroy_item` create and
delete items.

So no item exists twice or vanishes without a trace. Carried items are part of their creature: they travel, freeze and
die with it. Only an item on the floor has a handle; a carried item is named by its slot.
"""

from operator import attrgetter
from typing import Final

from gloam_server.content.items import CORPSE, ItemKind
from gloam_server.world.items.equipment import count_in, take_from_slot
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature, Item
from gloam_server.world.model.events import ItemCreated, ItemDestroyed
from gloam_server.world.model.item_names import item_name
from gloam_server.world.model.level import Level

PLAYER_ITEMS_MAX: Final = 200
"""The most items on a level that one player dropped; with the next drop their oldest one crumbles."""

FADING_EVERY: Final = 20
"""The turns of a level between two looks at its corpses."""

FLOOR_ITEMS_MAX: Final = 2_000
"""The most items on a level; above it the oldest one that no player dropped crumbles, unique ones last."""


def create_item(context: TurnContext, kind: ItemKind, cell: int, *, name: str = "", colour: str = "") -> Item:
    """Create a new item of a kind at a cell; it is in no pile yet."""
    item = Item(
        number=context.level.new_id(),
        kind=kind.key,
        name=name or kind.name,
        colour=kind.colour or colour,
        bites=kind.bites,
    )
    if kind.zaps:
        least, most = kind.charges
        item.charges = least + context.dice.roll("charges", 0, most - least + 1)
    item.brand = _draw_brand(context, kind)
    context.record(ItemCreated(item.number, cell))
    return item


def _draw_brand(context: TurnContext, kind: ItemKind) -> str:
    """Return the key of a new item's brand, mostly "" (rule F76)."""
    campaign = context.level.campaign
    fitting = [brand for brand in campaign.brands if brand.fits == kind.branded_as]
    if not (fitting and context.dice.chance("branded", 0, campaign.brand_percent)):
        return ""
    return context.dice.weighted("brand", 0, fitting, attrgetter("weight")).key


def destroy_item(context: TurnContext, item: Item, cell: int) -> None:
    """Record the destruction of an item that is neither on a level nor carried any more."""
    context.record(ItemDestroyed(item.number, cell))


def drop_item(context: TurnContext, item: Item, cell: int, *, owner: int = 0, left_by: int = 0) -> None:
    """Put an item on top of a pile; items beyond the level's bound crumble.

    An item on a cell where no body can stand, such as deep water, drifts to the nearest walkable cell. In a campaign
    without piles it moves to the nearest cell without an item (rule TG.17); but a grave stays where the life ended,
    also on other items.
    """
    level = context.level
    if not level.is_walkable(cell):
        cell = _nearest_dry_cell(level, cell)
    if not (level.campaign.piles or level.campaign.items[item.kind].fixed):
        cell = _drop_around(context, item, cell)
    item.owner, item.laid, item.left_by = owner, level.sequence, left_by
    level.put_item(item, cell, context.dice)
    if owner and sum(other.owner == owner for _, other in level.items_at()) > PLAYER_ITEMS_MAX:
        _destroy_oldest(
            context, [(at, other) for at, other in level.items_at() if other.owner == owner], item
        )
    elif level.count_floor_items() > FLOOR_ITEMS_MAX:
        _destroy_oldest(context, list(level.items_at()), item)


def pick_item(level: Level, item: Item, cell: int) -> Item:
    """Take an item from a pile and return it: it has no owner until it is on the floor again."""
    level.take_item(item, cell)
    item.owner = item.laid = item.left_by = 0
    return item


def drop_all(context: TurnContext, creature: Creature) -> None:
    """Put all of a creature's items on its cell."""
    for slot in range(len(creature.slots)):
        for _ in range(count_in(creature, slot)):
            drop_item(context, take_from_slot(context.level, creature, slot), creature.cell)


def _drop_around(context: TurnContext, item: Item, cell: int) -> int:
    """Return the nearest cell without an item; another player on it gets a message."""
    level = context.level
    found = level.nearest_cell(cell, lambda here: level.is_walkable(here) and here not in level.piles)
    if found is None:
        return cell
    other = level.at(found)
    if other is not None and found != cell:
        context.emit_private("lands", other, name=item_name(level, item, other))
    return found


def _nearest_dry_cell(level: Level, cell: int) -> int:
    """Return the walkable cell nearest to another, the lowest among equals; that cell itself without one."""
    ground = [there for there in range(len(level.terrain)) if level.is_walkable(there)]
    return min(ground, key=lambda there: (level.grid.distance(there, cell), there), default=cell)


def destroy_bound_items(context: TurnContext, life: int) -> None:
    """Destroy all floor items that were bound to an ended life."""
    for cell, item in [(cell, item) for cell, item in context.level.items_at() if item.bound == life]:
        destroy_item(context, pick_item(context.level, item, cell), cell)


def fade_corpses(context: TurnContext) -> None:
    """Destroy, now and then, the corpses that have lain for the turns that the campaign gives them (rule F132)."""
    level = context.level
    lasts = level.campaign.corpse_turns
    if not lasts or level.state.turns % FADING_EVERY:
        return
    old = [
        (cell, item)
        for cell, item in level.items_at()
        if item.kind == CORPSE and level.sequence - item.laid >= lasts
    ]
    for cell, item in old:
        destroy_item(context, pick_item(level, item, cell), cell)


def announce_pile(context: TurnContext, creature: Creature) -> None:
    """Send a player who entered a cell a message about the items there (rule J10.16)."""
    pile = context.level.piles.get(creature.cell) if creature.account else None
    if pile and len(pile) == 1:
        context.emit_private("finds", creature, name=item_name(context.level, pile[0], creature))
    elif pile:
        context.emit_private("finds_several", creature, amount=len(pile))


def _destroy_oldest(context: TurnContext, lying: list[tuple[int, Item]], newest: Item) -> None:
    """Destroy the first of these items to go, but not the one that has just been put down."""
    kinds = context.level.campaign.items
    cell, item = min(
        ((cell, item) for cell, item in lying if item is not newest),
        key=lambda at: (kinds[at[1].kind].found == "once", at[1].owner != 0, at[1].laid, at[1].number),
    )
    context.emit_item_event("crumbles", item, None, cell)
    destroy_item(context, pick_item(context.level, item, cell), cell)
