"""Turns events into the log lines of one viewer, and keeps the tail of their log. Pure."""

from typing import Final

from gloam_server.world.model.events import Narration
from gloam_shared.event_kinds import EventKind
from gloam_shared.limits import LOG_LINES
from gloam_shared.view.view import Log, LogLine

_TOLD_TO_OTHERS: Final[frozenset[EventKind]] = frozenset({"arrives", "removed"})
_TOLD_TO_THE_PARTIES: Final[frozenset[EventKind]] = frozenset({"guards", "swaps", "receives"})


def log_lines_for(event: Narration, viewer: int) -> LogLine | None:
    """Return an event as a line of the viewer's log, or None if they did not see it or it has no words."""
    if viewer not in event.witnesses:
        return None
    if event.kind in _TOLD_TO_OTHERS and viewer == event.actor:
        return None
    if event.kind in _TOLD_TO_THE_PARTIES and viewer not in (event.actor, event.target):
        return None
    return LogLine(
        kind=event.kind,
        subject="you" if event.actor == viewer else event.actor_name,
        object="you" if event.target == viewer else event.names.get(viewer, event.target_name),
        amount=event.amount,
        source=event.source,
    )


def append_lines(log: Log, lines: list[LogLine]) -> Log:
    """Return the log with lines appended, cut to its bound."""
    kept = (*log.lines, *lines)
    over = max(0, len(kept) - LOG_LINES)
    return Log(log.first + over, kept[over:])
