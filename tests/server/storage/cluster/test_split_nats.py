"""Cuts between servers of NATS: the majority goes on, and a leader that is alone confirms nothing."""

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import nats
import pytest
from nats.errors import Error as NatsError

from gloam_server.storage.errors import StorageError
from gloam_server.storage.journal import Record, WriterClaim
from gloam_server.storage.store import Store
from support.cluster.nats_cluster import NatsCluster, nats_cluster
from support.storage.clusters import Cluster, opened

pytestmark = pytest.mark.thorough

T = TypeVar("T")
CLAIM = WriterClaim(1, "ab12", 1_800_000_000)
STREAM = "gloam-journal"
PATIENCE_S = 60
ALONE_S = 12
"""Longer than the others take to elect another leader, and than the old one takes to see that it leads no more."""


@pytest.fixture
def three(tmp_path: Path) -> Iterator[NatsCluster]:
    with nats_cluster(tmp_path / "three", splits=True) as running:
        yield running


def repeated(work: Callable[[], T]) -> T:
    """Do something as a server does, again until NATS answers: its servers may elect leaders yet."""
    until = time.monotonic() + PATIENCE_S
    while True:
        try:
            return work()
        except StorageError:
            assert time.monotonic() < until, "NATS answers no more"
            time.sleep(0.1)


def append(store: Store, sequence: int) -> float:
    """Append a record, and return the time that this took in seconds."""
    began_s = time.monotonic()
    repeated(lambda: store.journal.append([Record(1, sequence, b"%d" % sequence)]))
    return time.monotonic() - began_s


def claim(address: str) -> None:
    """Claim the realm, whose stream is made."""
    with opened(address) as store:
        store.journal.claim(CLAIM)


def confirmed(address: str) -> list[bytes]:
    """Return what is in the journal."""
    with opened(address) as store:
        return [each.body for each in store.journal.read(1, 0)]


async def confirms(port: int, subject: str) -> bool:
    """Return whether a server confirms any of the messages that it gets for a while, by a client that stays with it."""
    client = await nats.connect(f"nats://127.0.0.1:{port}", allow_reconnect=False)
    until = time.monotonic() + ALONE_S
    try:
        while time.monotonic() < until:
            with suppress(NatsError):
                await client.jetstream(timeout=2).publish(subject, b"alone")
                return True
        return False
    finally:
        await client.close()


def test_the_majority_goes_on_without_its_leader(three: NatsCluster, cluster: Cluster) -> None:
    """The client is connected to the leader that is cut off: it finds the others, and each append lands once."""
    realm = cluster.realm()
    address = f"{three.address(realm)},{cluster.postgres.address()}"
    repeated(lambda: claim(address))
    leader = three.leader(STREAM)
    others = [each for each in three.servers if each is not leader]
    with opened(f"{three.address(realm, by=leader)},{cluster.postgres.address()}") as store:
        append(store, 1)
        three.split(leader, *others)
        took_s = [append(store, sequence) for sequence in range(2, 20)]
        assert max(took_s) < 20
        three.join()
        append(store, 20)
    assert repeated(lambda: confirmed(address)) == [b"%d" % sequence for sequence in range(1, 21)]


def test_a_leader_alone_confirms_nothing(three: NatsCluster, cluster: Cluster) -> None:
    """It still takes clients, and each publish through it has no answer, or is refused."""
    realm = cluster.realm()
    address = f"{three.address(realm)},{cluster.postgres.address()}"
    repeated(lambda: claim(address))
    leader = three.leader(STREAM)
    three.split(leader, *(each for each in three.servers if each is not leader))
    assert not asyncio.run(confirms(leader.port, f"gloam.journal.{realm}"))
    three.join()
    assert repeated(lambda: confirmed(address)) == []
