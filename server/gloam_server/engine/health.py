"""How a running server is: what is wrong with it, in words, and its numbers for a person."""

from collections.abc import Mapping
from typing import Final

from gloam_server.engine.server_statistics import Histogram, ServerStatistics

STUCK_S: Final = 5
"""After this time a disk counts as one that does not answer at all."""

SLOW_S: Final = 1
"""An append that takes longer is a problem: that is twenty times what is healthy, and every player waits for it at every step."""

RECENT_S: Final = 60
"""For this time the newest append shows how the disk is; afterwards, without players, its state is unknown."""


def problems(measures: ServerStatistics, now_s: float) -> tuple[str, ...]:
    """Return what is wrong, each a sentence's worth; nothing when all is well. `now_s` is the monotonic clock's reading."""
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
    """Return what the newest daily check found: play goes on, but the host must look after the world's file."""
    return tuple(f"the file is damaged: {fault}" for fault in measures.damage)


def describe(measures: ServerStatistics, refusals: Mapping[str, int]) -> tuple[str, ...]:
    """Return the numbers of the time since the start, for a person."""
    refused = sum(refusals.values())
    most = sorted((count, reason) for reason, count in refusals.items() if count)[-3:]
    why = ", ".join(f"{reason} {count:,}" for count, reason in reversed(most))
    traffic = measures.traffic
    return (
        f"turns: {_told(measures.turns)}; journal: {_told(measures.journal)}",
        f"{sum(measures.commands.values()):,} commands, {measures.patches:,} patches",
        f"{traffic.bytes_in:,} bytes in, {traffic.bytes_out:,} bytes out",
        f"{refused:,} refusals{f' ({why})' if why else ''}, {measures.faults:,} faults kept apart",
    )


def _told(times: Histogram) -> str:
    if not times.count:
        return "none yet"
    return f"99 of 100 within {_ms(times.within_s(99))}, the longest {_ms(times.most_s)}"


def _ms(seconds: float) -> str:
    return f"{seconds * 1_000:.3g} ms"
