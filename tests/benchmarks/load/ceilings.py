"""Measures a load test and its ceilings, and compares them."""

import subprocess
import sys
from dataclasses import dataclass, replace

from benchmarks.load.measure import TESTS, measure, run_fleet
from benchmarks.load.options import LoadOptions
from benchmarks.load.report import LoadResult
from benchmarks.load.server_side import ServerCounts, pin
from benchmarks.parts import costs
from benchmarks.parts.hall import Hall
from support.processes.process_usage import Usage

_LEAST = 8
"""The fewest bytes of a frame of the echo server."""


@dataclass(frozen=True, slots=True)
class Compared:
    """A figure of the whole server beside its ceiling. A `ratio` of 1 means that the server reaches the ceiling."""

    name: str
    value: float
    ceiling: float
    unit: str
    alone: str
    """The figure measured alone."""

    @property
    def ratio(self) -> float:
        """The server's cost in multiples of the ceiling's."""
        return self.value / self.ceiling if self.ceiling else 0.0

    def costs(self) -> str:
        """Return both costs in words."""
        return f"{self.value:,.1f} and {self.ceiling:,.1f} {self.unit}"

    def line(self) -> str:
        """Return the comparison as a line of a report."""
        return f"{self.name:<40} {self.value:>10,.1f} {self.ceiling:>10,.1f} {self.unit:<4} {self.ratio:>8.1f}x   {self.alone}"


def echo(options: LoadOptions, like: LoadResult, *, quiet: bool = False) -> LoadResult:
    """Run the same fleet with the frame sizes of a load test against the bare echo server."""
    tally = like.tally
    sizes = replace(
        options,
        mode="echo",
        command_bytes=max(_LEAST, round(tally["bytes_out"] / max(1, tally["sent"]))),
        update_bytes=max(_LEAST, round(tally["bytes_in"] / max(1, tally["updates"]))),
        updates_each=max(1, round(tally["updates"] / max(1, like.served))),
    )
    arguments = [str(each) for each in (sizes.command_bytes, sizes.update_bytes, sizes.updates_each)]
    command = [sys.executable, "-m", "benchmarks.load.echo_server", *arguments]
    with subprocess.Popen(command, cwd=TESTS, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            port = int(server.stdout.readline())
            if options.pin:
                pin(server.pid, 0)
            usage = Usage(server.pid)
            return run_fleet(
                sizes,
                "127.0.0.1",
                port,
                lambda: ServerCounts(usage.cpu_s(), usage.resident_mb()),
                quiet=quiet,
            )
        finally:
            server.terminate()


def ceilings(options: LoadOptions, *, quiet: bool = False) -> tuple[LoadResult, list[Compared]]:
    """Measure a load test, then its ceilings; return both."""
    load = measure(options, quiet=quiet)
    bare = echo(options, load, quiet=quiet)
    return load, [*compare_with_echo(load, bare), *compare_with_parts(load, Hall(options.clients))]


def compare_with_echo(load: LoadResult, bare: LoadResult) -> list[Compared]:
    """Return what the server costs beside a server that only reads and writes."""
    what = "bare Twisted echo"
    return [
        *[
            Compared(f"answer, p{at}", load.latency_ms(at), bare.latency_ms(at), "ms", what)
            for at in (50, 95, 99)
        ],
        Compared("processor time of a command", _command_us(load), _command_us(bare), "us", what),
    ]


def compare_with_parts(load: LoadResult, hall: Hall) -> list[Compared]:
    """Return what the server costs beside its parts alone, in a hall with as many players."""
    apply_us, divide_us = costs.apply_us(hall), costs.divide_us(hall)
    view_us, patch_us, _ = costs.show_us(hall)
    updates_each = load.tally["updates"] / max(1, load.served)
    in_commit = max(1, round(_mean(load, "gloam_inputs_total", "gloam_journal_seconds_count")))
    parts_us = apply_us + divide_us + updates_each * (view_us + patch_us)
    whole_us = _command_us(load)
    turn_us = 1e6 * _mean(load, "gloam_turn_seconds_sum", "gloam_turn_seconds_count")
    append_us = 1e6 * _mean(load, "gloam_journal_seconds_sum", "gloam_journal_seconds_count")
    return [
        Compared("processor time of a command", whole_us, parts_us, "us", "its turn, and its updates"),
        Compared("a turn", turn_us, apply_us, "us", "apply alone"),
        Compared("processor time of an update", whole_us / max(1, updates_each), view_us + patch_us, "us", "projection, diff, bytes"),
        Compared("an append", append_us, costs.append_us(in_commit), "us", f"append of {in_commit} alone"),
        Compared("a projection", view_us, costs.sight_us(hall, hall.players[0].sight), "us", "field of view alone"),
        Compared("a new level of a new world", costs.founding_ms(), costs.generation_ms(), "ms", "generation of a level alone"),
    ]  # fmt: skip


def _command_us(load: LoadResult) -> float:
    return 1e6 * load.server_cpu_s / max(1, load.served)


def _mean(load: LoadResult, total: str, number: str) -> float:
    return load.after.since(load.before, total) / max(1.0, load.after.since(load.before, number))
