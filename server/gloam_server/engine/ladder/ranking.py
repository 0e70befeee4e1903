"""The ranking and counting of lives: the orders of the boards, and the beginnings of day and season. Pure."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final, NamedTuple

from gloam_server.storage.directory import Death
from gloam_server.storage.host import LifeCount
from gloam_shared.protocol.messages.records import LadderOrder, LadderSpan

DAY_S: Final = 86_400
_SEASON_MONTHS: Final = 3


class RankedLife(NamedTuple):
    """A life with the form of its player's name that finds it."""

    death: Death
    folded: str


RankKey = Callable[[RankedLife], tuple[int, ...]]
"""Returns the place of a life in an order: lower is better, and no two lives are equal."""


def _key(*counts: Callable[[Death], int]) -> RankKey:
    """Return the key that compares these counts in turn, greater ones first; then who was first."""

    def key(life: RankedLife) -> tuple[int, ...]:
        death = life.death
        return (*(-count(death) for count in counts), death.at_s, death.life or 0)

    return key


def _depth(death: Death) -> int:
    return max(death.deepest, death.depth)


def _level(death: Death) -> int:
    return death.level


def _kills(death: Death) -> int:
    return death.kills


def _wins(death: Death) -> int:
    return death.wins


def _beacons(death: Death) -> int:
    return death.beacons


def _turns(death: Death) -> int:
    return death.turns


def _few_turns(death: Death) -> int:
    return -death.turns


_COUNTS: Final[dict[LifeCount, Callable[[Death], int]]] = {
    "deepest": _depth,
    "level": _level,
    "kills": _kills,
    "wins": _wins,
    "beacons": _beacons,
    "turns": _turns,
    "few turns": _few_turns,
}
ORDERED: Final[dict[LadderOrder, tuple[LifeCount, ...]]] = {
    "depth": ("deepest", "wins", "level", "few turns"),
    "level": ("level", "wins", "deepest", "few turns"),
    "kills": ("kills", "level", "deepest", "few turns"),
    "victory": ("wins", "few turns", "level", "deepest"),
    "beacons": ("beacons", "wins", "deepest", "few turns"),
    "turns": ("turns", "deepest", "level"),
}
"""The counts that rank the lives of each order, the first one first."""
KEYS: Final[dict[LadderOrder, RankKey]] = {
    order: _key(*(_COUNTS[each] for each in counts)) for order, counts in ORDERED.items()
}


NEEDED: Final[dict[LadderOrder, LifeCount]] = {"victory": "wins", "beacons": "beacons"}
"""The count that a life needs, 1 or more, to be on the board of an order; the others have all lives."""


def is_on_board(death: Death, order: LadderOrder) -> bool:
    """Return whether a life is on the boards of an order."""
    return order not in NEEDED or _COUNTS[NEEDED[order]](death) > 0


def deepest(death: Death) -> int:
    """Return the deepest level of a life; rows of older versions have only the level of its end."""
    return _depth(death)


def begins_s(span: LadderSpan, now_s: int) -> int:
    """Return when the time of a board begins, in seconds since 1970: a day or a quarter of the year in UTC."""
    if span == "day":
        return now_s - now_s % DAY_S
    if span == "season":
        now = datetime.fromtimestamp(now_s, UTC)
        first = (now.month - 1) // _SEASON_MONTHS * _SEASON_MONTHS + 1
        return int(datetime(now.year, first, 1, tzinfo=UTC).timestamp())
    return 0
