"""The messages between the turn side, which runs the dungeon, and the view side, which shows it to clients.

Both sides import this module, and neither the other. In one process the messages hold Python objects and are passed by
calls, in the order in which they are sent. ARCHITECTURE.md has their table.
"""

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Protocol, TypeAlias

from msgspec import Struct

from gloam_server.autopilot.landmarks import PointOfInterest
from gloam_server.engine.timing.gather_time import RestRule
from gloam_server.storage.journal import Record
from gloam_server.world.model.events import PlayerDied
from gloam_server.world.transition.dungeon import Batch
from gloam_shared.protocol.codes import ByeCode
from gloam_shared.protocol.messages.chat import ChatLine
from gloam_shared.protocol.messages.lives import BeaconOffer, KitOffer
from gloam_shared.protocol.messages.login import Bye, Error
from gloam_shared.protocol.messages.records import Question
from gloam_shared.protocol.registry import FromServer
from gloam_shared.view.view import CreatureFlag, Friend, LogLine


class Lines(Struct, frozen=True, array_like=True, tag=7):
    """Log lines of a player that no event has: a step of their plan wrote them."""

    account: int
    lines: tuple[LogLine, ...]


class Durable(Struct, frozen=True, array_like=True):
    """A durable batch."""

    batch: Batch
    acted: AbstractSet[int]
    """The numbers of the bodies in its turns: their players get their views without delay."""
    lines: Sequence[Lines]
    """The lines of its plans: they stand before the lines of its events."""
    hidden: AbstractSet[tuple[int, int]]
    """The challengers to duels and the witnesses who block them: such a witness reads nothing of the challenge."""
    records: Sequence[Record] = ()
    """The batch as the journal has it, for view processes."""


class Connected(Struct, frozen=True, array_like=True, tag=1):
    """A player has logged in on a connection. `unproved`: with a resume token that the client has to confirm."""

    account: int
    name: str
    connection: int
    unproved: bool


class Attached(Struct, frozen=True, array_like=True, tag=2):
    """A connected player's body is in the dungeon: play starts, with the number of the last answered command."""

    account: int
    body: int
    life: int
    answered: int
    kits: tuple[KitOffer, ...]
    beacons: tuple[BeaconOffer, ...] = ()


class Detached(Struct, frozen=True, array_like=True, tag=3):
    """A player has no connection any more."""

    account: int


class Forgotten(Struct, frozen=True, array_like=True, tag=4):
    """An account was removed, or its life is out of memory; the player is not connected."""

    account: int


class Fallen(Struct, frozen=True, array_like=True, tag=5):
    """A connected player's life has ended before they joined: they join, and see the end of that life."""

    death: PlayerDied
    life: int
    """The number of the life."""


class Answered(Struct, frozen=True, array_like=True, tag=6):
    """Up to `answered` the commands of a player are answered without a turn, except for an older one that waits."""

    account: int
    answered: int
    waiting: int
    """The number of the waiting command; 0 without one."""


class Say(Struct, frozen=True, array_like=True, tag=8):
    """A message to one connection: an answer, a turn state, chat. Bytes are framed, once for many."""

    connection: int
    message: FromServer | bytes


class Checked(Struct, frozen=True, array_like=True, tag=10):
    """The answer to a login; None lets the client in."""

    connection: int
    refusal: Error | Bye | None


class Ended(Struct, frozen=True, array_like=True, tag=11):
    """A connection ends, with a reason."""

    connection: int
    code: ByeCode
    words: str


class HangUp(Struct, frozen=True, array_like=True, tag=19):
    """A question without a login is answered: the connection closes."""

    connection: int


class Asked(Struct, frozen=True, array_like=True, tag=12):
    """A player's client asks about the dungeon, everything in which is durable now."""

    connection: int
    question: Question


class SayAll(Struct, frozen=True, array_like=True, tag=9):
    """A message to all connected players."""

    message: FromServer


class Announce(Struct, frozen=True, array_like=True, tag=13):
    """News to connected players by account; with `after_view`, players who are owed a view read it after that."""

    lines: Mapping[int, ChatLine]
    after_view: bool


class Banner(Struct, frozen=True, array_like=True, tag=14):
    """A text that all players see until an empty one removes it."""

    text: str


class Party(Struct, frozen=True, array_like=True, tag=15):
    """The players of the realm as all see them: by account, and sorted by name."""

    friends: Mapping[int, Friend]
    party: tuple[Friend, ...]


class Marks(Struct, frozen=True, array_like=True, tag=16):
    """The marks that others see on the bodies of players in play."""

    marks: dict[int, CreatureFlag]


class Away(Struct, frozen=True, array_like=True, tag=17):
    """Whether a player is away, for their own view: others see it later, in `Marks`."""

    account: int
    away: bool


class Watches(Struct, frozen=True, array_like=True, tag=18):
    """A connection watches another player from now on, or none."""

    connection: int
    account: int
    """The account of the watcher."""
    watched: int
    """The account of the watched player; 0 for none."""


ToViewSide: TypeAlias = (
    Connected
    | Attached
    | Detached
    | Forgotten
    | Fallen
    | Answered
    | Lines
    | Say
    | SayAll
    | Checked
    | Ended
    | HangUp
    | Asked
    | Announce
    | Banner
    | Party
    | Marks
    | Away
    | Watches
)
"""A message of the turn side, besides `Durable`."""


class Shown(Struct, frozen=True, array_like=True, tag=1):
    """The sights that a view shows, so that exploring does not stop for them again."""

    account: int
    points: frozenset[PointOfInterest]


class Proved(Struct, frozen=True, array_like=True, tag=2):
    """A client has acknowledged an update after a resume: its former resume token is of no use any more."""

    account: int


class Unshowable(Struct, frozen=True, array_like=True, tag=3):
    """A player's view cannot be made, because of a fault."""

    account: int


class Room(Struct, frozen=True, array_like=True, tag=4):
    """A client can take updates again, and some wait for it."""

    account: int


class WatchEnded(Struct, frozen=True, array_like=True, tag=5):
    """A watcher has nothing more to see: the player is gone, or their view cannot be made."""

    connection: int
    words: str


ToTurnSide: TypeAlias = Shown | Proved | Unshowable | Room | WatchEnded
"""A message of the view side."""


class Views(Protocol):
    """The view side, as the turn side knows it. `tell` takes its messages to the turn side, which is built later; `rests` is the rule by which the game loop rests with it."""

    tell: Callable[[ToTurnSide], None]
    rests: RestRule

    def take(self, message: ToViewSide) -> None:
        """Carry out a message."""

    def show(self, batch: Durable, now_ms: int) -> None:
        """Take the results of a durable batch: log lines, ended lives, stale views. Messages of its inputs follow."""

    def publish(self, now_ms: int) -> None:
        """Send the views that do not wait."""

    def show_onlookers(self, worked_us: int) -> None:
        """Send the views that others' actions have changed, in slices, as far as there is time after the other side's work."""

    def report_unshowable(self) -> None:
        """Tell the turn side which players' views could not be made since the last call."""

    def stop(self) -> None:
        """Send nothing more by time."""
