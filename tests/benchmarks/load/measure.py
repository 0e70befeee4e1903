"""One load test: starts the server, or connects to one, starts the fleet, and reads what both counted."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

from benchmarks.load.options import LoadOptions
from benchmarks.load.report import LoadResult
from benchmarks.load.server_side import ServerCounts, counter_of, pin, start_server

TESTS: Final = Path(__file__).parents[2]


def measure(options: LoadOptions, *, quiet: bool = False, profile: Path | None = None) -> LoadResult:
    """Run a load test. The server is one of its own, unless the options name another."""
    if options.connect:
        host, _, port = options.connect.rpartition(":")
        return run_fleet(options, host, int(port), ServerCounts, quiet=quiet)
    with tempfile.TemporaryDirectory() as folder, start_server(Path(folder), options, profile) as server:
        return run_fleet(options, "127.0.0.1", server.port, counter_of(server), quiet=quiet)


def run_fleet(
    options: LoadOptions, host: str, port: int, count: Callable[[], ServerCounts], *, quiet: bool
) -> LoadResult:
    """Run a fleet against the server at a place; `count` reads what that server has counted."""
    command = [sys.executable, "-m", "benchmarks.load.fleet", options.dump(), host, str(port)]
    with subprocess.Popen(
        command,
        cwd=TESTS,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL if quiet else None,
        text=True,
        env={**os.environ, "PYTHONPATH": str(TESTS)},
    ) as fleet:
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
