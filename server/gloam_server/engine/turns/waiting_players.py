"""The players of a level whose command or plan waits, found without a look at all of them before each turn."""

from bisect import bisect_left
from typing import Final, NamedTuple

from gloam_server.engine.player import Player
from gloam_shared.kept import KeptTable
from gloam_shared.level_numbers import PartitionId


class Waiting(NamedTuple):
    """The players of a level who wait, by number; `planning` are the ones with a plan under way."""

    numbers: list[int]
    planning: list[int]


_NOT_NOTED: Final = frozenset[int]()


class WaitingPlayers:
    """The players who wait, by level, as of the last look in this batch.

    Commands arrive between batches only. So after the first look of a batch, a level's players who wait are the same as
    before, except for the noted ones, until one joins or leaves.
    """

    def __init__(self) -> None:
        self._kept = KeptTable[int, Waiting]("the players who wait")
        self._noted: set[int] = set()

    def begin_batch(self) -> None:
        """Look at all players again: commands may have arrived."""
        self._kept.clear()
        self._noted.clear()

    def note(self, number: int) -> None:
        """Look again at one player: their command or plan went on or ended."""
        self._noted.add(number)

    def on_level(self, partition: PartitionId, players: dict[int, Player]) -> Waiting:
        """Return the players of a level who wait.

        `players` are by number, and the same object until one joins or leaves.
        """
        kept, noted = self._kept[partition], self._noted & players.keys() if self._noted else _NOT_NOTED
        if noted:
            kept.invalidate()
            self._noted -= noted

        def look(before: Waiting | None) -> Waiting:
            changed = list(players) if before is None else sorted(noted)
            waits = [number for number in changed if players[number].turns.clock.waiting_since_ms is not None]
            plans = [number for number in waits if players[number].turns.running_plan is not None]
            if before is None:
                return Waiting(waits, plans)
            return Waiting(
                _renewed(before.numbers, changed, waits), _renewed(before.planning, changed, plans)
            )

        return kept.get((players,), True, look)


def _renewed(numbers: list[int], changed: list[int], now: list[int]) -> list[int]:
    """Return rising numbers in a new list, where numbers of `changed` are there only if they are in `now`."""
    if not numbers:
        return now
    renewed = list(numbers)
    for number in changed:
        at = bisect_left(renewed, number)
        there = at < len(renewed) and renewed[at] == number
        if there and number not in now:
            del renewed[at]
        elif number in now and not there:
            renewed.insert(at, number)
    return renewed
