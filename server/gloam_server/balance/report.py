"""Tales -> a summary, and the table that is printed of it. The same tales give the same bytes. Pure."""

from collections import Counter
from typing import Final

from msgspec import Struct

from gloam_server.balance.observer import Life, RunStats
from gloam_server.balance.runs import Batch

CAUSES_MAX: Final = 12
"""The number of causes of death with their own row; the others share one."""

STARVATION: Final = frozenset({"starvation", "choking", "overeating"})


class Spread(Struct, frozen=True):
    """How a number spreads over all lives."""

    lower: int
    median: int
    upper: int
    most: int


class Summary(Struct, frozen=True):
    """What a series of lives came to. Shares are in tenths of a percent, blows in hundredths, None where none fell.

    `schooled` is the share of the realms with a death in which monsters gained levels by kills, `mourning` how
    many realms these are. `survivors` is the number of lives that reached each depth, from 1.
    """

    lives: int
    realms: int
    won: int
    alive: int
    depth: Spread
    level: Spread
    turns: Spread
    causes: tuple[tuple[str, int], ...]
    starved: int
    felled_by_players: int
    felled_by_monsters: int
    players_felled: int
    learned: int
    rise: int
    mourning: int
    schooled: int | None
    to_kill: int | None
    to_die: int | None
    survivors: tuple[int, ...]
    met: tuple[str, ...]


def summarise(tales: list[RunStats]) -> Summary:
    """Return what these tales, of at least one life, come to."""
    lives = [life for tale in tales for life in tale.lives]
    died = [life for life in lives if life.end == "died"]
    causes = Counter(life.cause for life in died)
    mourning = [tale for tale in tales if any(life.end == "died" for life in tale.lives)]
    blows = [tale.blows for tale in tales]
    return Summary(
        lives=len(lives),
        realms=len(tales),
        won=sum(life.end == "won" for life in lives),
        alive=sum(life.end == "alive" for life in lives),
        depth=_spread([life.depth for life in lives]),
        level=_spread([life.level for life in lives]),
        turns=_spread([life.turns for life in lives]),
        causes=tuple(sorted(causes.items(), key=lambda each: (-each[1], each[0]))),
        starved=sum(causes[cause] for cause in STARVATION),
        felled_by_players=sum(tale.felled_by_players for tale in tales),
        felled_by_monsters=sum(tale.felled_by_monsters for tale in tales),
        players_felled=sum(tale.players_felled for tale in tales),
        learned=sum(tale.learned for tale in tales),
        rise=max(tale.rise for tale in tales),
        mourning=len(mourning),
        schooled=_ratio(sum(tale.schooled for tale in mourning), len(mourning), 1_000),
        to_kill=_ratio(sum(each.dealt for each in blows), sum(each.felled for each in blows), 100),
        to_die=_ratio(sum(each.taken for each in blows) * 1_000, sum(each.lost for each in blows), 100),
        survivors=_survivors(lives),
        met=tuple(sorted({kind for tale in tales for kind in tale.met})),
    )


def table(series: Batch, key: str, summary: Summary, kinds: tuple[str, ...]) -> str:
    """Return the table of a series; `kinds` are the names of all creatures that the campaign holds."""
    lives = summary.lives
    rows = [
        f"{key}: {lives} lives of {series.players} in {summary.realms} realms, seed {series.seed}",
        "",
        f"{'':28}{'lower':>9}{'median':>9}{'upper':>9}{'most':>9}",
        _spread_row("depth reached", summary.depth),
        _spread_row("level", summary.level),
        _spread_row("turns", summary.turns),
        "",
        _share_row("won", summary.won, lives),
        _share_row("still alive", summary.alive, lives),
        _share_row("starved or overate", summary.starved, lives),
        "",
        "deaths by",
        *_cause_rows(summary),
        "",
        "kills",
        _count_row("of monsters by players", summary.felled_by_players),
        _count_row("of monsters by monsters", summary.felled_by_monsters),
        _count_row("of players by monsters", summary.players_felled),
        "",
        "monsters",
        _count_row("levels gained by kills", summary.learned),
        _count_row("most above its first level", summary.rise),
        f"{'  realms with a death where':28}{_percent(summary.schooled):>9}",
        f"{'  they gained levels':28}{'of ' + str(summary.mourning):>9}",
        "",
        "blows at equal level",
        f"{'  to kill':28}{_hundredths(summary.to_kill):>9}",
        f"{'  to die':28}{_hundredths(summary.to_die):>9}",
        "",
        "creatures met",
        *_met_rows(summary, kinds),
    ]
    return "".join(f"{row}\n".replace(" \n", "\n") for row in rows)


def _cause_rows(summary: Summary) -> list[str]:
    dead = sum(count for _, count in summary.causes)
    named = [_share_row(f"  {cause}", count, dead) for cause, count in summary.causes[:CAUSES_MAX]]
    rest = sum(count for _, count in summary.causes[CAUSES_MAX:])
    return [*named, _share_row("  all others", rest, dead)] if rest else named or ["  no player died"]


def _met_rows(summary: Summary, kinds: tuple[str, ...]) -> list[str]:
    unmet = [kind for kind in kinds if kind not in summary.met]
    rows = [f"{'  of the kinds there are':28}{len(kinds) - len(unmet):>9}{'of ' + str(len(kinds)):>9}"]
    return [*rows, f"  never: {', '.join(unmet)}"] if unmet else rows


def _spread_row(word: str, spread: Spread) -> str:
    return f"{word:28}{spread.lower:>9}{spread.median:>9}{spread.upper:>9}{spread.most:>9}"


def _share_row(word: str, count: int, whole: int) -> str:
    return f"{word:28}{count:>9}{_percent(_ratio(count, whole, 1_000)):>9}"


def _count_row(word: str, count: int) -> str:
    return f"{'  ' + word:28}{count:>9}"


def _percent(tenths: int | None) -> str:
    return "-" if tenths is None else f"{tenths // 10}.{tenths % 10} %"


def _hundredths(number: int | None) -> str:
    return "-" if number is None else f"{number // 100}.{number % 100:02}"


def _ratio(count: int, whole: int, scale: int) -> int | None:
    """Return count / whole in parts of `scale`, rounded to the nearest; None of nothing."""
    return (2 * count * scale + whole) // (2 * whole) if whole else None


def _spread(numbers: list[int]) -> Spread:
    """Return the quartiles, each one of the numbers themselves: the lower of two in the middle."""
    ordered = sorted(numbers)
    lower, median, upper = (ordered[(len(ordered) - 1) * quarter // 4] for quarter in (1, 2, 3))
    return Spread(lower, median, upper, ordered[-1])


def _survivors(lives: list[Life]) -> tuple[int, ...]:
    deepest = max(life.depth for life in lives)
    return tuple(sum(life.depth >= depth for life in lives) for depth in range(1, deepest + 1))
