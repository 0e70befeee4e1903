"""Results -> a summary. The same results give the same summary. Whole numbers only. Pure."""

from collections import Counter
from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Final

from msgspec import Struct, field

from gloam_lab.balance.half_hour import HalfHour, half_hour
from gloam_lab.balance.run_stats import (
    BANDS,
    AttackCounts,
    DepthCounts,
    GroundDeaths,
    Life,
    Means,
    OfferCounts,
    RunStats,
    ratio,
)

STARVATION: Final = frozenset({"starvation", "choking", "overeating"})

_HARMLESS: Final = 3
"""The percentage of visits with a death below which a depth is as good as harmless."""

VISITS_LEAST: Final = 100
"""A depth with fewer visits says little about its deadliness: of 40, one in three says anything from 20 % to 50 %."""

IN_A_ROW: Final = 3
"""The lives of one player in a row that one creature must end to be counted."""


class Spread(Struct, frozen=True):
    """The spread of a number over all lives."""

    lower: int
    median: int
    upper: int
    most: int


class Band(Struct, frozen=True):
    """Blows at equal level in one band of levels: `felled` monsters, `to_kill` and `to_die` in hundredths of a blow."""

    levels: str
    felled: int
    to_kill: int | None
    taken: int
    to_die: int | None


class Depth(Struct, frozen=True):
    """One depth: the lives that visited it, and their deaths; shares in tenths of a percent."""

    depth: int
    visits: int
    deaths: int
    deadly: int | None
    deaths_by_grown: int
    turns: int
    danger: int | None


class Style(Struct, frozen=True):
    """One style of bots: its lives, their median depth, its actions in fights, and the share of its own means in them."""

    name: str
    lives: int
    depth: int
    actions: int
    own: int | None


class Kit(Struct, frozen=True):
    """The lives that chose a kit: how many, their median depth."""

    name: str
    lives: int
    depth: int


class Option(Struct, frozen=True):
    """A bent or card: how often it was offered and taken, and the share of that in tenths of a percent."""

    name: str
    offered: int
    taken: int
    share: int | None


class Growth(Struct, frozen=True):
    """Meetings of players with growth: in 1,000 turns, in hundredths, or in all; as in `RunStats`."""

    tall: int
    grown: int | None
    named: int | None
    read: int | None
    left: int
    leaving_read: int
    avenged: int
    half_hour: HalfHour


class Summary(Struct, frozen=True):
    """The summary of a series of lives.

    Shares are in tenths of a percent, blows in hundredths, None where none fell.

    `schooled` is the share of the realms with a death in which monsters gained levels by kills, `mourning` how many
    realms these are. `survivors` is the number of lives that reached each depth, from 1. `cliff` is the largest ratio
    of deaths for each visit of two neighboring depths, in hundredths, and `cliff_at` the lower of them. `heir_depth` is
    the median depth of heirs as a share of the depth of first lives. `hounded` is the share of the realms where one
    creature ended more than two lives of a player in a row. `ground` are the deaths with ground in their
    cause; tables of before have none.
    """

    lives: int
    realms: int
    won: int
    alive: int
    depth: Spread
    level: Spread
    turns: Spread
    kinds_met: Spread
    turns_for_level: int | None
    causes: tuple[tuple[str, int], ...]
    starved: int
    felled_by_players: int
    felled_by_monsters: int
    players_felled: int
    learned: int
    learned_by_prey: int
    learned_otherwise: int
    rise: int
    mourning: int
    schooled: int | None
    grown_met: int
    grown_marked: int
    growth: Growth
    died_by_grown: int
    hounded: int | None
    first_depth: int
    heir_depth: int | None
    bands: tuple[Band, ...]
    to_kill: int | None
    to_die: int | None
    depths: tuple[Depth, ...]
    cliff: int | None
    cliff_at: int
    styles: tuple[Style, ...]
    kits: tuple[Kit, ...]
    options: tuple[Option, ...]
    food: int | None
    armed: int | None
    magic: int | None
    survivors: tuple[int, ...]
    met: tuple[str, ...]
    ground: GroundDeaths = field(default_factory=GroundDeaths)


def _ground(runs: list[RunStats]) -> GroundDeaths:
    each = [stats.ground for stats in runs]
    return GroundDeaths(sum(one.players for one in each), sum(one.foes for one in each))


def _growth(runs: list[RunStats]) -> Growth:
    return Growth(
        tall=sum(stats.grown_tall for stats in runs),
        grown=_in_1000_turns(runs, lambda stats: stats.grown_met),
        named=_in_1000_turns(runs, lambda stats: stats.named_met),
        read=_in_1000_turns(runs, lambda stats: stats.growth_read),
        left=sum(stats.left for stats in runs),
        leaving_read=sum(stats.leaving_read for stats in runs),
        avenged=sum(stats.avenged for stats in runs),
        half_hour=half_hour(runs),
    )


def _in_1000_turns(runs: list[RunStats], count: Callable[[RunStats], int]) -> int | None:
    """Return how often something happened in 1,000 turns of players, in hundredths."""
    turns = sum(each.turns for stats in runs for each in stats.depths)
    return ratio(sum(map(count, runs)) * 1_000, turns, 100)


def summarise(runs: list[RunStats]) -> Summary:
    """Return the summary of these results, of at least one life."""
    lives = [life for stats in runs for life in stats.lives]
    died = [life for life in lives if life.end == "died"]
    causes = Counter(life.cause for life in died)
    mourning = [stats for stats in runs if any(life.end == "died" for life in stats.lives)]
    blows = _sum_blows(runs)
    whole = AttackCounts(
        *(sum(getattr(each, name) for each in blows) for name in AttackCounts.__struct_fields__)
    )
    depths = _depths(runs)
    cliff, cliff_at = _cliff(depths)
    items = [stats.items for stats in runs]
    return Summary(
        lives=len(lives),
        realms=len(runs),
        won=sum(life.end == "won" for life in lives),
        alive=sum(life.end == "alive" for life in lives),
        depth=_spread(life.depth for life in lives),
        level=_spread(life.level for life in lives),
        turns=_spread(life.turns for life in lives),
        kinds_met=_spread(life.met for life in lives),
        turns_for_level=ratio(sum(life.turns for life in lives), sum(life.level - 1 for life in lives), 1),
        causes=tuple(sorted(causes.items(), key=lambda each: (-each[1], each[0]))),
        starved=sum(causes[cause] for cause in STARVATION),
        felled_by_players=sum(stats.felled_by_players for stats in runs),
        felled_by_monsters=sum(stats.felled_by_monsters for stats in runs),
        players_felled=sum(stats.players_felled for stats in runs),
        learned=sum(stats.learned for stats in runs),
        learned_by_prey=sum(stats.learned_by_prey for stats in runs),
        learned_otherwise=sum(stats.learned_otherwise for stats in runs),
        rise=max(stats.rise for stats in runs),
        mourning=len(mourning),
        schooled=ratio(sum(stats.schooled for stats in mourning), len(mourning), 1_000),
        grown_met=sum(stats.grown_met for stats in runs),
        grown_marked=sum(stats.grown_marked for stats in runs),
        growth=_growth(runs),
        died_by_grown=sum(life.killer_grown > 0 for life in died),
        hounded=ratio(sum(map(_is_hounded, runs)), len(runs), 1_000),
        first_depth=_median(life.depth for life in lives if not life.heir),
        heir_depth=_heir_depth(lives),
        bands=tuple(
            _band(levels, each, [stats.bands[at] for stats in runs])
            for at, (levels, each) in enumerate(zip(BANDS, blows, strict=True))
        ),
        to_kill=ratio(whole.dealt, whole.felled, 100),
        to_die=ratio(whole.taken * 1_000, whole.lost, 100),
        depths=depths,
        cliff=cliff,
        cliff_at=cliff_at,
        styles=_styles(runs, lives),
        kits=_kits(lives),
        options=_options(runs),
        food=ratio(sum(each.food for each in items), sum(each.things for each in items), 1_000),
        armed=ratio(sum(each.armed for each in items), len(items), 1_000),
        magic=ratio(sum(each.magic for each in items), len(items), 1_000),
        survivors=_survivors(lives),
        met=tuple(sorted({kind for stats in runs for kind in stats.met})),
        ground=_ground(runs),
    )


def _sum_blows(runs: list[RunStats]) -> list[AttackCounts]:
    """Return the blows of all realms, by band."""
    sums = [AttackCounts() for _ in BANDS]
    for stats in runs:
        for into, each in zip(sums, stats.bands, strict=True):
            _add(into, each)
    return sums


def _band(levels: str, blows: AttackCounts, realms: list[AttackCounts]) -> Band:
    """Return the figures of a band.

    For the hits until death a realm counts with at most a fiftieth of all hits: one player who withstands a siege of 900 hits would
    otherwise move the figure of 200 realms by a fifth.
    """
    most = max(1, blows.taken // 50)
    capped = [(min(each.taken, most), each) for each in realms if each.taken]
    lost = sum(each.lost * taken // each.taken for taken, each in capped)
    return Band(
        levels,
        blows.felled,
        ratio(blows.dealt, blows.felled, 100),
        blows.taken,
        ratio(sum(taken for taken, _ in capped) * 1_000, lost, 100),
    )


def _depths(runs: list[RunStats]) -> tuple[Depth, ...]:
    sums: list[DepthCounts] = []
    for stats in runs:
        for at, each in enumerate(stats.depths):
            if at == len(sums):
                sums.append(DepthCounts())
            _add(sums[at], each)
    return tuple(
        Depth(
            depth,
            each.visits,
            each.deaths,
            ratio(each.deaths, each.visits, 1_000),
            each.deaths_by_grown,
            each.turns,
            ratio(each.danger, each.turns, 1_000),
        )
        for depth, each in enumerate(sums, 1)
    )


def _cliff(depths: tuple[Depth, ...]) -> tuple[int | None, int]:
    """Return the largest ratio of the deaths for each visit of two neighboring depths, and the lower of the two.

    A depth that ends fewer than `_HARMLESS` percent of its visits counts as one with that share: from one death in a
    hundred to four is no cliff.
    """
    steps = [
        (ratio(below.deaths * above.visits * 100, _deadly(above) * below.visits, 100) or 0, -below.depth)
        for above, below in pairwise(depths)
        if min(above.visits, below.visits) >= VISITS_LEAST
    ]
    most = max(steps, default=None)
    return (None, 0) if most is None else (most[0], -most[1])


def _deadly(depth: Depth) -> int:
    """Return the hundredths of deaths of a depth, at least `_HARMLESS` percent of its visits."""
    return max(1, depth.deaths * 100, depth.visits * _HARMLESS)


def _styles(runs: list[RunStats], lives: list[Life]) -> tuple[Style, ...]:
    sums: dict[str, Means] = {}
    for stats in runs:
        for name, each in stats.means.items():
            _add(sums.setdefault(name, Means()), each)
    return tuple(
        Style(
            name,
            sum(life.style == name for life in lives),
            _median(life.depth for life in lives if life.style == name),
            each.actions,
            ratio(each.own, each.actions, 1_000),
        )
        for name, each in sorted(sums.items())
    )


def _kits(lives: list[Life]) -> tuple[Kit, ...]:
    chosen: dict[str, list[int]] = {}
    for life in lives:
        if life.kit:
            chosen.setdefault(life.kit, []).append(life.depth)
    return tuple(Kit(name, len(depths), _median(depths)) for name, depths in sorted(chosen.items()))


def _options(runs: list[RunStats]) -> tuple[Option, ...]:
    sums: dict[str, OfferCounts] = {}
    for stats in runs:
        for name, each in stats.choices.offers.items():
            _add(sums.setdefault(name, OfferCounts()), each)
    return tuple(
        Option(name, each.offered, each.taken, ratio(each.taken, each.offered, 1_000))
        for name, each in sorted(sums.items())
    )


def _add(into: Struct, other: Struct) -> None:
    """Add all numbers of one count to another of the same kind."""
    for name in into.__struct_fields__:
        setattr(into, name, getattr(into, name) + getattr(other, name))


def _is_hounded(stats: RunStats) -> bool:
    """Return whether one creature ended more than two lives of a player in a row."""
    row, before = 0, (0, 0)
    for life in stats.lives:
        now = (life.player, life.killer)
        row = row + 1 if life.killer and now == before else 1
        before = now
        if row >= IN_A_ROW:
            return True
    return False


def _heir_depth(lives: list[Life]) -> int | None:
    """Return the median depth of heirs as a share of first lives' depth; None without heirs."""
    heirs = [life.depth for life in lives if life.heir]
    return (
        ratio(_median(heirs), _median(life.depth for life in lives if not life.heir), 1_000)
        if heirs
        else None
    )


def _spread(numbers: Iterable[int]) -> Spread:
    """Return the quartiles, each one of the numbers themselves: the lower of two in the middle."""
    ordered = sorted(numbers)
    lower, median, upper = (ordered[(len(ordered) - 1) * quarter // 4] for quarter in (1, 2, 3))
    return Spread(lower, median, upper, ordered[-1])


def _median(numbers: Iterable[int]) -> int:
    """Return the median, the lower of two in the middle; 0 of nothing."""
    ordered = sorted(numbers)
    return ordered[(len(ordered) - 1) // 2] if ordered else 0


def _survivors(lives: list[Life]) -> tuple[int, ...]:
    deepest = max(life.depth for life in lives)
    return tuple(sum(life.depth >= depth for life in lives) for depth in range(1, deepest + 1))
