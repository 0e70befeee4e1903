"""The process of the visitors of a door: they arrive, spread over the levels, play, and it prints what they counted.

It prints one line of JSON at each step: "joined", "measuring", "over", and then the tally.
"""

import gc
import json
import selectors
import sys
import time
from collections import deque
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, Final, Self

from benchmarks.at_door.page_visitor import PageVisitor

JOIN_PATIENCE_S: Final = 300.0
UNDERWAY_MAX: Final = 16
"""The most visitors who are on their way to their levels: a crowd of newcomers is no part of the load."""
_RETRY_S: Final = 1.0
"""The time after which a refused visitor tries again."""
_WAITING_GAP_S: Final = 4.0
"""The time between two keys of a visitor who waits for the others."""
_NAP_S: Final = 0.05


@dataclass(frozen=True, slots=True)
class PageOptions:
    """The behavior of the visitors: their number, levels, keys a second of each, newcomers a second, and the times."""

    visitors: int = 200
    levels: int = 8
    rate: float = 2.0
    join_rate: float = 10.0
    warm_s: float = 5.0
    seconds: float = 30.0

    def dump(self) -> str:
        """Return the options as text for another process."""
        return json.dumps(asdict(self))

    @classmethod
    def load(cls, text: str) -> Self:
        """Return the options that `dump` wrote."""
        return cls(**json.loads(text))


@dataclass(slots=True)
class _Player:
    """One visitor, the time of their next key, and the number of their keys."""

    visitor: PageVisitor
    due_s: float
    turn: int = 0


class PageFleet:
    """All visitors, in one loop."""

    def __init__(self, options: PageOptions, port: int) -> None:
        self._options = options
        self._port = port
        self._selector = selectors.DefaultSelector()
        self._players: dict[int, _Player] = {}
        self._absent = deque(range(options.visitors))
        self._refusals = 0
        self._gap_s = _WAITING_GAP_S
        """The time between two keys of a visitor in place."""

    def run(self, report: Callable[[str], None]) -> dict[str, Any]:
        """Join, spread, warm up, measure; `report` gets the name of each step. Return the tally."""
        options = self._options
        began_s = time.monotonic()
        self._gather(began_s + JOIN_PATIENCE_S)
        joined_s = time.monotonic() - began_s
        report("joined")
        self._quicken()
        self._play(time.monotonic() + options.warm_s)
        visitors = [each.visitor for each in self._players.values()]
        for visitor in visitors:
            visitor.frames = visitor.bytes = visitor.keys = 0
            visitor.takes.clear()
        began_s, worked_s = time.monotonic(), time.process_time()
        report("measuring")
        self._play(began_s + options.seconds)
        took_s, worked_s = time.monotonic() - began_s, time.process_time() - worked_s
        report("over")
        return {
            "joined_s": joined_s,
            "refusals": self._refusals,
            "seconds": took_s,
            "own_cpu_s": worked_s,
            "in_play": sum(each.in_place and not each.closed for each in visitors),
            "levels": len({each.here for each in visitors}),
            "keys": sum(each.keys for each in visitors),
            "frames": sum(each.frames for each in visitors),
            "bytes": sum(each.bytes for each in visitors),
            "takes": sorted(take for each in visitors for take in each.takes),
            "byes": sorted({each.bye for each in visitors if each.bye}),
            "states": sorted(
                {f"{each.state} {each.here}/{each.depth}" for each in visitors if not each.in_place}
            ),
        }

    def _gather(self, end_s: float) -> None:
        """Let the visitors arrive, a few at a time, until all are in place; a refused one tries again a little later."""
        next_s = time.monotonic()
        while (now_s := time.monotonic()) < end_s:
            underway = [at for at, each in self._players.items() if not each.visitor.in_place]
            for at in underway:
                if self._players[at].visitor.closed:
                    del self._players[at]
                    self._absent.append(at)
                    self._refusals += 1
                    next_s = now_s + _RETRY_S
            if not (underway or self._absent):
                return
            if self._absent and now_s >= next_s and len(underway) < UNDERWAY_MAX:
                self._come(self._absent.popleft())
                next_s = now_s + 1 / self._options.join_rate
            self._play(now_s + _NAP_S)

    def _come(self, at: int) -> None:
        visitor = PageVisitor(at, self._port, 1 + at % self._options.levels)
        self._selector.register(visitor.socket, selectors.EVENT_READ, at)
        self._players[at] = _Player(visitor, time.monotonic())

    def _quicken(self) -> None:
        """Let all press at the rate of the options, and not at the same moment."""
        self._gap_s = 1 / self._options.rate
        for at, each in self._players.items():
            each.due_s = time.monotonic() + (at * 0.618) % 1 * self._gap_s

    def _play(self, until_s: float) -> None:
        while (now_s := time.monotonic()) < until_s:
            due_s = min([*(each.due_s for each in self._players.values()), until_s])
            for key, _ in self._selector.select(max(0.0, min(due_s - now_s, _NAP_S))):
                player = self._players[key.data]
                player.visitor.read(time.monotonic())
                if player.visitor.closed:
                    self._selector.unregister(player.visitor.socket)
                    player.due_s = float("inf")
            now_s = time.monotonic()
            for player in self._players.values():
                if player.due_s <= now_s:
                    gap_s = self._gap_s if player.visitor.in_place else 1 / self._options.rate
                    player.visitor.step(player.turn, now_s)
                    player.turn += 1
                    player.due_s = max(player.due_s + gap_s, now_s)


def main() -> None:
    """Run the visitors that the arguments describe: options, port."""
    gc.disable()  # its own pauses are not the door's
    fleet = PageFleet(PageOptions.load(sys.argv[1]), int(sys.argv[2]))
    result = fleet.run(lambda step: print(json.dumps(step), flush=True))
    print(json.dumps(result), flush=True)


if __name__ == "__main__":
    main()
