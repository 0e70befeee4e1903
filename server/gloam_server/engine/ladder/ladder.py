"""The ladder of a realm, in memory: sorted once, read from the table of deaths at the start, bounded."""

from bisect import insort
from collections.abc import Iterable, Sequence
from typing import Final

from gloam_server.engine.ladder.ranking import KEYS, RankedLife, begins_s, deepest
from gloam_server.storage.journal import Death
from gloam_shared.limits import LADDER_SHOWN_MAX
from gloam_shared.protocol.ladder_messages import AskLadder, Ladder, LadderRow
from gloam_shared.text import fold

NEWEST_KEPT: Final = 10_000
"""The number of newest lives that stay, whatever their rank: day and season are exact up to that number."""
BEST_KEPT: Final = 1_000
"""The number of best lives of each order that stay for ever."""
SLACK: Final = 1_000
"""How many more may wait to be deleted, so that this is rare."""


class RealmLadder:
    """All kept lives in the order of their end, and sorted for each order."""

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
        self._lives = [RankedLife(death, fold(death.name)) for death in deaths]
        self._numbers = {death.life for death in deaths}
        self._sorted = {order: sorted(self._lives, key=key) for order, key in KEYS.items()}

    def __len__(self) -> int:
        """Return the number of kept lives."""
        return len(self._lives)

    def add(self, deaths: Iterable[Death]) -> None:
        """Take ended lives that are durable. A life that is known already is replaced."""
        for death in deaths:
            if death.life in self._numbers:
                self._forget({death.life})
            self._numbers.add(death.life)
            life = RankedLife(death, fold(death.name))
            self._lives.append(life)
            for order, key in KEYS.items():
                insort(self._sorted[order], life, key=key)
            self.version += 1

    def drop_excess(self) -> list[int]:
        """Forget the lives that are neither new nor on any board, if there are many; return their numbers."""
        if len(self._lives) <= self._most:
            return []
        kept = set(self._lives[-self._newest_kept :])
        for lives in self._sorted.values():
            kept.update(lives[: self._best_kept])
        gone = [life.death.life for life in self._lives if life not in kept]
        self._forget(set(gone))
        self.version += 1
        return [number for number in gone if number is not None]

    def board(self, ask: AskLadder, now_s: int, campaign: str, content: str, rules: int) -> Ladder:
        """Return one board."""
        since_s, name = begins_s(ask.span, now_s), fold(ask.name)
        party = {fold(each) for each in ask.party} if ask.span == "party" else None
        rows: list[LadderRow] = []
        own: LadderRow | None = None
        lives = 0
        for death, folded in self._sorted[ask.order]:
            if death.at_s < since_s or (party is not None and folded not in party):
                continue
            if ask.order == "victory" and not death.wins:
                break
            lives += 1
            if lives <= LADDER_SHOWN_MAX:
                rows.append(_row(lives, death))
            if own is None and folded == name:
                own = _row(lives, death)
        return Ladder(ask.span, ask.order, campaign, content, rules, since_s, lives, tuple(rows), own)

    def _forget(self, gone: set[int | None]) -> None:
        self._numbers -= gone
        self._lives = [life for life in self._lives if life.death.life not in gone]
        for order, lives in self._sorted.items():
            self._sorted[order] = [life for life in lives if life.death.life not in gone]


def _row(rank: int, death: Death) -> LadderRow:
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
    )
