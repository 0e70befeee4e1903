"""The view of one client: the viewer, and which patches were sent and acknowledged.

Memory for each client is constant: at most three patches are under way, and none is queued, because the next
patch leads directly to the newest state. A viewer need not be a player.
"""

from dataclasses import dataclass, field

from msgspec.structs import replace

from gloam_shared import limits
from gloam_shared.protocol.messages.play import Update
from gloam_shared.protocol.updates import UpdateWriter
from gloam_shared.view.view import Log, Stat, View


@dataclass(slots=True)
class ClientView:
    """The state of one client's view. `body` is the number of the creature that sees it."""

    body: int
    writer: UpdateWriter = field(default_factory=UpdateWriter)
    acknowledged: int = 0
    sent_ms: int = -1_000_000
    whole: bool = True
    paused: bool = False
    over: bool = False
    """Whether the last update of a life was written."""

    def acknowledge(self, patch: int) -> bool:
        """Note an acknowledged patch. Return False if it was never sent, or is older than the last one."""
        if not self.acknowledged <= patch <= self.writer.patch:
            return False
        self.acknowledged = patch
        return True

    def has_credit(self) -> bool:
        """Return whether another patch may be sent now."""
        return not self.paused and self.writer.patch - self.acknowledged < limits.UNACKNOWLEDGED_MAX

    def reset(self) -> None:
        """Send the whole view next."""
        self.whole = True

    def final_update(self, log: Log, done: int) -> Update:
        """Return the last update of a life: no health, and the end of the log."""
        return self.writer.write(self._last_view(log), done)

    def follow(self, view: View) -> None:
        """Note a view that the client is sent by another view process."""
        self.writer.sent_view = view

    def follow_to_the_end(self, log: Log) -> None:
        """Note the last view of a life, which the client is sent by another view process."""
        self.writer.sent_view = self._last_view(log)

    def _last_view(self, log: Log) -> View:
        self.over, shown = True, self.writer.sent_view
        facts = list(shown.sheet)
        facts[Stat.HP] = 0
        return replace(shown, sheet=tuple(facts), log=log)

    def update(self, view: View, done: int, now_ms: int, carried_out: int | None = None) -> Update | None:
        """Return the update that turns the client's view into `view`, or None if there is no change.

        `carried_out` is the last command (up to `done`, by default `done` itself) without an `Answer`.
        """
        unsent = done if carried_out is None else min(done, carried_out)
        if not self.whole and not self.writer.has_news(view, unsent):
            return None
        message = self.writer.write(view, done, whole=self.whole)
        self.sent_ms, self.whole = now_ms, False
        return message
