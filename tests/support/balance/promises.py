"""The promises of the flagship's balance: each is a sentence that names a figure, its value and its bound.

They are for tables of 1,000 lives. A smaller table breaks one only if its figure is more than two standard errors beyond
the bound, and is not judged where it counts too little.

`python -m support.balance.promises FILE.json [PLAYERS]` prints those that a summary of lives does not keep.
"""

import sys
from collections.abc import Iterator
from math import isqrt
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from gloam_lab.balance.run_stats import ratio
from gloam_lab.balance.summary import VISITS_LEAST, Summary


class Bounds(NamedTuple):
    """The bounds that depend on the number of players who play together."""

    slack: int
    """The percentage by which the bounds of fights are wider."""
    fellings: int = 200
    """The fellings that each band of levels needs, so that its figures tell something."""
    growth: int = 33
    """The percentage by which the bounds of growth are wider: each death in company names a slayer."""
    kits: int = 60
    """The least median depth of each kit, in percent of the best one's: behind friends a slinger is safer than a digger."""


BOUNDS: Final = {
    1: Bounds(0, growth=0, kits=75),
    2: Bounds(10),
    4: Bounds(30, 100),
    8: Bounds(35, 100, growth=60),
}
"""By the number of players."""

PROMISED_FOR: Final = 1_000
"""The lives of a table for which the promises are made: without a margin for what each life or creature shows."""

_SPREAD: Final = 120
"""Twice the spread of the blows of one fight, or of the danger of one visit, in percent of their mean."""

_SPREAD_OF_REALMS: Final = 40
"""Twice the spread of the meetings with growth of one realm, in percent of their mean: 38 in 42 realms of one player."""

_DANGER_ABOVE: Final = {1: 50, 2: 100}
"""The least danger of the depths where lives begin, in tenths of a percent: there most creatures sleep."""

_LAST_DEPTH: Final = 26


def broken_promises(summary: Summary, players: int = 1) -> list[str]:
    """Return a sentence for each promise that a summary of lives with heirs does not keep.

    The figures of a fight are promised for one against one. In company their bounds are wider (`BOUNDS`): a kill
    counts only if all who struck have the level of the victim, which leaves the short fights, and friends take
    blows for each other.
    """
    bounds = BOUNDS[players]
    return [
        *_blows(summary, bounds),
        *_depths(summary, bounds.slack),
        *_lives(summary),
        *_creatures(summary, bounds.growth),
        *_items(summary),
        *_styles(summary, bounds.slack),
        *_growth(summary, bounds.growth),
        *_choices(summary, bounds.kits),
    ]


def _within(name: str, value: int | None, least: int | None, most: int | None) -> Iterator[str]:
    """Yield a sentence if a figure is missing or out of its bounds."""
    if value is None or (least is not None and value < least) or (most is not None and value > most):
        yield f"{name}: {value}, promised {'' if least is None else least} to {'' if most is None else most}"


def _spread(count: int) -> int:
    """Return two standard errors of the mean of some visits or fights, in percent: a thousand lives hold few fights far down."""
    return _SPREAD // isqrt(max(1, count))


def _few(summary: Summary, count: int) -> int:
    """Return `_spread`; 0 for as many lives as promised."""
    return 0 if summary.lives >= PROMISED_FOR else _spread(count)


def _share(
    summary: Summary, name: str, count: int, whole: int, least: int | None, most: int | None
) -> Iterator[str]:
    """Yield a sentence if a share, in tenths of a percent, is out of its bounds; of fewer lives than promised, by two errors."""

    def margin(bound: int) -> int:
        return 0 if summary.lives >= PROMISED_FOR else 2 * isqrt(bound * (1_000 - bound) // max(1, whole)) + 1

    yield from _within(
        f"tenths of a percent {name}",
        ratio(count, whole, 1_000),
        None if least is None else least - margin(least),
        None if most is None else most + margin(most),
    )


def _about(name: str, value: int | None, least: int | None, most: int, slack: int) -> Iterator[str]:
    """Yield a sentence if a figure is missing or out of bounds that are wider by `slack` percent."""
    lowest = None if least is None else least * (100 - slack) // 100
    yield from _within(name, value, lowest, most * (100 + slack) // 100)


def _blows(summary: Summary, bounds: Bounds) -> Iterator[str]:
    """Yield the broken figures of fights at equal level. The first levels are easier, because lives begin gently."""
    for at, band in enumerate(summary.bands):
        needed = bounds.fellings * min(summary.lives, PROMISED_FOR) // PROMISED_FOR
        yield from _within(f"fellings at level {band.levels}", band.felled, needed, None)
        kill, die = (270, 900) if at == 0 else (300, 800)
        slack = bounds.slack + _spread(band.felled)
        yield from _about(
            f"hundredths of a blow to kill at level {band.levels}", band.to_kill, kill, 400, slack
        )
        yield from _about(f"hundredths of a blow to die at level {band.levels}", band.to_die, 700, die, slack)


def _depths(summary: Summary, slack: int) -> Iterator[str]:
    """Yield what is broken on the depths; those with few visits tell nothing of their danger."""
    for each in summary.depths[:_LAST_DEPTH]:
        if each.visits >= VISITS_LEAST:
            yield from _about(
                f"tenths of a percent in danger on depth {each.depth}",
                each.danger,
                _DANGER_ABOVE.get(each.depth, 150),
                300,
                slack + _spread(each.visits),
            )
    if summary.depths:
        first = summary.depths[0]
        most = 50 * (100 + slack) // 100
        yield from _share(summary, "of visits that end on depth 1", first.deaths, first.visits, None, most)
        yield from _within("deaths by grown creatures on depth 1", summary.depths[0].deaths_by_grown, 0, 0)
    if len(summary.depths) >= _LAST_DEPTH and summary.depths[_LAST_DEPTH - 1].visits >= VISITS_LEAST:
        deadly = summary.depths[_LAST_DEPTH - 1].deadly
        yield from _about("tenths of a percent of visits that end on depth 26", deadly, 150, 200, slack)
    yield from _about(
        "hundredths of the worst step down", summary.cliff, None, 200, slack + 5 * _few(summary, VISITS_LEAST)
    )


def _lives(summary: Summary) -> Iterator[str]:
    worst = max((count for _, count in summary.causes), default=0)
    died = sum(count for _, count in summary.causes)
    yield from _share(summary, "won", summary.won, summary.lives, 5, 30)
    yield from _share(summary, "starved", summary.starved, summary.lives, 0, 30)
    yield from _share(summary, "by one cause", worst, died, 0, 149)
    yield from _within("kinds met at the median", summary.kinds_met.median, 24, None)
    yield from _within("turns for each level gained", summary.turns_for_level, 150, 400)
    heirs = 800 * (100 - _few(summary, summary.realms)) // 100
    yield from _within("depth of heirs in tenths of a percent", summary.heir_depth, heirs, None)


def _creatures(summary: Summary, slack: int) -> Iterator[str]:
    died = sum(count for _, count in summary.causes)
    gained = summary.learned + summary.learned_otherwise
    least, most = 120 * (100 - slack) // 100, 200 * (100 + slack) // 100
    yield from _share(summary, "of deaths by grown creatures", summary.died_by_grown, died, least, most)
    by_prey = ratio(summary.learned_by_prey, gained, 1_000)
    yield from _within("tenths of a percent of creatures' levels by killing creatures", by_prey, 400, None)
    marked = ratio(summary.grown_marked, summary.grown_met, 1_000)
    yield from _within("tenths of a percent of the grown that are marked", marked, 900, None)
    hounded = ratio(summary.hounded or 0, 1_000, summary.realms) or 0
    yield from _share(summary, "of realms with a hounded player", hounded, summary.realms, None, 49)


def _items(summary: Summary) -> Iterator[str]:
    yield from _within("tenths of a percent of first things that are food", summary.food, None, 333)
    yield from _within("tenths of a percent of realms with gear by depth 2", summary.armed, 950, None)
    yield from _within("tenths of a percent of realms with magic by depth 2", summary.magic, 950, None)


def _styles(summary: Summary, slack: int) -> Iterator[str]:
    if len(summary.styles) != 3:
        yield f"styles played: {len(summary.styles)}, promised 3"
    for each in summary.styles:
        yield from _within(
            f"tenths of a percent of own means of the {each.name}", each.own, 150 * (100 - slack) // 100, None
        )


def _growth(summary: Summary, slack: int) -> Iterator[str]:
    """Yield what is broken of growth that players meet, in hundredths in 1,000 turns."""
    growth = summary.growth
    slack += 0 if summary.lives >= PROMISED_FOR else _SPREAD_OF_REALMS // isqrt(max(1, summary.realms))
    yield from _about("hundredths of grown ones in 1,000 turns", growth.grown, 500, 800, slack)
    yield from _about("hundredths of named ones in 1,000 turns", growth.named, 60, 100, slack)
    yield from _within("hundredths of level-ups read in 1,000 turns", growth.read, 100 - slack, None)
    yield from _share(summary, "of the grown two levels up", growth.tall, summary.grown_met, 350, None)
    yield from _share(summary, "of departures in sight", growth.leaving_read, growth.left, 100, None)


def _choices(summary: Summary, least_percent: int) -> Iterator[str]:
    """Yield the kits that fall behind the best kit, and the cards that are taken nearly always or never."""
    kits = [each for each in summary.kits if each.lives >= VISITS_LEAST]
    best = max((each.depth for each in kits), default=0)
    for kit in kits:
        yield from _within(
            f"median depth of the {kit.name}", kit.depth, -(-best * least_percent // 100), None
        )
    for card in summary.options:
        if card.offered >= VISITS_LEAST:
            yield from _share(summary, f"that take {card.name}", card.taken, card.offered, 80, 600)


if __name__ == "__main__":
    made = msgspec.json.decode(Path(sys.argv[1]).read_bytes(), type=Summary)
    for sentence in broken_promises(made, *map(int, sys.argv[2:])):
        print(sentence)  # noqa: T201  # the output of a tool
