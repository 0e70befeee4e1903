"""What connections ask of the server: to come in, to play, to speak, to leave. Answers come from the beats."""

import hashlib
import logging
import re
from functools import partial
from typing import Final, assert_never

from gloam_server.app.beats import Beats
from gloam_server.app.isolation import SHUT_IN
from gloam_server.app.login import Door
from gloam_server.app.orders import take_order
from gloam_server.app.roster import Player
from gloam_server.net.connection import Connection
from gloam_server.net.factory import ConnectionFactory, network_of
from gloam_server.sessions.effects import (
    Acknowledged,
    BeginLife,
    ChangePassword,
    CheckLogin,
    Close,
    Effect,
    MarkAway,
    Resend,
    Send,
    Speak,
    Submit,
    TellMemory,
    TellStatus,
    Think,
)
from gloam_server.sessions.pace import THINKING_MS
from gloam_server.sessions.seats import Seat
from gloam_server.sessions.session import Session, State
from gloam_server.sessions.throttle import Complaints
from gloam_server.storage.accounts import Account
from gloam_server.views.lives import keepsakes, obituary
from gloam_server.views.projection import recall
from gloam_server.world.inputs import Enter
from gloam_server.world.numbers import REALM_PLACE
from gloam_shared import limits, text
from gloam_shared.commands import AnyCommand
from gloam_shared.messages import (
    PROTOCOL_VERSION,
    Answer,
    Bye,
    Error,
    Guarded,
    Recalled,
    Said,
    Status,
    Welcome,
)

_log: Final = logging.getLogger(__name__)
_WORD: Final = re.compile("[a-z0-9]+")
_PREFIX: Final = 16
_NO_BODY: Final = "You have no body in the dungeon now."


class GameHost:
    """Connects sessions with the beats. One for the whole server."""

    def __init__(self, beats: Beats, door: Door, players_max: int, version: str) -> None:
        self._beats = beats
        self._roster = beats.roster
        self._door = door
        self._players_max = players_max
        self._version = version
        self._factory: ConnectionFactory | None = None
        self._admitted: set[int] = set()
        self.had_guests = False
        self._complaints = Complaints()
        beats.cast_out = self.cast_out

    def serve(self, factory: ConnectionFactory) -> None:
        """Tell the host who counts its connections."""
        self._factory = factory

    def now_ms(self) -> int:
        """Return the clock's reading."""
        return self._beats.now_ms()

    def greet(self, connection: Connection) -> Session | None:
        """Return a session for a new connection, or None when there are too many."""
        assert self._factory is not None
        if not self._factory.admit(connection.address):
            connection.send(Bye("too-many", "Too many connections; close one and try again."))
            return None
        self._admitted.add(id(connection))
        return Session(self.now_ms(), self._welcome())

    def _welcome(self) -> Welcome:
        campaign = self._beats.dungeon.campaign
        return Welcome(
            PROTOCOL_VERSION,
            campaign.title,
            len(self._roster.connected()),
            self._players_max,
            " ".join(campaign.story.split())[: limits.STRING_MAX],
            campaign.combat.damage,
        )

    def lost(self, connection: Connection) -> None:
        """A connection ended: its player's body leaves, or stays on guard while something holds it."""
        assert self._factory is not None
        if id(connection) in self._admitted:
            self._admitted.discard(id(connection))
            self._factory.release(connection.address)
        player = self._roster.of(connection.player)
        if player is None or player.connection is not connection:
            self._beats.wake()  # a private server that waits for the last line to close
            return
        self._part(player)
        self._beats.wake()

    def expel(self, player: Player, code: str, words: str) -> None:
        """Send a player away: his name is free at once, however long his line takes to close."""
        connection = player.connection
        if connection is None:
            return
        self._part(player)
        connection.do(connection.session.end(code, words))
        self._beats.wake()

    def cast_out(self, player: Player, words: str) -> None:
        """Send away a player whom a fault of ours has cost his place; what he waits for is answered, not to be asked again."""
        waiting = [player.wish[0]] if player.wish is not None else []
        waiting += [player.course.number] if player.course is not None else []
        for number in (*waiting, *player.choosing, *player.dueling):
            player.answered = max(player.answered, number)
            self._beats.showing.answer(player, Answer(number, "cannot", words))
        player.drop_wishes()
        self.expel(player, "fault", words)

    def faulted(self, connection: Connection, error: Exception) -> None:
        """Report a fault of ours in what a connection asked for."""
        player = self._roster.of(connection.player)
        self._beats.report(f"a message of {player.name if player else 'somebody not logged in'}", error)

    def _part(self, player: Player) -> None:
        _log.info("%s left", player.name)
        self._door.left(player.account)
        player.connection = None
        player.seat = None
        player.told_pace = None
        player.turns_alone = 0
        player.clock.line_cut(self.now_ms())
        player.safe_since_ms = None
        player.drop_wishes()

    def refused(self, connection: Connection, code: str, body: bytes) -> None:
        """Log what was refused: its code and first bytes in hex, one line an address in 10 s."""
        if self._complaints.may_tell(network_of(connection.address) or "loopback", self.now_ms()):
            _log.warning("refused from %s: %s %s", connection.address, code, body[:_PREFIX].hex())

    def resumed(self, connection: Connection) -> None:
        """A line has room again: what waited for it may be shown."""
        player = self._roster.of(connection.player)
        if player is not None and player.connection is connection and player.stale:
            self._beats.wake()

    def handle(self, connection: Connection, effect: Effect) -> None:
        """Do what a session asked for."""
        match effect:
            case CheckLogin():
                device = hashlib.sha256(effect.token).digest()
                answer = partial(self._login_answered, connection, device)
                self._door.knock(connection.address, effect, answer)
                return
            case TellStatus():
                campaign = self._beats.dungeon.campaign.key
                connection.send(
                    Status(
                        ready=True,
                        campaign=campaign,
                        players=len(self._roster.connected()),
                        version=self._version,
                    )
                )
                return
            case Send() | Close():
                raise TypeError("sending and closing are the connection's own")
            case _:
                player = self._roster.of(connection.player)
                ended = connection.session.state is State.CLOSED  # by another effect of the same message
                if player is not None and player.connection is connection and not ended:
                    self._handle_player(player, connection, effect)

    def _handle_player(
        self,
        player: Player,
        connection: Connection,
        effect: Submit
        | Acknowledged
        | Speak
        | Think
        | TellMemory
        | Resend
        | BeginLife
        | MarkAway
        | ChangePassword,
    ) -> None:
        if not isinstance(effect, Acknowledged | MarkAway):
            player.heard_ms, player.away = self.now_ms(), False
        match effect:
            case Submit(number, command):
                self._submit(player, connection, number, command)
            case Acknowledged(patch):
                self._acknowledge(player, connection, patch)
            case Speak(words):
                self._speak(player, words)
            case Think():
                player.clock.thinking_until_ms = self.now_ms() + THINKING_MS
            case TellMemory(depth):
                self._beats.when_durable(lambda: self._recall(player, connection, depth))
            case Resend():
                if player.seat is not None:
                    player.seat.start_again()
                    player.stale = True
                    self._beats.wake()
            case BeginLife(keepsake):
                self._begin_life(player, connection, keepsake)
            case MarkAway():
                player.away = True
                self._beats.wake()
            case ChangePassword():
                self._door.change_password(
                    connection.address,
                    player.account,
                    player.name,
                    player.device,
                    effect,
                    partial(_password_answered, connection),
                )
            case _:
                assert_never(effect)

    def _begin_life(self, player: Player, connection: Connection, keepsake: int | None) -> None:
        if self._roster.standing(player.account) is None:
            self._enter(player, keepsake)
        else:  # it has begun already, perhaps on a line that broke
            self._beats.when_durable(lambda: self._bring_in(player, connection))

    def _submit(self, player: Player, connection: Connection, number: int, command: AnyCommand) -> None:
        standing = self._roster.standing(player.account)
        if standing is None or player.seat is None or player.seat.body != standing[2].number:
            connection.send(Answer(number, "cannot", _NO_BODY))
            return
        _, level, body = standing
        player.clock.misses = 0
        for reply in take_order(player, level, body, number, command):
            if isinstance(reply, Answer) and reply.code == "done":
                self._beats.when_durable(partial(connection.send, reply))
            elif isinstance(reply, Answer):
                connection.send(reply)
            elif reply is not None:
                self._beats.submit(level.place, reply)
        if player.wish is not None or player.course is not None:
            player.order = self._roster.next_order()
            player.clock.command_came(self.now_ms())
        self._beats.wake()

    def _acknowledge(self, player: Player, connection: Connection, patch: int) -> None:
        seat = player.seat
        if seat is None:
            return
        had_credit = seat.has_credit()
        if not seat.acknowledge(patch):
            connection.do(connection.session.end("ack", "A patch was acknowledged that was never sent."))
            return
        if patch == seat.patch and not seat.whole:
            player.met = seat.body
        if not had_credit and player.stale:
            self._beats.wake()

    def _speak(self, player: Player, words: str) -> None:
        self._beats.showing.tell_all(Said(player.name, words))
        spoken = set(_WORD.findall(text.fold(words)))
        for other in self._roster.connected():
            if other is not player and other.course is not None and text.fold(other.name) in spoken:
                self._beats.turns.end_plan(other, f"You stop: {player.name} speaks of you.")
        self._beats.answer_refusals()
        self._beats.wake()

    def _recall(self, player: Player, connection: Connection, depth: int) -> None:
        level = self._beats.dungeon.levels.get(depth)
        if level is None or player.number not in level.memory:
            connection.send(Recalled(depth, 0, 0, b""))
        else:
            connection.send(Recalled(depth, level.width, level.height, recall(level, player.number)))

    def _login_answered(self, connection: Connection, device: bytes, answer: Account | Error | Bye) -> None:
        refusal = self._full(answer) if isinstance(answer, Account) else answer
        connection.do(connection.session.login_checked(refusal))
        if isinstance(answer, Account) and refusal is None and connection.is_open:
            self._let_in(connection, device, answer)

    def _let_in(self, connection: Connection, device: bytes, account: Account) -> None:
        player = self._roster.enlist(account.number, account.name)
        player.device = device
        former = player.connection
        connection.player = player.account
        player.connection = connection
        player.seat = None
        self._beats.showing.greet(connection)
        if network_of(connection.address):  # at this machine nobody needs a password
            connection.send(Guarded(account.password_hash is not None))
        if former is not None:
            former.do(former.session.end("replaced", "You logged in from somewhere else."))
        _log.info("%s joined", player.name)
        self.had_guests = True
        player.clock.connected = True
        player.heard_ms, player.away, player.turns_alone = self.now_ms(), False, 0
        player.drop_wishes()
        self._beats.when_durable(lambda: self._bring_in(player, connection))

    def _bring_in(self, player: Player, connection: Connection) -> None:
        """Seat a player who stands in the dungeon, tell one who fell how, and let anybody else enter."""
        if player.connection is not connection:
            return
        fallen = self._beats.dungeon.realm.fallen.get(player.account)
        standing = self._roster.standing(player.account)
        if self._is_shut_in(player):
            self.expel(player, "fault", SHUT_IN)
        elif standing is not None:
            if player.seat is None or player.seat.body != standing[2].number:
                self._seat(player, connection)
        elif fallen is not None:
            connection.do(connection.session.joined(player.name, fallen.command, new_life=False))
            connection.send(obituary(self._beats.dungeon.campaign, fallen))
        else:
            self._enter(player)

    def _is_shut_in(self, player: Player) -> bool:
        """Return whether a player's body stands on a level that is closed, and could not be taken out."""
        standing = self._roster.standing(player.account)
        return standing is not None and standing[1].place in self._beats.dungeon.closed

    def _full(self, account: Account) -> Error | None:
        known = self._roster.of(account.number)
        if len(self._roster.connected()) >= self._players_max and (known is None or known.connection is None):
            return Error("full", f"The dungeon is full ({self._players_max} players); try again later.")
        return None

    def _enter(self, player: Player, keepsake: int | None = None) -> None:
        """Bring a player's body into play; when that is durable he is given his seat.

        `keepsake` is the place of a thing among those offered to an heir; a place that was not offered is none.
        """
        connection = player.connection
        fallen = self._beats.dungeon.realm.fallen.get(player.account)
        offered = [left.item for left in keepsakes(fallen)] if fallen is not None else []
        asked = offered[keepsake] if keepsake is not None and keepsake < len(offered) else 0
        self._beats.submit(
            REALM_PLACE,
            Enter(player.account, player.name, asked),
            lambda: self._seat(player, connection),
        )

    def _seat(self, player: Player, connection: Connection | None) -> None:
        """Give a player his seat, unless another connection has come in the meantime.

        A life is new until its player's client has shown it; else a command of his last one might be sent again.
        """
        standing = self._roster.standing(player.account)
        if standing is None or connection is None or player.connection is not connection:
            return
        _, _, body = standing
        former = player.seat  # of his last life on this line; the client's acknowledgements count on
        player.seat = Seat(body.number)
        if former is not None:
            player.seat.patch, player.seat.acknowledged = former.patch, former.acknowledged
        player.choosing.clear()
        player.dueling.clear()
        if player.met != body.number:
            player.answered = 0
        player.answered = max(player.answered, body.command)
        player.stale = True
        player.told_pace = None
        new_life = not body.command and player.met != body.number
        connection.do(connection.session.joined(player.name, player.answered, new_life=new_life))
        self._beats.wake()


def _password_answered(connection: Connection, answer: Account | Error | Bye) -> None:
    if isinstance(answer, Bye):
        answer = Error(answer.code, answer.text)
    connection.send(answer if isinstance(answer, Error) else Guarded(password=True, fresh=True))
