"""The requests of connections: to log in, to play, to chat, to leave. The engine answers them."""

import hashlib
import logging
from functools import partial
from typing import Final

from twisted.internet.interfaces import IAddress

from gloam_server.engine.engine import Engine
from gloam_server.engine.messages import Connected, Forgotten, Say
from gloam_server.engine.player import Player
from gloam_server.gateway.caller import Caller
from gloam_server.gateway.chat.chat import Chat
from gloam_server.gateway.disconnector import Disconnector
from gloam_server.gateway.dungeon_list import DungeonList
from gloam_server.gateway.host_ladder import HostLadder
from gloam_server.gateway.joining import Joining
from gloam_server.gateway.login import admission, login_refusals, released_names
from gloam_server.gateway.login.authentication import Authenticator
from gloam_server.gateway.login.login_queue import LoginQueue
from gloam_server.gateway.login.session_resume import KnownPlayer, ResumedSession, hash_of
from gloam_server.gateway.open_questions import OpenQuestions
from gloam_server.gateway.parties.party_requests import PartyRequests
from gloam_server.gateway.player_messages import PlayerMessages
from gloam_server.gateway.watching.watchers import RealmWatchers
from gloam_server.logs import fields
from gloam_server.net.connection_counts import AdmissionStatus
from gloam_server.net.networks import network_of
from gloam_server.sessions.effects import BanForFlood, Close
from gloam_server.storage.accounts import Account
from gloam_server.world.model.ids import REALM_PARTITION
from gloam_server.world.model.inputs import ForgetLife
from gloam_shared import limits
from gloam_shared.protocol.codes import ByeCode
from gloam_shared.protocol.messages.chat import ChatLine
from gloam_shared.protocol.messages.dungeons import AskDungeons
from gloam_shared.protocol.messages.login import (
    AskStatus,
    Bye,
    Error,
    Goodbye,
    Login,
    PasswordStatus,
    Resume,
    ResumeToken,
)
from gloam_shared.protocol.messages.play import SubmitCommand
from gloam_shared.protocol.messages.records import AskLadder, AskNews
from gloam_shared.protocol.messages.watching import AskWatchable, CountGuests, Watch, WatchLogin
from gloam_shared.protocol.registry import FromClient
from gloam_shared.text import capitalize_name, fold

_NO_DOOR: Final = Error("name", "Only a door watches without a name; give a name.")
_log: Final = logging.getLogger(__name__)


class Gateway:
    """Connects sessions with the engine. One for the whole server.

    `Front` tells it of connections by their numbers; it answers by messages to the view side.
    """

    def __init__(
        self,
        engine: Engine,
        door: Authenticator,
        disconnector: Disconnector,
        *,
        players_max: int,
        version: str,
        one_life: bool = False,
        dungeons: DungeonList | None = None,
        ladder: HostLadder | None = None,
    ) -> None:
        self._clock = engine.clock
        self._commits = engine.commits
        self._dungeon = engine.dungeon
        self._loop = engine.loop
        self._players = engine.players
        self._views = engine.views
        self._presence = engine.loop.presence
        engine.turn_side.on_proved = self._prove
        self._callers: dict[int, Caller] = {}
        self._door = door
        self._disconnector = disconnector
        self._joining = Joining(engine, disconnector, one_life=one_life)
        self.parties = PartyRequests(engine)
        self._watchers = RealmWatchers(engine, self.parties.together)
        self._chat = Chat(engine, self._block)
        self._player_messages = PlayerMessages(
            engine, door, self._joining, self._watchers, self.parties, self._chat
        )
        self._questions = OpenQuestions(engine, door, self.parties, version, dungeons, ladder)
        self._resumes = door.resumes
        self._logins = LoginQueue(engine.clock)
        self._closing: Bye | None = None
        self._players_max = players_max
        self.had_guests = False

    def opened(self, number: int, address: IAddress, status: AdmissionStatus) -> None:
        """Take in a new connection."""
        self._callers[number] = Caller(number, address, status, self._views.take)

    def closed(self, number: int) -> None:
        """Handle a lost connection: its player's body leaves, or stays on guard while it is held."""
        caller = self._callers.pop(number)
        caller.is_open = False
        self._watchers.lost(caller)
        if self._closing:
            return
        player = self._players.by_account(caller.player)
        if player is None or player.connection != number:
            self._loop.check_idle()  # a private server waits for the last connection to close
            return
        self._disconnector.disconnect(player)
        self._loop.wake()

    def address_of(self, player: Player) -> IAddress | None:
        """Return the address of a player's connection; None if it has closed."""
        caller = self._callers.get(player.connection)
        return None if caller is None else caller.address

    def expel(self, player: Player, code: ByeCode, words: str) -> None:
        """Disconnect a player."""
        self._watchers.expel(player.account, code, words)
        self._watchers.player_left(player)
        self._disconnector.expel(player, code, words)
        self._loop.wake()

    def end_banned(self, account: int, words: str) -> None:
        """End the game, the watching and the party of an account that the host has banned."""
        self.parties.expel(account)
        self._watchers.expel(account, "banned", words)
        self._watchers.bans_changed()
        player = self._players.by_account(account)
        if player is not None and player.connection:
            self.expel(player, "banned", words)

    def close(self, code: ByeCode, words: str) -> None:
        """Notify all players that the server stops. All bodies stay where they are, for players who return."""
        self._closing = Bye(code, words)
        self._disconnector.close_all(code, words)
        self._watchers.close_all(code, words)
        self._chat.close()

    def log_in(self, number: int, request: Login | Resume | WatchLogin, abilities: frozenset[str]) -> None:
        """Begin a login, unless too many came before it."""
        caller = self._callers[number]
        caller.abilities = abilities
        for_guests = (
            isinstance(request, WatchLogin) and not request.name
        )  # their door limits how many there are
        if not for_guests and self._door.too_often(caller.address, request.name):
            self._clock.reactor.callLater(limits.LOGINS_REFUSED_S, self._put_off, caller, request.name)
        elif self._logins.is_full and not isinstance(request, Resume):
            caller.check(login_refusals.CROWDED)
        else:
            gap_ms = limits.RESUME_GAP_MS if isinstance(request, Resume) else limits.LOGIN_GAP_MS
            self._logins.put(partial(self._begin, caller, request), gap_ms)

    def resumed(self, number: int, account: int, name: str, abilities: frozenset[str]) -> None:
        """Take in a player of the turn process before, on a connection that has just been opened here."""
        caller = self._callers[number]
        caller.abilities, caller.logged_in = abilities, True
        self._resumes.find_again(account, name, partial(self._found_again, caller))

    def ask(self, number: int, message: BanForFlood | Close | FromClient) -> None:
        """Carry out any other message of a connection, or take in that it closes."""
        caller = self._callers.get(number)
        if caller is None:
            return
        match message:
            case SubmitCommand():
                self._handle_of_player(caller, message)  # nearly all there is
            case Close():
                caller.is_open = False
            case AskStatus() | AskLadder() | AskNews() | AskDungeons():
                self._questions.answer(caller, message)
            case AskWatchable() | Watch() | CountGuests():
                self._watchers.handle(caller, message)
            case _:
                self._handle_of_player(caller, message)

    def _handle_of_player(self, caller: Caller, message: BanForFlood | FromClient) -> None:
        """Carry out what a player's present connection asked for."""
        player = self._players.by_account(caller.player)
        if player is None or player.connection != caller.number:
            return
        match message:
            case BanForFlood():
                player.attendance.shut_until_ms = self._clock.now_ms() + limits.CHAT_SHUT_S * 1_000
            case Goodbye():
                self._watchers.player_left(player)
                self._disconnector.log_out(player)
            case _:
                self._player_messages.handle(player, caller, message)

    def _block(self, player: Player, account: int) -> None:
        """End what goes on between a player and an account that they block."""
        self._watchers.end_of_blocked(player, account)
        self.parties.end_of_blocked(player, account)

    def _begin(self, caller: Caller, request: Login | Resume | WatchLogin) -> bool:
        """Begin a login or a resume whose turn it is; return False if its connection has closed."""
        if not caller.is_open:
            return False
        if isinstance(request, Resume):
            self._resumes.resume(request, partial(self._resume_answered, caller))
        else:
            self._log_in(caller, request)
        return True

    def _log_in(self, caller: Caller, login: Login | WatchLogin) -> None:
        if isinstance(login, WatchLogin) and not login.name:
            self._let_door_watch(caller, login)
        elif isinstance(login, WatchLogin) and caller.status is AdmissionStatus.ADMITTED:
            request = Login(login.name, login.token, login.password, login.invite)
            answer = partial(self._watch_answered, caller)
            self._door.authenticate(caller.address, request, answer, plays=False)
        elif isinstance(login, Login) and admission.is_full(self._players, self._players_max, login.name):
            caller.check(admission.full(self._players_max))
        elif isinstance(login, Login) and admission.is_login_allowed(
            caller.status, self._dungeon, self._players, login.name
        ):
            device = hashlib.sha256(login.token).digest()
            self._door.authenticate(
                caller.address, login, partial(self._play_answered, caller, login.name, device)
            )
        else:
            caller.check(admission.TOO_MANY)

    def _put_off(self, caller: Caller, name: str) -> None:
        """Refuse, after a delay, a player who has joined too often: a client that retries costs little."""
        if caller.is_open:
            caller.check(self._door.too_often(caller.address, name) or login_refusals.TRY_LATER)

    def _resume_answered(self, caller: Caller, answer: ResumedSession | Error | Bye) -> None:
        if isinstance(answer, ResumedSession):
            self._login_answered(caller, answer.device, answer.account, answer.token)
        else:
            self._login_answered(caller, b"", answer)

    def _play_answered(
        self, caller: Caller, asked: str, device: bytes, answer: Account | Error | Bye
    ) -> None:
        """Let a player in, and say so if their character has another name by now."""
        self._login_answered(caller, device, answer)
        if isinstance(answer, Account) and caller.player and fold(asked) != answer.folded:
            words = released_names.words_for(capitalize_name(asked), answer.name)
            self._views.take(Say(caller.number, ChatLine("", words)))

    def _login_answered(
        self, caller: Caller, device: bytes, answer: Account | Error | Bye, token: bytes = b""
    ) -> None:
        """Let an authenticated player in; `token` is a resume's token, empty for a login."""
        refusal: Error | Bye | None = answer if isinstance(answer, Error | Bye) else None
        if isinstance(answer, Account):
            refusal = admission.refusal(self._players, answer.number, self._players_max, self._clock.now_ms())
            refusal = refusal or self._door.too_often(caller.address, answer.name)
        while self._door.removed:
            account = self._door.removed.pop()
            if not self._players.is_in_use(account):
                for part in (self._players, self._door, self._watchers, self._chat):
                    part.forget(account)
                self._views.take(Forgotten(account))
            self._loop.submit(REALM_PARTITION, ForgetLife(account))
        refusal = self._closing or refusal
        caller.check(refusal)
        if isinstance(answer, Account) and refusal is None and caller.is_open:
            self._let_in(caller, device, answer, token)
        elif isinstance(answer, Account) and token and not self._closing:
            self._resumes.cut(answer.number, hash_of(token))

    def _watch_answered(self, caller: Caller, answer: Account | Error | Bye) -> None:
        """Let an authenticated person watch: they get no body, and take no player's place."""
        refusal: Error | Bye | None = answer if isinstance(answer, Error | Bye) else None
        if isinstance(answer, Account):
            refusal = self._watchers.refusal() or self._door.too_often(caller.address, answer.name)
        refusal = self._closing or refusal
        caller.check(refusal)
        if isinstance(answer, Account) and refusal is None and caller.is_open:
            self._door.let_in(caller.address, answer.name)
            self.had_guests = True
            self._watchers.add(caller, answer)

    def _let_door_watch(self, caller: Caller, login: WatchLogin) -> None:
        """Let a door watch for its guests, who log in nowhere. Its session has checked that the host allows it.

        The token belongs to a guest's device: the host may have banned a name that it knows.
        """
        refusal: Error | Bye | None = None
        if not getattr(caller.address, "door", ""):
            refusal = _NO_DOOR
        elif caller.status is not AdmissionStatus.ADMITTED:
            refusal = admission.TOO_MANY
        if refusal is None:
            self._door.find_ban(login.token, partial(self._guests_answered, caller))
        else:
            caller.check(refusal)

    def _guests_answered(self, caller: Caller, ban: Bye | None) -> None:
        refusal = self._closing or ban or self._watchers.refusal()
        caller.check(refusal)
        if refusal is None and caller.is_open:
            self._watchers.add_door(caller)

    def _found_again(self, caller: Caller, found: KnownPlayer | Bye) -> None:
        """Let a player of the turn process before continue, without a message to others and without a login."""
        if isinstance(found, Bye):
            caller.end(found.code, found.text)
        elif caller.is_open:
            player = self._players.get_or_add(found.account.number, found.account.name)
            found.restore(player)
            self._connect(player, caller)
            self._take_in(player, caller, found.account, resumes=True)
            player.attendance.present.settle_now()

    def _connect(self, player: Player, caller: Caller) -> None:
        caller.player = player.account
        player.connection, player.attached, player.abilities = caller.number, 0, caller.abilities
        self._views.take(Connected(player.account, player.name, caller.number, player.resume.unproved))

    def _let_in(self, caller: Caller, device: bytes, account: Account, token: bytes) -> None:
        self._door.let_in(caller.address, account.name)
        player = self._players.get_or_add(account.number, account.name)
        player.device = device
        former = self._callers.get(player.connection)
        self._give_token(player, caller, token)
        self._connect(player, caller)
        if network_of(caller.address):  # on this machine players need no password
            caller.send(PasswordStatus(account.password_hash is not None))
        if former is not None:
            former.end("replaced", "You logged in from somewhere else.")
        _log.info("%s joined", player.name, extra=fields("joined", name=player.name))
        if not token:  # after a login, as with watching, the default holds until the client says more
            player.beside = "party"
        self._take_in(player, caller, account, resumes=bool(token))

    def _take_in(self, player: Player, caller: Caller, account: Account, *, resumes: bool) -> None:
        self.had_guests = True
        self._watchers.player_joined(player, account.watchers, resumes=resumes)
        self.parties.mend(player)
        self._chat.player_joined(player)
        player.turns.clock.connected = True
        player.attendance.heard_ms, player.turns.turns_alone = self._clock.now_ms(), 0
        player.attendance.present.set(now=True, at_ms=player.attendance.heard_ms)
        self._presence.set_away(player, away=False, now_ms=player.attendance.heard_ms)
        player.turns.drop_pending()
        player.writing.waiting.clear()
        self._commits.when_durable(lambda: self._joining.enter_dungeon(player, caller))

    def _prove(self, account: int) -> None:
        """Drop the former resume token of a player whose client has confirmed the new connection."""
        player = self._players.by_account(account)
        if player is not None and player.resume.unproved:
            player.resume.unproved = False
            self._resumes.drop_former_token(account, player.resume.token_hash)

    def _give_token(self, player: Player, caller: Caller, token: bytes) -> None:
        """Send a player the token for the next resume: the `token` of this resume, or a new one."""
        player.resume.unproved = player.resume.resumed = bool(token)
        if token:
            player.resume.token_hash = hash_of(token)
            caller.send(ResumeToken(token))
        else:
            player.resume.token_hash = self._resumes.grant(
                player.account, player.device, lambda made: caller.send(ResumeToken(made))
            )
