"""The message about a life that is over: what a player can learn from its end. It needs the ability "recap"."""

from msgspec import Struct

from gloam_shared.protocol.message_base import Count, ServerMessage, Text


class DamageTaken(Struct, frozen=True, array_like=True):
    """The damage that one source did to a body: the name of a creature or cause, the points of damage, the blows."""

    source: Text
    amount: Count
    blows: Count


class Forebear(Struct, frozen=True, array_like=True):
    """One life of a line of heirs: its full name, whether it won, the cause of its end, its depth, level and turns."""

    name: Text
    won: bool
    by: Text
    depth: Count
    level: Count
    turns: Count


class Recap(ServerMessage, frozen=True, tag=106):
    """After `Died`: what took health in the last `turns` turns of the life, the most first, and what could have helped.

    `unused` are the magic items that the body carried at its end. `lesson` is a sentence, "" for none. `line` are the
    newest lives of this player that the realm remembers, the newest last: this one is the last.
    """

    turns: Count = 0
    damage: tuple[DamageTaken, ...] = ()
    unused: tuple[Text, ...] = ()
    lesson: Text = ""
    line: tuple[Forebear, ...] = ()
