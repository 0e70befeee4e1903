"""The services of a client that is hosted for a visitor: one server, and nothing of the machine that hosts it.

The host's door imports it. It uses no process, no file and no address but the host's, so that the door is no proxy for
attacks on other machines.
"""

from collections.abc import Awaitable, Callable
from typing import Final

from gloam_client.net.guest.server_questions import ServerStatus, ask, ask_status
from gloam_client.net.launch_options import LaunchOptions
from gloam_client.net.tls_connect import ConnectFailed, TrustedStream
from gloam_client.render.farewell import farewell
from gloam_client.services.services import Happen, Refused, Route
from gloam_client.state import client_events
from gloam_client.state.client_effects import GoTo
from gloam_client.state.home import Home
from gloam_client.state.model import Model
from gloam_client.state.players.ladder import LadderOwner
from gloam_client.user_files.address import Address
from gloam_shared.protocol.messages.records import AskLadder, Ladder

_ONE_SERVER: Final = "This client plays on one server only; install Gloam to play elsewhere."
_AWAY: Final = "The server does not answer; its host may be starting it again."
_NO_WORLDS: Final = "This client has no worlds of its own; install Gloam to have some."


class Visitor:
    """One server. `address` is its name for the player, and `dial` alone decides where a connection goes."""

    def __init__(self, address: Address, dial: Callable[[], Awaitable[TrustedStream]]) -> None:
        self._address = address
        self._dial = dial
        self._home = Home(visits=address)
        self._happen: Happen = lambda _: None

    def report_to(self, happen: Happen) -> None:
        """Report results there from now on."""
        self._happen = happen

    def read_home(self) -> Home:
        """Return the title of a visitor: without worlds, friends, and other servers."""
        return self._home

    def own_address(self) -> str:
        """Return "": there is no own world."""
        return ""

    def read_again(self) -> None:
        """Do nothing: there are no lists."""

    async def follow_worlds(self, shown: Callable[[], bool]) -> None:
        """Do nothing: there are no worlds."""

    def destination(self, start: LaunchOptions, there: GoTo) -> LaunchOptions:
        """Return the options, which always lead to the one server. Raises Refused for any other address."""
        if there.address not in (None, self._address):
            raise Refused(_ONE_SERVER)
        if there.campaign or there.daily or there.seed is not None:
            raise Refused(_NO_WORLDS)
        return start

    async def route(self, start: LaunchOptions, entered: Callable[[], bool]) -> Route:  # noqa: ARG002  # one way
        """Return the way to the one server; the options do not count."""
        return Route(self._address, self._connect)

    def advice(self, code: str, start: LaunchOptions) -> str:  # noqa: ARG002  # no command line
        """Return "": a visitor starts no program."""
        return ""

    async def probe(self, address: Address) -> None:
        """Ask the one server for its status; refuse any other."""
        result: ServerStatus | str = _ONE_SERVER
        if address == self._address:
            try:
                result = await ask_status(address, await self._connect(address))
            except ConnectFailed as error:
                result = error.text
        statuses = {**dict(self._home.statuses), str(address): result}
        self._home = self._home._replace(statuses=tuple(statuses.items()))
        self._happen(client_events.HomeChanged(self._home))

    async def ask_board(self, owner: LadderOwner, question: AskLadder) -> None:
        """Ask the one server for a board of its ladder; refuse any other owner."""
        answer: Ladder | str = _ONE_SERVER
        if owner.address == self._address:
            try:
                answer = await ask(self._address, await self._connect(self._address), question, Ladder)
            except ConnectFailed as error:
                answer = error.text
        self._happen(client_events.LadderReceived(owner, answer))

    async def invite(self) -> None:
        """Refuse."""
        self._home = self._home._replace(invite_fault=_NO_WORLDS)
        self._happen(client_events.HomeChanged(self._home))

    async def delete(self, campaign: str) -> None:  # noqa: ARG002  # none of them
        """Refuse."""
        self._happen(client_events.Notice(_NO_WORLDS, "refused"))

    def own_link(self, name: str, *, fresh: bool) -> str:  # noqa: ARG002  # the door may have one
        """Return ""."""
        return ""

    def stop_server(self) -> None:
        """Do nothing: a visitor's server is not their own."""

    def note(self, start: LaunchOptions, model: Model) -> None:
        """Remember nothing."""

    def farewell(self, start: LaunchOptions, model: Model) -> str:
        """Return the text for a player who leaves."""
        return "" if start.replay is not None else farewell(model)

    async def _connect(self, _: Address) -> TrustedStream:
        """Connect to the one server; of a failure the player learns nothing of the host's machine."""
        try:
            return await self._dial()
        except (ConnectFailed, OSError) as error:
            known = error if isinstance(error, ConnectFailed) else ConnectFailed("")
            raise ConnectFailed(
                _AWAY, hopeless=known.hopeless, code=known.code, wait_s=known.wait_s
            ) from error
