"""The services of a client that its own user starts: worlds, private servers, known servers, and any address.

Slow work runs beside the loop; results arrive as events.
"""

import asyncio
import contextlib
import socket
import time
from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Final

from gloam_client.net import daily, friends_invite, local_server, own_worlds
from gloam_client.net.connection import ENDS
from gloam_client.net.guest.server_questions import (
    ServerStatus,
    ask,
    ask_board,
    ask_own_board,
    probe,
)
from gloam_client.net.launch_options import LaunchOptions
from gloam_client.net.local_server import LocalServer, NoLocalServer
from gloam_client.net.tls_connect import ConnectFailed, TlsConnector, TrustedStream, dial_plainly
from gloam_client.render.farewell import farewell
from gloam_client.services.services import Happen, Route
from gloam_client.state.client_effects import GoTo
from gloam_client.state.client_events import HomeChanged, LadderReceived, Notice, ServerAddress
from gloam_client.state.home import Home
from gloam_client.state.model import Model
from gloam_client.state.players.ladder import LadderOwner
from gloam_client.user_files import recent_servers, title_news
from gloam_client.user_files.address import PORT, Address
from gloam_client.user_files.known_servers import KnownServers
from gloam_client.user_files.recent_servers import RecentServer
from gloam_client.user_files.title_news import TitleNews
from gloam_shared.narration.rendering import depth_text
from gloam_shared.protocol.messages.records import AskLadder, Chronicle, Ladder
from gloam_shared.text import clean
from gloam_shared.view.view import Stat

DAILY_GOES_ON: Final = "`gloam --daily` brings you back, until midnight (UTC)."
_FOLLOW_S: Final = 1.0
"""Between two looks at the own worlds, in seconds: a server that ends or starts shows soon."""


_DIES_AGAIN_S: Final = 10
"""A private server that dies sooner than this after a restart is not restarted again."""
_STOPPING: Final = "stopping"


class OwnMachine:
    """The actions of a user on their machine, in the data folder of the command line."""

    def __init__(self, start: LaunchOptions) -> None:
        self._start = start
        self._home = Home()
        self._happen: Happen = lambda _: None
        self._noted: RecentServer | None = None
        self._running: LocalServer | None = None
        self._restarted_s = float("-inf")
        self._daily_asked = False
        self._daily_words = ""
        self._chronicle: Chronicle | None = None

    def report_to(self, happen: Happen) -> None:
        """Report results there from now on."""
        self._happen = happen

    def read_home(self) -> Home:
        """Return what the title shows first."""
        data, campaign = self._start.data, self._start.campaign
        worlds = own_worlds.list_worlds(data, campaign)
        servers, results = recent_servers.read(data), daily.read_results(data)
        news = title_news.read(data)
        self._home = Home(campaign, worlds, servers, day=daily.today(), results=results, news=news)
        return self._home

    def own_address(self) -> str:
        """Return the address at which others can join this world; "" if its server will have to use any free port."""
        running = local_server.address(self._start.world)
        if running is not None:
            return str(running.address)
        usual = Address("127.0.0.1", PORT)
        with socket.socket() as trial, contextlib.suppress(OSError):
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            trial.bind(usual)
            return str(usual)
        return ""

    def destination(self, start: LaunchOptions, there: GoTo) -> LaunchOptions:
        """Return the options for a game that was chosen on the title."""
        if there.daily:
            daily.remove_old_worlds(start.data, there.daily)
        return replace(
            start,
            address=there.address,
            ticket=there.ticket,
            campaign=there.campaign or start.campaign,
            seed=there.seed,
            daily=there.daily,
            asks_dungeons=there.address is not None and not there.ticket.code and not there.chosen,
        )

    async def route(self, start: LaunchOptions, entered: Callable[[], bool]) -> Route:
        """Return the way to a server, or to this user's private one, which is started if none is running.

        Raises NoLocalServer.
        """
        if start.address is not None:
            return Route(start.address, lambda address: self._dial(start, address))
        own = await self._private(start)
        joins = "The seed of the day is one life: no other player can join you."
        if not start.daily:
            joins = f"Others on this machine can join you: gloam {own}"
        self._happen(Notice(joins, "quiet"))
        return Route(own, again=lambda: self._private_after_cut(start, entered()), ends=ENDS | {_STOPPING})

    def own_link(self, name: str, *, fresh: bool) -> str:  # noqa: ARG002  # no door, no link
        """Return "": links lead through a door."""
        return ""

    def advice(self, code: str, start: LaunchOptions) -> str:
        """Return the command line that helps after a goodbye."""
        if code == "replaced":
            return "A second player needs another name: gloam join --name NAME"
        if code != "name" or start.titled:
            return ""
        verb = "gloam watch" if start.watch else "gloam" if start.address else "gloam join"
        return (
            f"The option --name gives one: {verb} {f'{start.address} ' if start.address else ''}--name NAME"
        )

    async def probe(self, address: Address) -> None:
        """Ask a server for its status, and show the answer."""
        result: ServerStatus | str
        try:
            result = await probe(address, self._start.data)
        except ConnectFailed as error:
            result = error.text
        statuses = {**dict(self._home.statuses), str(address): result}
        self._show(self._home._replace(statuses=tuple(statuses.items())))

    async def ask_board(self, owner: LadderOwner, question: AskLadder) -> None:
        """Ask the owner of a ladder for a board, and show the answer."""
        data = self._start.data
        answer: Ladder | str
        try:
            if owner.address is not None:
                answer = await ask_board(owner.address, data, question)
            else:
                answer = await ask_own_board(data, owner.campaign, question)
        except ConnectFailed as error:
            answer = error.text
        except NoLocalServer as error:
            answer = str(error)
        self._happen(LadderReceived(owner, answer))

    async def invite(self) -> None:
        """Open the own world to other machines, and show the line for friends."""
        try:
            line = await friends_invite.invite_friends(self._start.world, self._start.campaign)
        except (NoLocalServer, OSError) as error:
            self._show(self._home._replace(invite="", invite_fault=str(error)))
        else:
            self._show(self._home._replace(invite=line, invite_fault=""))

    async def delete(self, campaign: str) -> None:
        """Delete an own world, beside the loop: a large one takes a moment."""
        try:
            await asyncio.to_thread(own_worlds.delete_world, self._start.data, campaign)
        except own_worlds.CannotDelete as error:
            self._happen(Notice(str(error), "refused"))
        self.read_again()

    def read_again(self) -> None:
        """Read worlds and servers again: the title is shown again."""
        before = self._home
        self._show(
            self.read_home()._replace(
                statuses=before.statuses, invite=before.invite, invite_fault=before.invite_fault
            )
        )

    async def follow_worlds(self, shown: Callable[[], bool]) -> None:
        """Show worlds that a server opens or leaves, as long as the title is shown.

        A private server ends some moments after its last player. A list that was read before then would name
        its world as played for ever.
        """
        while shown():
            worlds = own_worlds.list_worlds(self._start.data, self._start.campaign)
            if worlds != self._home.worlds:
                self._show(self._home._replace(worlds=worlds))
            await asyncio.sleep(_FOLLOW_S)

    def stop_server(self) -> None:
        """Ask this player's private server to stop, for all its players."""
        if self._running is not None:
            local_server.stop(self._running)

    def note(self, start: LaunchOptions, model: Model) -> Coroutine[None, None, None] | None:
        """Remember the server on which this player plays, and the newest line of its chronicle.

        Return the work of keeping the result of a seed of the day, once.
        """
        if start.address is not None:
            self._note_server(start.address, model)
        self._note_news(start, model)
        if not start.daily or not model.dead or self._daily_asked:
            return None
        self._daily_asked = True
        return self._keep_daily(start)

    def _note_news(self, start: LaunchOptions, model: Model) -> None:
        """Keep the newest line of a chronicle that has arrived, for the title."""
        told = model.records.chronicle
        if told is None or told is self._chronicle or model.connection.state != "joined":
            return
        self._chronicle = told
        if told.events and not start.daily:
            address = "" if start.address is None else str(start.address)
            title_news.keep(start.data, TitleNews(address, start.campaign, clean(told.events[-1])))

    async def _keep_daily(self, start: LaunchOptions) -> None:
        """Ask the world of the day for its only life, and keep it."""
        running = local_server.address(start.world)
        if running is None:
            return
        with contextlib.suppress(ConnectFailed):
            board = await ask(running.address, await dial_plainly(running.address), AskLadder(), Ladder)
            result = daily.result_of(start.daily, start.campaign, board)
            if result is not None:
                daily.keep_result(start.data, result)
                self._daily_words = result.words
                self._happen(Notice(result.words, "urgent"))

    def farewell(self, start: LaunchOptions, model: Model) -> str:
        """Return the text for a player who leaves; after a seed of the day it is the line for friends."""
        if start.replay is not None:
            return ""
        if not start.daily:
            return farewell(model)
        return self._daily_words or f"You left. {'This life is over.' if model.dead else DAILY_GOES_ON}"

    async def _dial(self, start: LaunchOptions, address: Address) -> TrustedStream:
        """Open a connection to a server, and show the player a message if its key is new."""
        line = await TlsConnector(KnownServers(start.data), start.ticket.pin).dial(address)
        if line.trust == "new":
            self._happen(
                Notice(f"You meet {address} for the first time. Its host can tell you its key: {line.pin}")
            )
        elif line.trust == "vouched":
            self._happen(Notice(f"{address} has a new key, which a certificate authority vouches for."))
        return line

    async def _private(self, start: LaunchOptions) -> Address:
        """Return the address of this user's private server; start one if none is running."""
        self._running = await local_server.ensure(
            start.world,
            start.campaign,
            start.world_seed,
            friends=start.friends,
            one_life=bool(start.daily),
        )
        self._happen(ServerAddress(str(self._running.address), private=True))
        return self._running.address

    async def _private_after_cut(self, start: LaunchOptions, entered: bool) -> Address:  # noqa: FBT001  # of a closure
        """Return its address after a cut; if it has died, say so and start it again."""
        if not entered or await local_server.find(start.world) is not None:
            return await self._private(start)
        if time.monotonic() - self._restarted_s < _DIES_AGAIN_S:
            log = start.world / "server.log"
            raise NoLocalServer(f"Your private server stops again and again; {log} shows more.")
        self._happen(
            Notice("Your private server stopped; the client starts it again. Nothing is lost.", "urgent")
        )
        own = await self._private(start)
        self._restarted_s = time.monotonic()
        return own

    def _note_server(self, address: Address, model: Model) -> None:
        """Remember the server on which this player plays or watches, with their life there."""
        if model.connection.state != "joined" or not (model.in_dungeon or model.company.watch.here):
            return
        server = RecentServer(
            str(address), model.name, "" if model.company.watch.here else _life_words(model)
        )
        if server != self._noted:
            self._noted = server
            recent_servers.note(self._start.data, server)

    def _show(self, home: Home) -> None:
        self._home = home
        self._happen(HomeChanged(home))


def _life_words(model: Model) -> str:
    """Return a life in a few words."""
    depth = depth_text(model.view.place.depth)
    return f"died on depth {depth}" if model.dead else f"level {model.fact(Stat.LEVEL)}, depth {depth}"
