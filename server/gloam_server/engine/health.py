"""The health of a running server: its problems in words, and its numbers for the host."""

from typing import Final

from gloam_server.engine.server_statistics import Histogram, ServerStatistics, ViewCounts

STUCK_S: Final = 5
"""After this time a disk counts as not responding."""

SLOW_S: Final = 1
"""A longer append is a problem: it is twenty times the healthy value, and every player waits for it at every
step.
"""

RECENT_S: Final = 60
"""The newest append shows the state of the disk for this long; afterwards, without players, it is unknown."""


def problems(measures: ServerStatistics, now_s: float) -> tuple[str, ...]:
    """Return the problems as short texts; none if all is well. `now_s` is the monotonic clock's reading."""
    if measures.blocked:
        return ("the disk refuses to be written: play stands still",)
    waiting_s = now_s - measures.asked_s if measures.asked_s is not None else 0.0
    if waiting_s >= STUCK_S:
        return (f"the disk has not answered for {int(waiting_s)} s: play stands still",)
    newest_s = measures.append_took_s if now_s - measures.appended_s < RECENT_S else 0.0
    took_s = max(waiting_s, newest_s)
    if took_s >= SLOW_S:
        return (f"the disk is slow: it took {took_s:.1f} s to keep a turn, for which all players wait",)
    return ()


def damage(measures: ServerStatistics) -> tuple[str, ...]:
    """Return the damage found by the newest daily check; play continues, but the host must repair the file."""
    return tuple(f"the file is damaged: {fault}" for fault in measures.damage)


def describe(measures: ServerStatistics, counts: ViewCounts, now_s: float) -> tuple[str, ...]:
    """Return the numbers since the start and of the last hour, for people."""
    refused = sum(counts.refusals.values())
    most = sorted((count, reason) for reason, count in counts.refusals.items() if count)[-3:]
    why = ", ".join(f"{reason} {count:,}" for count, reason in reversed(most))
    lost = measures.lost_log_lines() + counts.lost_log_lines
    unread = (f"{lost:,} lines of the log were not written",) if lost else ()
    return (
        f"turns: {_describe_times(measures.turns)}; journal: {_describe_times(measures.journal)}",
        f"{sum(measures.commands.values()):,} commands, {counts.patches:,} patches",
        f"{measures.journal_hour.total(now_s):,} bytes of journal in the last hour",
        f"{counts.bytes_in:,} bytes in, {counts.bytes_out:,} bytes out",
        f"{refused:,} refusals{f' ({why})' if why else ''}, {measures.faults + counts.faults:,} faults kept apart",
        *unread,
    )


def _describe_times(times: Histogram) -> str:
    if not times.count:
        return "none yet"
    return f"99 of 100 within {_ms(times.within_s(99))}, the longest {_ms(times.most_s)}"


def _ms(seconds: float) -> str:
    return f"{seconds * 1_000:.3g} ms"
