"""What connections ask of the server: to come in, to play, to speak, to leave. Answers come from the beats."""

import hashlib
import logging
from functools import partial
from typing import Final, assert_never

from gloam_server.engine.game_loop import GameLoop
from gloam_server.engine.health import problems
from gloam_server.engine.players import Player
from gloam_server.engine.turns.command_queue import accept_command
from gloam_server.gateway import admission
from gloam_server.gateway.authentication import TRY_LATER, Authenticator
from gloam_server.gateway.chat import Chat
from gloam_server.gateway.joining import Joining
from gloam_server.gateway.map_recall import map_memory_message
from gloam_server.gateway.rejections import Rejections
from gloam_server.gateway.session_resume import ResumedSession, hash_of
from gloam_server.logs import fields
from gloam_server.net.connection import Connection
from gloam_server.net.factory import AdmissionStatus, ConnectionFactory, network_of
from gloam_server.sessions.effects import (
    AcknowledgePatch,
    BanForFlood,
    ChangePassword,
    CheckLogin,
    Close,
    Effect,
    LogOut,
    MarkAway,
    QueueCommand,
    RelayChat,
    RelayPing,
    ReportThinking,
    ResumeSession,
    Send,
    SendMapMemory,
    SendStatus,
    SendWholeView,
    StartLife,
)
from gloam_server.sessions.session import Session, State
from gloam_server.storage.accounts import Account
from gloam_shared import limits
from gloam_shared.protocol.codes import ByeCode
from gloam_shared.protocol.commands import AnyCommand
from gloam_shared.protocol.messages import Answer, Bye, Error, PasswordStatus, ResumeToken, Status, Welcome

_log: Final = logging.getLogger(__name__)
_NO_BODY: Final = "You have no body in the dungeon now."


class Gateway:
    """Connects sessions with the beats. One for the whole server."""

    def __init__(
        self, beats: GameLoop, door: Authenticator, players_max: int, version: str, realm: str
    ) -> None:
        self._beats = beats
        self._roster = beats.roster
        self._door = door
        self._seating = Joining(beats)
        self._talk = Chat(beats)
        self._resumes = door.resumes
        self._closing: Bye | None = None
        self._players_max = players_max
        self._version = version
        self._realm = realm
        self._factory: ConnectionFactory | None = None
        self._admitted: set[int] = set()
        self.had_guests = False
        self._resumable_until_ms = self._resumable_from_now() if beats.dungeon.realm.lives else 0
        beats.expel_player = self.expel_with_reason
        self.traffic = beats.statistics.traffic
        self.refusals = Rejections(beats.clock)

    def serve(self, factory: ConnectionFactory) -> None:
        """Tell the host who counts its connections."""
        self._factory = factory

    def now_ms(self) -> int:
        """Return the clock's reading."""
        return self._beats.now_ms()

    def greet(self, connection: Connection) -> Session | Bye | None:
        """Return a session for a new connection; why there is none; or None for an address that is shut out."""
        assert self._factory is not None
        match self._factory.admit(connection, self.now_ms()):
            case AdmissionStatus.SHUT_OUT:
                self.refused(connection, "flapping", b"")
                return None
            case AdmissionStatus.TOO_MANY:
                self._factory.turn_away(connection)
                return admission.TOO_MANY
            case AdmissionStatus.ADMITTED | AdmissionStatus.RESERVED | AdmissionStatus.RETURNING:
                self._admitted.add(id(connection))
                return Session(connection.opened_ms, self._welcome())

    def expects_returns(self) -> bool:
        """Return whether there is any conversation that a client could resume: a line stands, or was cut lately."""
        return bool(self._roster.connected()) or self.now_ms() < self._resumable_until_ms

    def _welcome(self) -> Welcome:
        players = len(self._roster.connected())
        return admission.welcome_message(
            self._beats.dungeon.campaign, players, self._players_max, self._realm
        )

    def lost(self, connection: Connection) -> None:
        """A connection ended: its player's body leaves, or stays on guard while something holds it."""
        assert self._factory is not None
        if id(connection) in self._admitted:
            self._admitted.discard(id(connection))
            self._factory.release(connection, self.now_ms(), served=connection.session.served)
        if self._closing:
            return
        player = self._roster.by_account(connection.player)
        if player is None or player.connection is not connection:
            if self._beats.on_idle is not None:
                self._beats.wake()  # a private server waits for the last line to close
            return
        self._disconnect(player)
        self._beats.wake()

    def expel(self, player: Player, code: ByeCode, words: str) -> None:
        """Send a player away: his name is free at once, however long his line takes to close."""
        connection = player.connection
        if connection is None:
            return
        self._log_out(player)
        self._disconnect(player)
        connection.do(connection.session.end(code, words))
        self._beats.wake()

    def expel_with_reason(self, player: Player, words: str) -> None:
        """Send away a player whom a fault of ours has cost his place; what he waits for is answered, not to be asked again."""
        for number in player.drop_connection():
            self._beats.broadcaster.answer(player, Answer(number, "cannot", words, "fault"))
        self.expel(player, "fault", words)

    def connection_failed(self, connection: Connection, error: Exception) -> None:
        """Report a fault of ours in what a connection asked for."""
        player = self._roster.by_account(connection.player)
        self._beats.report(f"a message of {player.name if player else 'somebody not logged in'}", error)

    def close(self, code: ByeCode, words: str) -> None:
        """Tell everybody that the server stops. All bodies stay where they are, for whoever comes back."""
        self._closing = Bye(code, words)
        for player in self._roster.connected():
            self._door.connection_closed(player.account)
            self._resumes.cut(player.account, player.resume)
            if player.connection is not None:
                player.connection.do(player.connection.session.end(code, words))

    def _log_out(self, player: Player) -> None:
        self._resumes.logged_out(player.account, player.resume)
        player.resume = b""

    def _resumable_from_now(self) -> int:
        return self.now_ms() + limits.RESUME_S * 1_000

    def _disconnect(self, player: Player) -> None:
        self._resumable_until_ms = self._resumable_from_now()
        _log.info("%s left", player.name, extra=fields("left", name=player.name))
        self._door.connection_closed(player.account)
        self._resumes.cut(player.account, player.resume)
        player.connection = None
        player.client_view = None
        player.sent_pace = None
        player.turns_alone = 0
        player.clock.connection_lost(self.now_ms())
        player.present.set(now=False, at_ms=self.now_ms())
        player.safe_since_ms = None
        player.drop_pending()

    def refused(self, connection: Connection, code: str, body: bytes) -> None:
        """Count what was turned down, and tell of it within bounds."""
        self.refusals.record(connection.address, code, body)

    def resumed(self, connection: Connection) -> None:
        """A line has room again: what waited for it may be shown."""
        player = self._roster.by_account(connection.player)
        if player is not None and player.connection is connection and player.needs_update:
            self._beats.wake()

    def handle(self, connection: Connection, effect: Effect) -> None:
        """Do what a session asked for."""
        match effect:
            case CheckLogin() | ResumeSession() if self._door.too_often(connection.address, effect.name):
                self._beats.clock.callLater(limits.LOGINS_REFUSED_S, self._put_off, connection, effect.name)
                return
            case CheckLogin():
                assert self._factory is not None
                place = self._factory.admission_of(connection)
                if not admission.is_login_allowed(place, self._beats.dungeon, self._roster, effect.name):
                    connection.do(connection.session.login_checked(admission.TOO_MANY))
                    return
                device = hashlib.sha256(effect.token).digest()
                answer = partial(self._login_answered, connection, device)
                self._door.authenticate(connection.address, effect, answer)
                return
            case ResumeSession():
                self._resumes.resume(effect, partial(self._resume_answered, connection))
                return
            case LogOut():
                player = self._roster.by_account(connection.player)
                if player is not None and player.connection is connection:
                    self._log_out(player)
                return
            case SendStatus():
                campaign = self._beats.dungeon.campaign.key
                connection.send(
                    Status(
                        ready=not problems(self._beats),
                        campaign=campaign,
                        players=len(self._roster.connected()),
                        version=self._version,
                    )
                )
                return
            case BanForFlood():
                player = self._roster.by_account(connection.player)
                if player is not None:
                    player.shut_until_ms = self.now_ms() + limits.CHAT_SHUT_S * 1_000
                return
            case Send() | Close():
                raise TypeError("sending and closing are the connection's own")
            case _:
                player = self._roster.by_account(connection.player)
                ended = connection.session.state is State.CLOSED  # by another effect of the same message
                if player is not None and player.connection is connection and not ended:
                    self._handle_player(player, connection, effect)

    def _wait_longer(self, player: Player) -> None:
        """Let the turn that waits for a player who chooses wait longer, and tell the others."""
        if player.clock.start_choosing(self.now_ms()):
            self._beats.wake()

    def _handle_player(
        self,
        player: Player,
        connection: Connection,
        effect: QueueCommand
        | AcknowledgePatch
        | RelayChat
        | RelayPing
        | ReportThinking
        | SendMapMemory
        | SendWholeView
        | StartLife
        | MarkAway
        | ChangePassword,
    ) -> None:
        if not isinstance(effect, AcknowledgePatch | MarkAway):
            player.heard_ms = self.now_ms()
            player.away.set(now=False, at_ms=player.heard_ms)
        match effect:
            case QueueCommand(number, command):
                self._submit(player, connection, number, command)
            case AcknowledgePatch(patch):
                self._acknowledge(player, connection, patch)
            case RelayChat() | RelayPing():
                self._talk.deliver(player, effect)
            case ReportThinking():
                self._wait_longer(player)
            case SendMapMemory(depth):
                self._beats.when_durable(
                    lambda: connection.send(map_memory_message(self._beats.dungeon, player, depth))
                )
            case SendWholeView():
                if player.client_view is not None:
                    player.client_view.reset()
                    player.needs_update = True
                    self._beats.wake()
            case StartLife(life, keepsake):
                self._seating.begin_life(player, connection, life, keepsake)
            case MarkAway():
                player.away.set(now=True, at_ms=self.now_ms())
                self._beats.wake()
            case ChangePassword():
                self._door.change_password(
                    connection.address,
                    player.account,
                    player.name,
                    player.device,
                    effect,
                    lambda answer: connection.send(admission.password_answer(answer)),
                )
            case _:
                assert_never(effect)

    def _submit(self, player: Player, connection: Connection, number: int, command: AnyCommand) -> None:
        self._beats.statistics.commands[type(command).__name__] += 1
        standing = self._roster.in_dungeon(player.account)
        if standing is None or player.client_view is None or player.client_view.body != standing[2].number:
            connection.send(Answer(number, "cannot", _NO_BODY, "no_body"))
            return
        _, level, body = standing
        for reply in accept_command(player, level, body, number, command):
            if isinstance(reply, Answer) and reply.code == "done":
                self._beats.when_durable(partial(connection.send, reply))
            elif isinstance(reply, Answer):
                connection.send(reply)
            elif reply is not None:
                self._beats.submit(level.place, reply)
        if player.pending_command is not None or player.running_plan is not None:
            player.arrival_order = self._roster.next_order()
            player.clock.command_came(self.now_ms())
        self._beats.wake()

    def _acknowledge(self, player: Player, connection: Connection, patch: int) -> None:
        seat = player.client_view
        if seat is None:
            return
        had_credit = seat.has_credit()
        if not seat.acknowledge(patch):
            connection.do(connection.session.end("ack", "A patch was acknowledged that was never sent."))
            return
        if player.resume_unproved and patch:
            player.resume_unproved = False
            self._resumes.acknowledged(player.account, player.resume)
        if not had_credit and player.needs_update:
            self._beats.wake()

    def _put_off(self, connection: Connection, name: str) -> None:
        """Refuse who has come and gone too often: late, so that a client that takes no notice costs little."""
        if connection.is_open:
            refusal = self._door.too_often(connection.address, name)
            connection.do(connection.session.login_checked(refusal or TRY_LATER))

    def _resume_answered(self, connection: Connection, answer: ResumedSession | Error | Bye) -> None:
        if isinstance(answer, ResumedSession):
            self._login_answered(connection, answer.device, answer.account, answer.token)
        else:
            self._login_answered(connection, b"", answer)

    def _login_answered(
        self, connection: Connection, device: bytes, answer: Account | Error | Bye, token: bytes = b""
    ) -> None:
        """Let in who may come in; `token` is that of a resume, none of a login."""
        refusal: Error | Bye | None = answer if isinstance(answer, Error | Bye) else None
        if isinstance(answer, Account):
            refusal = admission.refusal(self._roster, answer.number, self._players_max, self.now_ms())
            refusal = refusal or self._door.too_often(connection.address, answer.name)
        refusal = self._closing or refusal
        connection.do(connection.session.login_checked(refusal))
        if isinstance(answer, Account) and refusal is None and connection.is_open:
            self._let_in(connection, device, answer, token)
        elif isinstance(answer, Account) and token and not self._closing:
            self._resumes.cut(answer.number, hash_of(token))

    def _let_in(self, connection: Connection, device: bytes, account: Account, token: bytes) -> None:
        self._door.let_in(connection.address, account.name)
        player = self._roster.get_or_add(account.number, account.name)
        player.device = device
        assert self._factory is not None
        self._factory.keep(connection)
        former = player.connection
        connection.player = player.account
        player.connection = connection
        player.client_view = None
        self._give_token(player, connection, token)
        self._beats.broadcaster.send_notice(connection)
        if network_of(connection.address):  # at this machine nobody needs a password
            connection.send(PasswordStatus(account.password_hash is not None))
        if former is not None:
            former.do(former.session.end("replaced", "You logged in from somewhere else."))
        _log.info("%s joined", player.name, extra=fields("joined", name=player.name))
        self.had_guests = True
        player.clock.connected = True
        player.heard_ms, player.turns_alone = self.now_ms(), 0
        player.present.set(now=True, at_ms=player.heard_ms)
        player.away.set(now=False, at_ms=player.heard_ms)
        player.drop_pending()
        self._beats.when_durable(lambda: self._seating.enter_dungeon(player, connection))

    def _give_token(self, player: Player, connection: Connection, token: bytes) -> None:
        """Tell a player by what he comes back after a cut: the `token` of a resume, or one that is to be made."""
        player.resume_unproved = bool(token)
        if token:
            player.resume = hash_of(token)
            connection.send(ResumeToken(token))
        else:
            player.resume = self._resumes.grant(
                player.account, player.device, lambda made: connection.send(ResumeToken(made))
            )
