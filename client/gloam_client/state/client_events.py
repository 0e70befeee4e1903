"""What can happen to the client: keys, messages, the line, the clock, the window. Data only."""

from typing import NamedTuple, TypeAlias

from gloam_client.state.friend_locations import NOTHING, Whereabouts
from gloam_client.state.item_memory import Recall
from gloam_shared.protocol.commands import AnyCommand
from gloam_shared.protocol.messages import FromServer, Pace
from gloam_shared.view.view import View


class Key(NamedTuple):
    """A key was pressed."""

    key: str


class Pasted(NamedTuple):
    """Text was pasted."""

    text: str


class Heard(NamedTuple):
    """Messages came, and this is how the link stands after them."""

    messages: tuple[FromServer, ...]
    view: View
    pace: Pace
    name: str
    unanswered_since_ms: int | None
    heard_ms: int
    round_trip_ms: int | None


class Sent(NamedTuple):
    """A command went out."""

    command: AnyCommand
    unanswered_since_ms: int | None


class Joining(NamedTuple):
    """The line is being made under a name; `address` is where to, "" for where is not known yet."""

    name: str
    address: str


class Cut(NamedTuple):
    """The line is cut; it is tried again at `retry_ms`."""

    text: str
    since_ms: int
    retry_ms: int


class Back(NamedTuple):
    """The line stands again after `away_ms`."""

    away_ms: int


class Failed(NamedTuple):
    """There is no way into the dungeon under this name, and why: back to the title, where there is one."""

    text: str


class Asked(NamedTuple):
    """The door asks for something before it opens: `code` is the server's, `text` its words."""

    code: str
    text: str


class Stopped(NamedTuple):
    """The private server has stopped while it was played on, and why."""

    text: str


class Resized(NamedTuple):
    """The window has another size."""

    width: int
    height: int


class Clock(NamedTuple):
    """Time went by."""


class Report(NamedTuple):
    """The client itself has something to say."""

    text: str
    tone: str = "note"


class Address(NamedTuple):
    """Where others can join is known; `private` tells that this player's own server stands there."""

    text: str
    private: bool


class Recollected(NamedTuple):
    """What was kept of this life by an earlier run of the client."""

    recall: Recall
    whereabouts: Whereabouts = NOTHING


FromOutside: TypeAlias = (
    Heard
    | Sent
    | Joining
    | Cut
    | Back
    | Failed
    | Asked
    | Stopped
    | Resized
    | Clock
    | Report
    | Address
    | Recollected
)
Input: TypeAlias = Key | Pasted | FromOutside
