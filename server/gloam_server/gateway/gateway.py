"""The requests of connections: to log in, to play, to chat, to leave. The engine answers them."""

import hashlib
import logging
from functools import lru_cache, partial
from itertools import count
from typing import Final

from msgspec.structs import replace
from twisted.python.failure import Failure

from gloam_server.engine.engine import Engine
from gloam_server.engine.health import problems
from gloam_server.engine.messages import Connected, Forgotten
from gloam_server.engine.player import Player
from gloam_server.gateway.chat.chat import Chat
from gloam_server.gateway.disconnector import Disconnector
from gloam_server.gateway.joining import Joining
from gloam_server.gateway.login import admission, login_refusals
from gloam_server.gateway.login.authentication import Authenticator
from gloam_server.gateway.login.login_queue import LoginQueue
from gloam_server.gateway.login.session_resume import ResumedSession, hash_of
from gloam_server.gateway.parties.party_requests import PartyRequests
from gloam_server.gateway.player_messages import PlayerMessages
from gloam_server.gateway.rejections import Rejections
from gloam_server.gateway.watching.watchers import RealmWatchers
from gloam_server.logs import fields
from gloam_server.net.connection_counts import AdmissionStatus, ConnectionCounts
from gloam_server.net.conversation import Conversation
from gloam_server.net.networks import network_of
from gloam_server.sessions.effects import BanForFlood, Close, Effect, Send
from gloam_server.sessions.session import Session, State
from gloam_server.sessions.token_bucket import TokenBucket
from gloam_server.storage.accounts import Account
from gloam_server.storage.file_thread import FilesBusy
from gloam_server.storage.shared_replays import NoReplay, SharedReplays
from gloam_server.world.model.ids import REALM_PARTITION
from gloam_server.world.model.inputs import ForgetLife
from gloam_shared import limits
from gloam_shared.protocol.codes import ByeCode
from gloam_shared.protocol.messages.login import (
    AskStatus,
    Bye,
    Error,
    Goodbye,
    Login,
    PasswordStatus,
    Resume,
    ResumeToken,
    Status,
)
from gloam_shared.protocol.messages.play import Acknowledge, Refresh, SubmitCommand
from gloam_shared.protocol.messages.records import AskLadder
from gloam_shared.protocol.messages.replays import AskReplay, ReplayPart
from gloam_shared.protocol.messages.watching import AskWatchable, Watch, WatchLogin
from gloam_shared.protocol.registry import FromClient, FromServer

_log: Final = logging.getLogger(__name__)


class Gateway:
    """Connects sessions with the engine. One for the whole server."""

    def __init__(
        self,
        engine: Engine,
        door: Authenticator,
        disconnector: Disconnector,
        connections: ConnectionCounts,
        refusals: Rejections,
        replays: SharedReplays,
        *,
        players_max: int,
        version: str,
        realm: str,
        one_life: bool = False,
    ) -> None:
        self._clock = engine.clock
        self._commits = engine.commits
        self._dungeon = engine.dungeon
        self._loop = engine.loop
        self._players = engine.players
        self._views = engine.views
        self._presence = engine.loop.presence
        engine.turn_side.on_proved = self._prove
        self._numbers = count(1)
        self._reporter = engine.reporter
        self._statistics = engine.statistics
        self._boards = engine.boards
        self._strangers = TokenBucket(limits.LADDER_STRANGERS_PER_S, limits.LADDER_STRANGERS_BURST)
        self._replays = replays
        self._fetchers = TokenBucket(limits.REPLAY_PARTS_PER_S, limits.REPLAY_PARTS_BURST)
        self._fetching: set[Conversation] = set()
        self._door = door
        self._disconnector = disconnector
        self._joining = Joining(engine, disconnector, one_life=one_life)
        self.parties = PartyRequests(engine)
        self._watchers = RealmWatchers(engine, self.parties.together)
        self._chat = Chat(engine, self._block)
        self._player_messages = PlayerMessages(
            engine, door, self._joining, self._watchers, self.parties, self._chat
        )
        self._resumes = door.resumes
        self._logins = LoginQueue(engine.clock)
        self._closing: Bye | None = None
        self._players_max = players_max
        self._version = version
        self._welcome_with = lru_cache(maxsize=1)(
            lambda players: admission.welcome_message(engine.dungeon.campaign, players, players_max, realm)
        )
        self._connections = connections
        self._admitted: set[Conversation] = set()
        self.had_guests = False
        self.traffic = engine.statistics.traffic
        self.refusals = refusals

    def now_ms(self) -> int:
        """Return the clock's reading."""
        return self._clock.now_ms()

    def greet(self, connection: Conversation) -> Session | Bye | None:
        """Return a session for a new connection, or why there is none, or None for a blocked address."""
        match self._connections.admit(connection, self.now_ms()):
            case AdmissionStatus.SHUT_OUT:
                self.refused(connection, "flapping", b"")
                return None
            case AdmissionStatus.TOO_MANY:
                self._connections.turn_away(connection)
                return admission.TOO_MANY
            case AdmissionStatus.ADMITTED | AdmissionStatus.RESERVED | AdmissionStatus.RETURNING:
                self._admitted.add(connection)
                connection.number = next(self._numbers)
                self._views.open(connection)
                return Session(connection.opened_ms, self._welcome_with(self._players.count_connected()))

    def lost(self, connection: Conversation) -> None:
        """Handle a lost connection: its player's body leaves, or stays on guard while it is held."""
        if connection in self._admitted:
            self._admitted.discard(connection)
            self._connections.release(connection, self.now_ms(), served=connection.served)
        self._watchers.lost(connection)
        self._views.close(connection)
        if self._closing:
            return
        player = self._players.by_account(connection.player)
        if player is None or player.connection != connection.number:
            self._loop.check_idle()  # a private server waits for the last connection to close
            return
        self._disconnector.disconnect(player)
        self._loop.wake()

    def expel(self, player: Player, code: ByeCode, words: str) -> None:
        """Disconnect a player."""
        self._watchers.expel(player.account, code, words)
        self._disconnector.expel(player, code, words)
        self._loop.wake()

    def expel_watcher(self, account: int, code: ByeCode, words: str) -> None:
        """Disconnect a person who only watches."""
        self._watchers.expel(account, code, words)

    def connection_failed(self, connection: Conversation, error: Exception) -> None:
        """Report an internal error in a connection's request."""
        player = self._players.by_account(connection.player)
        self._reporter.report(f"a message of {player.name if player else 'a player not logged in'}", error)

    def close(self, code: ByeCode, words: str) -> None:
        """Notify all players that the server stops. All bodies stay where they are, for players who return."""
        self._closing = Bye(code, words)
        self._disconnector.close_all(code, words)
        self._watchers.close_all(code, words)
        self._chat.close()

    def refused(self, connection: Conversation, code: str, body: bytes) -> None:
        """Count a refusal, and log it within limits."""
        self.refusals.record(connection.address, code, body)

    def resumed(self, connection: Conversation) -> None:
        """Handle free room in a connection's buffer: waiting updates may be sent."""
        self._views.resume(connection)

    def handle(self, connection: Conversation, effect: Effect) -> None:
        """Carry out what a session asked for."""
        match effect:
            case SubmitCommand() | Acknowledge() if connection.state is not State.WATCHING:
                self._handle_of_player(connection, effect)  # nearly all there is
            case Login() | Resume() | WatchLogin() if self._door.too_often(connection.address, effect.name):
                self._clock.reactor.callLater(limits.LOGINS_REFUSED_S, self._put_off, connection, effect.name)
            case Login() | WatchLogin() if self._logins.is_full:
                connection.login_checked(login_refusals.CROWDED)
            case Login() | Resume() | WatchLogin():
                self._logins.put(partial(self._begin, connection, effect))
            case AskStatus():
                connection.send(self._status())
            case AskLadder():
                self._show_ladder(connection, effect)
            case AskReplay():
                self._share_replay(connection, effect)
            case Send() | Close():
                raise TypeError("sending and closing are the connection's own")
            case AskWatchable() | Watch():
                self._watchers.handle(connection, effect)
            case Acknowledge() | Refresh() if connection.state is State.WATCHING:
                self._watchers.handle(connection, effect)
            case _:
                self._handle_of_player(connection, effect)

    def _handle_of_player(self, connection: Conversation, effect: BanForFlood | FromClient) -> None:
        """Carry out what a player's present connection asked for."""
        player = self._players.by_account(connection.player)
        if player is None or player.connection != connection.number:
            return
        match effect:
            case SubmitCommand() | Acknowledge():
                self._player_messages.handle(player, connection, effect)
            case BanForFlood():
                player.attendance.shut_until_ms = self.now_ms() + limits.CHAT_SHUT_S * 1_000
            case Goodbye():
                self._disconnector.log_out(player)
            case _:
                self._player_messages.handle(player, connection, effect)

    def _block(self, player: Player, account: int) -> None:
        """End what goes on between a player and an account that they block."""
        self._watchers.end_of_blocked(player, account)
        self.parties.end_of_blocked(player, account)

    def _status(self) -> Status:
        return Status(
            ready=not problems(self._statistics, self._clock.seconds()),
            campaign=self._dungeon.campaign.key,
            players=self._players.count_connected(),
            version=self._version,
        )

    def _show_ladder(self, connection: Conversation, ask: AskLadder) -> None:
        """Send a board. All who ask without a login share one limit: a board costs more than a status."""
        logged_in = connection.state in (State.PLAYING, State.WATCHING)
        if not logged_in and not self._strangers.take(self.now_ms()):
            connection.send(Error("slow", "Many ask for the ladder now; try again in a moment."))
            return
        player = self._players.by_account(connection.player)
        if ask.span == "party" and not ask.party and player is not None:
            ask = replace(ask, party=self.parties.names(player))
        connection.send(self._boards.board(ask))

    def _share_replay(self, connection: Conversation, ask: AskReplay) -> None:
        """Read a part of a shared replay, unless the last one waits still. All who fetch one share one limit."""
        if self._connections.admission_of(connection) is not AdmissionStatus.ADMITTED:
            connection.login_checked(admission.TOO_MANY)
            return
        waits = connection.paused or connection in self._fetching
        full = len(self._fetching) >= limits.REPLAY_PARTS_BURST  # while the folder's disk is slow
        if waits or full or not self._fetchers.take(self.now_ms()):
            what = "You have not read the last part" if waits else "Many fetch replays now"
            connection.send(Error("slow", f"{what}; try again in a moment."))
            return
        self._fetching.add(connection)
        self._replays.read(ask.id, ask.part).addBoth(self._replay_read, connection, ask.part)

    def _replay_read(self, read: tuple[int, bytes] | Failure, connection: Conversation, number: int) -> None:
        """Send the part that was read, or why it was not; nothing if the connection is closed by now."""
        self._fetching.discard(connection)
        answer: FromServer = Error("replay", "The replay cannot be read on the server now; ask its host.")
        if not isinstance(read, Failure):
            size, data = read
            answer = ReplayPart(number, max(-(-size // limits.REPLAY_PART_BYTES), 1), size, data)
        elif read.check(FilesBusy):
            answer = Error("slow", "The disk of the replays is slow now; try again in a moment.")
        elif isinstance(error := read.value, NoReplay):
            answer = Error("replay", str(error))
        elif isinstance(error, Exception):
            self.connection_failed(connection, error)
        if connection.is_open:
            connection.send(answer)

    def _begin(self, connection: Conversation, wish: Login | Resume | WatchLogin) -> bool:
        """Begin a login or a resume whose turn it is; return False if its connection has closed."""
        if not connection.is_open:
            return False
        if isinstance(wish, Resume):
            self._resumes.resume(wish, partial(self._resume_answered, connection))
        else:
            self._log_in(connection, wish)
        return True

    def _log_in(self, connection: Conversation, login: Login | WatchLogin) -> None:
        place = self._connections.admission_of(connection)
        if isinstance(login, WatchLogin) and place is AdmissionStatus.ADMITTED:
            wish = Login(login.name, login.token, login.password, login.invite)
            answer = partial(self._watch_answered, connection)
            self._door.authenticate(connection.address, wish, answer, plays=False)
        elif isinstance(login, Login) and admission.is_full(self._players, self._players_max, login.name):
            connection.login_checked(admission.full(self._players_max))
        elif isinstance(login, Login) and admission.is_login_allowed(
            place, self._dungeon, self._players, login.name
        ):
            device = hashlib.sha256(login.token).digest()
            self._door.authenticate(
                connection.address, login, partial(self._login_answered, connection, device)
            )
        else:
            connection.login_checked(admission.TOO_MANY)

    def _put_off(self, connection: Conversation, name: str) -> None:
        """Refuse, after a delay, a player who has joined too often: a client that retries costs little."""
        if connection.is_open:
            refusal = self._door.too_often(connection.address, name)
            connection.login_checked(refusal or login_refusals.TRY_LATER)

    def _resume_answered(self, connection: Conversation, answer: ResumedSession | Error | Bye) -> None:
        if isinstance(answer, ResumedSession):
            self._login_answered(connection, answer.device, answer.account, answer.token)
        else:
            self._login_answered(connection, b"", answer)

    def _login_answered(
        self, connection: Conversation, device: bytes, answer: Account | Error | Bye, token: bytes = b""
    ) -> None:
        """Let an authenticated player in; `token` is a resume's token, empty for a login."""
        refusal: Error | Bye | None = answer if isinstance(answer, Error | Bye) else None
        if isinstance(answer, Account):
            refusal = admission.refusal(self._players, answer.number, self._players_max, self.now_ms())
            refusal = refusal or self._door.too_often(connection.address, answer.name)
        while self._door.removed:
            account = self._door.removed.pop()
            if not self._players.is_in_use(account):
                for part in (self._players, self._door, self._watchers, self._chat):
                    part.forget(account)
                self._views.take(Forgotten(account))
            self._loop.submit(REALM_PARTITION, ForgetLife(account))
        refusal = self._closing or refusal
        connection.login_checked(refusal)
        if isinstance(answer, Account) and refusal is None and connection.is_open:
            self._let_in(connection, device, answer, token)
        elif isinstance(answer, Account) and token and not self._closing:
            self._resumes.cut(answer.number, hash_of(token))

    def _watch_answered(self, connection: Conversation, answer: Account | Error | Bye) -> None:
        """Let an authenticated person watch: they get no body, and take no player's place."""
        refusal: Error | Bye | None = answer if isinstance(answer, Error | Bye) else None
        if isinstance(answer, Account):
            refusal = self._watchers.refusal() or self._door.too_often(connection.address, answer.name)
        refusal = self._closing or refusal
        connection.login_checked(refusal)
        if isinstance(answer, Account) and refusal is None and connection.is_open:
            self._door.let_in(connection.address, answer.name)
            self.had_guests = True
            self._watchers.add(connection, answer)

    def _let_in(self, connection: Conversation, device: bytes, account: Account, token: bytes) -> None:
        self._door.let_in(connection.address, account.name)
        player = self._players.get_or_add(account.number, account.name)
        player.device = device
        self._connections.keep(connection)
        former = self._views.clients.conversations.get(player.connection)
        connection.player = player.account
        player.connection, player.attached, player.abilities = connection.number, 0, connection.abilities
        self._views.take(Connected(player.account, player.name, connection.number, unproved=bool(token)))
        self._give_token(player, connection, token)
        self._views.send_banner(connection)
        if network_of(connection.address):  # on this machine players need no password
            connection.send(PasswordStatus(account.password_hash is not None))
        if former is not None:
            former.end("replaced", "You logged in from somewhere else.")
        _log.info("%s joined", player.name, extra=fields("joined", name=player.name))
        self.had_guests = True
        self._watchers.player_came(player, resumes=bool(token))
        if not token:  # after a login, as with watching, the default holds until the client says more
            player.beside = "party"
        self.parties.mend(player)
        self._chat.player_came(player)
        player.turns.clock.connected = True
        player.attendance.heard_ms, player.turns.turns_alone = self.now_ms(), 0
        player.attendance.present.set(now=True, at_ms=player.attendance.heard_ms)
        self._presence.set_away(player, away=False, now_ms=player.attendance.heard_ms)
        player.turns.drop_pending()
        player.writing.waiting.clear()
        self._commits.when_durable(lambda: self._joining.enter_dungeon(player, connection))

    def _prove(self, account: int) -> None:
        """Drop the former resume token of a player whose client has confirmed the new connection."""
        player = self._players.by_account(account)
        if player is not None and player.resume.unproved:
            player.resume.unproved = False
            self._resumes.drop_former_token(account, player.resume.token_hash)

    def _give_token(self, player: Player, connection: Conversation, token: bytes) -> None:
        """Send a player the token for the next resume: the `token` of this resume, or a new one."""
        player.resume.unproved = player.resume.resumed = bool(token)
        if token:
            player.resume.token_hash = hash_of(token)
            connection.send(ResumeToken(token))
        else:
            player.resume.token_hash = self._resumes.grant(
                player.account, player.device, lambda made: connection.send(ResumeToken(made))
            )
