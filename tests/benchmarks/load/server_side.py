"""The server under load: its world, its settings, and what it counts of itself."""

import hashlib
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from benchmarks.latencies import TIMED_SERVER, slow_appends
from benchmarks.load.options import FIGHT, WIDE, LoadOptions, client_name, client_token
from gloam_server.app.config import WORLD_FILE
from gloam_server.storage.open_store import open_store
from gloam_shared import limits
from support.content.campaigns import arena_files
from support.processes.http_request import ask
from support.processes.process_usage import Usage
from support.processes.server_process import ServerProcess

STALL_S: Final = "0.05"
"""The shortest stall of the reactor that counts, as the histogram names it."""

_NEW_NAMES: Final = limits.CREATIONS_EXEMPT_BURST // 2
"""More clients than this have their accounts before the server starts."""

_FOES: Final = 40
_FIGHTERS: Final = b"""\
[human]
name = "human"
glyph = "@"
colour = "white"
hp = 50000
attack = 10
sight = 6
spawns = false
picks_points = true
[kobold]
name = "kobold"
glyph = "k"
colour = "white"
hp = 50000
attack = 4
tasks = ["hunt"]
"""
"""Their health lasts longer than any measurement."""

_SETTINGS: Final = """\
open = true
loopback_exempt = false
players_max = 1000
metrics_port = 0
"""
"""Each client comes from an address of its own, so no limit for one address stands in the way."""


@dataclass(frozen=True, slots=True)
class ServerCounts:
    """The counts of a server up to a moment; all 0 for a server elsewhere."""

    cpu_s: float = 0.0
    resident_mb: int = 0
    metrics: dict[str, float] = field(default_factory=dict)
    slow_appends: tuple[float, ...] = ()
    """The moment at which each append over 25 ms was durable, on the monotonic clock."""

    def since(self, before: "ServerCounts", name: str) -> float:
        """Return how much a metric grew."""
        return self.metrics.get(name, 0.0) - before.metrics.get(name, 0.0)

    def mean_since(self, before: "ServerCounts", name: str) -> float:
        """Return the mean of what a histogram has counted since then; 0 without anything."""
        count = self.since(before, f"{name}_count")
        return self.since(before, f"{name}_sum") / count if count else 0.0

    def stalls_since(self, before: "ServerCounts") -> float:
        """Return how often the reactor read from no connection for longer than 50 ms."""
        short = f'gloam_reactor_seconds_bucket{{le="{STALL_S}"}}'
        return self.since(before, "gloam_reactor_seconds_count") - self.since(before, short)


def start_server(
    folder: Path, options: LoadOptions, profile: Path | None = None, settings: str = _SETTINGS
) -> ServerProcess:
    """Start a server for a load test in an empty folder; with `profile`, it writes there what its functions cost."""
    data = folder / "world"
    data.mkdir(parents=True)
    listen = 'listen = "0.0.0.0"\n' if options.tls else ""  # beyond this machine, a server has TLS
    views = f"views = {options.views}\n" if options.views else ""
    (data / "realm.toml").write_text(settings + listen + views, encoding="utf-8")
    campaign = _campaign(folder, options)
    program: tuple[str, ...] = TIMED_SERVER
    if profile is not None:
        program = ("-m", "cProfile", "-o", str(profile.resolve()), *program)
    if options.everybody > _NEW_NAMES:
        ServerProcess(data, campaign=campaign, seed=options.seed).stop()
        _make_accounts(data / WORLD_FILE, options)
    server = ServerProcess(data, campaign=campaign, seed=options.seed, program=program)
    if options.pin:
        pin(server.process.pid, 0)
    return server


def _make_accounts(world: Path, options: LoadOptions) -> None:
    """Make the clients' accounts: a server takes only a few new names in a burst."""
    store = open_store(world)
    try:
        for at in range(options.everybody):
            name = client_name(options, at)
            store.directory.create_account(
                name, hashlib.sha256(client_token(name)).digest(), int(time.time())
            )
    finally:
        store.close()


def wide_campaign(folder: Path) -> str:
    """Write a wide cave without monsters, where no turn waits for another player; return its folder."""
    return _write_campaign(folder / WIDE, arena_files(monsters=0), width=150, height=60)


def empty_cave(folder: Path) -> str:
    """Write a small cave without monsters into a new folder; return the folder."""
    return _write_campaign(folder, arena_files(monsters=0), width=30, height=12)


def fight_campaign(folder: Path) -> str:
    """Write a hall with monsters that hunt and do not die, as little as the players do; return its folder."""
    files = {**arena_files(monsters=_FOES), "creatures.toml": _FIGHTERS}
    return _write_campaign(folder / FIGHT, files, width=60, height=30)


def _campaign(folder: Path, options: LoadOptions) -> str:
    made = {WIDE: wide_campaign, FIGHT: fight_campaign}.get(options.campaign)
    return options.campaign if made is None else made(folder)


def _write_campaign(campaign: Path, files: Mapping[str, bytes], *, width: int, height: int) -> str:
    campaign.mkdir(exist_ok=True)
    for name, body in files.items():
        sized = body.replace(b"width = 30", b"width = %d" % width)
        (campaign / name).write_bytes(sized.replace(b"height = 12", b"height = %d" % height))
    return f"{campaign}/"


def counter_of(server: ServerProcess) -> Callable[[], ServerCounts]:
    """Return a function that reads what a server has counted."""
    usage = Usage(server.process.pid)
    port = server.metrics_port()
    return lambda: ServerCounts(
        usage.cpu_s(),
        usage.resident_mb(),
        read_metrics(ask(port, "/metrics")[2]),
        tuple(slow_appends(server)),
    )


def read_metrics(page: str) -> dict[str, float]:
    """Return the values of a page of metrics, by name with labels."""
    pairs = (line.rpartition(" ") for line in page.splitlines() if line and not line.startswith("#"))
    return {name: float(value) for name, _, value in pairs}


def pin(pid: int, core: int) -> None:
    """Let all threads of a process run on one core only, if there is more than one."""
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) > core:
        for task in Path(f"/proc/{pid}/task").iterdir():
            os.sched_setaffinity(int(task.name), {cores[core]})
