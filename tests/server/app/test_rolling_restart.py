"""A rolling restart under a manual clock: its order, and what ends it without harm."""

import signal
from typing import Any

import msgspec
import pytest
from twisted.internet.defer import Deferred
from twisted.internet.task import Clock

from gloam_server.app.views.own_code import own_code
from gloam_server.app.views.rolling_restart import RollingRestart
from gloam_server.ops.entrance import STANDBY, CannotRestart, ProcessState

CODE = msgspec.json.encode(own_code()).decode()


class Processes:
    """Processes that are replaced a second after they were ended, except `stuck`."""

    def __init__(self, *names: str, stuck: str = "") -> None:
        self.clock = Clock()
        self.ended: list[tuple[str, int]] = []
        self.renewals: list[int] = []
        self._numbers = {name: at for at, name in enumerate(names, start=1)}
        self._ready = dict.fromkeys(names, True)
        self._stuck = stuck
        self.restart = RollingRestart(self.clock, self.states, self.renew, self.end)

    def renew(self) -> None:
        self.renewals.append(len(self.ended))

    def states(self) -> list[ProcessState]:
        return [ProcessState(name, at, 0, 1, self._ready[name]) for name, at in self._numbers.items()]

    def end(self, number: int, how: int) -> None:
        name = next((each for each, at in self._numbers.items() if at == number), "this process")
        self.ended.append((name, how))
        self.lose(name)
        if name not in (self._stuck, "this process"):
            self.clock.callLater(1, self._begin, name)

    def lose(self, name: str) -> None:
        self._ready[name] = False

    def run(self) -> str:
        """Restart all; return the sentence of a refusal, "" if there is none."""
        said: list[str] = []
        begun = self.restart.begin(CODE)
        begun.addErrback(lambda failure: said.append(failure.trap(CannotRestart) and str(failure.value)))
        self.clock.pump([0.05] * 2_000)
        assert begun.called
        return "".join(said)

    def _begin(self, name: str) -> None:
        self._numbers[name] += 100
        self._ready[name] = True


def failed(done: Deferred[None]) -> str:
    """Return why a restart was refused."""
    said: list[Any] = []
    done.addErrback(said.append)
    assert said[0].check(CannotRestart)
    return str(said[0].value)


def test_the_turn_process_is_last() -> None:
    """Each waits until the one before is ready in its new process."""
    processes = Processes(STANDBY, "view 1", "view 2")
    assert processes.run() == ""
    assert processes.ended == [
        ("view 1", signal.SIGKILL),
        ("view 2", signal.SIGKILL),
        (STANDBY, signal.SIGTERM),
        ("this process", signal.SIGKILL),
    ]
    assert processes.renewals == [0]


@pytest.mark.parametrize(("stuck", "ended"), [("view 1", 1), (STANDBY, 3)])
def test_one_that_never_returns_ends_it(stuck: str, ended: int) -> None:
    """Later processes keep their old ones: the server goes on."""
    processes = Processes(STANDBY, "view 1", "view 2", stuck=stuck)
    assert processes.run() == (
        f"{stuck} was not ready again after 60 s; look at the log. The processes after it are the old ones."
    )
    assert len(processes.ended) == ended


def test_without_a_standby_nothing_ends() -> None:
    processes = Processes("view 1")
    assert "needs a standby that is ready" in processes.run()
    assert not processes.ended
    assert not processes.renewals


def test_there_is_one_restart_at_a_time() -> None:
    processes = Processes(STANDBY, "view 1")
    processes.restart.begin(CODE)
    assert failed(processes.restart.begin(CODE)) == "A rolling restart is under way; wait for its end."


def test_a_dead_standby_keeps_the_turn_process() -> None:
    processes = Processes(STANDBY)
    done = processes.restart.begin(CODE)
    while not done.called:
        processes.clock.advance(0.05)
    processes.lose(STANDBY)
    processes.clock.advance(5)
    assert processes.ended == [(STANDBY, signal.SIGTERM)]
