"""The title's data, kept up to date: worlds, servers, invites.

Slow work runs beside the loop; results arrive as events.
"""

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import replace
from typing import Final

from gloam_client.net import daily, friends_invite, own_worlds
from gloam_client.net.guest.one_question import ask
from gloam_client.net.guest.server_ladder import ask_board, ask_own_board
from gloam_client.net.guest.server_status import ServerStatus, probe
from gloam_client.net.launch_options import LaunchOptions
from gloam_client.net.local_server import NoLocalServer, address
from gloam_client.net.tls_connect import ConnectFailed, dial_plainly
from gloam_client.player_store import PlayerStore
from gloam_client.render.farewell import farewell
from gloam_client.state.client_effects import DeleteReplay, GoTo, ListReplays
from gloam_client.state.client_events import ClientEvent, HomeChanged, LadderCame, Notice
from gloam_client.state.home import Home
from gloam_client.state.model import Model
from gloam_client.state.players.ladder import LadderPlace
from gloam_client.user_files import recent_servers
from gloam_client.user_files.address import Address
from gloam_client.user_files.recent_servers import RecentServer
from gloam_shared.narration.rendering import depth_text
from gloam_shared.protocol.messages.records import AskLadder, Ladder
from gloam_shared.view.view import Stat

DAILY_GOES_ON: Final = "`gloam --daily` brings you back, until midnight (UTC)."
_FOLLOW_S: Final = 1.0
"""Between two looks at the own worlds, in seconds: a server that ends or starts shows soon."""


def read_home(start: LaunchOptions) -> Home:
    """Return what the title shows first."""
    worlds = own_worlds.list_worlds(start.data, start.campaign)
    servers, results = recent_servers.read(start.data), daily.read_results(start.data)
    return Home(start.campaign, worlds, servers, day=daily.today(), results=results)


def destination(start: LaunchOptions, there: GoTo) -> LaunchOptions:
    """Return the options for a place that was chosen on the title."""
    if there.daily:
        daily.remove_old_worlds(start.data, there.daily)
    return replace(
        start,
        place=there.place,
        ticket=there.ticket,
        campaign=there.campaign or start.campaign,
        seed=there.seed,
        daily=there.daily,
    )


class HomeServices:
    """Carries out what the title asks for."""

    def __init__(
        self, start: LaunchOptions, store: PlayerStore, home: Home, happen: Callable[[ClientEvent], None]
    ) -> None:
        self._start = start
        self._store = store
        self._home = home
        self._happen = happen
        self._noted: RecentServer | None = None
        self._daily_asked = False
        self._daily_words = ""

    async def probe(self, place: Address) -> None:
        """Ask a server for its status, and show the answer."""
        result: ServerStatus | str
        try:
            result = await probe(place, self._start.data)
        except ConnectFailed as error:
            result = error.text
        statuses = {**dict(self._home.statuses), str(place): result}
        self._show(self._home._replace(statuses=tuple(statuses.items())))

    async def ask_board(self, place: LadderPlace, question: AskLadder) -> None:
        """Ask a place for a board of its ladder, and show the answer."""
        data = self._start.data
        answer: Ladder | str
        try:
            if place.address is not None:
                answer = await ask_board(place.address, data, question)
            else:
                answer = await ask_own_board(data, place.campaign, question)
        except ConnectFailed as error:
            answer = error.text
        except NoLocalServer as error:
            answer = str(error)
        self._happen(LadderCame(place, answer))

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

    def read_replays(self, wish: ListReplays | DeleteReplay) -> None:
        """Show this user's replays as they are now, after one was deleted if that is the wish."""
        if isinstance(wish, DeleteReplay):
            self._store.delete_replay(wish.id)
        self._show(self._home._replace(replays=self._store.list_replays()))

    def read_again(self) -> None:
        """Read worlds and servers again: the title is shown again."""
        fresh = read_home(self._start)
        self._show(
            self._home._replace(
                worlds=fresh.worlds, servers=fresh.servers, day=fresh.day, results=fresh.results
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

    def daily_work(self, start: LaunchOptions, model: Model) -> Coroutine[None, None, None] | None:
        """Return the work of keeping the result of a seed of the day, once, when its life is over."""
        if not start.daily or not model.dead or self._daily_asked:
            return None
        self._daily_asked = True
        return self._keep_daily(start)

    async def _keep_daily(self, start: LaunchOptions) -> None:
        """Ask the world of the day for its only life, and keep it."""
        running = address(start.world)
        if running is None:
            return
        with suppress(ConnectFailed):
            board = await ask(running.place, await dial_plainly(running.place), AskLadder(), Ladder)
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

    def note_server(self, place: Address | None, model: Model) -> None:
        """Remember the server on which this player plays or watches, with their life there."""
        if place is None or model.connection.state != "joined" or not (model.in_dungeon or model.watch.here):
            return
        server = RecentServer(str(place), model.name, "" if model.watch.here else _life_words(model))
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
