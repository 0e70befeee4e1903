"""Brands: additional properties of weapons, from `[[brands]]` in `campaign.toml`. Data only."""

from typing import Annotated

from msgspec import Meta, Struct

from gloam_server.content.field_types import Key, Percent, Short, Words


class Brand(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A brand of weapons.

    `name` stands before the name of the weapon once the brand was noticed, as in "flaming mace"; `words` describe it.
    `force` is what hits in the message about further damage, as in "Fire hits the rat for 2 damage!".
    `weight` is its share among the brands. After a blow that harms, a brand does what it says: the blow takes
    `harm_percent` of its damage again, at least 1; the striker gains `drinks_percent` of the damage as health, at least
    1; and with a chance of `casts_percent` the spell `casts` works on the creature that was struck. With `slays` it does
    so only to creatures of these peoples.
    """

    key: Key
    name: Short
    words: Words
    force: str = ""
    weight: Annotated[int, Meta(ge=1, le=1_000)] = 10
    harm_percent: Annotated[int, Meta(ge=0, le=400)] = 0
    drinks_percent: Percent = 0
    casts: str = ""
    casts_percent: Percent = 0
    slays: tuple[str, ...] = ()

    @property
    def works(self) -> bool:
        """Whether it does anything."""
        return bool(self.harm_percent or self.drinks_percent or (self.casts and self.casts_percent))
