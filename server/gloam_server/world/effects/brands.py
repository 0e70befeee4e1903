"""Brands: the effect of a branded weapon after a blow that does damage (rule F76)."""

from gloam_server.content.items import Brand
from gloam_server.world.combat.damage import apply_damage
from gloam_server.world.effects.spells import cast_spell
from gloam_server.world.items.equipment import wielded_item
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature, Item
from gloam_server.world.model.item_names import brand_of, item_name
from gloam_server.world.model.powers import powers_of


def apply_brand(context: TurnContext, by: Creature, target: Creature, dealt: int) -> None:
    """Apply the brand of the wielded weapon to a creature that a blow has damaged.

    A visible effect reveals the brand.
    """
    inflict(context, by, target, dealt)
    weapon = wielded_item(by) if by.wielded else None
    brand = brand_of(context.level.campaign, weapon) if weapon is not None else None
    if weapon is None or brand is None or not dealt:
        return
    if brand.slays and context.level.campaign.creatures[target.kind].people not in brand.slays:
        return
    drunk = _drink(context, brand, by, dealt)
    hurt = _harm(context, brand, by, target, dealt)
    cast = _cast(context, brand, by, target)
    if drunk or hurt or cast:
        notice_brand(context, by, weapon)


def _drink(context: TurnContext, brand: Brand, by: Creature, dealt: int) -> bool:
    """Give the attacker a share of the damage as health."""
    gained = min(_share(dealt, brand.drinks_percent), by.hp_max - by.hp)
    if gained <= 0 or by.number not in context.level.creatures:
        return False
    by.hp += gained
    context.emit("heals", by)
    return True


def _harm(context: TurnContext, brand: Brand, by: Creature, target: Creature, dealt: int) -> bool:
    amount = _share(dealt, brand.harm_percent)
    if not amount or target.number not in context.level.creatures:
        return False

    def tell(amount: int) -> None:
        context.emit("blasted", target, amount=amount, source=brand.force or brand.name)

    apply_damage(context, target, amount, by, by.name, damage_type=brand.damage_type, tell=tell)
    return True


def _cast(context: TurnContext, brand: Brand, by: Creature, target: Creature) -> bool:
    if not brand.casts or target.number not in context.level.creatures:
        return False
    if not context.dice.chance("brand works", by.number, brand.casts_percent):
        return False
    return cast_spell(context, brand.casts, by, target.cell)


def inflict(context: TurnContext, by: Creature, target: Creature, dealt: int) -> None:
    """Let the striker's own powers cast their spells on a creature that it has hurt by a blow or a shot (rule F98)."""
    for power in powers_of(context.level.campaign, by) if dealt else ():
        works = power.does == "inflicts" and target.number in context.level.creatures
        if works and context.dice.chance("inflicts", by.number, power.percent):
            cast_spell(context, power.against, by, target.cell)


def _share(dealt: int, percent: int) -> int:
    """Return a share of damage, at least 1 unless the share is 0."""
    return max(1, dealt * percent // 100) if percent else 0


def notice_brand(context: TurnContext, by: Creature, item: Item) -> None:
    """Show an item's brand, if any, in its name from now on."""
    brand = brand_of(context.level.campaign, item)
    if brand is not None and not item.noticed:
        context.emit_private("turns_out", by, name=item_name(context.level, item, by), source=brand.name)
        item.noticed = True
