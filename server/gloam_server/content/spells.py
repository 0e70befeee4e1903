"""Spells: what `spells.toml` may say. Potions, scrolls, books, traps and creatures all name spells. Data only."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from gloam_server.content.words import Amount, Key, Percent, Radius, Signed, Turns, Words

Target: TypeAlias = Literal["self", "creature", "cell"]
Does: TypeAlias = Literal[
    "heal",
    "mana",
    "harm",
    "strengthen",
    "learn",
    "blood_to_mana",
    "blink",
    "teleport",
    "summon",
    "detect",
    "sleep",
    "dig",
    "map",
    "fear",
    "cure",
    "swap",
    "light",
]


class Effect(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One thing that a spell does to whom it reaches (rules TG.22, TG.24, RG.16).

    `does` names it, `amount` says how much: health for "heal" and "harm", mana for "mana", experience a level of the
    target for "learn", cells for "blink", turns for "sleep", creatures for "summon". `or_max` is the maximum health that
    "heal" adds to who is unhurt. With `turns` it lasts: "heal" and "harm" then work in each turn, "strengthen" adds
    `attack`, `defence`, `sight`, `speed`, `regeneration` and `mana_regeneration` while it lasts, and `percent` is the
    chance of `amount` health in each turn. `kind` is the creature that "summon" calls. `word` is how the state is called
    while it lasts ("poisoned").
    """

    does: Does
    amount: Amount = 0
    or_max: Amount = 0
    turns: Turns = 0
    attack: Signed = 0
    defence: Signed = 0
    sight: Signed = 0
    speed: Signed = 0
    regeneration: Signed = 0
    mana_regeneration: Signed = 0
    percent: Percent = 0
    kind: str = ""
    word: str = ""


class Spell(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A spell, whoever or whatever casts it.

    `cost` is mana. `target` tells what it is aimed at: "self", a "creature", or a "cell"; within `range` cells and in
    sight. It reaches all within `radius` cells of where it is aimed, walls stop it, and the caster too if he stands there.
    `harms` tells whether it is an attack: it then follows the rules of who may act on whom. `words`
    tell it in one sentence, for lists.
    """

    key: Key
    name: Words
    words: Words
    cost: Annotated[int, Meta(ge=0, le=10_000)] = 0
    target: Target = "self"
    range: Radius = 0
    radius: Radius = 0
    harms: bool = False
    effects: tuple[Effect, ...] = ()
