"""Debouncing: short changes are not reported. The caller gives the time, in whole milliseconds."""

from dataclasses import dataclass
from typing import Final

DEBOUNCE_MS: Final = 5_000
"""The time that a change must last before it is reported."""


@dataclass(slots=True)
class DebouncedFlag:
    """A flag that others see. `now` is its value, `reported` the reported value."""

    now: bool = False
    reported: bool = False
    since_ms: int = 0

    def set(self, *, now: bool, at_ms: int) -> None:
        """Set the present value."""
        if now != self.now:
            self.now, self.since_ms = now, at_ms

    def due_ms(self) -> int | None:
        """Return when a change is to be reported; None if the present value is reported."""
        return None if self.reported == self.now else self.since_ms + DEBOUNCE_MS

    def settle_now(self) -> bool:
        """Mark the change as reported now; return whether there was one."""
        is_due = self.reported != self.now
        self.reported = self.now
        return is_due

    def settle(self, now_ms: int) -> None:
        """Mark the change as reported if it has lasted long enough."""
        due_ms = self.due_ms()
        if due_ms is not None and due_ms <= now_ms:
            self.reported = self.now
