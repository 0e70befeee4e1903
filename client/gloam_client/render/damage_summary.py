"""The blows of the last turns in sums: what the player dealt and took, and from which foes. Pure."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from gloam_client.state.model import Entry

TURNS: Final = 10
"""The number of turns that a summary covers."""
_FOES_MAX: Final = 3


class DamageSummary(NamedTuple):
    """The damage in blows of the last turns; `sources` are the foes that did it, the worst first."""

    dealt: int = 0
    taken: int = 0
    sources: tuple[tuple[str, int], ...] = ()


def damage_summary(log: Sequence[Entry], turn: int) -> DamageSummary:
    """Return the sums over the `TURNS` turns up to `turn`."""
    dealt, taken = 0, dict[str, int]()
    first = turn - TURNS
    for entry in reversed(log):
        if entry.turn <= first:
            break
        if entry.blow is None:
            continue
        foe, mine, damage = entry.blow
        if mine:
            dealt += damage
        else:
            taken[foe] = taken.get(foe, 0) + damage
    sources = sorted(((foe, hurt) for foe, hurt in taken.items() if hurt), key=lambda one: (-one[1], one[0]))
    return DamageSummary(dealt, sum(taken.values()), tuple(sources))


def summary_words(summary: DamageSummary) -> str:
    """Return a summary in words: "Last 10 turns: 34 dealt, 12 taken (the orc 8, the rat 4)"; "" without damage."""
    if not summary.dealt and not summary.taken:
        return ""
    foes = [f"{foe} {hurt}" for foe, hurt in summary.sources[:_FOES_MAX]]
    inside = f" ({', '.join(foes)})" if foes else ""
    return f"Last {TURNS} turns: {summary.dealt} dealt, {summary.taken} taken{inside}"
