"""Kinds of things: what `items.toml` may say, and in which bounds. Data only."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from gloam_server.content.field_types import Amount, Depth, Glyph, Key, Radius, Signed, Words

Found: TypeAlias = Literal["never", "common", "once"]
Group: TypeAlias = Literal["", "weapon", "armour", "potion", "scroll", "book", "food", "tool"]


PickUpRule: TypeAlias = Literal["never", "always", "better", "short"]


class ItemKind(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A kind of thing (rules JG.16-JG.18, TG.14-TG.17, TG.22-TG.24, RG.14-RG.16).

    In the name of a corpse "{name}" stands for who died (rule JG.12). An empty `colour` is that of the creature it came
    from. `group` is what populations draw from; `weight` its share there, `levels` the lowest and highest level at which
    it is drawn. `found` tells where it comes from otherwise: the "common" kinds are scattered on every level, of a kind
    "once" there is exactly one in the whole dungeon, on the last depth if it is the campaign's prize.

    `food` is what each of its `bites` gives, below 0 for what is bad, 0 for what is no food; `food_per_hp` is what a
    corpse gives for each point of health of who died (rule TG.17). `attack` and `defence` are what it adds while it is
    wielded or worn, `ranged` what it shoots with while it is wielded, at up to `reach` cells, `thrown` what it strikes
    with when it is thrown. `scales` tells that attack and defence grow with the thing's own level, and that this
    level stands in its name (rules R2, RG.14). `light` is the radius that it lights up while it is carried.

    `quaffs` is the spell that quaffing it, or breaking it on somebody, brings, `reads` that of reading it; both use it
    up. `teaches` are the spells of a book, which is not used up. `looks` tells that its name is not known until its effect
    was seen, and that it looks like one of the campaign's `appearances` instead (rule TG.22). What is `fixed` cannot be
    picked up. In the name of a "grave" {name} stands for who lies there, {end} for the end, such as "was killed by a rat".
    `pick_up` tells when it is worth picking up by itself: "better" than what one carries for the same use, "short" of meals.
    """

    key: Key
    name: Words
    glyph: Glyph
    colour: str = ""
    group: Group = ""
    weight: Annotated[int, Meta(ge=0, le=1_000)] = 10
    levels: tuple[Depth, Depth] | None = None
    found: Found = "never"
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
    looks: bool = False
    fixed: bool = False
    pick_up: PickUpRule = "never"
    words: str = ""

    @property
    def stacks(self) -> bool:
        """Whether alike things of this kind may share a slot: gear does not, but what is made to be thrown does."""
        gear = self.wearable or (self.wieldable and not self.thrown)
        return not (gear or self.scales or self.teaches or self.bites > 1)
