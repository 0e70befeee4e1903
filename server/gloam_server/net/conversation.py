"""A client's conversation, as the server behind the connection sees it: with any transport below."""

from typing import Final, Protocol

from twisted.internet.interfaces import IAddress

from gloam_server.sessions.session import State
from gloam_shared.protocol.codes import ByeCode
from gloam_shared.protocol.messages.lives import BeaconOffer, KitOffer
from gloam_shared.protocol.messages.login import Bye, Error
from gloam_shared.protocol.registry import FromServer

FAULT: Final = "A fault in the server ended this connection; nothing of yours is lost. Join again; the host has a report."
"""The words with which a connection ends whose request failed."""


class Conversation(Protocol):
    """One client's conversation; the object itself is its key in sets and tables.

    `number` names it in messages, 0 before it is greeted. `network` is the network of its address for which it counts, "" for none. `player` is the account that plays on it, 0
    for none yet. `paused` says that its transport is full: patches wait.
    """

    address: IAddress
    number: int
    network: str
    opened_ms: int
    paused: bool
    player: int

    @property
    def is_open(self) -> bool:
        """Whether messages can still be sent."""

    @property
    def state(self) -> State:
        """The phase of the session."""

    @property
    def served(self) -> bool:
        """Whether the conversation was used: for a login, or a question without one."""

    @property
    def abilities(self) -> frozenset[str]:
        """The abilities agreed on."""

    def send(self, message: FromServer) -> None:
        """Send a message, unless the conversation is ending."""

    def send_encoded(self, body: bytes) -> None:
        """Send a message that is encoded already, and no refusal."""

    def send_framed(self, framed: bytes) -> None:
        """Send a message that was framed once for many clients, all of them greeted."""

    def end(self, code: ByeCode, words: str) -> None:
        """End the conversation with a reason."""

    def login_checked(self, refusal: Error | Bye | None) -> None:
        """Answer `Login`, `Resume` or `WatchLogin`; None lets the client in."""

    def joined(
        self, name: str, number: int, life: int, *kits: KitOffer, beacons: tuple[BeaconOffer, ...] = ()
    ) -> None:
        """Start play: the life's number, its last answered command, and the kits and beacons offered."""

    def patch_sent(self, patch: int, now_ms: int) -> None:
        """Note that a patch was sent, which must be acknowledged in time."""

    def close(self, *, at_once: bool = False) -> None:
        """Close the transport without a reason: after the sent bytes are out, or a second later at the latest."""
