"""A standby opens the world of a dead turn process: again and again while it is not free, or its store does not answer."""

import subprocess
import sys
from pathlib import Path
from typing import Any, cast

import pytest
from twisted.internet.task import Clock

from gloam_server.app.config import Config
from gloam_server.app.open_world import open_world
from gloam_server.app.views import standby
from gloam_server.app.views.standby import Standby
from gloam_server.app.views.watched_process import WatchedProcess
from gloam_server.storage.errors import StorageDamaged, StorageError, StorageFault, WorldOpen
from support.run.fault_seam import FaultSeam

ELECTION = StorageFault("NATS does not answer (its servers elect a leader); see that they run.")
HELD = WorldOpen("The realm first is open in another server.")
DAMAGED = StorageDamaged("The journal in NATS lacks entry 7.")


@pytest.mark.parametrize(
    ("errors", "opens", "stops"),
    [
        pytest.param([ELECTION, HELD, ELECTION], 1, [], id="some tries"),
        pytest.param([ELECTION] * 1_000, 0, [str(ELECTION)], id="no answer"),
        pytest.param([ELECTION, DAMAGED], 0, [str(DAMAGED)], id="damage"),
    ],
)
def test_a_store_that_does_not_answer_delays_it(
    tmp_path: Path, seam: FaultSeam, errors: list[StorageError], opens: int, stops: list[str]
) -> None:
    """For half a minute; before, an election of NATS in this moment ended the whole server. It follows the process that it ended."""
    clock, opened, stopped, left = Clock(), [], list[str](), list(errors)

    def opening(config: Config, *_: object) -> tuple[object, object]:
        assert config.terms.follows == dead.pid
        if left:
            raise left.pop(0)
        return object(), object()

    seam.plant(open_world, opening, within=standby)
    with subprocess.Popen([sys.executable, "-c", ""]) as dead:
        one = Standby(
            Config(data=tmp_path, private=False),
            cast(Any, clock),
            lambda *_: opened.append(1),
            lambda: None,
            stopped.append,
        )
        one._owner = WatchedProcess(dead.pid)
        one.lost()
        clock.pump([0.05] * 700)
    assert (len(opened), stopped) == (opens, stops)
