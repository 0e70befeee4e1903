"""Trophies: the format of `trophies.toml`, and the items that they are. Data only."""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from gloam_server.content.field_types import Key, Short, Words
from gloam_server.content.items import ItemKind
from gloam_server.content.powers import Power

TROPHY_GLYPH: Final = '"'
TROPHY_COLOUR: Final = "red"


class Trophy(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A trophy that a named creature leaves for the player who kills it: an item whose `powers` hold while it is carried.

    A creature of the `people` leaves it that has learned the `trait`; without one of them each creature fits. Of those
    that fit, the ones with both come before those with a trait, and these before those with a people.
    """

    key: Key
    name: Short
    words: Words
    powers: tuple[Power, ...]
    people: str = ""
    trait: str = ""

    @property
    def item(self) -> ItemKind:
        """The kind of item that it is."""
        return ItemKind(
            key=self.key,
            name=self.name,
            words=self.words,
            glyph=TROPHY_GLYPH,
            colour=TROPHY_COLOUR,
            powers=self.powers,
            trophy=True,
            pick_up="always",
        )


def fitting_trophies(
    trophies: Mapping[str, Trophy], people: str, learned: tuple[str, ...]
) -> tuple[Trophy, ...]:
    """Return the trophies of the closest fit for a creature of a people that has learned traits, in their order."""
    fit = [
        trophy
        for trophy in trophies.values()
        if trophy.people in ("", people) and (not trophy.trait or trophy.trait in learned)
    ]
    closest = max([_closeness(trophy) for trophy in fit], default=(False, False))
    return tuple(trophy for trophy in fit if _closeness(trophy) == closest)


def _closeness(trophy: Trophy) -> tuple[bool, bool]:
    return bool(trophy.trait), bool(trophy.people)
