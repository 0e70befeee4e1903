"""Debouncing: what comes and goes faster than it can be of interest is no news. Told the time; in whole milliseconds."""

from dataclasses import dataclass
from typing import Final

DEBOUNCE_MS: Final = 5_000
"""How long a change must last before it is reported."""


@dataclass(slots=True)
class DebouncedFlag:
    """A fact that others see. `now` is its value, `told` the value that they know."""

    now: bool = False
    reported: bool = False
    since_ms: int = 0

    def set(self, *, now: bool, at_ms: int) -> None:
        """Note how it is from now on."""
        if now != self.now:
            self.now, self.since_ms = now, at_ms

    def due_ms(self) -> int | None:
        """Return when a change is to be reported; None if the others know the present value."""
        return None if self.reported == self.now else self.since_ms + DEBOUNCE_MS

    def settle(self, now_ms: int) -> None:
        """Take the change for told if it has stood for long enough."""
        due_ms = self.due_ms()
        if due_ms is not None and due_ms <= now_ms:
            self.reported = self.now
