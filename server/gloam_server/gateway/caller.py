"""A connection as the gateway knows it: a number and facts. Its messages go through the view side."""

from collections.abc import Callable
from dataclasses import dataclass

from twisted.internet.interfaces import IAddress

from gloam_server.engine.messages import Checked, Ended, HangUp, Say, ToViewSide
from gloam_server.net.connection_counts import AdmissionStatus
from gloam_shared.protocol.codes import ByeCode
from gloam_shared.protocol.messages.login import Bye, Error
from gloam_shared.protocol.registry import FromServer


@dataclass(slots=True, eq=False)
class Caller:
    """One open connection."""

    number: int
    address: IAddress
    status: AdmissionStatus
    """The decision about the connection when it opened."""
    take: Callable[[ToViewSide], None]
    """Takes messages to the view side."""
    abilities: frozenset[str] = frozenset()
    """The abilities agreed on, known from the login on."""
    player: int = 0
    """The account that plays on it; 0 for none."""
    logged_in: bool = False
    """Whether a login was accepted, to play or to watch."""
    is_open: bool = True
    """Whether neither side has ended it yet."""

    def send(self, message: FromServer) -> None:
        """Send a message."""
        self.take(Say(self.number, message))

    def end(self, code: ByeCode, words: str) -> None:
        """End the connection with a reason."""
        self.take(Ended(self.number, code, words))

    def hang_up(self) -> None:
        """Close the connection after the answer to a question without a login."""
        self.is_open = False
        self.take(HangUp(self.number))

    def check(self, refusal: Error | Bye | None) -> None:
        """Answer a login; None lets the client in."""
        self.logged_in = refusal is None
        self.take(Checked(self.number, refusal))
