"""Kinds of items and brands: the format of `items.toml` and of `[[brands]]`, with its bounds. Data only."""

from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta, Struct

from gloam_server.content.field_types import (
    Amount,
    Count,
    Depth,
    Glyph,
    Group,
    Key,
    Percent,
    Radius,
    Short,
    Signed,
    Words,
)
from gloam_server.content.powers import DamageType, Power

Found: TypeAlias = Literal["never", "common", "once"]
Charges: TypeAlias = Annotated[int, Meta(ge=0, le=99)]
BrandedAs: TypeAlias = Literal["weapon", "bow", "armour"]
PickUpRule: TypeAlias = Literal["never", "always", "better", "short"]


CORPSE: Final = "corpse"
GRAVE: Final = "grave"
LEFT_BY_THE_DEAD: Final = (CORPSE, GRAVE)
"""The kinds that deaths create: what creatures and players leave besides their items."""


class ItemKind(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A kind of item.

    In the name of a corpse "{name}" is the dead creature. With an empty `colour` the item has the color of the creature
    that left it. Populations draw items by `group`; `weight` is the kind's share in it, and `levels` are the lowest and
    highest level at which it is drawn. `found` says where else it is found: "common" kinds are scattered on every
    level, and of a kind "once" there is exactly one in the whole dungeon, on the last depth if it is the campaign's
    prize. At most `realm_max` items of a kind lie on the levels of a new realm; 0 for no such bound.

    Each of its `bites` gives `food`, below 0 for bad food, 0 for an item that is not food. A corpse gives `food_per_hp`
    for each point of health of the dead creature. `attack` and `defence` are what it adds while it is wielded or worn,
    `ranged` its ranged attack while it is wielded, at up to `reach` cells, `thrown` its attack when it is thrown.
    `scales` says that attack and defense grow with the item's own level, and that this level is part of its name; of a
    book that scales, its spells heal and harm more.
    `light` is the radius that it lights up while it is carried.

    `quaffs` is the spell of a potion that is drunk or that breaks on a creature, `reads` the spell of a scroll; both
    use it up. `teaches` lists the spells of a book, which is not used up. `zaps` is the spell of a wand: a new one has
    a random number of `charges`, each zap takes one, and with the last one it crumbles. `carries` is the spell of a
    ring: its effects last while the ring is put on; a ring may have `powers` alone. `powers` hold while the item is wielded, worn or put on; the powers of
    a `trophy` while it is carried. `looks` says that its name is unknown until its effect is seen, and
    that it shows one of the campaign's `labels` or `appearances` instead. A `fixed` item cannot be picked up. In the name of a "grave" {name} is the dead player and {end} the cause of death, such as "was killed by a rat".
    `pick_up` says when it is picked up automatically, after single steps and by plans: "always", "better" (better than
    the player's own for the same use), "short" (while the player carries fewer than three meals) or "never". An item
    that a life dropped on purpose is not picked up again by that life; an item that it threw is. A
    book is not picked up beside one of its kind that is at least as good. See rules JG.16-JG.18,
    TG.14-TG.17, TG.22-TG.24, RG.14-RG.16, JG.12, TG.17, R2, RG.14, TG.22.
    """

    key: Key
    name: Words
    glyph: Glyph
    colour: str = ""
    group: Group = ""
    weight: Annotated[int, Meta(ge=0, le=1_000)] = 10
    levels: tuple[Depth, Depth] | None = None
    found: Found = "never"
    realm_max: Count = 0
    food: Signed = 0
    food_per_hp: Annotated[int, Meta(ge=0, le=100)] = 0
    bites: Annotated[int, Meta(ge=1, le=100)] = 1
    attack: Amount = 0
    defence: Amount = 0
    ranged: Amount = 0
    reach: Radius = 0
    thrown: Amount = 0
    scales: bool = False
    light: Radius = 0
    wieldable: bool = False
    wearable: bool = False
    quaffs: str = ""
    reads: str = ""
    teaches: tuple[str, ...] = ()
    zaps: str = ""
    charges: tuple[Charges, Charges] = (0, 0)
    carries: str = ""
    looks: bool = False
    fixed: bool = False
    powers: tuple[Power, ...] = ()
    trophy: bool = False
    pick_up: PickUpRule = "never"
    words: str = ""

    @property
    def stacks(self) -> bool:
        """Whether equal items of this kind may share a slot: equipment does not, but throwing weapons do."""
        gear = self.wearable or (self.wieldable and not self.thrown)
        return not (gear or self.scales or self.teaches or self.zaps or self.is_ring or self.bites > 1)

    @property
    def branded_as(self) -> BrandedAs | None:
        """The brands that a new item of this kind may have, None for none: nothing that shares a slot has any."""
        if self.group == "armour" and self.wearable:
            return "armour"
        if self.group != "weapon" or self.stacks:
            return None
        return "bow" if self.ranged else "weapon" if self.attack > 0 else None

    @property
    def is_ring(self) -> bool:
        """Whether it is put on as a ring."""
        return bool(self.carries) or self.group == "ring"

    @property
    def spell(self) -> str:
        """The spell that is cast by drinking, reading or zapping it; "" for none."""
        return self.quaffs or self.reads or self.zaps


class Brand(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A brand of weapons, bows or armor.

    `name` stands before the name of the item once the brand was noticed, as in "flaming mace", or after it, if it begins
    with "of"; `words` describe it. `fits` says which items have it; its `powers` hold while the item is in use.
    `force` is what hits in the message about further damage, as in "Fire hits the rat for 2 damage!".
    `weight` is its share among the brands. After a blow that harms, a brand does what it says: the blow takes
    `harm_percent` of its damage again, at least 1, as damage of its `damage_type`; the striker gains `drinks_percent` of the damage as health, at least
    1; and with a chance of `casts_percent` the spell `casts` works on the creature that was struck. With `slays` it does
    so only to creatures of these peoples.
    """

    key: Key
    name: Short
    words: Words
    fits: BrandedAs = "weapon"
    powers: tuple[Power, ...] = ()
    force: str = ""
    weight: Annotated[int, Meta(ge=1, le=1_000)] = 10
    harm_percent: Annotated[int, Meta(ge=0, le=400)] = 0
    drinks_percent: Percent = 0
    damage_type: DamageType = "blow"
    casts: str = ""
    casts_percent: Percent = 0
    slays: tuple[str, ...] = ()

    @property
    def works(self) -> bool:
        """Whether it does anything."""
        return bool(
            self.powers or self.harm_percent or self.drinks_percent or (self.casts and self.casts_percent)
        )
