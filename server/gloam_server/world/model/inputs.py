"""The closed list of what can change a level or the realm. What is not here changes nothing; all of it is journalled."""

from typing import Final, Literal, TypeAlias

import msgspec
from msgspec import Struct, field

from gloam_server.world.generation import PlacedCreature, PlacedItem
from gloam_server.world.model import events
from gloam_server.world.model.creature import Creature, Item
from gloam_shared.level_numbers import PartitionId
from gloam_shared.protocol.commands import ActionCommand, FreeCommand

Source: TypeAlias = tuple[int, int, int]
"""The origin of an output: partition, sequence number of the input, index among its outputs."""
UNSENT: Final[Source] = (0, 0, 0)
"""The source of an input that the dungeon has not yet delivered."""


class PlayerAction(Struct, frozen=True, array_like=True):
    """The action of one player in a turn: command number and command, or None to be on guard."""

    player: int
    number: int
    command: ActionCommand | None


class Turn(Struct, frozen=True, array_like=True, tag=1):
    """A turn group's turn: its players in the order in which they act. It is the first player's turn group."""

    acts: tuple[PlayerAction, ...]


class UnattendedTurn(Struct, frozen=True, array_like=True, tag=2):
    """A turn of the unattended creatures."""


class FreeAction(Struct, frozen=True, array_like=True, tag=3):
    """A free action of a player: a level-up choice, or the consent to a duel. `number` is 0 for an automatic choice."""

    player: int
    number: int
    command: FreeCommand


class Arrive(Struct, frozen=True, array_like=True, tag=4):
    """A creature arrives on a level with its whole state, on or next to `cell`.

    `source` is the output that sent it. `catches_up` is the level to which a new life beside a friend rises, 0 for none.
    """

    creature: Creature
    cell: int
    source: Source = UNSENT
    catches_up: int = 0


class Leave(Struct, frozen=True, array_like=True, tag=5):
    """A player's body goes out of play."""

    player: int


class PopulateLevel(Struct, frozen=True, array_like=True, tag=6):
    """Creatures and items are created; no random creature in sight of `unseen_from` (-1: anywhere).

    `monsters` is the number of creatures of random kinds, each `difficulty` levels above its kind's; `items`
    is the number of scattered common items; `unique` are the keys of unique items. `spawns` and `finds` are
    those chosen before.
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
    source: Source = UNSENT


class AdoptRules(Struct, frozen=True, array_like=True, tag=8):
    """From here on another version of the rules is in force, or of the libraries that sight depends on."""

    version: int
    libraries: str = ""


class RequestKeepsake(Struct, frozen=True, array_like=True, tag=9):
    """An heir asks for the item `item`, if it is still on the level.

    The heir is, or will be, on `heir_partition`. `cell` is the cell of the former life's end.
    """

    item: int
    cell: int
    heir: int
    heir_partition: int
    source: Source = UNSENT


class GrantKeepsake(Struct, frozen=True, array_like=True, tag=10):
    """An heir gets the keepsake from another level, or None if another player took it first."""

    heir: int
    item: Item | None
    source: Source = UNSENT


class Respawn(Struct, frozen=True, array_like=True, tag=11):
    """A new item or creature of a kind is created here, because the last one was won."""

    kind: str
    source: Source = UNSENT


class SetName(Struct, frozen=True, array_like=True, tag=12):
    """The realm gives a creature a name, or takes it with an empty one."""

    creature: int
    title: str
    source: Source = UNSENT


class Refill(Struct, frozen=True, array_like=True, tag=13):
    """A new life begins elsewhere: the level fills up again if no player is there."""

    source: Source = UNSENT


class ShareMaps(Struct, frozen=True, array_like=True, tag=54):
    """A player's body shares what it sees with this party from here on, 0 for none, and is a member of `member`."""

    creature: int
    party: int
    source: Source = UNSENT
    member: int = 0


class DropChart(Struct, frozen=True, array_like=True, tag=55):
    """A party has ended: the level forgets its chart."""

    party: int
    source: Source = UNSENT


class TakeKit(Struct, frozen=True, array_like=True, tag=56):
    """A player's new life takes the campaign's kit of this index instead of the starting kit (rule F96)."""

    player: int
    kit: int


class TakeMemory(Struct, frozen=True, array_like=True, tag=60):
    """A life goes out of memory: the level's map memory of it goes with it."""

    account: int
    creature: int
    source: Source = UNSENT


class GiveMemory(Struct, frozen=True, array_like=True, tag=61):
    """A life returns into memory: the level remembers again what it took from it."""

    creature: int
    memory: bytes
    source: Source = UNSENT


SoundKind: TypeAlias = Literal["fight", "call", "door", "growth", "name", "arrival"]
"""The fields of `SoundRules` with the words of a sound."""


class Resound(Struct, frozen=True, array_like=True, tag=14):
    """A sound of the level beyond the staircase on `cell` is heard within `cells` cells of it."""

    sound: SoundKind
    cell: int
    cells: int
    source: Source = UNSENT


class SetBeacons(Struct, frozen=True, array_like=True, tag=15):
    """The realm tells a level how many beacons are lit, and on which cell its own burns, -1 for none (rules F186, F187)."""

    lit: int
    cell: int = -1
    source: Source = UNSENT


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
    | ShareMaps
    | DropChart
    | TakeKit
    | TakeMemory
    | GiveMemory
    | Resound
    | SetBeacons
)


class Beside(Struct, frozen=True, array_like=True):
    """The place of a life that begins beside a friend, and the friend's level, when the player asks (rule F92)."""

    partition: PartitionId
    cell: int
    level: int


class EnterPlay(Struct, frozen=True, array_like=True, tag=20):
    """A player enters play: with the stored body, or in a new life.

    `keepsake` is the number of the item that an heir asks for from the last life, 0 for none. `beside` is where a new
    life begins instead of the entrance, and where a young one goes. `beacon` is the depth of a lit beacon where a new life
    begins, 0 for none (rule F188).
    """

    account: int
    name: str
    keepsake: int = 0
    beside: Beside | None = None
    beacon: int = 0


class StoreBody(Struct, frozen=True, array_like=True, tag=21):
    """A body left play; keep it."""

    body: Creature
    partition: PartitionId
    source: Source = UNSENT


class RecordDeath(Struct, frozen=True, array_like=True, tag=22):
    """A life ended."""

    fallen: events.PlayerDied
    source: Source = UNSENT


class RecordMove(Struct, frozen=True, array_like=True, tag=23):
    """A player's body went to another level."""

    account: int
    partition: PartitionId
    source: Source = UNSENT


class RecordRenown(Struct, frozen=True, array_like=True, tag=24):
    """A monster has gained renown."""

    renown: events.Renown
    source: Source = UNSENT


class RecordNamedMove(Struct, frozen=True, array_like=True, tag=25):
    """A named creature went to another level."""

    number: int
    partition: PartitionId
    source: Source = UNSENT


class RecordNamedDeath(Struct, frozen=True, array_like=True, tag=26):
    """A named creature is dead."""

    number: int
    partition: PartitionId
    level: int
    by: str
    account: int
    source: Source = UNSENT


class RecordTurns(Struct, frozen=True, array_like=True, tag=27):
    """Turns of players have passed on a level."""

    turns: int
    source: Source = UNSENT


TROPHIES_MAX: Final = 3
"""The number of trophies that a line remembers, the newest."""


class RecordTrophy(Struct, frozen=True, array_like=True, tag=28):
    """A player has won a trophy: their line remembers its name (rule F101)."""

    account: int
    name: str
    source: Source = UNSENT


class RecordBeacon(Struct, frozen=True, array_like=True, tag=29):
    """Players have slain the warden of a beacon: it is lit, on `cell` of `partition` (rule F186)."""

    partition: PartitionId
    cell: int
    account: int
    source: Source = UNSENT


class PassDay(Struct, frozen=True, array_like=True, tag=62):
    """A day of the host's calendar has begun; `day` counts days. Beacons go out by it alone (rule F189)."""

    day: int


class ForgetLife(Struct, frozen=True, array_like=True, tag=57):
    """The account of a player who never acted was removed: the realm forgets its life."""

    account: int


class ArchiveLife(Struct, frozen=True, array_like=True, tag=58):
    """A player has been away for long: what the realm and the levels hold of the life goes into rows of the database."""

    account: int


class ArchivedLife(Struct, frozen=True):
    """A life out of memory.

    It is a kept body, the level to which it returns, the levels that remember it, and the number of events that its player
    saw. The fields have names in its bytes, so that rows of an earlier layout can be read.
    """

    body: Creature
    partition: PartitionId = field(name="place")
    visited: list[int]
    left: int = 0


class RestoreLife(Struct, frozen=True, array_like=True, tag=59):
    """The player of an archived life logs in: it is in memory again.

    `archived` is the record of the realm that archived it. `life` is None if its rows cannot be read: then it is lost.
    `memory` is the map memory by level. The input has all of it, so that a replay reads no row.
    """

    account: int
    archived: int
    life: ArchivedLife | None
    memory: tuple[tuple[int, bytes], ...] = ()


class JoinParty(Struct, frozen=True, array_like=True, tag=50):
    """A player joins the party of the player `host`, or makes one with that player, who leads it (rule F93)."""

    account: int
    name: str
    host: int
    host_name: str


class LeaveParty(Struct, frozen=True, array_like=True, tag=51):
    """A player is no longer in their party."""

    account: int


class LeadParty(Struct, frozen=True, array_like=True, tag=52):
    """A player leads their party from here on."""

    account: int


class ChooseInParty(Struct, frozen=True, array_like=True, tag=53):
    """A player says whether they share maps with their party, and how long turns should wait, 0 (the realm's) to 2."""

    account: int
    shares: bool
    patience: int


PartyInput: TypeAlias = JoinParty | LeaveParty | LeadParty | ChooseInParty

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
    | RecordTrophy
    | RecordBeacon
    | PassDay
    | ForgetLife
    | ArchiveLife
    | RestoreLife
    | PartyInput
)
Input: TypeAlias = (
    Turn | UnattendedTurn | FreeAction | Arrive | Leave | PopulateLevel | Remove | AdoptRules | RequestKeepsake | GrantKeepsake | Respawn
    | SetName | Refill | EnterPlay | StoreBody | RecordDeath | RecordMove | RecordRenown | RecordNamedMove | RecordNamedDeath | RecordTurns | RecordTrophy
    | ShareMaps | DropChart | JoinParty | LeaveParty | LeadParty | ChooseInParty | TakeKit | ForgetLife
    | ArchiveLife | RestoreLife | TakeMemory | GiveMemory | Resound | SetBeacons | RecordBeacon | PassDay
)  # fmt: skip

_encoder = msgspec.msgpack.Encoder()
_decoder: msgspec.msgpack.Decoder[Input] = msgspec.msgpack.Decoder(Input)


def encode(input_: Input) -> bytes:
    """Return an input as the bytes that the journal keeps."""
    return _encoder.encode(input_)


def decode(body: bytes) -> Input:
    """Return an input from the journal. Raises msgspec.DecodeError on invalid bytes."""
    return _decoder.decode(body)


def accept_once(heard: dict[int, tuple[int, int]], source: Source) -> bool:
    """Return whether an output of another partition is new after the numbers in `heard`, and note it."""
    partition, sequence, index = source
    if heard.get(partition, (0, -1)) >= (sequence, index):
        return False
    heard[partition] = (sequence, index)
    return True


AddressedInput: TypeAlias = (
    StoreBody
    | RecordRenown
    | RecordNamedDeath
    | RecordTurns
    | RecordTrophy
    | SetName
    | ShareMaps
    | DropChart
    | Remove
    | TakeMemory
    | GiveMemory
    | Respawn
    | RequestKeepsake
    | GrantKeepsake
    | Refill
    | Resound
    | SetBeacons
    | RecordBeacon
)
"""Inputs that one partition writes for another."""


class Envelope(Struct, frozen=True):
    """An input for the partition `to`. The dungeon stamps it with its source, so that it is carried out exactly once."""

    to: int
    input: AddressedInput


Output: TypeAlias = (
    Envelope
    | events.ChangedLevel
    | events.PlayerDied
    | events.SentIntoPlay
    | events.RoundAdvanced
    | events.Archived
    | events.LifeRestored
)
"""All outputs of an input: the consequences for other partitions, and for rows of the database."""
