"""The chat of a player, as a session lets it through: cleaned, of a bounded length, at a bounded rate."""

from enum import Enum
from typing import Final, TypeAlias

import wcwidth  # noqa: F401  # loaded at the start: no turn waits for the first word beyond ASCII
from msgspec.structs import replace

from gloam_server.sessions.effects import BanForFlood, Effect, Send
from gloam_server.sessions.token_bucket import TokenBucket
from gloam_shared import limits, text
from gloam_shared.protocol.messages.chat import ChatLine, MapPing, SendChat, Speak
from gloam_shared.protocol.messages.login import Error

Words: TypeAlias = SendChat | Speak | MapPing
"""The messages that count as a line of chat."""

_LENGTH: Final = Error("length", f"A line has at most {limits.CHAT_CELLS_MAX} cells; say it in two.")
_SLOW: Final = Error("slow", "You speak too fast; wait a moment.")
_REPEATED: Final = Error(
    "slow", f"No player got that: you said the same less than {limits.CHAT_SAME_S} s ago; use other words."
)
_LOST: Final = ChatLine(
    "",
    'Players read "?", or less, for a sign that terminals do not agree on; write that word with other letters.',
)
_STILL_SHOWN: Final = Error("slow", "That ping still shows; send it again when it is gone.")


_SPELL_MS: Final = limits.CHAT_SPELL_S * 1_000
_SAME_MS: Final = limits.CHAT_SAME_S * 1_000


class ChatDecision(Enum):
    """The decision about a line."""

    SAID = 1
    SLOW = 2
    REPEATED = 3
    FLOOD = 4


class ChatLimiter:
    """The recent lines of one player. It holds at most the lines that the rate permits in 50 s."""

    def __init__(self) -> None:
        self._bucket = TokenBucket(limits.CHAT_PER_S, limits.CHAT_BURST)
        self._said: list[tuple[int, str]] = []
        self._tried_ms: list[int] = []

    def decide(self, words: str, now_ms: int, same_ms: int = _SAME_MS) -> ChatDecision:
        """Count one line, and decide about it: a repeat within `same_ms` (at most 50 s) reaches no player."""
        self._tried_ms = [at for at in self._tried_ms if now_ms - at < _SPELL_MS] + [now_ms]
        if len(self._tried_ms) >= limits.CHAT_TRIED_MAX:
            return ChatDecision.FLOOD
        self._said = [(at, line) for at, line in self._said if now_ms - at < _SAME_MS]
        if any(line == words and now_ms - at < same_ms for at, line in self._said):
            return ChatDecision.REPEATED
        lately = sum(now_ms - at < _SPELL_MS for at, _ in self._said)
        if lately >= limits.CHAT_SAID_MAX or not self._bucket.take(now_ms):
            return ChatDecision.SLOW
        self._said.append((now_ms, words))
        return ChatDecision.SAID


class SpokenWords:
    """The lines of one player. All channels share one limit."""

    def __init__(self) -> None:
        self._limiter = ChatLimiter()
        self._knows_loss = False

    def take(self, spoken: Words, now_ms: int) -> list[Effect]:
        """Return the result for a line: itself, cleaned; an `Error`; nothing if it is empty; or `BanForFlood`."""
        if isinstance(spoken, MapPing):
            line = f"\0{spoken.word} {spoken.depth} {spoken.cell}"  # no valid name
            decision = self._limiter.decide(line, now_ms, limits.CALL_SHOWN_S * 1_000)
            return _let_through(spoken, decision, _STILL_SHOWN)
        words = text.clean(spoken.text)
        if not words:
            return []
        if text.cells(words) > limits.CHAT_CELLS_MAX or len(words.encode()) > limits.CHAT_BYTES_MAX:
            return [Send(_LENGTH)]
        cleaned = replace(spoken, text=words)
        effects = _let_through(cleaned, self._limiter.decide(_line(cleaned), now_ms), _REPEATED)
        if self._knows_loss or cleaned not in effects or not text.loses_signs(spoken.text):
            return effects
        self._knows_loss = True
        return [*effects, Send(_LOST)]


def _line(spoken: SendChat | Speak) -> str:
    """Return words as they are compared: the same words to another player are no repeat."""
    if isinstance(spoken, SendChat) or spoken.channel == "say":
        return spoken.text
    return f"\0{spoken.channel} {text.fold(spoken.target)} {spoken.text}"


def _let_through(spoken: Words, decision: ChatDecision, repeated: Error) -> list[Effect]:
    match decision:
        case ChatDecision.SAID:
            return [spoken]
        case ChatDecision.SLOW:
            return [Send(_SLOW)]
        case ChatDecision.REPEATED:
            return [Send(repeated)]
        case ChatDecision.FLOOD:
            return [BanForFlood()]
