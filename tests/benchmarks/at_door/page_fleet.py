"""The process of the visitors of a door: they arrive, spread over the levels, play, and it prints what they counted.

It prints one line of JSON at each step: "joined", "measuring", "over", and then the tally.
"""

import gc
import json
import selectors
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, Final, Self

from benchmarks.at_door.page_visitor import PageVisitor

JOIN_PATIENCE_S: Final = 90.0
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


class PageFleet:
    """All visitors, in one loop."""

    def __init__(self, options: PageOptions, port: int) -> None:
        self._options = options
        self._port = port
        self._selector = selectors.DefaultSelector()
        self._visitors: list[PageVisitor] = []
        self._due_s: list[float] = []
        self._turns: list[int] = []

    def run(self, report: Callable[[str], None]) -> dict[str, Any]:
        """Join, spread, warm up, measure; `report` gets the name of each step. Return the tally."""
        options = self._options
        began_s = time.monotonic()
        for at in range(options.visitors):
            self._play(began_s + at / options.join_rate)
            self._come(at)
        end_s = time.monotonic() + JOIN_PATIENCE_S
        while time.monotonic() < end_s and not all(each.in_place or each.closed for each in self._visitors):
            self._play(time.monotonic() + _NAP_S)
        joined_s = time.monotonic() - began_s
        report("joined")
        self._play(time.monotonic() + options.warm_s)
        for each in self._visitors:
            each.frames = each.bytes = each.keys = 0
            each.takes.clear()
        began_s, worked_s = time.monotonic(), time.process_time()
        report("measuring")
        self._play(began_s + options.seconds)
        took_s, worked_s = time.monotonic() - began_s, time.process_time() - worked_s
        report("over")
        return {
            "joined_s": joined_s,
            "seconds": took_s,
            "own_cpu_s": worked_s,
            "in_play": sum(each.in_place and not each.closed for each in self._visitors),
            "levels": len({each.here for each in self._visitors}),
            "keys": sum(each.keys for each in self._visitors),
            "frames": sum(each.frames for each in self._visitors),
            "bytes": sum(each.bytes for each in self._visitors),
            "takes": sorted(take for each in self._visitors for take in each.takes),
            "byes": sorted({each.bye for each in self._visitors if each.bye}),
            "states": sorted(
                {f"{each.state} {each.here}/{each.depth}" for each in self._visitors if not each.in_place}
            ),
        }

    def _come(self, at: int) -> None:
        visitor = PageVisitor(at, self._port, 1 + at % self._options.levels)
        self._selector.register(visitor.socket, selectors.EVENT_READ, at)
        self._visitors.append(visitor)
        # Not all press at the same moment.
        self._due_s.append(time.monotonic() + (at * 0.618) % 1 / self._options.rate)
        self._turns.append(0)

    def _play(self, until_s: float) -> None:
        while (now_s := time.monotonic()) < until_s:
            due_s = min([*self._due_s, until_s])
            for key, _ in self._selector.select(max(0.0, min(due_s - now_s, _NAP_S))):
                visitor = self._visitors[key.data]
                visitor.read(time.monotonic())
                if visitor.closed:
                    self._selector.unregister(visitor.socket)
                    self._due_s[key.data] = float("inf")
            now_s = time.monotonic()
            for at, due_s in enumerate(self._due_s):
                if due_s <= now_s:
                    self._visitors[at].step(self._turns[at], now_s)
                    self._turns[at] += 1
                    self._due_s[at] = max(due_s + 1 / self._options.rate, now_s)


def main() -> None:
    """Run the visitors that the arguments describe: options, port."""
    gc.disable()  # its own pauses are not the door's
    fleet = PageFleet(PageOptions.load(sys.argv[1]), int(sys.argv[2]))
    result = fleet.run(lambda step: print(json.dumps(step), flush=True))
    print(json.dumps(result), flush=True)


if __name__ == "__main__":
    main()
