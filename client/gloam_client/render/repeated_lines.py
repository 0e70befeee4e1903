"""Repeated log lines and exchanged blows, each collapsed into one line."""

from typing import Final

from gloam_client.state.model import Blow, Entry

_EXCHANGES_MIN: Final = 2
_PAIRS_MIN: Final = 3
"""Two alternating lines are collapsed from this many times on; fewer fit the log, and a fight reads better in
order.
"""


def collapse_repeats(entries: tuple[Entry, ...], count: int | None = None) -> list[Entry]:
    """Return the last `count` lines (all if None), with a repeated line as one, such as "x7".

    Two alternating lines are collapsed from the third time on, as for a door that is opened and closed. So
    are the blows that the player and a foe exchanged before the newest turn, and absences in a row.
    """
    lines: list[Entry] = []
    at = len(entries)
    while at and (count is None or len(lines) < count):
        line, entry_count = _absences(entries, at) if entries[at - 1].away_s else _exchange(entries, at)
        if line:
            lines.append(line)
            at -= entry_count
            continue
        together, times = 1, _repeats(entries, at, 1)
        if times == 1 and (pairs := _repeats(entries, at, 2)) >= _PAIRS_MIN:
            together, times = 2, pairs
        newest_first = entries[at - together : at][::-1]
        lines += [_one_line(entry, times) for entry in newest_first]
        at -= together * times
    return lines[::-1] if count is None else lines[:count][::-1]


def _one_line(entry: Entry, times: int) -> Entry:
    """Return the line for an entry that repeats; it is no blow of its own."""
    if times > 1:
        return entry._replace(text=f"{entry.text} x{times}", blow=None)
    return entry if entry.blow is None else entry._replace(blow=None)


def _repeats(entries: tuple[Entry, ...], end: int, together: int) -> int:
    """Return how many times in a row the last `together` lines before `end` are repeated there.

    A line is a repetition if it equals the line `together` lines later.
    """
    first = at = end - together - 1
    while at >= 0:
        one, later = entries[at], entries[at + together]
        if one.text != later.text or one.tone != later.tone:
            break
        at -= 1
    return 1 + (first - at) // together


def _absences(entries: tuple[Entry, ...], end: int) -> tuple[Entry, int]:
    """Return one line for the absences in a row up to `end`, and how many lines it replaces."""
    first = end - 1
    while first and entries[first - 1].away_s:
        first -= 1
    times, last = end - first, entries[end - 1]
    if times == 1:
        return last, 1
    total_s = sum(entry.away_s for entry in entries[first:end])
    return last._replace(text=f"You were away {times} times, {total_s} s in all."), times


def _exchange(entries: tuple[Entry, ...], end: int) -> tuple[Entry | None, int]:
    """Return one line for the blows exchanged with a foe up to `end`, and how many lines it replaces."""
    newest, last = entries[-1].turn, entries[end - 1]
    if last.blow is None or last.turn == newest:
        return None, 0
    blows: list[Blow] = []
    for at in range(end - 1, -1, -1):
        blow = entries[at].blow
        if blow is None or blow.foe != last.blow.foe or entries[at].turn == newest:
            break
        blows.append(blow)
    mine, its = ([blow.damage for blow in blows if blow.mine is of] for of in (True, False))
    if min(len(mine), len(its)) < _EXCHANGES_MIN:
        return None, 0
    totals = f"{sum(mine)} dealt, {sum(its)} taken (x{max(len(mine), len(its))})"
    tone_ = "hurt" if sum(its) else "fight"
    return last._replace(text=f"You trade blows with {blows[0].foe}: {totals}", tone=tone_, blow=None), len(
        blows
    )
