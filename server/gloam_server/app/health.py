"""How a running server is: what is wrong with it, in words, and its numbers for a person."""

from collections.abc import Mapping
from typing import Final

from gloam_server.app.beats import Beats
from gloam_server.app.measures import Histogram, Measures

STUCK_S: Final = 5
"""A disk that has not answered for so long is told; an answer within milliseconds is healthy."""


def problems(beats: Beats) -> tuple[str, ...]:
    """Return what is wrong, each a sentence's worth; nothing when all is well."""
    found = []
    if beats.blocked:
        found.append("the disk refuses to be written: play stands still")
    waiting_s = (
        int(beats.clock.seconds() - beats.measures.asked_s) if beats.measures.asked_s is not None else 0
    )
    if waiting_s >= STUCK_S:
        found.append(f"the disk has not answered for {waiting_s} s: play stands still")
    return tuple(found)


def damage(measures: Measures) -> tuple[str, ...]:
    """Return what the newest daily check found: play goes on, but the host must look after the world's file."""
    return tuple(f"the file is damaged: {fault}" for fault in measures.damage)


def told(measures: Measures, refusals: Mapping[str, int]) -> tuple[str, ...]:
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
