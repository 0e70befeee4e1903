"""A summary -> its printed table. The same summary gives the same bytes. Pure."""

from typing import Final

from gloam_lab.balance.run_stats import ratio
from gloam_lab.balance.runs import Batch
from gloam_lab.balance.summary import Spread, Summary

CAUSES_MAX: Final = 12
"""The number of causes of death with their own row; the others share one."""


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
        _spread_row("kinds of creatures met", summary.kinds_met),
        "",
        _share_row("won", summary.won, lives),
        _share_row("still alive", summary.alive, lives),
        _share_row("starved or overate", summary.starved, lives),
        f"{'turns for each level gained':28}{_count(summary.turns_for_level):>9}",
        "",
        "deaths by",
        *_cause_rows(summary),
        _share_row("deaths by grown creatures", summary.died_by_grown, summary.players_felled),
        _share_row(
            "deaths with ground in them", summary.ground.players, sum(count for _, count in summary.causes)
        ),
        _count_row("foes' with ground in them", summary.ground.foes),
        "",
        *_heir_rows(summary),
        "kills",
        _count_row("of monsters by players", summary.felled_by_players),
        _count_row("of monsters by monsters", summary.felled_by_monsters),
        _count_row("of players by monsters", summary.players_felled),
        "",
        *_monster_rows(summary),
        "",
        *_band_rows(summary),
        "",
        *_depth_rows(summary),
        "",
        *_style_rows(summary),
        "",
        *_choice_rows(summary),
        *_half_hour_rows(summary),
        "when a realm is new",
        f"{'  food of things, depths 1-5':28}{_percent(summary.food):>9}",
        f"{'  weapon, armor by depth 2':28}{_percent(summary.armed):>9}",
        f"{'  scroll, wand, book by 2':28}{_percent(summary.magic):>9}",
        "",
        "creatures met",
        *_kinds_met_rows(summary, kinds),
    ]
    return "".join(f"{row}\n".replace(" \n", "\n") for row in rows)


def _cause_rows(summary: Summary) -> list[str]:
    dead = sum(count for _, count in summary.causes)
    named = [_share_row(f"  {cause}", count, dead) for cause, count in summary.causes[:CAUSES_MAX]]
    rest = sum(count for _, count in summary.causes[CAUSES_MAX:])
    return [*named, _share_row("  all others", rest, dead)] if rest else named or ["  no player died"]


def _heir_rows(summary: Summary) -> list[str]:
    if summary.heir_depth is None:
        return []
    return [
        "heirs",
        _count_row("median depth, first lives", summary.first_depth),
        f"{'  of heirs, in percent of it':28}{_percent(summary.heir_depth):>9}",
        f"{'  realms with one creature':28}{_percent(summary.hounded):>9}",
        "  ending three lives in a row",
        "",
    ]


def _monster_rows(summary: Summary) -> list[str]:
    gained = summary.learned + summary.learned_otherwise
    return [
        "monsters",
        _count_row("levels gained by kills", summary.learned),
        _share_row("  levels by killing creatures", summary.learned_by_prey, gained),
        _count_row("most above its first level", summary.rise),
        f"{'  realms with a death where':28}{_percent(summary.schooled):>9}",
        f"{'  they gained levels':28}{'of ' + str(summary.mourning):>9}",
        _count_row("grown ones met", summary.grown_met),
        _share_row("  marked when first seen", summary.grown_marked, summary.grown_met),
        _share_row("  two levels up or more", summary.growth.tall, summary.grown_met),
        f"{'  in 1,000 turns':28}{_hundredths(summary.growth.grown):>9}",
        f"{'named ones in 1,000 turns':28}{_hundredths(summary.growth.named):>9}",
        f"{'level-ups read in 1,000':28}{_hundredths(summary.growth.read):>9}",
        _share_row("left their depth in sight", summary.growth.leaving_read, summary.growth.left),
        _count_row("named ones avenged", summary.growth.avenged),
    ]


def _band_rows(summary: Summary) -> list[str]:
    return [
        f"{'blows at equal level':28}{'felled':>9}{'to kill':>9}{'hits':>9}{'to die':>9}",
        *(
            f"{'  level ' + each.levels:28}{each.felled:>9}{_hundredths(each.to_kill):>9}"
            f"{each.taken:>9}{_hundredths(each.to_die):>9}"
            for each in summary.bands
        ),
        f"{'  to kill':28}{_hundredths(summary.to_kill):>9}",
        f"{'  to die':28}{_hundredths(summary.to_die):>9}",
    ]


def _depth_rows(summary: Summary) -> list[str]:
    rows = [
        f"{'by depth':14}{'lives':>9}{'deaths':>9}{'of them':>9}{'by grown':>9}{'turns':>9}{'danger':>9}",
        *(
            f"{'  ' + str(each.depth):14}{each.visits:>9}{each.deaths:>9}{_percent(each.deadly):>9}"
            f"{each.deaths_by_grown:>9}{each.turns:>9}{_percent(each.danger):>9}"
            for each in summary.depths
        ),
    ]
    if summary.cliff is not None:
        rows.append(
            f"{'  worst step down':28}{_hundredths(summary.cliff):>9}{'at ' + str(summary.cliff_at):>9}"
        )
    return rows


def _style_rows(summary: Summary) -> list[str]:
    return [
        f"{'styles':28}{'lives':>9}{'depth':>9}{'actions':>9}{'own':>9}",
        *(
            f"{'  ' + each.name:28}{each.lives:>9}{each.depth:>9}{each.actions:>9}{_percent(each.own):>9}"
            for each in summary.styles
        ),
    ]


def _choice_rows(summary: Summary) -> list[str]:
    """Return the rows of kits, and of bents and cards; none in a campaign without them."""
    kits = [f"{'  ' + each.name:28}{each.lives:>9}{each.depth:>9}" for each in summary.kits]
    options = [
        f"{'  ' + each.name:28}{each.offered:>9}{each.taken:>9}{_percent(each.share):>9}"
        for each in summary.options
    ]
    return [
        *([f"{'kits':28}{'lives':>9}{'depth':>9}", *kits, ""] if kits else []),
        *(
            [f"{'bents and cards':28}{'offered':>9}{'taken':>9}{'of them':>9}", *options, ""]
            if options
            else []
        ),
    ]


def _half_hour_rows(summary: Summary) -> list[str]:
    """Return what a player meets and chooses in half an hour."""
    met = summary.growth.half_hour
    return [
        "in 2,000 turns",
        f"{'  grown ones met':28}{_hundredths(met.grown):>9}",
        f"{'  named ones met':28}{_hundredths(met.named):>9}",
        f"{'  level-ups read':28}{_hundredths(met.read):>9}",
        f"{'  choices':28}{_hundredths(met.choices):>9}",
        f"{'    of them gear':28}{_hundredths(met.gear):>9}",
        f"{'    in the first 2,000':28}{_hundredths(met.first):>9}",
        f"{'  that styles take apart':28}{_hundredths(met.apart):>9}",
        "",
    ]


def _kinds_met_rows(summary: Summary, kinds: tuple[str, ...]) -> list[str]:
    unmet = [kind for kind in kinds if kind not in summary.met]
    rows = [f"{'  of the kinds there are':28}{len(kinds) - len(unmet):>9}{'of ' + str(len(kinds)):>9}"]
    return [*rows, f"  never: {', '.join(unmet)}"] if unmet else rows


def _spread_row(word: str, spread: Spread) -> str:
    return f"{word:28}{spread.lower:>9}{spread.median:>9}{spread.upper:>9}{spread.most:>9}"


def _share_row(word: str, count: int, whole: int) -> str:
    return f"{word:28}{count:>9}{_percent(ratio(count, whole, 1_000)):>9}"


def _count_row(word: str, count: int) -> str:
    return f"{'  ' + word:28}{count:>9}"


def _count(number: int | None) -> str:
    return "-" if number is None else str(number)


def _percent(tenths: int | None) -> str:
    return "-" if tenths is None else f"{tenths // 10}.{tenths % 10} %"


def _hundredths(number: int | None) -> str:
    return "-" if number is None else f"{number // 100}.{number % 100:02}"
