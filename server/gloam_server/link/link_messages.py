"""The messages of the link that are not the engine's own, and the bytes of all of them.

Each direction is one ordered stream. A view process begins with `Hello`; the answer is `Refused`, or `Setup`, the states of
all partitions and `Complete`, and from then on every durable batch. ARCHITECTURE.md has the tables.
"""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final, TypeAlias, TypeVar

import msgspec
from msgspec import Struct

from gloam_server.engine import messages
from gloam_server.engine.messages import Lines
from gloam_server.engine.server_statistics import ViewCounts
from gloam_server.net.connection_counts import AdmissionStatus
from gloam_shared.level_numbers import PartitionId
from gloam_shared.protocol.messages.login import Login, Resume
from gloam_shared.protocol.messages.watching import WatchLogin
from gloam_shared.protocol.registry import FromClient

M = TypeVar("M")

LINK_VERSION: Final = 4
"""The version of these messages: raised when one of them changes."""
TO_TURNS_MAX: Final = 1 << 20
"""The most bytes of a message to the turn process."""
TO_VIEWS_MAX: Final = 1 << 28
"""The most bytes of a message to a view process: of a level's whole state, or of a batch."""


class LinkError(Exception):
    """Received bytes are no message of the link."""


class Code(Struct, frozen=True, array_like=True):
    """The code of a process, as far as two that share a dungeon must agree."""

    link: int
    rules: int
    layout: int
    libraries: str
    gloam: str

    def differences(self, other: "Code") -> str:
        """Return the names of the parts that differ."""
        differ = [name for name in self.__struct_fields__ if getattr(self, name) != getattr(other, name)]
        return ", ".join(differ)

    def agrees_with(self, other: "Code") -> bool:
        """Return whether processes of both may share a dungeon: all but the program's version is equal.

        Two versions meet during a rolling restart. Should their rules differ all the same, then the digest of a batch does, too.
        """
        return msgspec.structs.replace(self, gloam=other.gloam) == other


class Hello(Struct, frozen=True, array_like=True, tag=101):
    """The first message of a view process: its code, and its number among the view processes, from 1; 0 is the standby.

    `serial` is of the link that it lost, whose connections it still has; 0 for a new process. `process` is its number.
    """

    code: Code
    view_number: int
    serial: int = 0
    process: int = 0


class Address(Struct, frozen=True, array_like=True):
    """The origin of a connection. `relayed` says that a proxy or a door named it."""

    kind: str
    host: str
    port: int
    relayed: bool = False
    ours: bool = False
    door: str = ""


class Opened(Struct, frozen=True, array_like=True, tag=102):
    """A connection has begun."""

    connection: int
    address: Address
    status: AdmissionStatus


class Closed(Struct, frozen=True, array_like=True, tag=103):
    """A connection is lost."""

    connection: int


class LogIn(Struct, frozen=True, array_like=True, tag=104):
    """A login or a resume, with the abilities agreed on."""

    connection: int
    request: Login | Resume | WatchLogin
    abilities: frozenset[str]


class Request(Struct, frozen=True, array_like=True, tag=105):
    """Any other message of a client."""

    connection: int
    message: FromClient


class Flooded(Struct, frozen=True, array_like=True, tag=106):
    """A player has flooded the chat."""

    connection: int


class Closing(Struct, frozen=True, array_like=True, tag=107):
    """The view process ends a connection."""

    connection: int


class Ready(Struct, frozen=True, array_like=True, tag=108):
    """The view process listens, or the standby can take over."""


class Counts(Struct, frozen=True, array_like=True, tag=109):
    """The present counts of a view process."""

    counts: ViewCounts


class Resumed(Struct, frozen=True, array_like=True, tag=110):
    """A connection in play that the process before had let in: its player plays on."""

    connection: int
    account: int
    name: str
    abilities: frozenset[str]


FromConnection: TypeAlias = Opened | Closed | LogIn | Request | Flooded | Closing | Resumed
"""A message about one connection."""

ToTurnProcess: TypeAlias = (
    Hello
    | Ready
    | Counts
    | FromConnection
    | messages.Shown
    | messages.Proved
    | messages.Unshowable
    | messages.WatchEnded
)
"""A message of a view process."""


class Refused(Struct, frozen=True, array_like=True, tag=101):
    """The turn process has no use for this view process."""

    words: str


class Setup(Struct, frozen=True, array_like=True, tag=102):
    """The facts that a view process needs besides the states. `config` is the application's own."""

    first: int
    """The number of its first connection; the numbers of others do not reach it."""
    seed: str
    """The seed in decimal digits: with its secret it has more bits than a number of MessagePack."""
    campaign: bytes
    """The packed files of the campaign."""
    realm: str
    """The public name of the realm."""
    players_max: int
    guests: bool
    """Whether doors may watch for their guests."""
    config: bytes
    process: int = 0
    """The number of the turn process."""
    has_standby: bool = False
    """Whether another process takes over when this one dies: connections wait for it."""
    listed: bool = False
    """Whether the host's dungeons can be listed."""


class PartitionState(Struct, frozen=True, array_like=True, tag=103):
    """The whole state of the realm or a level, in which everything is durable."""

    partition: PartitionId
    body: bytes


class Complete(Struct, frozen=True, array_like=True, tag=104):
    """All states are sent."""

    closed: tuple[PartitionId, ...]
    """The closed levels."""


class DurableRecord(Struct, frozen=True, array_like=True):
    """One input of a durable batch, as the journal has it: with the digest and the hash of the state after it, if any."""

    partition: PartitionId
    sequence: int
    body: bytes
    digest: int | None
    state_hash: bytes | None


class DurableBatch(Struct, frozen=True, array_like=True, tag=105):
    """A durable batch: its records in the order in which they were applied, and what no record tells (`messages.Durable`)."""

    records: Sequence[DurableRecord]
    opened: Mapping[int, bytes]
    """The states of new levels before their first inputs."""
    acted: AbstractSet[int]
    lines: Sequence[Lines]
    hidden: AbstractSet[tuple[int, int]]


class LevelsClosed(Struct, frozen=True, array_like=True, tag=106):
    """These levels are closed from now on."""

    partitions: tuple[PartitionId, ...]


class Publish(Struct, frozen=True, array_like=True, tag=107):
    """Everything of a batch, or of a moment without one, is sent: the views that do not wait go out."""


class Encoded(Struct, frozen=True, array_like=True, tag=108):
    """A message to one connection, encoded once here: `Say` has those at which the connection looks, such as refusals."""

    connection: int
    body: bytes


class Reload(Struct, frozen=True, array_like=True, tag=109):
    """The host wants the certificate's files to be read again."""


class Stop(Struct, frozen=True, array_like=True, tag=110):
    """The server stops: nothing follows."""


class Alive(Struct, frozen=True, array_like=True, tag=111):
    """The turn process goes on: sent to the standby, also when nothing happens."""


ToViewProcess: TypeAlias = (
    Refused
    | Setup
    | PartitionState
    | Complete
    | DurableBatch
    | LevelsClosed
    | Publish
    | Encoded
    | Reload
    | Stop
    | Alive
    | messages.ToViewSide
)
"""A message of the turn process."""

_encoder: Final = msgspec.msgpack.Encoder()
_to_turns: Final[msgspec.msgpack.Decoder[ToTurnProcess]] = msgspec.msgpack.Decoder(ToTurnProcess)
_to_views: Final[msgspec.msgpack.Decoder[ToViewProcess]] = msgspec.msgpack.Decoder(ToViewProcess)


def encode(message: ToTurnProcess | ToViewProcess) -> bytes:
    """Return a message as bytes."""
    return _encoder.encode(message)


def decode_to_turns(body: bytes) -> ToTurnProcess:
    """Return the message of a view process in `body`. Raises LinkError."""
    return _decode(_to_turns, body)


def decode_to_views(body: bytes) -> ToViewProcess:
    """Return the message of the turn process in `body`. Raises LinkError."""
    return _decode(_to_views, body)


def _decode(decoder: msgspec.msgpack.Decoder[M], body: bytes) -> M:
    try:
        return decoder.decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError, OverflowError, RecursionError) as error:
        raise LinkError(f"Bytes came that are no message of the link: {error}.") from None
