"""Chat: how often one may speak, and what is not said twice. Told the time; in whole milliseconds."""

from enum import Enum
from typing import Final

from gloam_server.sessions.token_bucket import TokenBucket
from gloam_shared import limits

_SPELL_MS: Final = limits.CHAT_SPELL_S * 1_000
_SAME_MS: Final = limits.CHAT_SAME_S * 1_000


class ChatDecision(Enum):
    """What becomes of a line."""

    SAID = 1
    SLOW = 2
    REPEATED = 3
    FLOOD = 4


class ChatLimiter:
    """What one speaker has said lately. It holds no more lines than the rate lets through in 50 s."""

    def __init__(self) -> None:
        self._bucket = TokenBucket(limits.CHAT_PER_S, limits.CHAT_BURST)
        self._said: list[tuple[int, str]] = []
        self._tried_ms: list[int] = []

    def decide(self, words: str, now_ms: int, same_ms: int = _SAME_MS) -> ChatDecision:
        """Count one line, and return whether it is said: not where the same one was, less than `same_ms` ago (at most 50 s)."""
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
