"""The players of a level whose command or plan waits, found without a look at all of them before each turn."""

from bisect import bisect_left
from typing import Final, NamedTuple

from gloam_server.engine.player import Player


class Waiting(NamedTuple):
    """The players of a level who wait, by number; `planning` are the ones with a plan under way."""

    numbers: list[int]
    planning: list[int]


_NO_ONE: Final = Waiting([], [])


class WaitingPlayers:
    """The players who wait, by level, as of the last look in this batch.

    Commands arrive between batches only. So after the first look of a batch, a level's players who wait are the same as
    before, except for the noted ones, until one joins or leaves.
    """

    def __init__(self) -> None:
        self._known: dict[int, tuple[dict[int, Player], Waiting]] = {}
        self._noted: set[int] = set()

    def begin_batch(self) -> None:
        """Look at all players again: commands may have arrived."""
        self._known.clear()
        self._noted.clear()

    def note(self, number: int) -> None:
        """Look again at one player: their command or plan went on or ended."""
        self._noted.add(number)

    def on_level(self, place: int, players: dict[int, Player]) -> Waiting:
        """Return the players of a level who wait.

        `players` are by number, and the same object until one joins or leaves.
        """
        known = self._known.get(place)
        if known is None or known[0] is not players:
            found = _NO_ONE
            changed = list(players)
        elif self._noted:
            found = known[1]
            changed = sorted(self._noted & players.keys())
        else:
            return known[1]
        self._noted.difference_update(changed)
        waits = [number for number in changed if players[number].turns.clock.waiting_since_ms is not None]
        plans = [number for number in waits if players[number].turns.running_plan is not None]
        found = Waiting(_renewed(found.numbers, changed, waits), _renewed(found.planning, changed, plans))
        self._known[place] = players, found
        return found


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
