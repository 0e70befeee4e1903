"""Fifty players while strangers attack: the time of a step with and without them, and what the server holds.

The realm has its defaults, but is open, and with this machine's addresses counted as strangers': so fourteen of the
clients that never read find a place among the players, and the others get the answer that it is full. Calm, attack,
calm: the two calm stretches are taken together, so that what changes on the machine meanwhile shows in both.
"""

import json
import subprocess
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import foes, players
from benchmarks.figures import Figure
from support.content.campaigns import arena_files
from support.processes.process_usage import Usage
from support.processes.server_process import ServerProcess

WARM_S, CALM_S, ATTACK_S, SETTLE_S = 10.0, 12.0, 30.0, 8.0
HERE = Path(__file__).parent


def under_attack(scratch: Path) -> list[Figure]:
    """Measure one run of players and attackers against a real server."""
    data = scratch / "attacked"
    with ServerProcess(data, campaign=_realm(scratch, data), seed=3) as server:
        whole_s = WARM_S + CALM_S + ATTACK_S + SETTLE_S + CALM_S
        honest = _start("players.py", server.port, whole_s)
        began_s = time.monotonic()
        watch = _Watch(Usage(server.process.pid))
        attack_s = began_s + WARM_S + CALM_S
        time.sleep(WARM_S + CALM_S)
        before = watch.resident_mb
        hostile = _start("foes.py", server.port, ATTACK_S)
        hostile.wait()
        after = watch.highest_mb
        output, _ = honest.communicate()
        watch.stop()
    steps = [(at, took) for at, took in json.loads(output) if at >= began_s + WARM_S]
    attack_end_s = attack_s + ATTACK_S
    calm = [took for at, took in steps if at < attack_s or at > attack_end_s + SETTLE_S]
    hard = [took for at, took in steps if attack_s <= at <= attack_end_s]
    assert hostile.stdout is not None
    return _rows(calm, hard, before, after, hostile.stdout.read().strip())


def _rows(calm: list[float], hard: list[float], before: int, after: int, foes_: str) -> list[Figure]:
    more = _percentile(hard, 0.99) - _percentile(calm, 0.99)
    who = f"{foes.SILENT:,} silent, {foes.DRIPPERS} dripping, {foes.READLESS} that never read"
    print(f"attackers: {who}; {foes_}")
    return [
        *_steps(f"step of {players.PLAYERS} players", calm),
        *_steps(f"step of {players.PLAYERS} players under attack", hard),
        Figure("step under attack, p99 more", round(more * 1_000, 1), "ms", "<= 5"),
        Figure("memory of the server more under attack", after - before, "MB", "<= 64"),
    ]


def _steps(name: str, times: list[float]) -> list[Figure]:
    note = f"of {len(times)}"
    return [
        Figure(f"{name}, p{part}", round(_percentile(times, part / 100) * 1_000, 2), "ms", note=note)
        for part in (50, 99)
    ]


class _Watch:
    """Looks at a server's memory four times a second."""

    def __init__(self, usage: Usage) -> None:
        self.highest_mb = self.resident_mb = usage.resident_mb()
        self._usage = usage
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._look)
        self._thread.start()

    def stop(self) -> None:
        """Look no more."""
        self._done.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._done.wait(0.25):
            self.resident_mb = self._usage.resident_mb()
            self.highest_mb = max(self.highest_mb, self.resident_mb)


def _start(program: str, port: int, seconds: float) -> "subprocess.Popen[str]":
    command = [sys.executable, str(HERE / program), str(port), str(seconds)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def _realm(scratch: Path, data: Path) -> str:
    """Write a wide cave without monsters, where no one waits for anybody, and the settings of an open realm."""
    folder = scratch / "wide"
    folder.mkdir()
    for name, body in arena_files(monsters=0).items():
        wide = body.replace(b"width = 30", b"width = 150").replace(b"height = 12", b"height = 60")
        (folder / name).write_bytes(wide)
    data.mkdir()
    (data / "realm.toml").write_text(
        "open = true\nloopback_exempt = false\ntrusted_networks = ['127.0.0.1/32']\n"
    )
    return f"{folder}/"


def _percentile(times: list[float], part: float) -> float:
    return sorted(times)[int(len(times) * part)]


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        for row in under_attack(Path(folder)):
            print(row.line())
