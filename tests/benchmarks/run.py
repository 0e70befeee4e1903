"""Prints the figures that Gloam is held to, and writes them to `build/bench.json`. Run it with `make bench`; nothing here asserts a time.

Everything is measured on real processes over loopback, but the size of a walking step: that is counted at the same
codec with the server under a manual clock, where no heartbeat falls between two steps.
"""

import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import msgspec

from benchmarks import attack, crowd, keeping, loads, speeds
from benchmarks.client_frames import frame_costs
from benchmarks.figures import Figure, percentile, write_json
from benchmarks.idle import idle
from benchmarks.isolation import isolation
from benchmarks.load import logins
from benchmarks.load.server_side import counter_of, empty_cave
from benchmarks.wire_cost.figures import wire_cost
from gloam_lab.bots.walker import Walker
from gloam_server.content.campaign import Campaign
from gloam_shared.protocol.codec import encode
from gloam_shared.protocol.commands import Explore
from gloam_shared.protocol.framing import frame
from gloam_shared.protocol.messages.play import Heartbeat, Update
from support.client.fake_client import FakeClient
from support.content.campaigns import shipped
from support.processes.pty import PtyTerminal
from support.processes.server_process import ServerProcess
from support.server.sim_server import SimServer

ROOT = Path(__file__).parents[2]
RESULT = ROOT / "build" / "bench.json"
STEPS = 300
SPACING_S = 0.055
SIGHT = 8


def main() -> None:
    """Run all measurements, one after another, and write them to the file."""
    began_s = time.monotonic()
    figures: list[Figure] = []
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        for measure in (
            _latency,
            _first_paint,
            idle,
            frame_costs,
            keeping.start,
            keeping.pause,
            keeping.digest,
            attack.under_attack,
            crowd.comings,
            crowd.plans,
            isolation,
            _step_bytes,
            _login_bytes,
            wire_cost,
            speeds.speeds,
            speeds.cold_start,
            logins.logins,
            logins.rush,
            loads.loads,
        ):
            for figure in measure(scratch):
                print(figure.line(), flush=True)
                figures.append(figure)
    figures.append(Figure("the whole benchmark", round(time.monotonic() - began_s), "s", "<= 600"))
    print(figures[-1].line())
    write_json(RESULT, figures)
    print(
        f"Written to {RESULT.relative_to(ROOT)}. To write these figures into server/docs/performance-figures.md: make bench-page"
    )


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


def _step_bytes(_: Path) -> list[Figure]:
    """Bytes to a client for each step in a cave at sight radius 8: over known ground, and exploring."""
    campaign = _sharp_eyed(shipped("jsrogue"))
    known = [size for seed in range(1, 6) for size in _strolled(campaign, seed)]
    new = [size for seed in range(1, 6) for size in _explored(campaign, seed)]
    return [
        Figure(f"bytes a step, walking, sight {SIGHT}", round(statistics.mean(known), 1), "B", "<= 64"),
        Figure(f"bytes a step, exploring, sight {SIGHT}", round(statistics.mean(new), 1), "B", "<= 64"),
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


def _login_bytes(_: Path) -> list[Figure]:
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
    return [
        Figure("login and first screen, new life", new, "B", "<= 6144"),
        Figure("login and first screen, all of level 1 known", old, "B", "<= 6144"),
    ]


def _sharp_eyed(campaign: Campaign) -> Campaign:
    """Return the campaign with a player who sees 8 cells far, and no one else in it."""
    kinds = dict(campaign.creatures)
    kinds[campaign.player] = msgspec.structs.replace(campaign.player_kind, sight=SIGHT)
    alone = {key: msgspec.structs.replace(kind, monsters=0) for key, kind in campaign.levels.items()}
    return msgspec.structs.replace(campaign, creatures=kinds, levels=alone)


def _ms(seconds: float) -> float:
    return round(seconds * 1_000, 2)


if __name__ == "__main__":
    main()
