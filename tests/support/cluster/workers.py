"""Workers of a cluster in processes of their own, and crowds of players in its realms who dial again when they are cut."""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread

from gloam_server.storage.open_store import open_realms
from gloam_server.storage.workers import Cluster as Realms
from support.client.fake_client import FakeClient
from support.content.campaigns import shipped
from support.crash.auditor import Auditor
from support.crash.bots import Crowd
from support.crash.faults import PlayingBot
from support.processes.server_forks import ForkedServer
from support.processes.server_process import clean_environment, run_server_command
from support.run.waiting import PATIENCE_S, wait_until
from support.simulation.randomness import Chance

_TURN_S = 0.05


class WorkerProcess:
    """A worker and its servers: a group of processes, which can be killed together as a power cut of their machine would."""

    def __init__(self, folder: Path, store: str, name: str, *flags: str) -> None:
        self.name = name
        self.log = folder / f"{name}.log"
        words = ["worker", "--name", name, "--data", str(folder / "data"), "--store", store, *flags]
        with self.log.open("ab") as log:
            self.process = ForkedServer(words, log.fileno(), clean_environment(), log.fileno())

    def cut_power(self) -> None:
        """Kill it and all its servers."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(PATIENCE_S)

    def kill(self) -> None:
        """Kill the worker alone."""
        self.process.kill()
        self.process.wait(PATIENCE_S)

    def stop(self) -> int:
        """Ask it to stop, as a service manager would, and return its exit code."""
        self.process.terminate()
        return self.process.wait(PATIENCE_S)

    def remove(self) -> None:
        """End it and all its servers, if they run."""
        if self.process.poll() is None:
            self.cut_power()


class RealmCrowd:
    """Bots in one realm, which play in a thread, and dial again when they are cut."""

    def __init__(self, realm: str, port: int, count: int) -> None:
        self.realm = realm
        self.bots = [PlayingBot(at, Chance(at)) for at in range(count)]
        self.dials = 0
        """The number of times that all dialed, because one had no connection."""
        self._crowd = Crowd(list(self.bots))
        self._port = port
        self._ends = Event()
        self._thread = Thread(target=self._play, name=realm)
        self._thread.start()

    def are_in(self) -> bool:
        """Return whether all play."""
        return all(bot.socket is not None for bot in self.bots) and self._crowd.are_in()

    def joins(self) -> int:
        """Return how often players were taken in, also by a new life."""
        return sum(bot.joins for bot in self.bots)

    def end(self) -> None:
        """Stop playing."""
        self._ends.set()
        self._thread.join(PATIENCE_S)
        self._crowd.hang_up()

    def _play(self) -> None:
        while not self._ends.is_set():
            if any(bot.socket is None for bot in self.bots):
                self.dials += 1
                self._crowd.dial(self._port)
            self._crowd.play(_TURN_S)
            if all(bot.socket is None for bot in self.bots):
                time.sleep(_TURN_S / 5)


@contextmanager
def looking(store: str) -> Iterator[Realms]:
    """Yield a view of the realms and workers."""
    found = open_realms(store)
    try:
        yield found
    finally:
        found.close()


def placed(realms: Realms) -> dict[str, str]:
    """Return the worker of each realm that has one, and serves it."""
    look = realms.workers.look()
    started = {realm for worker in look.workers.values() for realm in worker.starts}
    return {realm: holder.worker for realm, holder in look.holders.items() if realm not in started}


def wait_for_servers(realms: Realms, *workers: str) -> None:
    """Wait until realms are served by these workers, one name for each realm, and no other realm is."""
    wait_until(
        lambda: sorted(placed(realms).values()) == sorted(workers), f"the realms are not served by {workers}"
    )


def wait_for_worker(realms: Realms, *names: str) -> None:
    """Wait until these workers have joined the cluster."""
    wait_until(lambda: {*names} <= {*realms.workers.look().workers}, f"{names} did not join")


def create_realm(store: str, name: str, port: int) -> None:
    """Make a realm whose levels are made quickly."""
    seed = ("--campaign", "jsrogue", "--seed", "7", "--exact-seed")
    realms_command(store, "create", name, *seed, "--port", str(port))


def realms_command(store: str, *words: str) -> str:
    """Run a command on realms, and return its output."""
    done = run_server_command("realms", *words, "--store", store)
    assert done.returncode == 0, done.stderr
    return done.stdout


def refused(store: str, *words: str) -> str:
    """Run a command on realms that is refused, and return its one sentence."""
    done = run_server_command("realms", *words, "--store", store)
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stderr.endswith(".\n")
    return done.stderr


def dial_again(client: FakeClient) -> None:
    """Wait for the end of the connection, and log in at the next server of the realm."""
    until = time.monotonic() + PATIENCE_S
    while not client.closed:
        assert time.monotonic() < until, "the connection did not end"
        client.read(0.05)
    client.hang_up()

    def is_in() -> bool:
        try:
            client.connect()
        except OSError:
            return False
        while not (client.link.joined or client.closed):
            client.read(0.05)
        return not client.closed

    wait_until(is_in, "the realm is not served")


def audit(folder: Path, store: str, crowd: RealmCrowd) -> None:
    """Compare a realm with what its players were answered, and verify it."""
    file, data = folder / f"{crowd.realm}.sqlite3", folder / crowd.realm
    for words in (
        ("export", str(file), "--store", store),
        ("verify", str(file)),
        ("restore", str(file), "--data", str(data)),
    ):
        done = run_server_command(*words)
        assert done.returncode == 0, done.stderr
    found = Auditor(shipped("jsrogue")).look(data, list(crowd.bots))
    assert (found.lost, found.doubled, found.vanished) == (0, 0, 0), found.words
    assert sum(bot.forgotten for bot in crowd.bots) == 0
    assert sum(bot.answered for bot in crowd.bots) > 0
