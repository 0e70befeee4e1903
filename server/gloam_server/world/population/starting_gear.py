"""The start of a creature: its own items, and a place to hide (rule TG.11)."""

from operator import attrgetter

from gloam_server.content.creatures import ANY_ARMOUR, ANY_WAND, ANY_WEAPON
from gloam_server.content.field_types import Group
from gloam_server.content.items import ItemKind
from gloam_server.world.items.equipment import free_slot, gain_item
from gloam_server.world.items.floor_items import create_item
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature


def give_starting_gear(context: TurnContext, creature: Creature) -> None:
    """Give a creature on the level its kind's starting gear, equipped, and hide it if it lies in wait."""
    kind = context.level.campaign.creatures[creature.kind]
    for name in kind.starts_with:
        drawn = draw_kind(context, creature, name)
        slot = free_slot(creature)
        if drawn is None or slot is None:
            continue
        item = create_item(context, drawn, creature.cell)
        if drawn.scales:
            item.power = creature.level
        gain_item(context.level, creature, slot, item)
        if drawn.wieldable and not creature.wielded and drawn.attack + drawn.ranged >= drawn.defence:
            creature.wielded = item.number
        elif drawn.wearable and not creature.worn:
            creature.worn = item.number
    if "ambush" in kind.tasks:
        disguise_as_item(creature)


def disguise_as_item(creature: Creature) -> None:
    """Hide a creature that lies in wait."""
    creature.ai.hidden = True


def reveal_creature(creature: Creature) -> None:
    """Make a hidden creature visible again."""
    creature.ai.hidden = False


def draw_kind(context: TurnContext, creature: Creature, name: str) -> ItemKind | None:
    """Return an entry's item kind: the named one, or a random one of its group for the creature's level."""
    campaign = context.level.campaign
    groups: dict[str, Group] = {ANY_WEAPON: "weapon", ANY_ARMOUR: "armour", ANY_WAND: "wand"}
    if name not in groups:
        return campaign.items[name]
    kinds = [
        kind for kind in campaign.items_of(groups[name]) if kind.weight and _is_allowed(kind, creature.level)
    ]
    return context.dice.weighted("outfit", creature.number, kinds, attrgetter("weight")) if kinds else None


def _is_allowed(kind: ItemKind, level: int) -> bool:
    return kind.levels is None or kind.levels[0] <= level <= kind.levels[1]
