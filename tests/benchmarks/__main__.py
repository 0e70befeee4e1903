"""All benchmarks: `python -m benchmarks [NAME ...]`, in the folder `tests`; nothing here asserts a time.

Without a name it measures everything that Gloam is held to, and writes it to `build/bench.json` (`make bench`); with names of
MEASURES only these. A name of PROGRAMS takes options of its own. Everything is measured on real processes over loopback, but
the bytes on the wire: there the server is under a manual clock, and no heartbeat falls between two steps.
"""

import json
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from benchmarks import counts, crowd, growth, keeping, loads, page, speeds
from benchmarks.at_door import door_load, door_soak, page_paint
from benchmarks.client_frames import frame_costs
from benchmarks.figures import Figure, percentile, write_json
from benchmarks.idle import idle
from benchmarks.load import command, logins
from benchmarks.load.server_side import counter_of, empty_cave
from benchmarks.wire_cost import wire_cost
from gloam_lab.bots.walker import Walker
from support.client.fake_client import FakeClient
from support.processes.pty import PtyTerminal
from support.processes.server_process import ServerProcess

STEPS: Final = 300
SPACING_S: Final = 0.055


def _latency(scratch: Path) -> list[Figure]:
    """Command to patch on loopback, one player in an empty cave, the journal on a real disk.

    After each command the server tells how long the append took, so both times are known of the same commands.
    """
    campaign = empty_cave(scratch / "empty")
    data = scratch / "latency"
    data.mkdir()
    (data / "realm.toml").write_text("metrics_port = 0\n", encoding="utf-8")
    times: list[float] = []
    appends: list[float] = []
    with ServerProcess(data, campaign=campaign, seed=3) as server, FakeClient(server.port, "Bench") as client:
        count = counter_of(server)
        walker = Walker()
        before = count()
        for _ in range(STEPS):
            command = walker.stroll(client.view)
            time.sleep(SPACING_S)
            times.append(client.do_timed(command))
            after = count()
            appends.append(after.mean_since(before, "gloam_journal_seconds"))
            before = after
    times.sort()
    whole, append = percentile(times, 50), percentile(sorted(appends), 50)
    return [
        Figure("command to patch of one player, p50", _ms(whole), "ms", "<= 2", f"of {STEPS}"),
        Figure("command to patch of one player, p95", _ms(percentile(times, 95)), "ms"),
        Figure(
            "command to patch of one player, p50 besides the commit",
            _ms(whole - append),
            "ms",
            "<= 0.7",
            f"the append alone: {_ms(append)} ms",
        ),
    ]


def _first_paint(scratch: Path) -> list[Figure]:
    """Process start to first paint."""
    paints: list[float] = []
    campaign = empty_cave(scratch / "client-world")
    with ServerProcess(scratch / "client", campaign=campaign, seed=3) as server:
        environment = {"GLOAM_HOME": str(scratch / "home"), "HOME": str(scratch)}
        command = [sys.executable, "-m", "gloam_client", f"127.0.0.1:{server.port}", "--name", "Bench"]
        for _ in range(7):
            with PtyTerminal(command, env=environment) as terminal:
                terminal.wait_for("HP")
                assert terminal.first_paint_s is not None
                paints.append(terminal.first_paint_s)
    return [
        Figure(
            "client: process start to first paint, median of 7",
            _ms(statistics.median(paints)),
            "ms",
            "<= 350",
        ),
    ]


def _ms(seconds: float) -> float:
    return round(seconds * 1_000, 2)


MEASURES: Final[Mapping[str, Callable[[Path], Iterable[Figure]]]] = {
    "latency": _latency,
    "first-paint": _first_paint,
    "idle": idle,
    "frames": frame_costs,
    "start": keeping.start,
    "pause": keeping.pause,
    "digest": keeping.digest,
    "attack": crowd.under_attack,
    "comings": crowd.comings,
    "plans": crowd.plans,
    "isolation": speeds.isolation,
    "wire": wire_cost,
    "speeds": speeds.speeds,
    "burning": speeds.burning,
    "cold-start": speeds.cold_start,
    "logins": logins.logins,
    "rush": logins.rush,
    "loads": loads.loads,
    "by-process": loads.by_process,
    "door-frames": door_load.interleaved,
    "door-lines": door_load.door_lines,
    "door-load": door_load.door_load,
    "door-paint": page_paint.door_paint,
}
"""All measurements, in their order. Each gets an empty folder."""

NEEDS: Final = {"door-paint": "chromium"}
"""The programs that measurements need."""

PROGRAMS: Final[Mapping[str, Callable[[Sequence[str]], object]]] = {
    "load": command.load_command,
    "ceilings": command.ceilings_command,
    "growth": growth.main,
    "door-crowd": door_load.main,
    "door-soak": door_soak.main,
    "page": lambda _: page.main(),
    "counts": lambda _: print(json.dumps(counts.counts())),
}


def figures_of(names: Iterable[str]) -> list[Figure]:
    """Run these measurements, one after another; print each figure when it is there."""
    figures: list[Figure] = []
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            scratch = Path(folder, name)
            scratch.mkdir()
            for figure in MEASURES[name](scratch):
                print(figure.line(), flush=True)
                figures.append(figure)
    return figures


def main(arguments: Sequence[str]) -> None:
    """Run what the arguments name."""
    if arguments and arguments[0] in PROGRAMS:
        PROGRAMS[arguments[0]](arguments[1:])
        return
    if unknown := set(arguments) - MEASURES.keys():
        sys.exit(f"No benchmark is called {min(unknown)}; there are: {' '.join([*MEASURES, *PROGRAMS])}")
    names = arguments or MEASURES
    for name in set(names) & NEEDS.keys():  # before the first, because all take a quarter of an hour
        if shutil.which(NEEDS[name]) is None:
            sys.exit(f"{name} needs {NEEDS[name]}: install it, or name the other benchmarks.")
    began_s = time.monotonic()
    figures = figures_of(names)
    if arguments:
        return
    figures.append(Figure("the whole benchmark", round(time.monotonic() - began_s), "s", "<= 900"))
    print(figures[-1].line())
    write_json(page.RESULT, figures)
    print(
        "Written to build/bench.json. To write these figures into server/docs/performance-figures.md: make bench-page"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
