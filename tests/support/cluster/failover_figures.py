"""Figures of workers: how long a player has no answers when a realm is moved, and when a worker dies; and what players of others notice.

python tests/support/cluster/failover_figures.py --campaign gloam --moves 20 --kills 5

All of it runs on this machine: NATS, PostgreSQL, two workers, and for each of three realms a player who dials every 10 ms.
"""

import argparse
import json
import sys
import tempfile
import time
from itertools import count
from pathlib import Path
from threading import Thread

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.figures import percentile
from gloam_server.cli.processes.moves import move_realm
from gloam_server.storage.workers import Cluster as Realms
from gloam_shared.protocol.commands import Wait
from gloam_shared.protocol.messages.lives import NewLife
from gloam_shared.protocol.messages.play import Answer
from support.client.fake_client import FakeClient
from support.cluster.workers import WorkerProcess, looking, placed, realms_command
from support.processes.addresses import free_port
from support.run.waiting import wait_until
from support.storage.clusters import Cluster

REALMS = ("first", "second", "third")
_PAUSE_S = 0.02
_DIAL_S = 0.01
_PATIENCE_S = 30
_REBIRTH_S = 0.3
_REST_S = 15
_numbers = count(1)
"""Each player is a new one: a former one may be dead."""


class Player:
    """A player who acts without rest in a thread. `gaps_ms` are the times from the last answer of a server to the first of the next.

    `took_ms` are the times of all commands that one server answered.
    """

    def __init__(self, port: int) -> None:
        self.gaps_ms: list[int] = []
        self.took_ms: list[float] = []
        self.lost: list[str] = []
        """The errors of all commands that had no answer."""
        self._client = FakeClient(port, f"Player{next(_numbers)}").__enter__()
        self._ends = False
        self._thread = Thread(target=self._play, daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Stop playing."""
        self._ends = True
        self._thread.join(_PATIENCE_S)
        self._client.leave()

    def _play(self) -> None:
        answered_s = time.monotonic()
        while not self._ends:
            try:
                began_s = time.monotonic()
                self._client.do(Wait())
                self.took_ms.append((time.monotonic() - began_s) * 1_000)
                self._client.settle(_PAUSE_S)
                self._live_again()
            except (AssertionError, OSError) as error:
                self.lost.append(repr(error))
                self._dial()
                self.gaps_ms.append(round((time.monotonic() - answered_s) * 1_000))
            answered_s = time.monotonic()

    def _live_again(self) -> None:
        """Begin a new life after a death: what the dead ask is refused, and too much of it not even answered."""
        answers = self._client.of_kind(Answer)
        if answers and answers[-1].reason == "no_body":
            self._client.send(NewLife(self._client.link.life, None))
            self._client.settle(_REBIRTH_S)

    def _dial(self) -> None:
        """Dial until the next server has answered the command that the last one did not."""
        while True:
            self._client.hang_up()
            try:
                self._client.connect()
                self._client.wait_for(lambda: self._client.link.joined, 5)
                self._client.wait_for(lambda: self._client.link.unanswered is None, 5)
            except (AssertionError, OSError):
                time.sleep(_DIAL_S)
            else:
                return


def make_realms(store: str, campaign: str) -> dict[str, int]:
    """Make three realms, and return their ports."""
    ports = {realm: free_port() for realm in REALMS}
    for realm, port in ports.items():
        realms_command(store, "create", realm, "--campaign", campaign, "--port", str(port))
    return ports


def begin(folder: Path, store: str, name: str, realms: Realms) -> WorkerProcess:
    """Start a worker, and wait until it has joined."""
    made = WorkerProcess(folder, store, name)
    wait_until(lambda: name in realms.workers.look().workers, f"{name} did not join")
    return made


def measure_rest(port: int) -> list[float]:
    """Return the times of a player's commands while nothing else happens."""
    player = Player(port)
    time.sleep(_REST_S)
    player.end()
    return player.took_ms


def measure_moves(realms: Realms, ports: dict[str, int], moves: int, others_ms: list[float]) -> list[int]:
    """Move a realm to and fro, and return the gaps of its player; `others_ms` gets the times of a player of another realm."""
    player, other = Player(ports["first"]), Player(ports["second"])
    try:
        for _ in range(moves):
            time.sleep(1.5)
            target = "beta" if placed(realms)["first"] == "alpha" else "alpha"
            move_realm(realms, "first", target)
        time.sleep(1.5)
    finally:
        player.end()
        other.end()
    assert not other.gaps_ms, other.lost
    others_ms += other.took_ms
    return sorted(player.gaps_ms)


def measure_kills(
    folder: Path,
    store: str,
    realms: Realms,
    workers: dict[str, WorkerProcess],
    ports: dict[str, int],
    kills: int,
    others_ms: list[float],
) -> dict[str, list[int]]:
    """Kill the worker with the most realms, with its servers and then alone, and return the gaps of its players.

    `others_ms` gets the times of the players of the other worker's realms.
    """
    gaps: dict[str, list[int]] = {"machine": [], "worker": []}
    for kind in [*gaps] * kills:
        realms_command(store, "balance")
        wait_until(lambda: len({*placed(realms).values()}) == len(workers), "a worker has no realm")
        held = list(placed(realms).values())
        victim = max(workers, key=held.count)
        players = [Player(ports[realm]) for realm, worker in placed(realms).items() if worker == victim]
        others = [Player(ports[realm]) for realm, worker in placed(realms).items() if worker != victim]
        time.sleep(1)
        (workers[victim].cut_power if kind == "machine" else workers[victim].kill)()
        wait_until(lambda players=players: all(each.gaps_ms for each in players), "not all returned")  # type: ignore[misc]  # a default binds the value
        for each in players:
            each.end()
            gaps[kind] += each.gaps_ms[:1]
        for each in others:
            each.end()
            assert not each.gaps_ms, each.lost
            others_ms += each.took_ms
        wait_until(lambda victim=victim: victim not in realms.workers.look().workers, "it counts as running")  # type: ignore[misc]  # as above
        workers[victim] = begin(folder, store, victim, realms)
    return {kind: sorted(found) for kind, found in gaps.items()}


def main() -> int:
    """Measure, and tell: all times are in milliseconds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--campaign", default="jsrogue")
    parser.add_argument("--moves", type=int, default=10)
    parser.add_argument("--kills", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        cluster = Cluster(folder / "nats")
        workers: dict[str, WorkerProcess] = {}
        try:
            store = cluster.address("any")
            ports = make_realms(store, options.campaign)
            with looking(store) as realms:
                for each in ("alpha", "beta"):
                    workers[each] = begin(folder, store, each, realms)
                wait_until(lambda: len(placed(realms)) == len(REALMS), "not all realms are served")
                others: dict[str, list[float]] = {
                    "rest": measure_rest(ports["second"]),
                    "moves": [],
                    "kills": [],
                }
                moved = measure_moves(realms, ports, options.moves, others["moves"])
                killed = measure_kills(folder, store, realms, workers, ports, options.kills, others["kills"])
        finally:
            for worker in workers.values():
                worker.remove()
            cluster.close()
    p99 = {f"others_p99_{word}": round(percentile(sorted(took), 99), 1) for word, took in others.items()}
    sys.stdout.write(f"{json.dumps({'campaign': options.campaign, 'moves': moved, **killed, **p99})}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
