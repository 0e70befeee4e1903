"""Half an hour of play: what a player meets and chooses in 2,000 turns. Whole numbers only. Pure."""

from collections import Counter
from collections.abc import Mapping
from itertools import combinations

from msgspec import Struct

from gloam_lab.balance.run_stats import HALF_HOUR, RunStats, ratio


class HalfHour(Struct, frozen=True):
    """The figures of a player for 2,000 turns, half an hour of play, in hundredths.

    `choices` are the kits, bents and cards that it takes, and the kinds of weapons, armors and rings that it puts in use for the
    first time, `gear`. `apart` is the part of them in which players of two styles differ, on the average of all pairs.
    `first` are the choices in the first half hour of a life.
    """

    grown: int | None
    named: int | None
    read: int | None
    choices: int | None
    apart: int | None
    gear: int | None = None
    first: int | None = None


def half_hour(runs: list[RunStats]) -> HalfHour:
    """Return what players meet and choose in half an hour of all their turns."""
    kits = sum(bool(life.kit) for stats in runs for life in stats.lives)
    taken = Counter[tuple[str, str]]()
    gear = Counter[tuple[str, str]]()
    for stats in runs:
        taken.update(_by_style(stats.choices.taken))
        gear.update(_by_style(stats.choices.gear))
    apart = kits + (gear.total() * _apart(gear) + taken.total() * _apart(taken)) // 1_000
    turns = sum(each.turns for stats in runs for each in stats.depths)

    def often(count: int) -> int | None:
        return ratio(count * HALF_HOUR, turns, 100)

    return HalfHour(
        grown=often(sum(stats.grown_met for stats in runs)),
        named=often(sum(stats.named_met for stats in runs)),
        read=often(sum(stats.growth_read for stats in runs)),
        choices=often(kits + taken.total() + gear.total()),
        gear=often(gear.total()),
        apart=often(apart),
        first=_first(runs),
    )


def _first(runs: list[RunStats]) -> int | None:
    firsts = [stats.choices.first for stats in runs]
    count = sum(first.kits + first.options + first.gear for first in firsts)
    return ratio(count * HALF_HOUR, sum(first.turns for first in firsts), 100)


def _by_style(counts: Mapping[str, Mapping[str, int]]) -> dict[tuple[str, str], int]:
    return {(style, name): count for style, named in counts.items() for name, count in named.items()}


def _apart(taken: Mapping[tuple[str, str], int]) -> int:
    """Return the part of their choices in which two styles differ, in thousandths, on the average of all pairs."""
    styles, names = sorted({style for style, _ in taken}), sorted({name for _, name in taken})
    wholes = {style: sum(taken.get((style, name), 0) for name in names) for style in styles}
    shares = [[taken.get((style, name), 0) * 1_000 // wholes[style] for name in names] for style in styles]
    pairs = [
        sum(abs(a - b) for a, b in zip(one, other, strict=True)) // 2
        for one, other in combinations(shares, 2)
    ]
    return sum(pairs) // len(pairs) if pairs else 0
