"""A server starts while the servers of its store elect a leader: it asks again, and says so once."""

import logging
from typing import Any, cast

import pytest

from gloam_server.app import open_world
from gloam_server.app.config import Config
from gloam_server.storage.errors import NoLeader, StorageError, StorageFault
from gloam_server.storage.store import Store
from gloam_server.world.transition.dungeon import Dungeon
from support.run.fault_seam import FaultSeam

ELECTION = NoLeader("NATS does not answer (its servers elect a leader); see that they run.")
CONFIG = cast(Config, object())
OPENED = cast(tuple[Store, Dungeon], (object(), object()))


class Opening:
    """The first attempts to open a world fail."""

    def __init__(self, failing: int, error: StorageError) -> None:
        self.attempts = 0
        self._failing = failing
        self._error = error

    def open(self, *_: Any) -> tuple[Store, Dungeon]:
        self.attempts += 1
        if self.attempts <= self._failing:
            raise self._error
        return OPENED


@pytest.fixture(autouse=True)
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_world, "_AGAIN_S", 0.001)


def test_an_election_is_waited_for(seam: FaultSeam, caplog: pytest.LogCaptureFixture) -> None:
    tried = Opening(20, ELECTION)
    seam.plant(open_world.open_world, tried.open, within=open_world)
    with caplog.at_level(logging.WARNING):
        assert open_world.open_after_election(CONFIG, 0) is OPENED
    assert tried.attempts == 21
    assert [record.getMessage() for record in caplog.records] == [f"{ELECTION} It is asked again for 30 s."]


def test_an_election_without_an_end(seam: FaultSeam, monkeypatch: pytest.MonkeyPatch) -> None:
    tried = Opening(1_000_000, ELECTION)
    seam.plant(open_world.open_world, tried.open, within=open_world)
    monkeypatch.setattr(open_world, "_ELECTION_S", 0.05)
    with pytest.raises(NoLeader):
        open_world.open_after_election(CONFIG, 0)
    assert tried.attempts > 1


def test_another_fault_ends_the_start(seam: FaultSeam) -> None:
    tried = Opening(1, StorageFault("PostgreSQL does not answer; see that it runs."))
    seam.plant(open_world.open_world, tried.open, within=open_world)
    with pytest.raises(StorageFault, match="PostgreSQL"):
        open_world.open_after_election(CONFIG, 0)
    assert tried.attempts == 1
