"""One connection's conversation: GREETING -> LOBBY -> PLAYING, WATCHING or FETCHING -> CLOSED.

Messages in, effects out; the caller gives the time. Authentication is not decided here: `Login` and `Resume`
are passed on, and `login_checked` takes the answer.
"""

from enum import StrEnum
from typing import Final

from msgspec.structs import replace

from gloam_server.sessions.effects import BanForFlood, Close, Effect, Send
from gloam_server.sessions.rate_limits import RequestLimits
from gloam_server.sessions.spoken_words import SpokenWords, Words
from gloam_server.sessions.token_bucket import TokenBucket
from gloam_shared import limits, text
from gloam_shared.protocol.codec import Malformed
from gloam_shared.protocol.codes import ByeCode
from gloam_shared.protocol.messages import play
from gloam_shared.protocol.messages.chat import MapPing, Report, SendChat, Speak
from gloam_shared.protocol.messages.dungeons import DUNGEONS, AskDungeons
from gloam_shared.protocol.messages.lives import BeaconOffer, KitOffer
from gloam_shared.protocol.messages.login import (
    AskStatus,
    Bye,
    Error,
    Goodbye,
    Hello,
    Joined,
    Login,
    Resume,
    SetPassword,
    Welcome,
)
from gloam_shared.protocol.messages.replays import REPLAYS, AskReplay
from gloam_shared.protocol.messages.watching import GUEST_WATCH, WatchLogin
from gloam_shared.protocol.registry import CLIENT_MESSAGES, PROTOCOL_OLDEST, PROTOCOL_VERSION, FromClient

_UNKNOWN_MAX = 3
_UNKNOWN_WITHIN_MS = 60_000
_FLOOD_MS = 10_000
_LULL_MS = 2_000  # after the last dropped message of a flood, which is then over

_NOT_COUNTED = frozenset({"full", "busy", "stopping"})
"""Refusals after which a client may try again."""
_LENGTH = Error(
    "length", f"A password has {limits.PASSWORD_MIN} to {limits.PASSWORD_MAX} characters; choose another."
)
_REASON = Error("length", f"A reason has at most {limits.CHAT_CELLS_MAX} characters; give a shorter one.")
_LISTS = Error("slow", "You ask too fast; wait a moment.")
_ONLY_WATCHES = Error("watching", "You only watch here: a watcher neither acts nor speaks.")
_FAR_TOO_FAST = f"You spoke far too fast; come back in {limits.CHAT_SHUT_S} s."


class State(StrEnum):
    """The phase of a session; its values are in the registry of messages (`Phase`)."""

    GREETING = "greeting"
    LOBBY = "lobby"
    PLAYING = "playing"
    WATCHING = "watching"
    CLOSED = "closed"
    FETCHING = "fetching"


_BEFORE_PLAY: Final = frozenset({State.GREETING, State.LOBBY, State.FETCHING})


_DEADLINES_S = {State.GREETING: limits.HANDSHAKE_S, State.FETCHING: limits.REPLAY_S}  # else LOGIN_S


class Session:
    """The server's side of one conversation. `now_ms` is a clock's reading; only differences matter.

    `welcome` is sent to every client that speaks a known version, with the abilities that the client has too.
    `abilities` are the ones agreed on this connection. `served` says that it was used: for a login, or a question
    without one.
    """

    def __init__(self, now_ms: int, welcome: Welcome) -> None:
        self.state = State.GREETING
        self._welcome = welcome
        self._opened_ms = now_ms
        self._heard_ms = now_ms
        self._pinged_ms = now_ms
        self._ping = 0
        self._round_trip_ms = 0
        self._checking = False
        self._to_watch = False
        self._has_listed = False
        self._requests = RequestLimits()
        self.served = False
        self.abilities: frozenset[str] = frozenset()
        self._unknown_ms: list[int] = []
        self._frames = TokenBucket(limits.COMMANDS_PER_S, limits.COMMANDS_BURST)
        self._words = SpokenWords()
        self._refreshed_ms = -limits.REFRESH_S * 1_000
        self._flooding_since_ms: int | None = None
        self._dropped_ms = now_ms
        self._patch = 0
        self._acknowledged = 0
        self._owing_since_ms: int | None = None

    @property
    def frame_max(self) -> int:
        """The most bytes that a frame from the client may have now."""
        logged_in = self.state in (State.PLAYING, State.WATCHING)
        return limits.FRAME_FROM_CLIENT_MAX if logged_in else limits.FRAME_BEFORE_LOGIN_MAX

    def admit(self, now_ms: int) -> list[Effect] | None:
        """Count one whole frame before it is decoded; None lets it in, anything else replaces it.

        A flood is dropped unread: the first refused frame is answered, and a long flood ends the connection.
        """
        if self.state is State.CLOSED:
            return []
        self._heard_ms = now_ms
        if self._frames.take(now_ms):
            return None
        lull_ms, self._dropped_ms = now_ms - self._dropped_ms, now_ms
        if self._flooding_since_ms is None or lull_ms > _LULL_MS:
            self._flooding_since_ms = now_ms
            return [Send(Error("rate", "Too many messages; some were dropped."))]
        if now_ms - self._flooding_since_ms >= _FLOOD_MS:
            return self._end("rate", "Too many messages for too long.")
        return []

    def receive(self, message: FromClient, now_ms: int) -> list[Effect]:
        """Handle one message and return its effects: the registry says in which phases it may arrive, and its limit."""
        if self.state is State.CLOSED:
            return []
        row = CLIENT_MESSAGES[type(message)]
        if self.state not in row.phases or self._checking:
            return self._refuse_misplaced(message)
        match message:
            case play.SubmitCommand():
                self._take_ack(message.ack, now_ms)
                return [message]
            case play.Acknowledge():
                self._take_ack(message.patch, now_ms)
                return [message]
            case SendChat() | Speak() | MapPing():
                return self._talk(message, now_ms)
            case play.Refresh():
                return self._refresh(message, now_ms)
            case play.HeartbeatReply(number):
                return self._take_pong(number, now_ms)
            case SetPassword(new, old):
                fits = limits.PASSWORD_MIN <= len(new) <= limits.PASSWORD_MAX >= len(old)
                return [message] if fits else [Send(_LENGTH)]
            case Goodbye():
                return self._say_goodbye(message)
            case Report() if len(text.clean(message.why)) > limits.CHAT_CELLS_MAX:
                return [Send(_REASON)]
            case _ if self.state in _BEFORE_PLAY:
                return self._receive_before_play(message)
            case _ if row.limit is None or self._requests.take(row.limit, now_ms):
                return [message]
            case _:
                return [Send(_LISTS)]

    def _refuse_misplaced(self, message: FromClient) -> list[Effect]:
        """Refuse a message that its phase does not allow: a watcher, who plays no part, stays (A56); others are cut off."""
        if self.state is State.PLAYING:
            return self._end("state", "This connection is already playing.")
        if self.state is not State.WATCHING:
            return self._end("state", "That message has no place before the login.")
        if isinstance(message, Hello | AskStatus | Login | Resume | WatchLogin):
            return self._end("state", "This connection is already watching.")
        return [Send(_ONLY_WATCHES)]

    def _say_goodbye(self, message: Goodbye) -> list[Effect]:
        self.state = State.CLOSED
        return [message, Send(Bye("goodbye", "Until next time.")), Close()]

    def _receive_before_play(self, message: FromClient) -> list[Effect]:
        """Handle a message of a greeting, a login, or a question without one."""
        match message:
            case Hello():
                return self._greet(message)
            case Login() | WatchLogin():
                return self._login(message)
            case Resume():
                self._checking, self._to_watch = True, False
                return [message]
            case AskReplay() if REPLAYS in self.abilities:
                self.state, self.served = State.FETCHING, True
                return [message]
            case AskDungeons() if DUNGEONS in self.abilities and not self._has_listed:
                self._has_listed = self.served = True
                return [message]
            case AskReplay() | AskDungeons():
                return self._refuse_misplaced(message)
            case _:  # a question without a login
                self.state, self.served = State.CLOSED, True
                return [message]  # the host closes the connection when it has answered

    def reject_malformed(self, fault: Malformed, now_ms: int) -> list[Effect]:
        """Answer invalid bytes: an unknown type is tolerated twice a minute, all else ends the connection."""
        if self.state is State.CLOSED:
            return []
        if fault.code != "unknown" or self.state is not State.PLAYING:
            if fault.code == "range" and self.state is State.PLAYING:
                return [Send(Error("range", fault.text))]
            return self._end(fault.code, fault.text)
        self._unknown_ms = [at for at in self._unknown_ms if now_ms - at < _UNKNOWN_WITHIN_MS] + [now_ms]
        if len(self._unknown_ms) >= _UNKNOWN_MAX:
            return self._end(fault.code, fault.text)
        return [Send(Error("unknown", fault.text))]

    def login_checked(self, refusal: Error | Bye | None) -> list[Effect]:
        """Handle the answer to `Login`, `Resume` or `WatchLogin`.

        After an `Error` another login may follow until the deadline. The host sends `Joined` itself, once the
        body is in the dungeon.
        """
        self._checking = False
        if self.state is State.CLOSED:
            return []
        if isinstance(refusal, Error):
            return [Send(refusal)]
        self.served = refusal is None or refusal.code in _NOT_COUNTED
        if refusal is not None:
            return self._end(refusal.code, refusal.text)
        self.state = State.WATCHING if self._to_watch else State.PLAYING
        return []

    def joined_message(
        self, name: str, number: int, life: int, *kits: KitOffer, beacons: tuple[BeaconOffer, ...] = ()
    ) -> list[Effect]:
        """Return the message that starts play: the life's number, its last answered command, the kits and beacons offered."""
        return [Send(Joined(name, number, life, kits, beacons))]

    def patch_sent(self, patch: int, now_ms: int) -> None:
        """Note that a patch was sent, which must be acknowledged in time."""
        self._patch = patch
        if self._owing_since_ms is None:
            self._owing_since_ms = now_ms

    def tick(self, now_ms: int) -> list[Effect]:
        """Check the time: absolute deadlines before the login, heartbeats after it."""
        if self.state is State.CLOSED:
            return []
        if self.state not in (State.PLAYING, State.WATCHING):
            limit_s = _DEADLINES_S.get(self.state, limits.LOGIN_S)
            if not self._checking and now_ms - self._opened_ms >= limit_s * 1_000:
                self.state = State.CLOSED
                return [Close(at_once=True)]
            return []
        if self._is_unresponsive(now_ms):
            self.state = State.CLOSED
            return [Close(at_once=True)]
        if now_ms - self._pinged_ms >= limits.HEARTBEAT_S * 1_000:
            self._pinged_ms = now_ms
            self._ping += 1
            return [Send(play.Heartbeat(self._ping, self._round_trip_ms))]
        return []

    def next_tick_ms(self, now_ms: int) -> int:
        """Return when `tick` is next needed: at the deadline before the login, then at the next heartbeat or deadline."""
        if self.state not in (State.PLAYING, State.WATCHING):
            due_ms = self._opened_ms + _DEADLINES_S.get(self.state, limits.LOGIN_S) * 1_000
            return due_ms if due_ms > now_ms else now_ms + 1_000  # a login is being checked
        return min(
            self._pinged_ms + limits.HEARTBEAT_S * 1_000, self._owed_since_ms(now_ms) + limits.DEAD_S * 1_000
        )

    def end(self, code: ByeCode, words: str) -> list[Effect]:
        """End the conversation from the server's side, with the reason."""
        return [] if self.state is State.CLOSED else self._end(code, words)

    def _greet(self, hello: Hello) -> list[Effect]:
        """Agree on the newest version that both sides speak, and on the abilities that both have."""
        oldest = hello.oldest or hello.protocol
        version = min(hello.protocol, PROTOCOL_VERSION)
        if version < max(oldest, PROTOCOL_OLDEST):
            older = "client" if hello.protocol < PROTOCOL_VERSION else "server"
            return self._end(
                "version",
                f"This server speaks protocol {_describe_span(PROTOCOL_OLDEST, PROTOCOL_VERSION)}, the client "
                f"{_describe_span(oldest, hello.protocol)}: upgrade the {older} with `pip install .` in a newer clone.",
            )
        self.state = State.LOBBY
        held = tuple(each for each in self._welcome.abilities if hello.has(each))
        self.abilities = frozenset(held)
        return [Send(replace(self._welcome, protocol=version, abilities=held))]

    def _login(self, login: Login | WatchLogin) -> list[Effect]:
        fault = text.name_fault(login.name)
        guest = isinstance(login, WatchLogin) and not login.name and GUEST_WATCH in self.abilities
        if fault is not None and not guest:
            return [Send(Error("name", fault))]
        if len(login.password) > limits.PASSWORD_MAX:
            return [Send(_LENGTH)]
        self._checking, self._to_watch = True, isinstance(login, WatchLogin)
        return [login]

    def _is_unresponsive(self, now_ms: int) -> bool:
        """Return whether the client was silent, or acknowledged no patch, for too long: then it does not play."""
        return now_ms - self._owed_since_ms(now_ms) >= limits.DEAD_S * 1_000

    def _owed_since_ms(self, now_ms: int) -> int:
        """Return since when the client owes a message or an acknowledgement."""
        return min(now_ms if self._owing_since_ms is None else self._owing_since_ms, self._heard_ms)

    def _take_ack(self, patch: int, now_ms: int) -> None:
        if patch > self._acknowledged:
            self._acknowledged = patch
            self._owing_since_ms = now_ms if patch < self._patch else None

    def _take_pong(self, number: int, now_ms: int) -> list[Effect]:
        if number == self._ping:
            self._round_trip_ms = now_ms - self._pinged_ms
        return []

    def _talk(self, spoken: Words, now_ms: int) -> list[Effect]:
        effects = self._words.take(spoken, now_ms)
        return [*effects, *self._end("slow", _FAR_TOO_FAST)] if effects == [BanForFlood()] else effects

    def _refresh(self, refresh: play.Refresh, now_ms: int) -> list[Effect]:
        if now_ms - self._refreshed_ms < limits.REFRESH_S * 1_000:
            return []
        self._refreshed_ms = now_ms
        return [refresh]

    def _end(self, code: ByeCode, words: str) -> list[Effect]:
        self.state = State.CLOSED
        return [Send(Bye(code, words)), Close()]


def _describe_span(oldest: int, newest: int) -> str:
    return str(newest) if oldest >= newest else f"{oldest} to {newest}"
