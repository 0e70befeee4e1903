"""Stores in a cluster on this machine: a NATS server and a PostgreSQL for a whole run, and a realm for each test."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

import pytest

from gloam_server.storage.open_store import open_store
from gloam_server.storage.store import PATIENT, LeaseTerms, Store
from support.cluster.nats_server import NatsServer
from support.cluster.postgres_server import LACKING, PostgresServer

_numbers = count(1)


class Cluster:
    """Both servers, running."""

    def __init__(self, folder: Path) -> None:
        pytest.importorskip("nats", reason=LACKING)
        self.nats = NatsServer(folder).start()
        try:
            self.postgres = PostgresServer().start()
        except BaseException:
            self.nats.kill()
            raise

    def realm(self) -> str:
        """Return the name of a realm that no other test has."""
        return f"realm{next(_numbers)}"

    def forget_names(self) -> None:
        """Let no one have a name on this host. No store may be open."""
        self.postgres.execute("DROP SCHEMA IF EXISTS _gloam CASCADE")

    def address(self, realm: str, options: str = "replicas=1&sync=always") -> str:
        """Return the address of a realm for --store."""
        return f"{self.nats.address(realm, options)},{self.postgres.address()}"

    def close(self) -> None:
        """End both servers."""
        self.nats.kill()
        self.postgres.remove()


@contextmanager
def opened(address: str, *, take_over: bool = False, terms: LeaseTerms = PATIENT) -> Iterator[Store]:
    """Yield a store, and close it at the end."""
    store = open_store(address, take_over=take_over, terms=terms)
    try:
        yield store
    finally:
        with suppress(Exception):  # a test may have ended its servers
            store.close()
