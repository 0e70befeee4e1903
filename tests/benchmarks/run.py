"""Prints the figures that Gloam is held to. Run it with `make bench`; nothing here asserts a time.

Everything is measured on real processes over loopback, but the size of a walking step: that is counted at the same
codec with the server under a manual clock, where no heartbeat falls between two steps.
"""

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import msgspec

from benchmarks import attack, crowd, keeping
from benchmarks.isolation import isolation
from gloam_server.bots.walker import Walker
from gloam_server.content.campaign import Campaign
from gloam_shared.protocol.codec import encode
from gloam_shared.protocol.commands import Explore
from gloam_shared.protocol.framing import frame
from gloam_shared.protocol.messages import Heartbeat, Update
from support.client.fake_client import FakeClient
from support.content.campaigns import arena_files, shipped
from support.processes.process_usage import Usage
from support.processes.pty import PtyTerminal
from support.processes.server_process import ServerProcess
from support.server.sim_server import SimServer

STEPS = 300
SPACING_S = 0.055
SIGHT = 8


def main() -> None:
    """Run all measurements, one after another."""
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        for measure in (
            _latency,
            _standing_still,
            _idle_server,
            _client,
            keeping.start,
            keeping.pause,
            keeping.digest,
        ):
            _row(measure, scratch)
        _row(attack.under_attack, scratch)
        _row(crowd.comings, scratch)
        _row(crowd.plans, scratch)
    _row(isolation, Path())
    _row(_step_bytes, Path())
    _row(_login_bytes, Path())


def _row(measure: Callable[[Path], list[tuple[str, str, str]]], scratch: Path) -> None:
    for name, value, wanted in measure(scratch):
        print(f"{name:<58} {value:>22}   {wanted}", flush=True)


def _latency(scratch: Path) -> list[tuple[str, str, str]]:
    """Command to patch on loopback, one player in an empty cave, the journal on a real disk."""
    campaign = _write(scratch / "empty", monsters=0)
    times: list[float] = []
    with (
        ServerProcess(scratch / "latency", campaign=campaign, seed=3) as server,
        FakeClient(server.port, "Bench") as client,
    ):
        walker = Walker()
        for _ in range(STEPS):
            command = walker.stroll(client.view)
            began = time.perf_counter()
            client.do(command)
            times.append(time.perf_counter() - began)
            time.sleep(SPACING_S)
    times.sort()
    timing = f"{_ms(statistics.median(times))} / {_ms(times[int(len(times) * 0.95)])}"
    return [(f"command to patch, p50 / p95 of {STEPS}", timing, "p50 at most 3 ms")]


def _standing_still(scratch: Path) -> list[tuple[str, str, str]]:
    campaign = _write(scratch / "still", monsters=0)
    with (
        ServerProcess(scratch / "standing", campaign=campaign, seed=3) as server,
        FakeClient(server.port, "Bench") as client,
    ):
        client.settle(0.5)
        before, pings = client.received_bytes, len(client.of_kind(Heartbeat))
        client.settle(11)
        beats = client.of_kind(Heartbeat)[pings:]
        other = client.received_bytes - before - sum(len(frame(encode(ping))) for ping in beats)
    return [(f"bytes in 11 s of standing still, besides {len(beats)} heartbeats", str(other), "0")]


def _idle_server(scratch: Path) -> list[tuple[str, str, str]]:
    with ServerProcess(scratch / "idle", campaign="jsrogue") as server:
        with FakeClient(server.port, "Bench") as client:
            client.settle(0.2)
        time.sleep(1.5)
        usage = Usage(server.process.pid)
        time.sleep(10)
        woken, memory = usage.wakeups(), usage.resident_mb()
    return [
        ("wake-ups of an idle server in 10 s, all threads", str(woken), "0 of the world"),
        ("memory of an idle server", f"{memory} MB", "under 120 MB"),
    ]


def _client(scratch: Path) -> list[tuple[str, str, str]]:
    """Process start to first paint, and the processor time of a client that is left alone."""
    paints: list[float] = []
    share = 0.0
    campaign = _write(scratch / "client-world", monsters=0)
    with ServerProcess(scratch / "client", campaign=campaign, seed=3) as server:
        environment = {"GLOAM_HOME": str(scratch / "home"), "HOME": str(scratch)}
        command = [sys.executable, "-m", "gloam_client", f"127.0.0.1:{server.port}", "--name", "Bench"]
        for _ in range(7):
            with PtyTerminal(command, env=environment) as terminal:
                terminal.wait_for("HP")
                assert terminal.first_paint_s is not None
                paints.append(terminal.first_paint_s)
        with PtyTerminal(command, env=environment) as terminal:
            terminal.wait_for("HP")
            usage = Usage(terminal.process.pid)
            spent = usage.cpu_s()
            began = time.monotonic()
            while time.monotonic() - began < 10:
                terminal.pump(0.5)
            share = (usage.cpu_s() - spent) / (time.monotonic() - began)
    return [
        (
            "client: process start to first paint, median of 7",
            _ms(statistics.median(paints)),
            "at most 350 ms",
        ),
        ("client: processor share while idle, over 10 s", f"{share:.2%}", "under 1 %"),
    ]


def _step_bytes(_: Path) -> list[tuple[str, str, str]]:
    """Bytes to a client for each step in a cave at sight radius 8: over known ground, and exploring."""
    campaign = _sharp_eyed(shipped("jsrogue"))
    known = [size for seed in range(1, 6) for size in _strolled(campaign, seed)]
    new = [size for seed in range(1, 6) for size in _explored(campaign, seed)]
    return [
        (
            f"bytes a step, walking, sight {SIGHT}, mean of {len(known)}",
            f"{statistics.mean(known):.1f}",
            "at most 64",
        ),
        (
            f"bytes a step, exploring, sight {SIGHT}, mean of {len(new)}",
            f"{statistics.mean(new):.1f}",
            "at most 64",
        ),
    ]


def _strolled(campaign: Campaign, seed: int) -> list[int]:
    server = SimServer(campaign, seed)
    client = server.join("Bench")
    walker = Walker(seed)
    sizes = []
    for _ in range(STEPS):
        client.got.clear()
        client.command(walker.stroll(client.view))
        server.advance(60)
        sizes.append(sum(len(frame(encode(each))) for each in client.got if not isinstance(each, Heartbeat)))
    return sizes


def _explored(campaign: Campaign, seed: int) -> list[int]:
    server = SimServer(campaign, seed)
    client = server.join("Bench")
    sizes: list[int] = []
    for _ in range(20):
        client.got.clear()
        client.command(Explore())
        server.advance(3_000)
        sizes += [len(frame(encode(each))) for each in client.got if isinstance(each, Update)]
    return sizes


def _login_bytes(_: Path) -> list[tuple[str, str, str]]:
    """Login and first screen: for a new life, and for one that remembers all of level 1."""
    server = SimServer(shipped("jsrogue"), 1)
    client = server.join("Bench")
    new = sum(len(frame(encode(each))) for each in client.got)
    level = server.level_of(client)
    level.memory[server.body(client).number][:] = level.terrain
    client.cut()
    client.got.clear()
    client.dial()
    server.advance(60)
    old = sum(len(frame(encode(each))) for each in client.got)
    return [("login and first screen, new life / all of level 1 known", f"{new} / {old} B", "at most 6144 B")]


def _sharp_eyed(campaign: Campaign) -> Campaign:
    """Return the campaign with a player who sees 8 cells far, and no one else in it."""
    kinds = dict(campaign.creatures)
    kinds[campaign.player] = msgspec.structs.replace(campaign.player_kind, sight=SIGHT)
    alone = {key: msgspec.structs.replace(kind, monsters=0) for key, kind in campaign.levels.items()}
    return msgspec.structs.replace(campaign, creatures=kinds, levels=alone)


def _write(folder: Path, *, monsters: int) -> str:
    folder.mkdir()
    for name, body in arena_files(monsters=monsters).items():
        (folder / name).write_bytes(body)
    return f"{folder}/"


def _ms(seconds: float) -> str:
    return f"{seconds * 1_000:.2f} ms"


if __name__ == "__main__":
    main()
