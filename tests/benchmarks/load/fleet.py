"""The fleet's process: joins clients one after another, lets them play, and prints what they counted.

It prints one line of JSON at each step: "joined", "measuring", "over", and then the tally. Progress goes to stderr.
"""

import gc
import heapq
import json
import resource
import selectors
import sys
import time
from collections.abc import Callable
from typing import Any, Final

from benchmarks.load.echo_client import EchoClient
from benchmarks.load.fleet_client import Board, FleetClient, Tally
from benchmarks.load.light_client import ExploringClient, LightClient, StandingClient
from benchmarks.load.options import LoadOptions

_PROGRESS_S: Final = 2.0
_NAP_S: Final = 0.25
_JOIN_PATIENCE_S: Final = 60.0
_SPARE_FILES: Final = 64


class Fleet:
    """All clients, in one loop."""

    def __init__(self, options: LoadOptions, host: str, port: int, *, quiet: bool) -> None:
        self._options = options
        self._partition = (host, port)
        self._board = Board()
        self._clients: list[FleetClient] = []
        self._selector = selectors.DefaultSelector()
        self._heap: list[tuple[float, int]] = []
        self._scheduled: list[float] = []
        self._told_s = 0.0
        self._quiet = quiet

    def run(self, report: Callable[[str], None]) -> dict[str, Any]:
        """Join, warm up, measure; `report` gets the name of each step. Return the tally."""
        options = self._options
        self._join(options.clients, options.mode, "joining")
        self._join(options.beside, options.beside_mode, "joining")
        report("joined")
        self._play(time.monotonic() + options.warm_s, "warming up")
        self._board.turns.settle(float("inf"))
        lost = self._board.tally.lost
        self._board.tally = Tally(lost=lost)
        served = [client.served for client in self._clients[: options.clients]]
        began_s, worked_s = time.monotonic(), time.process_time()
        report("measuring")
        came_in_s = self._join(options.newcomers, "stand", "newcomers")
        self._play(began_s + options.seconds, "measuring")
        took_s, worked_s = time.monotonic() - began_s, time.process_time() - worked_s
        report("over")
        self._board.turns.settle(float("inf"))
        tally = self._board.tally
        served = [client.served - had for client, had in zip(self._clients, served, strict=False)]
        return {
            "began_s": began_s,
            "came_in_s": came_in_s,
            "least_served": min(served, default=0),
            "seconds": took_s,
            "own_cpu_s": worked_s,
            "clients": sum(client.in_play for client in self._clients),
            "answers": [(round(at - began_s, 4), round(took, 6)) for at, took in tally.answers],
            "unknown": tally.unknown,
            "waited_s": tally.waited_s,
            "sent": tally.sent,
            "refused": tally.refused,
            "updates": tally.updates,
            "bytes_in": tally.bytes_in,
            "bytes_out": tally.bytes_out,
            "deaths": tally.deaths,
            "lost": tally.lost,
        }

    def _join(self, count: int, mode: str, step: str) -> float:
        """Connect clients at the wanted rate; those that are in play begin to play. Return how long it took."""
        began_s = time.monotonic()
        first = len(self._clients)
        for at in range(first, first + count):
            self._play(began_s + (at - first) / self._options.join_rate, step)
            client = _class_of(mode)(at, self._options, self._board, time.monotonic)
            client.dial(*self._partition)
            self._selector.register(client.socket, selectors.EVENT_READ, at)
            self._clients.append(client)
            self._scheduled.append(float("inf"))
            self._schedule(at)
        end_s = time.monotonic() + _JOIN_PATIENCE_S
        while time.monotonic() < end_s and not all(each.in_play or each.closed for each in self._clients):
            self._play(time.monotonic() + _NAP_S, step)
        return time.monotonic() - began_s

    def _play(self, until_s: float, step: str) -> None:
        while (now_s := time.monotonic()) < until_s:
            next_s = self._heap[0][0] if self._heap else until_s
            timeout = max(0.0, min(next_s, until_s) - now_s)
            for key, _ in self._selector.select(min(timeout, _NAP_S)):
                client = self._clients[key.data]
                client.read()
                self._schedule(key.data)
                if client.closed:
                    self._selector.unregister(key.fileobj)
            self._act(time.monotonic())
            self._tell(step)

    def _act(self, now_s: float) -> None:
        while self._heap and self._heap[0][0] <= now_s:
            at_s, at = heapq.heappop(self._heap)
            if at_s != self._scheduled[at]:
                continue  # an older date
            self._scheduled[at] = float("inf")
            client = self._clients[at]
            was_open = not client.closed
            client.act(now_s)
            if client.closed and was_open:
                self._selector.unregister(client.socket)
            self._schedule(at, not_before_s=now_s + 0.001)

    def _schedule(self, at: int, not_before_s: float = 0.0) -> None:
        wake_s = max(self._clients[at].wake_s, not_before_s)
        if wake_s < self._scheduled[at]:
            self._scheduled[at] = wake_s
            heapq.heappush(self._heap, (wake_s, at))

    def _tell(self, step: str) -> None:
        now_s = time.monotonic()
        if self._quiet or now_s - self._told_s < _PROGRESS_S:
            return
        self._told_s = now_s
        tally = self._board.tally
        inside = sum(client.in_play for client in self._clients)
        print(
            f"{step}: {inside} of {self._options.everybody} in play, {len(tally.answers)} commands served, "
            f"{len(tally.lost)} connections lost",
            file=sys.stderr,
            flush=True,
        )


def _class_of(mode: str) -> Callable[..., FleetClient]:
    if mode == "full":  # it imports the client and the bots
        from benchmarks.load.full_client import FullClient

        return FullClient
    return {"echo": EchoClient, "stand": StandingClient, "explore": ExploringClient}.get(mode, LightClient)


def _raise_file_limit(clients: int) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = clients + _SPARE_FILES
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(wanted, hard), hard))


def main() -> None:
    """Run the fleet that the arguments describe: options, host, port, and "quiet" for no progress."""
    options = LoadOptions.load(sys.argv[1])
    _raise_file_limit(options.everybody)
    gc.disable()  # its own pauses are not the server's
    fleet = Fleet(options, sys.argv[2], int(sys.argv[3]), quiet=sys.argv[4] == "quiet")
    result = fleet.run(lambda step: print(json.dumps(step), flush=True))
    print(json.dumps(result), flush=True)


if __name__ == "__main__":
    main()
