"""Rate limits for logins and connections. The caller gives the time, in whole milliseconds; memory is bounded."""

from typing import Any, Final, TypeVar

from gloam_server.sessions.token_bucket import TokenBucket
from gloam_shared import limits
from gloam_shared.protocol.registry import RequestLimit

BUCKETS: Final[dict[RequestLimit, tuple[int, int]]] = {
    "lists": (1, limits.WATCH_REQUESTS_BURST),
    "boards": (limits.LADDER_REQUESTS_PER_S, limits.LADDER_REQUESTS_BURST),
    "parties": (1, limits.PARTY_REQUESTS_BURST),
    "lives": (1, limits.LIVES_BURST),
    "maps": (limits.MAP_REQUESTS_PER_S, limits.MAP_REQUESTS_BURST),
    "histories": (limits.HISTORY_REQUESTS_PER_S, limits.HISTORY_REQUESTS_BURST),
    "chronicles": (1, limits.CHRONICLE_REQUESTS_BURST),
}
"""The requests a second, and the requests in a burst."""

_KEYS_MAX: Final = 10_000
_Key = TypeVar("_Key")


class SlidingWindow:
    """Counts the events of each key within the last `within_s` seconds; `most` are allowed."""

    def __init__(self, most: int, within_s: int) -> None:
        self._most = most
        self._within_ms = within_s * 1_000
        self._at_ms: dict[tuple[str, ...], list[int]] = {}

    def wait_s(self, key: tuple[str, ...], now_ms: int) -> int:
        """Return for how many seconds a key must wait; 0 when it need not."""
        recent = self._recent(key, now_ms)
        if len(recent) < self._most:
            return 0
        return -(-(recent[-self._most] + self._within_ms - now_ms) // 1_000)

    def count(self, key: tuple[str, ...], now_ms: int) -> None:
        """Count one more event."""
        recent = self._recent(key, now_ms)
        _make_room(self._at_ms, key)
        self._at_ms[key] = [*recent, now_ms][-self._most :]

    def take_back(self, key: tuple[str, ...]) -> None:
        """Remove the newest event of a key: it does not count."""
        if self._at_ms.get(key):
            self._at_ms[key].pop()

    def _recent(self, key: tuple[str, ...], now_ms: int) -> list[int]:
        return [at for at in self._at_ms.get(key, ()) if now_ms - at < self._within_ms]


class RateLimiter:
    """Allows each key `burst` times at once, then once in `every_s` seconds."""

    def __init__(self, burst: int, every_s: int) -> None:
        self._every_ms = every_s * 1_000
        self._at_once_ms = (burst - 1) * self._every_ms
        self._full_ms: dict[tuple[str, ...], int] = {}  # when the whole burst is available again

    def wait_s(self, key: tuple[str, ...], now_ms: int) -> int:
        """Return for how many seconds a key must wait; 0 when it need not."""
        over_ms = self._full_ms.get(key, now_ms) - now_ms - self._at_once_ms
        return -(-max(0, over_ms) // 1_000)

    def take_back(self, key: tuple[str, ...]) -> None:
        """Remove one event: it does not count."""
        if key in self._full_ms:
            self._full_ms[key] -= self._every_ms

    def count(self, key: tuple[str, ...], now_ms: int) -> None:
        """Count one event of a key."""
        full_ms = max(self._full_ms.get(key, now_ms), now_ms) + self._every_ms
        _make_room(self._full_ms, key)
        self._full_ms[key] = full_ms


class ReconnectLimiter:
    """Blocks networks for a while that open and close too many connections within a minute."""

    def __init__(self) -> None:
        self._tally = SlidingWindow(limits.FLAPS_MAX, limits.FLAPS_WITHIN_S)
        self._shut_until_ms: dict[str, int] = {}

    def is_shut(self, network: str, now_ms: int) -> bool:
        """Return whether a network is blocked now."""
        return now_ms < self._shut_until_ms.get(network, now_ms)

    def count(self, network: str, now_ms: int) -> None:
        """Count one connection that was opened and closed unused."""
        self._tally.count((network,), now_ms)
        if not self._tally.wait_s((network,), now_ms):
            return
        _make_room(self._shut_until_ms, network)
        self._shut_until_ms[network] = now_ms + limits.FLAPS_SHUT_S * 1_000


def _make_room(noted: dict[_Key, Any], key: _Key) -> None:
    """Remove a key, so that it can be added as the newest, and the oldest if there are too many, in O(1)."""
    noted.pop(key, None)
    if len(noted) >= _KEYS_MAX:
        noted.pop(next(iter(noted)))


def exempt_creations() -> RateLimiter:
    """Return the limit on new names for all addresses together that `creations` does not count."""
    return RateLimiter(limits.CREATIONS_EXEMPT_BURST, limits.CREATIONS_EXEMPT_EVERY_S)


def logins() -> RateLimiter:
    """Return the limit on logins and resumes, by address and name."""
    return RateLimiter(limits.LOGINS_BURST, limits.LOGINS_EVERY_S)


def password_changes() -> RateLimiter:
    """Return the limit on changes of passwords, by account."""
    return RateLimiter(limits.PASSWORD_CHANGES_BURST, limits.PASSWORD_CHANGES_EVERY_S)


def failures() -> SlidingWindow:
    """Return the limit on wrong passwords, by address and name: a stranger must not lock a name's owner out."""
    return SlidingWindow(limits.FAILURES_MAX, limits.FAILURES_S)


def creations() -> SlidingWindow:
    """Return the limit on new names, by address."""
    return SlidingWindow(limits.CREATIONS_MAX, limits.CREATIONS_S)


def returns() -> SlidingWindow:
    """Return the limit on connections that are read although their address is over a limit, by address."""
    return SlidingWindow(limits.RETURNS_MAX, limits.RETURNS_WITHIN_S)


class RequestLimits:
    """The buckets of one connection for what it asks: each is made when it is first needed."""

    def __init__(self) -> None:
        self._buckets: dict[RequestLimit, TokenBucket] = {}

    def take(self, name: RequestLimit, now_ms: int) -> bool:
        """Return whether a message with this limit is allowed now, and count it if so."""
        if name not in self._buckets:
            self._buckets[name] = TokenBucket(*BUCKETS[name])
        return self._buckets[name].take(now_ms)
