"""The standby's end of the link: it follows the dungeon as a view process does, and shows it to no player."""

import logging
from typing import Final, Protocol

from msgspec import MsgspecError

from gloam_server.link.link_messages import (
    Complete,
    DurableBatch,
    Hello,
    LevelsClosed,
    LinkError,
    PartitionState,
    Ready,
    Refused,
    Setup,
    Stop,
    decode_to_views,
    encode,
)
from gloam_server.link.link_socket import Peer
from gloam_server.link.replica import Replica, ReplicaDiffers

_log: Final = logging.getLogger(__name__)


class StandbyProcess(Protocol):
    """The process around the link."""

    def begin(self, setup: Setup, states: dict[int, bytes], closed: tuple[int, ...]) -> Replica:
        """Build the replica: from now on this process can take over. Raises MsgspecError for states that are none."""

    def lost(self) -> None:
        """The turn process is gone, without a word."""

    def end(self, why: str) -> None:
        """Stop. `why` is "" if the server stops; else a fault."""


class StandbyEnd:
    """Takes the messages of the turn process, and notes whether any arrives."""

    def __init__(self, peer: Peer, hello: Hello, process: StandbyProcess) -> None:
        self._process = process
        self._setup: Setup | None = None
        self._states: dict[int, bytes] = {}
        self.replica: Replica | None = None
        self._heard = True
        self._stops = False
        self._peer = peer
        peer.send(encode(hello))

    def was_heard(self) -> bool:
        """Return whether a message has arrived since the last call."""
        heard, self._heard = self._heard, False
        return heard

    def receive(self, body: bytes) -> None:
        """Take a message of the turn process. Raises LinkError."""
        self._heard = True
        match decode_to_views(body):
            case Setup() as setup:
                self._setup = setup
            case PartitionState(partition, state):
                self._states[partition] = state
            case Complete(closed) if self._setup is not None:
                try:
                    self.replica = self._process.begin(self._setup, self._states, closed)
                except MsgspecError as error:
                    raise LinkError(f"States came that cannot be read: {error}.") from None
                self._states = {}
                self._peer.send(encode(Ready()))
            case DurableBatch() as batch if self.replica is not None:
                self._follow(self.replica, batch)
            case LevelsClosed(partitions) if self.replica is not None:
                self.replica.close(partitions)
            case Refused(words):
                self._stops = True
                self._process.end(words)
            case Stop():
                self._stops = True
                self._process.end("")
            case _:
                pass  # what players are shown and told is no matter of this process

    def lost(self) -> None:
        """Let the process take over, unless the server stops."""
        if not self._stops:
            self._process.lost()

    def _follow(self, replica: Replica, batch: DurableBatch) -> None:
        try:
            replica.follow(batch)
        except ReplicaDiffers as differs:
            self._stops = True
            self._process.end(str(differs))
