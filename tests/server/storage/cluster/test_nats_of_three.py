"""Three servers of NATS: one may end, hang or be away, and what was confirmed is there."""

import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from gloam_server.storage.errors import StorageFault
from gloam_server.storage.journal import Record, WriterClaim
from gloam_server.storage.store import Store
from support.cluster.nats_cluster import NatsCluster, nats_cluster
from support.cluster.nats_server import NatsServer
from support.storage.clusters import Cluster, opened

pytestmark = pytest.mark.thorough

CLAIM = WriterClaim(1, "ab12", 1_800_000_000)
STREAM = "gloam-journal"
PATIENCE_S = 60


@pytest.fixture
def three(tmp_path: Path) -> Iterator[NatsCluster]:
    with nats_cluster(tmp_path / "three") as running:
        yield running


@pytest.fixture
def address(three: NatsCluster, cluster: Cluster) -> str:
    return f"{three.address(cluster.realm())},{cluster.postgres.address()}"


def append(store: Store, sequence: int) -> None:
    """Append a record as a server does: the same one again, after a while, until it is confirmed."""
    until = time.monotonic() + PATIENCE_S
    while True:
        try:
            store.journal.append([Record(1, sequence, b"%d" % sequence)])
        except StorageFault:
            assert time.monotonic() < until, "NATS answers no more"
            time.sleep(0.1)
        else:
            return


def revive(three: NatsCluster, server: NatsServer) -> None:
    """End a server, hung or dead, start it, and wait until it follows."""
    server.send(signal.SIGCONT)
    server.kill()
    server.start()
    three.wait_until_whole()


def confirmed(address: str) -> list[bytes]:
    """Return what is in the journal. Servers that were started a moment ago may elect a leader yet."""
    until = time.monotonic() + PATIENCE_S
    while True:
        try:
            with opened(address) as store:
                return [each.body for each in store.journal.read(1, 0)]
        except StorageFault:
            assert time.monotonic() < until, "NATS answers no more"
            time.sleep(0.1)


def numbers(last: int) -> list[bytes]:
    return [b"%d" % sequence for sequence in range(1, last + 1)]


def test_a_follower_that_ends_delays_nothing(three: NatsCluster, address: str) -> None:
    with opened(address) as store:
        store.journal.claim(CLAIM)
        follower = three.follower(STREAM)
        for sequence in range(1, 61):
            if sequence == 20:
                follower.kill()
            append(store, sequence)
    follower.start()
    three.wait_until_whole()
    assert confirmed(address) == numbers(60)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
def test_a_leader_that_ends_loses_nothing(
    three: NatsCluster, cluster: Cluster, number: signal.Signals
) -> None:
    """Another one leads, and the append under way lands once. The leader is the server that the client is connected to."""
    realm = cluster.realm()
    with opened(f"{three.address(realm)},{cluster.postgres.address()}") as store:
        store.journal.claim(CLAIM)
    leader = three.leader(STREAM)
    address = f"{three.address(realm, by=leader)},{cluster.postgres.address()}"
    with opened(address) as store:
        for sequence in range(1, 61):
            if sequence == 20:
                leader.send(number)
            append(store, sequence)
        assert three.leader(STREAM) is not leader
    revive(three, leader)
    assert confirmed(address) == numbers(60)


def test_two_that_end_stop_the_journal(three: NatsCluster, address: str) -> None:
    """With one of three nothing is confirmed; once a second is back, the same append lands once."""
    with opened(address) as store:
        store.journal.claim(CLAIM)
        append(store, 1)
        away = three.servers[:2]
        for each in away:
            each.kill()
        for _ in range(2):
            with pytest.raises(StorageFault, match="NATS"):
                store.journal.append([Record(1, 2, b"2")])
        for each in away:
            each.start()
        three.wait_until_whole()
        append(store, 2)
        append(store, 3)
    assert confirmed(address) == numbers(3)


def test_a_start_waits_for_an_election(three: NatsCluster, address: str) -> None:
    """After a power cut of all, which start in the same moment as this server."""
    with opened(address) as store:
        store.journal.claim(CLAIM)
        append(store, 1)
    three.kill()
    for each in three.servers:
        each.start()
    with opened(address) as store:
        assert [each.body for each in store.journal.read(1, 0)] == numbers(1)


def test_a_power_cut_of_all_three_loses_nothing(three: NatsCluster, address: str) -> None:
    with opened(address) as store:
        store.journal.claim(CLAIM)
        for sequence in range(1, 41):
            append(store, sequence)
        three.kill()
        with pytest.raises(StorageFault):
            store.journal.append([Record(1, 41, b"41")])
        three.start()
        append(store, 41)
    assert confirmed(address) == numbers(41)
