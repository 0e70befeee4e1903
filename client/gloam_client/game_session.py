"""From a name to an open connection, on the way that the client's services give. Knows no screen."""

import asyncio
import time
from collections.abc import Callable
from typing import Final

from gloam_client.net.connection import Connection
from gloam_client.net.key_repeat import KeyRepeat
from gloam_client.net.launch_options import ExitStatus, LaunchOptions
from gloam_client.net.local_server import NoLocalServer
from gloam_client.net.many_dungeons import ManyDungeons
from gloam_client.net.protocol_client import ProtocolBroken, ProtocolClient
from gloam_client.net.tls_connect import ConnectFailed
from gloam_client.player_store import PlayerStore
from gloam_client.replays.life_recorder import LifeRecorder
from gloam_client.services.services import Services
from gloam_client.state import client_events
from gloam_client.user_files.recording import Recorder
from gloam_shared.protocol.commands import AnyCommand
from gloam_shared.protocol.messages.lives import Died, WhoBeside
from gloam_shared.protocol.messages.login import Joined
from gloam_shared.protocol.messages.records import AskChronicle
from gloam_shared.protocol.messages.watching import AskWatchable, SetWatchable
from gloam_shared.protocol.registry import FromClient, FromServer

_CHRONICLE_EVERY_MS: Final = 60_000
"""The least time between two requests for the chronicle after logins."""

_STOPPING: Final = "stopping"
ASKS: Final = frozenset({"password", "auth", "length", "invite"})
"""Login rejections that the player can answer."""
_LINK_REPLACED: Final = (
    "This link was taken back: its name has a newer link, or a password. "
    "Type that password, or the part of the newer link after the ~."
)
_OTHER_NAME: Final = "name"
"""The rejection of a name that another player has, or that no player may have."""


def messages_received(link: ProtocolClient, messages: list[FromServer]) -> client_events.MessagesReceived:
    """Return the messages with the connection's state after them."""
    return client_events.MessagesReceived(
        tuple(messages),
        link.view,
        link.pace,
        link.name,
        link.unanswered_since_ms,
        link.heard_ms,
        link.round_trip_ms,
    )


class GameSession:
    """This player's login and connection. All results arrive as inputs."""

    def __init__(
        self,
        start: LaunchOptions,
        services: Services,
        store: PlayerStore,
        happen: Callable[[client_events.ClientEvent], None],
    ) -> None:
        self._start = start
        self._services = services
        self._store = store
        self._happen = happen
        self._link = ProtocolClient(start.name, start.token, start.agent)
        self._repeats = KeyRepeat(self._link)
        self._dialed = start
        self._answered: LaunchOptions | None = None
        """The server that needs not be asked for its dungeons again: a second login there, with a password, is to the same one."""
        self._connection: Connection | None = None
        self._repeating: asyncio.TimerHandle | None = None
        self._watchable = SetWatchable(allowed=False)
        self._beside: WhoBeside = "party"
        self._recorder = Recorder(start.record) if start.record else None
        self._lives: LifeRecorder | None = None
        self._asked_ms = -_CHRONICLE_EVERY_MS

    @property
    def _own(self) -> bool:
        """Whether the player is on this user's private server."""
        return self._start.address is None

    async def play(
        self, name: str, password: str = "", invite: str = "", *, watches: bool = False
    ) -> ExitStatus | None:
        """Keep the connection of a name for as long as possible; with `watches`, one that only watches.

        Returns None if the player is asked how to continue.
        """
        invite = invite or self._start.ticket.code
        self._link = ProtocolClient(
            name,
            self._start.token,
            self._start.agent,
            password=password,
            invite=invite,
            watches=watches,
            watchable=self._watchable,
            beside=self._beside,
            watched=self._start.watched if watches else "",
            asks_dungeons=self._start.asks_dungeons and self._start is not self._answered,
        )
        self._dialed = self._start
        self._repeats = KeyRepeat(self._link)
        address = str(self._start.address) if self._start.address else ""
        self._happen(client_events.JoinStarted(name, address, watches, bool(self._start.daily)))
        try:
            await self._converse()
        except ManyDungeons as offer:
            assert self._start.address is not None  # an own server is not asked
            self._connection = None
            self._happen(client_events.DungeonsReceived(self._start.address, offer.found, watches=watches))
        except (ConnectFailed, NoLocalServer, ProtocolBroken) as error:
            return self._connection_ended(error)
        return None

    def send_command(self, command: AnyCommand) -> None:
        """Send a command of the game."""
        self._repeats.press(command, now_ms())
        self._happen(client_events.CommandSent(command, self._link.unanswered_since_ms))
        self._flush()
        self._repeat_later()

    def send(self, message: FromClient) -> None:
        """Send any other message."""
        self._link.send(message)
        self._flush()

    def go_to(self, start: LaunchOptions) -> None:
        """Use another destination for the next conversation."""
        self._start = start

    def watch(self, name: str) -> None:
        """Ask for the view of a player, or with "" for the list of players."""
        self._link.watch(name)
        if not name:
            self._link.send(AskWatchable())
        self._flush()

    def allow_watching(self, watchable: SetWatchable) -> None:
        """Say, now and after each login, whether players may watch this player, and guests."""
        if watchable != self._watchable:
            self._watchable = watchable
            self._link.allow_watching(watchable)
            self._flush()

    def allow_beside(self, who: WhoBeside) -> None:
        """Say, now and after each login, who may begin a life beside this player."""
        if who != self._beside:
            self._beside = who
            self._link.allow_beside(who)
            self._flush()

    def keep_replays(self, *, kept: bool) -> None:
        """Record each life of this player from now on, or no longer; one under way is recorded from its next connection."""
        if kept and self._lives is None:
            self._lives = self._store.record_lives()
        elif not kept and self._lives is not None:
            self._lives.close()
            self._lives = None

    async def hang_up(self) -> None:
        """Say goodbye to the server, before another connection begins."""
        if self._connection is not None:
            await self._connection.goodbye()
        self._connection = None

    async def leave(self) -> None:
        """Say goodbye, and end the recording."""
        await self.hang_up()
        if self._recorder:
            self._recorder.close()
        if self._lives is not None:
            self._lives.close()

    # The connection's listener.

    def on_connected(self) -> None:
        """Record that a connection begins."""
        self._record(lambda recorder: recorder.begin_connection(now_ms()))

    def on_messages(self, messages: list[FromServer]) -> None:
        """Pass on the messages that the connection has received."""
        self._record(lambda recorder: recorder.take(messages, now_ms()))
        if not self._link.asks_dungeons:
            self._answered = self._dialed
        if self._lives is not None and not self._link.watches:
            fault = self._lives.take(messages, self._link.view, now_ms())
            if fault:
                self._happen(client_events.Notice(fault, "quiet"))
        self._repeats.state_changed(self._link.view, now_ms())
        self._repeat_later()
        self._happen(messages_received(self._link, messages))
        self._ask_chronicle(messages)

    def _ask_chronicle(self, messages: list[FromServer]) -> None:
        """Ask at the beginning and the end of a life which creatures are wanted, and for the newest line, which the title shows."""
        begins = any(isinstance(message, Joined) for message in messages)
        if begins and now_ms() - self._asked_ms < _CHRONICLE_EVERY_MS:
            return  # back after a cut
        if not self._link.watches and (begins or any(isinstance(message, Died) for message in messages)):
            self._asked_ms = now_ms()
            self.send(AskChronicle())

    def on_cut(self, text: str, since_ms: int, retry_ms: int) -> None:
        """Show that the connection is lost."""
        self._happen(client_events.ConnectionLost(text, since_ms, retry_ms))

    def on_back(self, away_ms: int) -> None:
        """Show that the connection is back."""
        self._happen(client_events.ConnectionRestored(away_ms))

    def _record(self, write: Callable[[Recorder], None]) -> None:
        """Write to the recording, if there is one. A disk that fails ends the recording, not the game."""
        if self._recorder is None:
            return
        try:
            write(self._recorder)
        except OSError as error:
            self._recorder.close()
            self._recorder = None
            why = f"{self._start.record} is no longer written: {error.strerror}. The game goes on."
            self._happen(client_events.Notice(why, "urgent"))

    async def _converse(self) -> None:
        route = await self._services.route(self._start, lambda: self._entered)
        self._connection = Connection(
            self._link, route.address, self, now_ms, route.again, route.ends, route.dial
        )
        await self._connection.run()

    def _connection_ended(self, error: Exception) -> ExitStatus | None:
        """Return how the program ends after a connection fails permanently, or ask the player."""
        code = getattr(error, "code", "")
        if code in ASKS:
            by_link = self._start.means == "link" and self._link.login.password == self._start.password != ""
            text = _LINK_REPLACED if code == "auth" and by_link else str(error)
            self._happen(client_events.CredentialsAsked(code, text))
            return None
        entered = self._entered
        text = " ".join(filter(None, (str(error), self._services.advice(code, self._start))))
        if code == _OTHER_NAME and not self._start.titled:
            return ExitStatus(1, text)
        if not self._own and (entered or not self._start.titled):
            return ExitStatus(1, text)
        if isinstance(error, NoLocalServer) and not entered:
            return ExitStatus(2, text)
        if entered and not (isinstance(error, NoLocalServer) or code == _STOPPING):
            return ExitStatus(1, text)
        self._happen(client_events.ServerStopped(text) if entered else client_events.JoinFailed(text))
        return None

    @property
    def _entered(self) -> bool:
        """Whether the player has been in the dungeon on this connection."""
        return bool(self._link.view.place.width)

    def _repeat_later(self) -> None:
        """Schedule the sending of a command that waits for the rate limit."""
        due_ms = self._repeats.due_ms(now_ms())
        if due_ms is None or self._repeating is not None:
            return
        wait_s = max(due_ms - now_ms(), 1) / 1_000
        self._repeating = asyncio.get_running_loop().call_later(wait_s, self._repeat)

    def _repeat(self) -> None:
        self._repeating = None
        self._repeats.tick(now_ms())
        self._flush()
        self._repeat_later()

    def _flush(self) -> None:
        if self._connection is not None:
            self._connection.flush()


def now_ms() -> int:
    """Return the clock's reading."""
    return int(time.monotonic() * 1_000)
