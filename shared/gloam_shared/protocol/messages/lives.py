"""Messages about the beginning and the end of lives: heirs, friends to begin beside, kits, beacons, recaps."""

from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta, Struct

from gloam_shared.protocol.commands import Cell
from gloam_shared.protocol.messages import base

WhoBeside: TypeAlias = Literal["party", "all", "none"]
"""The players who may begin beside a player: their party, or everyone while they are in none; everyone; no other
player."""

BESIDE_CHOICE: Final = "beside-choice"
"""The ability of a side that knows the message."""

BEACONS: Final = "beacons"
"""The ability of a side that knows `BeginAtBeacon`, and the beacons in `Joined`."""


# From the client.


class NewLife(base.Message, frozen=True, tag=10):
    """After `Died`: begin the life after `life`, an heir, with one of the offered keepsakes, by its index.

    If `life` is not the newest life, nothing happens: the message was sent twice.
    """

    life: base.Number
    keepsake: Annotated[int, Meta(ge=0, le=25)] | None = None


class JoinFriend(base.Message, frozen=True, tag=19):
    """After `Died` begin the life after `life` beside a friend; in play, take a young life there. Needs "beside".

    `friend` is a name; "" is the friend on the deepest level.
    """

    life: base.Number
    keepsake: Annotated[int, Meta(ge=0, le=25)] | None = None
    friend: Annotated[str, Meta(max_length=64)] = ""


class SetBeside(base.Message, frozen=True, tag=59):
    """A player says who may begin a life beside them; after each login "party" holds until they say so."""

    who: WhoBeside


class KitOffer(Struct, frozen=True, array_like=True):
    """A kit that a life may begin with, by name, and a sentence about it; the player's last choice of a kit was the `last`."""

    name: base.Text
    words: base.Text
    last: bool = False


class ChooseKit(base.Message, frozen=True, tag=57):
    """Before its first command, life `life` takes the offered kit of this index instead of the usual one.

    If `life` is not the newest life, nothing happens. A kit that cannot be had any more is refused with `Error` "kit".
    """

    life: base.Number
    kit: Annotated[int, Meta(ge=0, le=25)]


class BeaconOffer(Struct, frozen=True, array_like=True):
    """A lit beacon where a life may begin: its name in sentences, its depth, and the level to which the life rises there."""

    name: base.Text
    depth: base.Count
    level: base.Count


class BeginAtBeacon(base.Message, frozen=True, tag=61):
    """Before its first command, life `life` begins at the lit beacon of this depth instead of the entrance.

    If `life` is not the newest life, nothing happens. A life that cannot go there any more is refused with `Error` "beacon".
    """

    life: base.Number
    depth: Annotated[int, Meta(ge=1, le=100)]


# From the server.


class Died(base.ServerMessage, frozen=True, tag=72):
    """The life is over. `by` is the cause of death, or, with `won`, of the victory; `NewLife` begins the next.

    `life` describes the life in a few lines. `keepsakes` are the items of which the heir may take one.
    """

    by: base.Text
    depth: base.Count
    level: base.Count
    experience: base.Count
    turns: base.Count
    kills: base.Count
    cell: Cell
    won: bool = False
    life: tuple[base.Text, ...] = ()
    keepsakes: tuple[base.Text, ...] = ()


class DamageTaken(Struct, frozen=True, array_like=True):
    """The damage that one source did to a body: the name of a creature or cause, the points of damage, the blows."""

    source: base.Text
    amount: base.Count
    blows: base.Count


class Forebear(Struct, frozen=True, array_like=True):
    """One life of a line of heirs: its full name, whether it won, the cause of its end, its depth, level and turns."""

    name: base.Text
    won: bool
    by: base.Text
    depth: base.Count
    level: base.Count
    turns: base.Count


class Recap(base.ServerMessage, frozen=True, tag=106):
    """After `Died`: what took health in the last `turns` turns of the life, the most first, and what could have helped.

    `unused` are the magic items that the body carried at its end. `lesson` is a sentence, "" for none. `line` are the
    newest lives of this player that the realm remembers, the newest last: this one is the last.
    """

    turns: base.Count = 0
    damage: tuple[DamageTaken, ...] = ()
    unused: tuple[base.Text, ...] = ()
    lesson: base.Text = ""
    line: tuple[Forebear, ...] = ()


LivesFromClient: TypeAlias = NewLife | JoinFriend | SetBeside | ChooseKit | BeginAtBeacon
LivesFromServer: TypeAlias = Died | Recap
