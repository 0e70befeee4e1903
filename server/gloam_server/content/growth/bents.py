"""Bents of players: by which numbers a level without a card raises a life. Data only."""

from typing import Annotated

from msgspec import Meta, Struct

from gloam_server.content.field_types import Count, Key, Radius, Sentence, Short


class Bent(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A bent that a player chooses with the first gained level, once in a life (rule F106).

    `name` stands on the sheet ("archer"), `words` say what such a life does. Each step of the bent adds to maximum health
    and maximum mana, to attack and defense in the campaign's units, and to sight in cells.
    """

    key: Key
    name: Short
    words: Sentence
    health: Count = 0
    attack: Count = 0
    defence: Count = 0
    mana: Count = 0
    sight: Radius = 0


class CardRules(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The rules of cards (rule F107): each level that `every` divides offers `offered` cards, of which a player takes one.

    With `every` = 0 no level offers cards. A campaign with cards has bents.
    """

    every: Annotated[int, Meta(ge=0, le=100)] = 0
    offered: Annotated[int, Meta(ge=1, le=8)] = 3
    title: Short = "Choose a card"
    bent_title: Short = "Choose a bent"
