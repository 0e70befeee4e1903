"""A door under load: its processor time, its memory, and how soon a visitor's key is answered.

Server, door and visitors are processes of their own. Each visitor comes from an address of its own, as a trusted proxy
names it, so no limit for one address stands in the way.
"""

import asyncio
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, NamedTuple

import asyncssh

from benchmarks.at_door.caves import cave_files
from benchmarks.at_door.key_costs import HostedClient
from benchmarks.at_door.page_fleet import PageOptions
from benchmarks.at_door.page_visitor import PageVisitor
from benchmarks.client_frames import recorded
from benchmarks.figures import Figure, percentile
from benchmarks.load.measure import run_program
from gloam_client.state.client_events import MessagesReceived
from gloam_shared.protocol.commands import Wait
from gloam_shared.protocol.messages.watching import SetWatchable
from support.client.fake_client import FakeClient
from support.processes.process_usage import Usage
from support.processes.server_process import ServerProcess

CROWD: Final = PageOptions(visitors=200, levels=8, rate=2.0)
MINUTES: Final = 10.0
HALL: Final = PageOptions(visitors=50, levels=1, rate=1.0)
WATCHED: Final = "Anna"
_WAIT_S: Final = 0.5
_CLIENTS: Final = 50
_LOGINS: Final = 20
_SILENT: Final = 20
_SILENT_S: Final = 8.0
_STEPS: Final = 200
_SIZE: Final = (100, 30)
_UNASKED_MS: Final = 1_000
"""The time after which a screen that has opened unasked takes keys."""
_SETTINGS: Final = "open = true\nplayers_max = 1000\nwatch_guests = true\n"
_PORTS: Final = re.compile(r"browsers play at http://localhost:(\d+)|ssh -p (\d+)")


class DoorProcess(NamedTuple):
    """A door in a process of its own, the ports on which it and its server listen, and its log."""

    process: "subprocess.Popen[str]"
    server_port: int
    log: Path
    port: int
    ssh_port: int

    @property
    def usage(self) -> Usage:
        """The usage of the process from now on."""
        return Usage(self.process.pid)


@contextmanager
def door_process(scratch: Path, levels: int) -> Iterator[DoorProcess]:
    """Start a server of a world without monsters, and a door to it."""
    world = scratch / f"world{levels}"
    world.mkdir(parents=True)
    (world / "realm.toml").write_text(_SETTINGS, encoding="utf-8")
    campaign = scratch / f"caves{levels}"
    campaign.mkdir()
    for name, body in cave_files(levels).items():
        (campaign / name).write_bytes(body)
    with ExitStack() as stack:
        server = stack.enter_context(
            ServerProcess(world, "--door-socket", "door.sock", campaign=f"{campaign}/", seed=3)
        )
        command = [
            sys.executable, "-m", "gloam_door", "run", "--data", str(scratch / f"door{levels}"),
            "--server", str(server.data / "door.sock"), "--port", "0", "--ssh-port", "0",
        ]  # fmt: skip
        environment = {**os.environ, "GLOAM_DOOR_TRUSTED_PROXIES": "127.0.0.0/8"}
        log = scratch / f"door{levels}.log"
        errors = stack.enter_context(log.open("w", encoding="utf-8"))
        process = stack.enter_context(
            subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True, env=environment)
        )
        stack.callback(process.terminate)
        assert process.stdout is not None
        found = [_PORTS.search(process.stdout.readline()) for _ in range(2)]
        yield DoorProcess(process, server.port, log, *(int(each[1] or each[2]) for each in found if each))


class DoorLoad(NamedTuple):
    """The counts of a load test: of the visitors, and of the door during the measured time."""

    tally: dict[str, Any]
    cpu_s: float
    resident_mb: int

    @property
    def busy_percent(self) -> float:
        """The door's share of a core."""
        seconds: float = self.tally["seconds"]
        return round(100 * self.cpu_s / seconds, 1)


def measure_door(scratch: Path, options: PageOptions) -> DoorLoad:
    """Let visitors play through a door of their own."""
    with (
        door_process(scratch, options.levels) as door,
        run_program("at_door.page_fleet", options.dump(), door.port) as fleet,
    ):
        assert fleet.stdout is not None
        usage, spent_s = door.usage, dict[str, float]()
        for line in fleet.stdout:
            record = json.loads(line)
            if isinstance(record, dict):
                return DoorLoad(record, spent_s["over"] - spent_s["measuring"], usage.resident_mb())
            spent_s[record] = usage.cpu_s()
    raise RuntimeError(f"the visitors' process ended with code {fleet.returncode}")


def door_load(scratch: Path) -> Iterator[Figure]:
    """Measure 200 visitors on eight levels, and 50 in one hall."""
    yield from _crowd(scratch, CROWD)
    hall = measure_door(scratch, HALL)
    name = "door: 50 visitors in one hall, 1 key/s each"
    yield Figure(f"{name}: in play", hall.tally["in_play"], "", ">= 50")
    yield Figure(f"{name}: processor share", hall.busy_percent, "%", "<= 60")
    yield from _latency(name, hall.tally)


def _crowd(scratch: Path, options: PageOptions) -> Iterator[Figure]:
    """Measure 200 visitors on eight levels."""
    loads = f"load average {os.getloadavg()[0]:.1f} before"
    crowd = measure_door(scratch, options)
    name = "door: 200 visitors on 8 levels, 2 keys/s each"
    yield Figure(
        f"{name}: in play",
        crowd.tally["in_play"],
        "",
        ">= 200",
        f"in {crowd.tally['joined_s']:.0f} s; {loads}",
    )
    yield Figure(f"{name}: processor share", crowd.busy_percent, "%", "<= 80", f"in {options.seconds:.0f} s")
    yield Figure(f"{name}: memory", crowd.resident_mb, "MB", "<= 200")
    yield from _latency(name, crowd.tally)


def main(arguments: Sequence[str]) -> None:
    """Measure the 200 visitors for this many minutes, and fail if a figure misses its limit."""
    minutes = float(arguments[0]) if arguments else MINUTES
    held = True
    with tempfile.TemporaryDirectory() as folder:
        for figure in _crowd(Path(folder), replace(CROWD, seconds=60 * minutes)):
            print(figure.line(), flush=True)
            held &= figure.holds
    sys.exit(not held)


def _latency(name: str, tally: dict[str, Any]) -> Iterator[Figure]:
    own = f"of {len(tally['takes'])}; the visitors' own share {100 * tally['own_cpu_s'] / tally['seconds']:.0f} %"
    yield Figure(f"{name}: key to message, p50", _ms(percentile(tally["takes"], 50)), "ms")
    yield Figure(f"{name}: key to message, p99", _ms(percentile(tally["takes"], 99)), "ms", "<= 100", own)
    yield Figure(
        f"{name}: bytes a frame",
        round(tally["bytes"] / max(tally["frames"], 1)),
        "B",
        "<= 800",
        f"{tally['frames'] / max(tally['keys'], 1):.1f} frames a key",
    )


def _ms(seconds: float) -> float:
    return round(1_000 * seconds, 1)


def door_lines(scratch: Path) -> Iterator[Figure]:
    """Measure a login by ssh, and visitors who never read, at a door without a load."""
    with door_process(scratch, 1) as door:
        asyncio.run(log_in(door.ssh_port, 2))
        before_s = door.usage.cpu_s()
        asyncio.run(log_in(door.ssh_port, _LOGINS))
        spent_ms = 1_000 * (door.usage.cpu_s() - before_s) / _LOGINS
        yield Figure(
            "door: processor time of a login by ssh", round(spent_ms, 1), "ms", "<= 10", f"mean of {_LOGINS}"
        )
        grown_mb = _grown_mb(door, "/", "title", lambda each: each.resize(60 + each.keys % 2 * 140))
        yield Figure(
            "door: memory of a visitor who never reads", grown_mb, "MB", "<= 0.5", f"mean of {_SILENT}"
        )
    with door_process(scratch, 2) as door, watched_player(door.server_port):
        page = f"/watch/{WATCHED}"
        grown_mb = _grown_mb(door, page, "watching", lambda each: each.say(on=each.keys % 2 == 0))
        yield Figure(
            "door: memory of a watch page that never reads", grown_mb, "MB", "<= 0.5", f"mean of {_SILENT}"
        )


async def log_in(port: int, count: int) -> None:
    """Log in and leave, one after another: a key, a terminal, the first bytes of the title."""
    for _ in range(count):
        async with asyncssh.connect(
            "127.0.0.1", port, username="play", known_hosts=None, config=None, agent_path=None,
            client_keys=[asyncssh.generate_private_key("ssh-ed25519")],
        ) as line:  # fmt: skip
            process = await line.create_process(term_type="xterm", encoding=None)
            await process.stdout.read(1)
            process.close()


def _grown_mb(door: DoorProcess, at: str, state: str, ask: Callable[[PageVisitor], object]) -> float:
    """Return the memory for a visitor whose page reaches a state, and then asks for frames without reading any."""
    before_mb = door.usage.resident_mb()
    with ExitStack() as lines:
        silent = [PageVisitor(number, door.port, 1, at=at) for number in range(_SILENT)]
        for each in silent:
            lines.callback(each.socket.close)
        for each in silent:
            while each.state != state:
                each.read(time.monotonic())
        end_s = time.monotonic() + _SILENT_S
        while time.monotonic() < end_s:
            for each in silent:
                ask(each)
            time.sleep(0.1)
        return round((door.usage.resident_mb() - before_mb) / _SILENT, 2)


@contextmanager
def watched_player(port: int) -> Iterator[None]:
    """Let a player wait in the dungeon. Everyone may watch them."""
    over = threading.Event()

    def play() -> None:
        with FakeClient(port, WATCHED) as player:
            player.send(SetWatchable(allowed=True, guests=True))
            while not over.wait(_WAIT_S):
                player.do(Wait())

    thread = threading.Thread(target=play, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def interleaved(_: Path) -> list[Figure]:
    """Measure an update of a hosted client, with its frame as cells, where 50 clients in one process take turns."""
    inputs = recorded(steps=_STEPS)
    clients = [HostedClient() for _ in range(_CLIENTS)]
    frames = len(clients) * sum(isinstance(event, MessagesReceived) for _, event in inputs)
    began_s = time.process_time()
    for now_ms, event in inputs:
        for client in clients:
            client.take(now_ms, event)
    spent_s = time.process_time() - began_s
    return [
        Figure(
            f"door: update and frame of a client among {_CLIENTS}, 100x30",
            round(1_000 * spent_s / frames, 3),
            "ms",
            "<= 0.6",
            "processor time, cells of a page",
        )
    ]
