"""The seam between a client and what is outside of its surface and its store: servers to dial, worlds, processes.

`App` and `GameSession` import it, and dial nothing themselves. So a hosted client reaches what its host allows, also when
a player types an address, or sends an effect that no screen of theirs offers.
"""

from collections.abc import Awaitable, Callable, Coroutine
from typing import NamedTuple, Protocol, TypeAlias

from gloam_client.net.connection import ENDS
from gloam_client.net.launch_options import LaunchOptions
from gloam_client.net.tls_connect import TrustedStream, dial_plainly
from gloam_client.state.client_effects import GoTo
from gloam_client.state.client_events import ClientEvent
from gloam_client.state.home import Home
from gloam_client.state.model import Model
from gloam_client.state.players.ladder import LadderOwner
from gloam_client.user_files.address import Address
from gloam_shared.protocol.messages.records import AskLadder

Happen: TypeAlias = Callable[[ClientEvent], None]
"""The receiver of results: slow work runs beside the loop."""


class Refused(Exception):
    """This client does not go there; the text is a sentence for the player."""


class Route(NamedTuple):
    """The way to a server: the arguments of a Connection."""

    address: Address
    dial: Callable[[Address], Awaitable[TrustedStream]] = dial_plainly
    again: Callable[[], Awaitable[Address]] | None = None
    ends: frozenset[str] = ENDS


class Services(Protocol):
    """The means of a client besides its surface and its store."""

    def report_to(self, happen: Happen) -> None:
        """Report results there from now on."""

    def read_home(self) -> Home:
        """Return what the title shows first."""

    def own_address(self) -> str:
        """Return the address at which others can join the own world; "" if that is not known."""

    def read_again(self) -> None:
        """Read worlds and servers again: the title is shown again."""

    async def follow_worlds(self, shown: Callable[[], bool]) -> None:
        """Report worlds that a server opens or leaves, as long as the title is shown."""

    def destination(self, start: LaunchOptions, there: GoTo) -> LaunchOptions:
        """Return the options for a game that was chosen on the title. Raises Refused."""

    async def route(self, start: LaunchOptions, entered: Callable[[], bool]) -> Route:
        """Return the way to the server of these options; `entered` says later whether the player has been inside.

        Raises NoLocalServer.
        """

    def advice(self, code: str, start: LaunchOptions) -> str:
        """Return a sentence for the code of a goodbye, which the server cannot give: it does not know this program."""

    async def probe(self, address: Address) -> None:
        """Ask a server for its status, and report the answer."""

    async def ask_board(self, owner: LadderOwner, question: AskLadder) -> None:
        """Ask the owner of a ladder for a board, and report the answer."""

    async def invite(self) -> None:
        """Open the own world to other machines, and report the line for friends."""

    async def delete(self, campaign: str) -> None:
        """Delete an own world."""

    def own_link(self, name: str, *, fresh: bool) -> str:
        """Return the own link of a visitor, a new one if asked; "" without any."""

    def stop_server(self) -> None:
        """Ask the player's private server to stop, for all its players."""

    def note(self, start: LaunchOptions, model: Model) -> Coroutine[None, None, None] | None:
        """Remember the server on which this player plays; return further work for this state, or None."""

    def farewell(self, start: LaunchOptions, model: Model) -> str:
        """Return the text for a player who leaves."""
