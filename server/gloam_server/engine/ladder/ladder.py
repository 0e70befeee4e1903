"""The ladder of a realm, in memory: sorted once, read from the table of deaths at the start, bounded."""

from bisect import bisect_left, insort
from collections.abc import Iterable, Sequence
from itertools import takewhile
from typing import Final

from gloam_server.engine.ladder.ranking import KEYS, RankedLife, begins_s, deepest, is_on_board
from gloam_server.storage.directory import Death
from gloam_shared.limits import LADDER_SHOWN_MAX
from gloam_shared.protocol.messages.records import AskLadder, Ladder, LadderOrder, LadderRow, LadderSpan
from gloam_shared.text import fold

NEWEST_KEPT: Final = 10_000
"""The number of newest lives that stay, even with a low rank: day and season are exact up to that number."""
BEST_KEPT: Final = 1_000
"""The number of best lives of each order that stay for ever."""
SLACK: Final = 1_000
"""The number of further lives that may wait to be deleted, so that a deletion is rare."""


class RealmLadder:
    """All kept lives in the order of their end, and sorted for each order of all time, of the season and of the day."""

    def __init__(
        self,
        deaths: Sequence[Death] = (),
        *,
        newest_kept: int = NEWEST_KEPT,
        best_kept: int = BEST_KEPT,
        slack: int = SLACK,
    ) -> None:
        self.version = 0
        """Rises with each change: what was made of the ladder before is out of date."""
        self._newest_kept = newest_kept
        self._best_kept = best_kept
        self._most = newest_kept + len(KEYS) * best_kept + slack
        lives = [RankedLife(death, fold(death.name)) for death in deaths]
        self._hold(lives, {order: sorted(lives, key=key) for order, key in KEYS.items()})

    def __len__(self) -> int:
        """Return the number of kept lives."""
        return len(self._lives)

    def add(self, deaths: Iterable[Death]) -> None:
        """Take ended lives that are durable. A life that is known already is replaced."""
        for death in deaths:
            if death.life in self._numbers:
                self._keep(self._numbers - {death.life})
            life = RankedLife(death, fold(death.name))
            self._lives.append(life)
            self._numbers.add(death.life)
            self._by_name.setdefault(life.folded, []).append(life)
            for span, orders in self._boards.items():
                if death.at_s >= self._since_s[span]:
                    for order, lives in orders.items():
                        insort(lives, life, key=KEYS[order])
            self.version += 1

    def drop_excess(self) -> list[int]:
        """Forget the lives that are neither new nor on any board, if there are many; return their numbers."""
        if len(self._lives) <= self._most:
            return []
        kept = {life.death.life for life in self._lives[-self._newest_kept :]}
        for lives in self._boards["all"].values():
            kept.update(life.death.life for life in lives[: self._best_kept])
        gone = [life.death.life for life in self._lives if life.death.life not in kept]
        self._keep(kept)
        self.version += 1
        return [number for number in gone if number is not None]

    def count_since(self, since_s: int) -> int:
        """Return how many of the newest lives ended at that time or later."""
        newest = takewhile(lambda life: life.death.at_s >= since_s, reversed(self._lives))
        return sum(1 for _ in newest)

    def board(self, ask: AskLadder, now_s: int, campaign: str, content: str, rules: int) -> Ladder:
        """Return one board. Except for a party it costs the same for any number of lives."""
        since_s = begins_s(ask.span, now_s)
        lives = self._party(ask) if ask.span == "party" else self._span(ask.span, since_s)[ask.order]
        count = bisect_left(lives, 1, key=lambda life: not is_on_board(life.death, ask.order))
        rows = tuple(
            row_of(rank, life.death) for rank, life in enumerate(lives[: min(count, LADDER_SHOWN_MAX)], 1)
        )
        own = self._own(ask, lives[:count] if ask.span == "party" else lives, since_s)
        return Ladder(ask.span, ask.order, campaign, content, rules, since_s, count, rows, own)

    def _own(self, ask: AskLadder, lives: list[RankedLife], since_s: int) -> LadderRow | None:
        """Return the best life of the player who was named, with its rank among these lives."""
        name, key = fold(ask.name), KEYS[ask.order]
        if ask.span == "party" and name not in map(fold, ask.party):
            return None
        mine = [
            life
            for life in self._by_name.get(name, ())
            if life.death.at_s >= since_s and is_on_board(life.death, ask.order)
        ]
        if not mine:
            return None
        best = min(mine, key=key)
        return row_of(bisect_left(lives, key(best), key=key) + 1, best.death)

    def _party(self, ask: AskLadder) -> list[RankedLife]:
        names = dict.fromkeys(map(fold, ask.party))
        return sorted((life for name in names for life in self._by_name.get(name, ())), key=KEYS[ask.order])

    def _span(self, span: LadderSpan, since_s: int) -> dict[LadderOrder, list[RankedLife]]:
        """Return the sorted lives of a span; they are sorted again when a new day or season begins."""
        if self._since_s.get(span) != since_s:
            self._since_s[span] = since_s
            self._boards[span] = {
                order: [life for life in lives if life.death.at_s >= since_s]
                for order, lives in self._boards["all"].items()
            }
        return self._boards[span]

    def _keep(self, kept: set[int | None]) -> None:
        """Forget the lives with other numbers; those that stay are in order already."""

        def of(lives: list[RankedLife]) -> list[RankedLife]:
            return [life for life in lives if life.death.life in kept]

        self._hold(of(self._lives), {order: of(lives) for order, lives in self._boards["all"].items()})

    def _hold(self, lives: list[RankedLife], ranked: dict[LadderOrder, list[RankedLife]]) -> None:
        """Hold these lives and no others."""
        self._lives = lives
        self._numbers = {life.death.life for life in lives}
        self._by_name: dict[str, list[RankedLife]] = {}
        for life in lives:
            self._by_name.setdefault(life.folded, []).append(life)
        self._since_s: dict[LadderSpan, int] = {"all": 0}
        self._boards: dict[LadderSpan, dict[LadderOrder, list[RankedLife]]] = {"all": ranked}


def row_of(rank: int, death: Death, dungeon: str = "") -> LadderRow:
    """Return a life on a board."""
    return LadderRow(
        rank=rank,
        name=death.title or death.name,
        level=death.level,
        depth=deepest(death),
        kills=death.kills,
        turns=death.turns,
        wins=death.wins,
        won=death.won,
        by=death.killer,
        at_s=death.at_s,
        beacons=death.beacons,
        dungeon=dungeon,
    )
