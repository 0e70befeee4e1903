"""The learning of creatures: peoples and their feuds, what a level may teach, and the numbers of both. Data only."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from gloam_server.content.creatures import Behavior
from gloam_server.content.field_types import Key, Percent, Radius, Short, Turns, Words
from gloam_server.content.powers import Power

Syllable = Annotated[
    str, Meta(pattern=r"^[A-Za-z'-]{1,12}$", description="a syllable of 1 to 12 letters from A to Z")
]


Sound: TypeAlias = Annotated[str, Meta(max_length=60, description="a text of at most 60 letters")]

ByDepth: TypeAlias = Annotated[int, Meta(ge=0, le=100)] | tuple[Annotated[int, Meta(ge=0, le=100)], ...]
"""A number for all depths, or one for each depth from the first; the last holds for all below."""


def at_depth(numbers: ByDepth, depth: int) -> int:
    """Return the number for a depth, from 1; 0 of an empty table."""
    if isinstance(numbers, int):
        return numbers
    return numbers[min(depth, len(numbers)) - 1] if numbers else 0


class People(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A people: a group of kinds of creatures that belong together.

    `name` is its name in the plural. Creatures of a people attack creatures of the peoples in `hates`. A feud has two
    sides: where the other people does not hate in return, it only defends itself, and `check-campaign` says so. A name
    of the people is one syllable of `syllables_first` and one of `syllables_last`.
    A named creature greets a player who knows its name with a line of `speech`, which follows the name: "snarls".
    """

    key: Key
    name: Short
    hates: tuple[str, ...] = ()
    syllables_first: tuple[Syllable, ...] = ()
    syllables_last: tuple[Syllable, ...] = ()
    speech: tuple[Short, ...] = ()


class Trait(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A trait that a creature may learn with a level.

    `name` is its name in a list, such as "thick hide", `told` what witnesses read after the creature's name, such as
    "grows a thick hide", and `words` describe it. `hp_percent`, `attack_percent` and `defence_percent` raise these
    numbers by a percentage of what they are, `speed`, `sight` and `regeneration` by a number. `adds` are behaviors
    that the creature tries before its kind's, `never` those that it no longer has. With `opens`, `swims` or
    `digs` it does so, if its kind does not. With a `card` weight it is offered to players as a card (rule F107): one that
    creatures learn after a kill of such a kind, any other to lives of the bents and kits in `suits`, or to
    all. `powers` are what it can do besides.
    """

    key: Key
    name: Short
    told: Short | Literal[""] = ""
    words: Words | Literal[""] = ""
    hp_percent: Percent = 0
    attack_percent: Percent = 0
    defence_percent: Percent = 0
    speed: Annotated[int, Meta(ge=0, le=2_000)] = 0
    sight: Radius = 0
    regeneration: Annotated[int, Meta(ge=0, le=10_000)] = 0
    adds: tuple[Behavior, ...] = ()
    never: tuple[Behavior, ...] = ()
    opens: bool = False
    swims: bool = False
    digs: bool = False
    powers: tuple[Power, ...] = ()
    card: Percent = 0
    suits: tuple[str, ...] = ()

    @property
    def is_deed(self) -> bool:
        """Whether it changes what a creature does, and not its numbers alone."""
        return bool(self.adds or self.never or self.opens or self.swims or self.digs or self.powers)


class LearningRules(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The rules by which monsters learn from kills, and what follows from it.

    With a `step_percent` the death of an equal creature gives a monster this percentage of the experience of its level,
    instead of the award of `[experience]`, which players keep. A stronger victim gives more, a weaker one less, one
    three levels below next to nothing. The depth's own level is the difficulty in whole levels. Monsters grow at most
    to `above_depth_max` above it. One that is more than `leaves_above` above it goes down by the stairs, and so does
    one above it that has killed a player. No monster is made with a level more than `leaves_above` above it. 0 means no
    such bound. A gained level brings a trait in `trait_percent` of the cases, and each `deed_every`-th level surely one
    that changes what the creature does, if its kind can learn another such trait; 0 for none. `leaves_above` and
    `practice_percent` may be lists: a number for each depth from the first, the last for all below. `feud_percent` of the levels have many
    creatures of two peoples that hate each other. A creature whose way to its foe is barred by another for
    `pushes_after` actions attacks what bars it; it changes places with its own people, and with creatures of less than
    half its health, immediately; with 0 it waits. The winner of a duel gains `duel_percent` of the award for an equal
    creature. A creature that is made with its level has up to `practice_percent` of the experience of its next level.
    Of those, `veterans_percent` have gained their last level before anyone saw them, and three of five of these the one
    before it, too; it may be a list. For their traits they are as many levels lower than others as they
    gained, but at most by half of the levels above 1. A monster that wounds a player gains `wound_percent` of the experience of its level for
    the whole health of the player, and a part of it for each wound.
    On the first `quiet_depths` depths no creature has practice or gains experience from the death of a creature, and
    none that has grown follows a player to them. Under the credit "full" a player who neither hurt the victim nor
    healed a friend in that fight gains experience only if, in the last `credit_turns` of their own turns, it could
    reach them, or they put a status effect on it, or on a friend that it held.
    """

    step_percent: Percent = 0
    above_depth_max: Annotated[int, Meta(ge=0, le=100)] = 0
    leaves_above: ByDepth = 0
    trait_percent: Percent = 0
    deed_every: Annotated[int, Meta(ge=0, le=100)] = 0
    feud_percent: Percent = 0
    pushes_after: Annotated[int, Meta(ge=0, le=100)] = 0
    duel_percent: Percent = 0
    practice_percent: Annotated[int, Meta(ge=0, le=99)] | tuple[Annotated[int, Meta(ge=0, le=99)], ...] = 0
    veterans_percent: ByDepth = 0
    wound_percent: Percent = 0
    quiet_depths: Annotated[int, Meta(ge=0, le=100)] = 0
    credit_turns: Annotated[int, Meta(ge=1, le=1_000)] = 20


class NamedRules(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Creatures that earn a name of their people: by killing a player, or by gaining `levels` levels.

    At most `max` live in a realm at the same time; 0 means that no creature earns a name. Between two new names the
    players of the realm take at least `turns_between` turns. A player who kills a named creature gets `revenge_percent`
    of the award for it once more for each level that it gained, and it leaves one of the `trophies`, items that bear
    its name and have its level; for an heir of one of its victims it is `heir_levels` higher. With `slayers` a creature that kills a player
    is named immediately, also between two names, and the least of the others is forgotten for it.
    """

    max: Annotated[int, Meta(ge=0, le=100)] = 0
    turns_between: Turns = 0
    levels: Annotated[int, Meta(ge=1, le=100)] = 2
    revenge_percent: Percent = 0
    trophies: tuple[str, ...] = ()
    heir_levels: Annotated[int, Meta(ge=0, le=100)] = 0
    slayers: bool = False


class SoundRules(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The sounds by which players hear what monsters do out of their sight.

    A player within `cells` cells hears the kind of the sound and its direction, and the next one after `turns_between`
    actions of their own; with 0 cells nothing is heard. The others are the words of the sounds: a `fight` of
    monsters, a `call` to kin, a `door`, a level that one gains (`growth`), a creature with a `name`, and one that
    arrives because it has outgrown the depth above (`arrival`). Without words there is no such sound. What is
    left of the cells at the nearest stairs carries a sound to the level beyond.
    """

    cells: Annotated[int, Meta(ge=0, le=100)] = 0
    turns_between: Turns = 60
    fight: Sound = ""
    call: Sound = ""
    door: Sound = ""
    growth: Sound = ""
    name: Sound = ""
    arrival: Sound = ""
