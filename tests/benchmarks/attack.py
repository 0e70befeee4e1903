"""Fifty players while strangers attack: the time of a step with and without them, and what the server holds.

The realm has its defaults, but is open, and with this machine's addresses counted as strangers': so fourteen of the
clients that never read find a place among the players, and the others get the answer that it is full. Calm, attack,
calm: the two calm stretches are taken together, so that what changes on the machine meanwhile shows in both.
"""

import json
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import foes
from benchmarks.figures import Figure
from benchmarks.latencies import TIMED_SERVER, Latencies, slow_appends
from benchmarks.load.server_side import wide_campaign
from benchmarks.players import start
from support.processes.process_usage import Usage
from support.processes.server_process import ServerProcess

WARM_S, CALM_S, ATTACK_S, SETTLE_S = 8.0, 12.0, 30.0, 8.0
PLAYERS, EVERY_S = 50, 0.4
"""A step each, with some chance to it: about 125 commands a second in all."""
_SETTINGS = "open = true\nloopback_exempt = false\ntrusted_networks = ['127.0.0.1/32']\n"


def under_attack(scratch: Path) -> list[Figure]:
    """Measure one run of players and attackers against a real server."""
    data = scratch / "attacked"
    data.mkdir()
    (data / "realm.toml").write_text(_SETTINGS)
    with ServerProcess(data, campaign=wide_campaign(scratch), seed=3, program=TIMED_SERVER) as server:
        whole_s = WARM_S + CALM_S + ATTACK_S + SETTLE_S + CALM_S
        honest = start("players.py", server.port, whole_s, PLAYERS, EVERY_S, 0, "stand")
        began_s = time.monotonic()
        watch = _Watch(Usage(server.process.pid))
        attack_s = began_s + WARM_S + CALM_S
        time.sleep(WARM_S + CALM_S)
        before = watch.resident_mb
        hostile = start("foes.py", server.port, ATTACK_S)
        hostile.wait()
        after = watch.highest_mb
        output, _ = honest.communicate()
        watch.stop()
        steps = Latencies(json.loads(output), slow_appends(server))
    attack_end_s = attack_s + ATTACK_S
    calm = steps.within(lambda at_s: began_s + WARM_S <= at_s < attack_s or at_s > attack_end_s + SETTLE_S)
    hard = steps.within(lambda at_s: attack_s <= at_s <= attack_end_s)
    assert hostile.stdout is not None
    who = f"{foes.SILENT:,} silent, {foes.DRIPPERS} dripping, {foes.READLESS} that never read"
    print(f"attackers: {who}; {hostile.stdout.read().strip()}")
    return [
        *calm.figures(f"step of {PLAYERS} players"),
        *hard.figures(f"step of {PLAYERS} players under attack"),
        *hard.more_figures("step under attack", calm, "<= 5"),
        Figure("memory of the server more under attack", after - before, "MB", "<= 64"),
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


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        for row in under_attack(Path(folder)):
            print(row.line())
