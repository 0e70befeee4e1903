"""Transactions in PostgreSQL beside a claim: only those that write keep it waiting, or wait for it."""

from collections.abc import Callable
from threading import Thread

import psycopg
import pytest

from gloam_server.storage.journal import WriterClaim
from gloam_server.storage.store import Store
from support.storage.clusters import Cluster, opened

CLAIM = WriterClaim(1, "ab12", 1_800_000_000)
WAIT_S = 3
CLAIMS = "UPDATE {}.writer SET number = number + 1"


def begun(work: Callable[[], object]) -> Thread:
    """Begin something in a thread, and wait for its end for a moment."""
    thread = Thread(target=work, daemon=True)
    thread.start()
    thread.join(WAIT_S)
    return thread


def take(store: Store) -> None:
    store.directory.create_account("Bert", b"h" * 32, 5)


def test_reading_waits_for_no_claim(cluster: Cluster) -> None:
    realm = cluster.realm()
    with opened(cluster.address(realm)) as store, psycopg.connect(cluster.postgres.address()) as rival:
        store.journal.claim(CLAIM)
        rival.execute(CLAIMS.format(realm))
        assert not begun(store.directory.account_numbers).is_alive()
        writing = begun(lambda: take(store))
        assert writing.is_alive()
        rival.rollback()
        writing.join(WAIT_S)
        assert store.directory.account_numbers() == {1}


@pytest.mark.parametrize("writes", [False, True])
def test_a_claim_waits_for_those_that_write(cluster: Cluster, *, writes: bool) -> None:
    realm = cluster.realm()
    with opened(cluster.address(realm)) as store:
        store.journal.claim(CLAIM)
        with store.directory.together():
            assert store.directory.account_numbers() == set()
            if writes:
                take(store)
            claiming = begun(lambda: cluster.postgres.execute(CLAIMS.format(realm)))
            assert claiming.is_alive() == writes
        claiming.join(WAIT_S)
        assert not claiming.is_alive()
