"""The blows of the last turns in sums: what the player dealt and took, and from which foes. Pure."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from gloam_client.state.fights import TURNS, Fights
from gloam_client.state.model import Entry
from gloam_client.terminal.canvas import wrap_text

_FOES_MAX: Final = 3


class DamageSummary(NamedTuple):
    """The damage in blows of the last turns; `sources` are the foes that did it, the worst first."""

    dealt: int = 0
    taken: int = 0
    sources: tuple[tuple[str, int], ...] = ()


def damage_summary(log: Sequence[Entry], fights: Fights) -> DamageSummary:
    """Return the sums over the last `TURNS` turns of the player's body, in this life: blows, magic and all other losses."""
    dealt, taken = 0, dict[str, int]()
    first = fights.turns - TURNS
    for entry in reversed(log):
        if entry.blow is None:
            continue
        if entry.at <= first:
            break
        foe, mine, damage = entry.blow
        if mine:
            dealt += damage
        else:
            taken[foe] = taken.get(foe, 0) + damage
    for turn, cause, damage in fights.losses:
        if turn > first:
            taken[cause] = taken.get(cause, 0) + damage
    sources = sorted(((foe, hurt) for foe, hurt in taken.items() if hurt), key=lambda one: (-one[1], one[0]))
    return DamageSummary(dealt, sum(taken.values()), tuple(sources))


def summary_lines(summary: DamageSummary, width: int, rows: int) -> list[str]:
    """Return a summary in lines, with as many of its foes as these rows have room for; [] without damage."""
    lines = list[str]()
    if not summary_words(summary):
        return lines
    for most in range(min(len(summary.sources), _FOES_MAX), -1, -1):
        lines = wrap_text(summary_words(summary._replace(sources=summary.sources[:most])), width)
        if len(lines) <= rows:
            break
    return lines[:rows]


def summary_words(summary: DamageSummary) -> str:
    """Return a summary in words: "Last 10 turns: 34 dealt, 12 taken (the orc 8, the rat 4)"; "" without damage."""
    if not summary.dealt and not summary.taken:
        return ""
    foes = [f"{foe} {hurt}" for foe, hurt in summary.sources[:_FOES_MAX]]
    inside = f" ({', '.join(foes)})" if foes else ""
    return f"Last {TURNS} turns: {summary.dealt} dealt, {summary.taken} taken{inside}"
