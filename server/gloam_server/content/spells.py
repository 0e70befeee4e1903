"""Spells: the format of `spells.toml`. Potions, scrolls, books, traps and creatures all name spells.

Data only.
"""

from functools import cached_property
from typing import Annotated, Final, Literal, TypeAlias, get_args

from msgspec import Meta, Struct

from gloam_server.content.field_types import Amount, Key, Percent, Radius, Signed, Turns, Words
from gloam_server.content.powers import DamageType

Target: TypeAlias = Literal["self", "creature", "cell"]

Stat: TypeAlias = Literal["attack", "defence", "sight", "speed", "regeneration", "mana_regeneration"]
"""A number of a body to which effects add."""

_STATS: Final[tuple[Stat, ...]] = get_args(Stat)

EffectKind: TypeAlias = Literal[
    "heal",
    "mana",
    "harm",
    "drain",
    "strengthen",
    "learn",
    "know",
    "feed",
    "blood_to_mana",
    "blink",
    "teleport",
    "swap",
    "push",
    "summon",
    "detect",
    "sleep",
    "fear",
    "silence",
    "dark_sight",
    "light_feet",
    "cure",
    "dig",
    "map",
    "light",
    "reveal",
    "lay",
]
"""The things that an effect may do; `Effect` defines each."""

STATUS_KINDS: Final[frozenset[EffectKind]] = frozenset(
    {"heal", "mana", "harm", "strengthen", "detect", "fear", "silence", "dark_sight", "light_feet"}
)
"""The effects that may last, with `turns`. The last six have no meaning without."""

HARMFUL_KINDS: Final[frozenset[EffectKind]] = frozenset(
    {"harm", "drain", "blood_to_mana", "blink", "teleport", "swap", "push", "sleep", "fear", "silence"}
)
"""Effects that harm. No spell may do them to a friend; a caster may do them to itself."""


class Effect(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One effect of a spell on the bodies or the place that it reaches.

    On a body: "heal" gives `amount` health, and `or_max` maximum health to an unhurt body; "mana" gives mana; "harm"
    takes health, as damage of its `damage_type`; "drain" takes it and gives it to the caster; "learn" gives `amount` experience for each level of the
    target; "know" identifies all items that it carries; "feed" gives a player `amount` food; "blood_to_mana" turns at
    most `amount` of its health into mana, 0 for no limit; "blink" moves it to a random place within `amount` cells,
    "teleport" anywhere on the level, "push" by `amount` cells away from the caster or the center of the blast; "swap"
    exchanges its place with the caster's; "sleep" makes it sleep for `amount` turns; "cure" ends sleep and all harmful
    states; "map" shows it the level within `amount` cells, 0 for all of it.

    On the place: "summon" creates `amount` creatures of `kind` around it, 0 for as many as have room; they vanish after
    `turns` of their own turns, if set. "dig" turns the walls within the spell's radius into floor, or, with `amount`,
    that number of cells straight ahead of the caster, in the direction of the aim; "light" lights up what the spell
    reaches; "reveal" shows the hidden traps there; "lay" puts the `surface` on all free cells that the spell reaches.

    With `turns` the effect lasts for that number of the body's own actions: "heal", "mana" and "harm" then work in each
    of them; "strengthen" adds `attack` and `defence` (in the campaign's units), `sight` (cells), `speed`,
    `regeneration` and `mana_regeneration` (thousandths per turn) while it lasts, each below 0 to weaken the body, and
    `percent` is the chance of `amount` health in each turn; "detect" shows the creatures within `amount` cells, 0
    for all of the level; with "fear" the body flees and does not fight, with "silence" it cannot cast; with
    "dark_sight" it sees in the dark as far as in the light; with "light_feet" it springs no traps, and sleepers do not
    wake sooner for it. `word` names the state while it lasts, as in "You are poisoned." See rules TG.22,
    TG.24, RG.16, RG.17.
    """

    does: EffectKind
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
    surface: str = ""
    damage_type: DamageType = "blow"
    word: str = ""

    @property
    def weakens(self) -> bool:
        """Whether the sum of what it adds is negative: a cure ends it, and a spell never does it to a friend."""
        return self.does == "strengthen" and self.attack + self.defence + self.sight + self.speed < 0

    @property
    def changes_sight(self) -> bool:
        """Whether it changes what a body sees, while it lasts."""
        return self.does == "dark_sight" or self.sight != 0

    @property
    def unwelcome(self) -> bool:
        """Whether no spell may do it to a friend."""
        return self.weakens or self.does in HARMFUL_KINDS


class Spell(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, dict=True):
    """A spell, for every kind of caster.

    `cost` is in mana. `target` says what it is aimed at: "self", a "creature", or a "cell", within `range` cells and in
    sight. It reaches everything within `radius` cells of its target (a circle, like sight), including the caster; walls
    stop it. `harms` says whether it is an attack. An attack cannot be aimed at a friend and does not harm friends,
    while a harmless spell with a radius reaches only friends. `words` describe it in one sentence.
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

    # A ring's spell is asked for these several times in each turn of its bearer, so they are computed once.
    @cached_property
    def kinds(self) -> frozenset[EffectKind]:
        """The kinds of its effects."""
        return frozenset([effect.does for effect in self.effects])

    @cached_property
    def strengthening(self) -> dict[Stat, int]:
        """Return the sum of all its effects on each number of a body."""
        strengthen = [effect for effect in self.effects if effect.does == "strengthen"]
        return {stat: sum([getattr(effect, stat) for effect in strengthen]) for stat in _STATS}

    @cached_property
    def changes_sight(self) -> bool:
        """Whether one of its effects changes what a body sees."""
        return any(effect.changes_sight for effect in self.effects)
