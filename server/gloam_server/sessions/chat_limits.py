"""Chat limits: the rate of each player, and repeated lines.

The caller gives the time, in whole milliseconds.
"""

from enum import Enum
from typing import Final

from gloam_server.sessions.token_bucket import TokenBucket
from gloam_shared import limits

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
