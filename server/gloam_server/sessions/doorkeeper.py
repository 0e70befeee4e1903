"""How often somebody may try to come in. Told the time; in whole milliseconds. Forgets by itself, and is bounded."""

from typing import Final

from gloam_shared import limits

_KEYS_MAX: Final = 10_000


class Tally:
    """Counts what happened to each key within the last `within_s` seconds; `most` of it is allowed."""

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
        """Note that it has happened once more."""
        if key not in self._at_ms and len(self._at_ms) >= _KEYS_MAX:
            self._at_ms = {each: at for each in self._at_ms if (at := self._recent(each, now_ms))}
            if len(self._at_ms) >= _KEYS_MAX:
                self._at_ms.pop(next(iter(self._at_ms)))
        self._at_ms[key] = [*self._recent(key, now_ms), now_ms][-self._most :]

    def take_back(self, key: tuple[str, ...]) -> None:
        """Forget the newest of a key: it was none."""
        if self._at_ms.get(key):
            self._at_ms[key].pop()

    def _recent(self, key: tuple[str, ...], now_ms: int) -> list[int]:
        return [at for at in self._at_ms.get(key, ()) if now_ms - at < self._within_ms]


def failures() -> Tally:
    """Return the count of wrong passwords, by address and name: by name alone anybody could lock its owner out."""
    return Tally(limits.FAILURES_MAX, limits.FAILURES_S)


def creations() -> Tally:
    """Return the count of new names, by address."""
    return Tally(limits.CREATIONS_MAX, limits.CREATIONS_S)
