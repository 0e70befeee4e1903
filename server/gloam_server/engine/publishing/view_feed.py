"""The last seconds of views that one watched player was shown, for watchers who see it late.

Pure: the caller gives the time.
"""

from collections import deque

from gloam_shared import limits
from gloam_shared.view.view import View

_KEPT_MS = limits.WATCH_DELAY_S * 1_000


class ViewFeed:
    """The player's views with the time at which each was noted, the oldest first.

    They are the views that the player was sent, as objects: nothing is projected for a watcher. The memory is bounded by
    how often a view is noted within the delay.
    """

    def __init__(self) -> None:
        self._views: deque[tuple[int, View]] = deque()

    def __len__(self) -> int:
        """Return the number of kept views."""
        return len(self._views)

    def note(self, view: View, now_ms: int) -> None:
        """Note the view that the player has now; views that no watcher can need any more are dropped."""
        if not self._views or self._views[-1][1] is not view:
            self._views.append((now_ms, view))
        while len(self._views) > 1 and self._views[1][0] <= now_ms - _KEPT_MS:
            self._views.popleft()

    def at(self, at_ms: int) -> View | None:
        """Return the newest view that was noted at that time or before; None without one."""
        return next((view for noted_ms, view in reversed(self._views) if noted_ms <= at_ms), None)
