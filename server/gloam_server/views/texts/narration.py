"""Turns events into the log lines of one viewer, and keeps the tail of their log. Pure."""

from typing import Final

from gloam_server.world.model.events import BETWEEN_PARTIES, Narration
from gloam_shared.event_kinds import EventKind
from gloam_shared.limits import LOG_LINES
from gloam_shared.view.view import Log, LogLine

_TOLD_TO_OTHERS: Final[frozenset[EventKind]] = frozenset({"arrives", "removed"})
"""The events that their actor gets no line of, nor their target: the owner of a companion that arrives."""


def lines_of(event: Narration) -> list[tuple[int, LogLine]]:
    """Return an event's line in the log of each witness who gets one."""
    lines = [(witness, _line_for_witness(event, witness)) for witness in event.witnesses]
    return [(witness, line) for witness, line in lines if line is not None]


def log_lines_for(event: Narration, viewer: int) -> LogLine | None:
    """Return an event as a line of the viewer's log, or None if they did not see it or it has no words."""
    return _line_for_witness(event, viewer) if viewer in event.witnesses else None


def _line_for_witness(event: Narration, viewer: int) -> LogLine | None:
    if event.kind in _TOLD_TO_OTHERS and viewer in (event.actor, event.target):
        return None
    if event.kind in BETWEEN_PARTIES and viewer not in (event.actor, event.target):
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
