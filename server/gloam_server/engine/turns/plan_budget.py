"""The turns of plans that a batch may run: many exploring players must not slow players who send commands.

A turn of a plan costs as much as any other turn, and every player in sight gets it; but no player waits for
it. So batches with plans are short, are followed by a pause of the same length, and give way to commands.
"""

from typing import Final

PLANS_MAX: Final = 8
"""The most turns of plans in a batch."""
BATCH_MS: Final = 20
"""The target time of a batch with plans: after a longer one the next gets half as many turns."""
REST_MS_MAX: Final = 100
"""The longest wait of plans, however long their last batch took."""


class PlanBudget:
    """Decides whether a turn of a plan may run now. All times are of the game's clock, in milliseconds."""

    def __init__(self) -> None:
        self._size = PLANS_MAX
        self._left = PLANS_MAX
        self._resume_ms = 0
        self._ran_ms = -REST_MS_MAX
        self._ran = False
        self._yields = False

    def begin(self, now_ms: int) -> None:
        """Begin a batch."""
        self._left = self._size if now_ms >= self._resume_ms else 0
        self._ran = self._yields = False

    def look_at_ms(self, now_ms: int) -> int:
        """Return when a plan that must wait now can be tried again."""
        return max(now_ms, self._resume_ms)

    def admits(self, now_ms: int) -> bool:
        """Return whether one more turn of a plan may run in this batch."""
        return self._left > 0 and not (self._yields and now_ms - self._ran_ms < REST_MS_MAX)

    def spend(self, now_ms: int) -> None:
        """Count a turn of a plan."""
        self._left -= 1
        self._ran, self._ran_ms = True, now_ms

    def give_way(self) -> None:
        """Note that a command ran in this batch, so that its result is sent soon."""
        self._yields = True

    def end(self, took_ms: int, now_ms: int) -> None:
        """End a batch that took this long until everything was published."""
        if not self._ran:
            return
        if took_ms > BATCH_MS:
            self._size = max(1, self._size // 2)
        elif 2 * took_ms < BATCH_MS:
            self._size = min(PLANS_MAX, self._size + 1)
        self._resume_ms = now_ms + min(took_ms, REST_MS_MAX)
