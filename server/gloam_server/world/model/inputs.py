"""The closed list of what can change a level or the realm. What is not here changes nothing; all of it is journalled."""

from typing import TypeAlias

import msgspec
from msgspec import Struct

from gloam_server.world.generation import PlacedCreature, PlacedItem
from gloam_server.world.model.creature import Creature, Item
from gloam_server.world.model.events import PlayerDied, Renown
from gloam_shared.protocol.commands import ActionCommand, FreeCommand

Source: TypeAlias = tuple[int, int, int]
"""Where an output came from: place, number of the input there, index among its outputs."""


class PlayerAction(Struct, frozen=True, array_like=True):
    """What one player does in a turn: command number and command, or None to be on guard."""

    player: int
    number: int
    command: ActionCommand | None


class Turn(Struct, frozen=True, array_like=True, tag=1):
    """A bubble's turn: its players in the order in which they act. Their bubble is that of the first."""

    acts: tuple[PlayerAction, ...]


class UnattendedTurn(Struct, frozen=True, array_like=True, tag=2):
    """A turn of the creatures that no player is near."""


class FreeAction(Struct, frozen=True, array_like=True, tag=3):
    """A free action of a player: a level-up choice, or the consent to a duel. `number` is 0 for an automatic choice."""

    player: int
    number: int
    command: FreeCommand


class Arrive(Struct, frozen=True, array_like=True, tag=4):
    """A whole creature comes onto a level, on or next to `cell`. `source` is the output that sent it."""

    creature: Creature
    cell: int
    source: Source


class Leave(Struct, frozen=True, array_like=True, tag=5):
    """A player's body goes out of play."""

    player: int


class PopulateLevel(Struct, frozen=True, array_like=True, tag=6):
    """Creatures and things come into being; no random creature where it could be seen from `unseen_from` (-1: anywhere).

    `monsters` is how many of all kinds alike come, each `difficulty` levels above its kind's; `items` is how many
    common things are scattered; `unique` are the keys of things that are found once. `spawns` and `finds` are those
    that were settled before.
    """

    difficulty: int
    monsters: int
    unseen_from: int = -1
    items: int = 0
    unique: tuple[str, ...] = ()
    spawns: tuple[PlacedCreature, ...] = ()
    finds: tuple[PlacedItem, ...] = ()


class Remove(Struct, frozen=True, array_like=True, tag=7):
    """A creature is taken out of the level; `why` is for the log. A player goes to the realm unhurt and may return.

    The level forgets the map memory of the players who are not on it.
    """

    creature: int
    why: str
    source: Source


class AdoptRules(Struct, frozen=True, array_like=True, tag=8):
    """From here on another version of the rules holds, or other versions of the libraries that sight stands on."""

    version: int
    libraries: str = ""


class RequestKeepsake(Struct, frozen=True, array_like=True, tag=9):
    """An heir asks for the thing `item`, if it is still on the level; the heir is, or will be, on `heir_place`.

    `cell` is where the life ended that left it.
    """

    item: int
    cell: int
    heir: int
    heir_place: int
    source: Source


class GrantKeepsake(Struct, frozen=True, array_like=True, tag=10):
    """An heir gets the keepsake from another level, or None if another player took it first."""

    heir: int
    item: Item | None
    source: Source


class Respawn(Struct, frozen=True, array_like=True, tag=11):
    """One more of a kind comes to be here, a thing or a creature, because the last one was won."""

    kind: str
    source: Source


class SetName(Struct, frozen=True, array_like=True, tag=12):
    """The realm gives a creature a name, or takes it with an empty one."""

    creature: int
    title: str
    source: Source


class Refill(Struct, frozen=True, array_like=True, tag=13):
    """A new life begins elsewhere: the level fills up again if no player is there."""

    source: Source


LevelInput: TypeAlias = (
    Turn
    | UnattendedTurn
    | FreeAction
    | Arrive
    | Leave
    | PopulateLevel
    | Remove
    | AdoptRules
    | RequestKeepsake
    | GrantKeepsake
    | Respawn
    | SetName
    | Refill
)


class EnterPlay(Struct, frozen=True, array_like=True, tag=20):
    """A player comes into play: with the stored body, or in a new life.

    `keepsake` is the number of the item that an heir asks for from the last life, 0 for none.
    """

    account: int
    name: str
    keepsake: int = 0


class StoreBody(Struct, frozen=True, array_like=True, tag=21):
    """A body left play; keep it."""

    body: Creature
    place: int
    source: Source


class RecordDeath(Struct, frozen=True, array_like=True, tag=22):
    """A life ended."""

    fallen: PlayerDied
    source: Source


class RecordMove(Struct, frozen=True, array_like=True, tag=23):
    """A player's body went to another level."""

    account: int
    place: int
    source: Source


class RecordRenown(Struct, frozen=True, array_like=True, tag=24):
    """A monster has done something to be known for."""

    renown: Renown
    source: Source


class RecordNamedMove(Struct, frozen=True, array_like=True, tag=25):
    """A named creature went to another level."""

    number: int
    place: int
    source: Source


class RecordNamedDeath(Struct, frozen=True, array_like=True, tag=26):
    """A named creature is dead."""

    number: int
    place: int
    level: int
    by: str
    account: int
    source: Source


class RecordTurns(Struct, frozen=True, array_like=True, tag=27):
    """Turns of players have passed on a level."""

    turns: int
    source: Source


RealmInput: TypeAlias = (
    EnterPlay
    | StoreBody
    | RecordDeath
    | RecordMove
    | AdoptRules
    | RecordRenown
    | RecordNamedMove
    | RecordNamedDeath
    | RecordTurns
)
Input: TypeAlias = (
    Turn | UnattendedTurn | FreeAction | Arrive | Leave | PopulateLevel | Remove | AdoptRules | RequestKeepsake | GrantKeepsake | Respawn
    | SetName | Refill | EnterPlay | StoreBody | RecordDeath | RecordMove | RecordRenown | RecordNamedMove | RecordNamedDeath | RecordTurns
)  # fmt: skip

_encoder = msgspec.msgpack.Encoder()
_decoder: msgspec.msgpack.Decoder[Input] = msgspec.msgpack.Decoder(Input)


def encode(input_: Input) -> bytes:
    """Return an input as the bytes that the journal keeps."""
    return _encoder.encode(input_)


def decode(body: bytes) -> Input:
    """Return the input that the journal kept. Raises msgspec.DecodeError on bytes that are none."""
    return _decoder.decode(body)


def accept_once(heard: dict[int, tuple[int, int]], source: Source) -> bool:
    """Return whether an output of another place is new to a place that has `heard` up to a number, and note it."""
    place, sequence, index = source
    if heard.get(place, (0, -1)) >= (sequence, index):
        return False
    heard[place] = (sequence, index)
    return True
