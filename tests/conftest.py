"""Hypothesis profiles, small while one works, larger and without chance where CI is set; and what servers send."""

import faulthandler
import gc
import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import pytest
from _pytest.faulthandler import fault_handler_stderr_fd_key
from hypothesis import HealthCheck, settings

import gloam_client.cli.doctor
import gloam_client.screens.menu  # noqa: F401  # see below
from gloam_shared.kept import checking
from support.protocol.sent_messages import Sent, faults, read_document, watch
from support.run.effort import CI
from support.run.fault_seam import FaultSeam
from support.run.ordering import longest_first
from support.world.made_rounds import remember_rounds

LONG: Final = "long"
"""The mark of tests that take longest in CI."""

END_TO_END: Final = "end_to_end"
"""The mark of tests that start processes, and often wait for them."""

THOROUGH: Final = "thorough"
"""The mark of tests that only CI runs: `make test` is to end within minutes."""

BY_HAND: Final = "by_hand"
"""The mark of tests that change a level without an input: what is kept of it is stale until the next one."""

UNCHECKED: Final = "unchecked"
"""The mark of tests that play long lives, in which checks of kept values take as long as the rest. The golden lives are checked."""

SLOW_IS_NO_FAULT = [HealthCheck.too_slow]
"""The machine may be busy with other things."""

settings.register_profile(
    "default", max_examples=15, deadline=None, database=None, suppress_health_check=SLOW_IS_NO_FAULT
)
# Examples follow from the values that stand in the modules loaded so far: those that are loaded late are loaded above.
settings.register_profile(
    "ci",
    max_examples=70,
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=SLOW_IS_NO_FAULT,
)
settings.load_profile("ci" if CI else "default")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int | None:
    """Return how many processes run tests: two for each core, because many tests wait for deadlines and for servers."""
    return None if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ else len(os.sched_getaffinity(0)) * 2


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Let each process begin with long tests or with tests that wait: at the end of a run nothing is left to do meanwhile."""
    processes = int(getattr(config, "workerinput", {}).get("workercount", 1))
    items[:] = longest_first(
        items,
        lambda item: LONG in item.keywords,
        processes,
        lambda item: item.path if END_TO_END in item.keywords else None,
    )


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip what takes long, but where CI is set; one line at the end of the run counts them."""
    _watch_for_hangs(item.config)
    if not CI and item.get_closest_marker(THOROUGH):
        pytest.skip("takes long: `CI=true make test` runs it")


_HANGS_S: Final = 600
_ARMED_S = [0.0]


def _watch_for_hangs(config: pytest.Config) -> None:
    """Let a test that hangs end the process with the stacks of all threads, instead of holding the whole run.

    `faulthandler_timeout` would do it with a new thread for each test, which takes longer than most tests.
    """
    if time.monotonic() > _ARMED_S[0] + _HANGS_S / 10:
        _ARMED_S[0] = time.monotonic()
        faulthandler.dump_traceback_later(_HANGS_S, exit=True, file=config.stash[fault_handler_stderr_fd_key])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Check each read of a kept value. A server would answer an exception, so a stale one ends the test."""
    stale: list[str] = []
    unchecked = item.get_closest_marker(BY_HAND) or item.get_closest_marker(UNCHECKED)
    with _own_process_state(), checking(None if unchecked else stale.append):
        yield
    assert not stale, stale[0]


@contextmanager
def _own_process_state() -> Iterator[None]:
    """Take back what `gloam-server run` does to a process that calls it: blocked signals, and no search for garbage.

    Processes that a later test starts would inherit the blocked signals, and its end would wait for them for ever.
    """
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
        gc.enable()


@pytest.fixture
def seam(monkeypatch: pytest.MonkeyPatch) -> Iterator[FaultSeam]:
    """Plant faults; at the end of the test each must have been reached."""
    seam = FaultSeam(monkeypatch)
    yield seam
    seam.check_reached()


FAULTS: Final = pytest.StashKey[list[str]]()
DOCUMENT: Final = read_document()
SENT: Final = Sent(DOCUMENT)
OTHERS_SAW: Final[list[tuple[str, Any, str]]] = []
"""The messages that the other processes of this run saw."""

watch(SENT)
remember_rounds()


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Take what one process of the run saw, as it ends."""
    OTHERS_SAW.extend(map(tuple, getattr(node, "workeroutput", {}).get("sent", ())))


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Hand on what this process saw; where all of it is collected, fail the run for what the protocol does not list."""
    saw = [(table, value, test) for (table, value), test in SENT.seen.items()]
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["sent"] = saw
        return
    found = faults(DOCUMENT, [*saw, *OTHERS_SAW])
    session.config.stash[FAULTS] = found
    if found and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Tell what the protocol does not list."""
    found = config.stash.get(FAULTS, [])
    if found:
        terminalreporter.section("sent, and not in shared/protocol.json", red=True)
    for fault in found:
        terminalreporter.line(fault)
