"""A server starts while the servers of NATS elect a leader: it asks again, and says so once."""

import logging
from typing import Any, cast

import pytest

from gloam_server.storage.cluster import cluster_store
from gloam_server.storage.cluster.cluster_store import open_cluster
from gloam_server.storage.errors import StorageError, StorageFault
from gloam_server.storage.store import LeaseTerms, Store
from support.run.fault_seam import FaultSeam

ELECTION = StorageFault("NATS does not answer (its servers elect a leader); see that they run.")
THREE = "nats://a:4222,b:4222,c:4222/deep?replicas=3,postgresql://gloam@d/gloam"
ONE = "nats://a:4222/deep?replicas=1,postgresql://gloam@d/gloam"
STORE = cast(Store, object())


class Opening:
    """The first attempts to open a store fail."""

    def __init__(self, failing: int, error: StorageError) -> None:
        self.attempts = 0
        self._failing = failing
        self._error = error

    def open_now(self, *_: Any, **__: Any) -> Store:
        self.attempts += 1
        if self.attempts <= self._failing:
            raise self._error
        return STORE


@pytest.fixture(autouse=True)
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_store, "_AGAIN_S", 0.001)


def test_an_election_is_waited_for(seam: FaultSeam, caplog: pytest.LogCaptureFixture) -> None:
    tried = Opening(20, ELECTION)
    seam.plant(cluster_store._open_now, tried.open_now)
    with caplog.at_level(logging.WARNING):
        assert open_cluster(THREE) is STORE
    assert tried.attempts == 21
    assert [record.getMessage() for record in caplog.records] == [f"{ELECTION} It is asked again for 30 s."]


def test_an_election_without_an_end(seam: FaultSeam, monkeypatch: pytest.MonkeyPatch) -> None:
    tried = Opening(1_000_000, ELECTION)
    seam.plant(cluster_store._open_now, tried.open_now)
    monkeypatch.setattr(cluster_store, "_ELECTION_S", 0.05)
    with pytest.raises(StorageFault, match="elect a leader"):
        open_cluster(THREE)
    assert tried.attempts > 1


@pytest.mark.parametrize(
    ("address", "terms", "error"),
    [
        (THREE, LeaseTerms(), StorageError("NATS does not let this server in.")),
        (THREE, LeaseTerms(wait_s=0), ELECTION),
        (ONE, LeaseTerms(), ELECTION),
    ],
    ids=["refused", "impatient", "one server"],
)
def test_others_end_the_start(seam: FaultSeam, address: str, terms: LeaseTerms, error: StorageError) -> None:
    tried = Opening(1, error)
    seam.plant(cluster_store._open_now, tried.open_now)
    with pytest.raises(type(error), match="NATS does not"):
        open_cluster(address, terms=terms)
    assert tried.attempts == 1
