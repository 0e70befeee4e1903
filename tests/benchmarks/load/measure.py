"""One load test: starts the server, or connects to one, starts the fleet, and reads what both counted."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import Final

from benchmarks.load.options import LoadOptions
from benchmarks.load.report import LoadResult
from benchmarks.load.server_side import ServerCounts, counter_of, pin, start_server
from support.processes.server_process import ServerProcess

TESTS: Final = Path(__file__).parents[2]


def measure(options: LoadOptions, *, quiet: bool = False, profile: Path | None = None) -> LoadResult:
    """Run a load test. The server is one of its own, unless the options name another."""
    if options.connect:
        host, _, port = options.connect.rpartition(":")
        return run_fleet(options, host, int(port), ServerCounts, quiet=quiet)
    with tempfile.TemporaryDirectory() as folder, start_server(Path(folder), options, profile) as server:
        return run_fleet(options, "127.0.0.1", server.port, counter_of(server), quiet=quiet)


@contextmanager
def fleet_at_play(
    folder: Path, options: LoadOptions, settings: str
) -> Iterator[tuple[ServerProcess, Future[LoadResult]]]:
    """Start a server and a fleet; inside, its measured time begins, and the server can be watched and disturbed."""
    with start_server(folder, options, settings=settings) as server, ThreadPoolExecutor(1) as pool:
        began, count = Event(), counter_of(server)

        def counted() -> ServerCounts:
            began.set()
            return count()

        result = pool.submit(run_fleet, options, "127.0.0.1", server.port, counted, quiet=True)
        result.add_done_callback(lambda _: began.set())  # also where it fails
        began.wait()
        yield server, result


def run_program(name: str, *arguments: object) -> "subprocess.Popen[str]":
    """Start a module of the benchmarks as a program, whose output can be read."""
    return subprocess.Popen(
        [sys.executable, "-m", f"benchmarks.{name}", *map(str, arguments)],
        cwd=TESTS,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(TESTS)},
    )


def run_fleet(
    options: LoadOptions, host: str, port: int, count: Callable[[], ServerCounts], *, quiet: bool
) -> LoadResult:
    """Run a fleet against the server at a place; `count` reads what that server has counted."""
    with run_program("load.fleet", options.dump(), host, port, "quiet" if quiet else "") as fleet:
        if options.pin:
            pin(fleet.pid, 1)
        assert fleet.stdout is not None
        counts: dict[str, ServerCounts] = {}
        for line in fleet.stdout:
            record = json.loads(line)
            if isinstance(record, dict):
                return LoadResult(options, record, counts["measuring"], counts["over"])
            counts[record] = count()
    raise RuntimeError(f"the fleet ended with code {fleet.returncode}")
