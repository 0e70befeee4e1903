"""Fixtures for tests in this folder: a store of each backend, and another server's hold on the same world."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gloam_server.storage.open_store import open_store
from gloam_server.storage.store import Store
from support.storage.clusters import Cluster
from support.storage.memory_store import MemoryStore

Open = Callable[..., Store]


@pytest.fixture(scope="session")
def cluster_servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Both servers of a cluster; skips the test where they are not installed."""
    made = Cluster(tmp_path_factory.mktemp("nats"))
    yield made
    made.close()


@pytest.fixture
def cluster(cluster_servers: Cluster) -> Cluster:
    """The same, as a host on which no one has a name yet."""
    cluster_servers.forget_names()
    return cluster_servers


@pytest.fixture(params=["memory", "sqlite", pytest.param("cluster", marks=pytest.mark.thorough)])
def open_again(request: pytest.FixtureRequest, tmp_path: Path) -> Open:
    """Return a function that opens the world of this test; the first call makes it."""
    if request.param == "memory":
        made: list[MemoryStore] = []

        def open_memory(*, take_over: bool = False) -> Store:
            made.append(made[0].open_again(take_over=take_over) if made else MemoryStore())
            return made[-1]

        return open_memory
    address: Path | str = tmp_path / "world.db"
    if request.param == "cluster":
        found: Cluster = request.getfixturevalue("cluster")
        address = found.address(found.realm())
    return lambda **options: open_store(address, **options)


@pytest.fixture
def store(open_again: Open) -> Iterator[Store]:
    made = open_again()
    yield made
    made.close()


@pytest.fixture
def rival(store: Store, open_again: Open) -> Iterator[Store]:  # noqa: ARG001  # it is opened first
    """Another server's hold on the same world."""
    made = open_again(take_over=True)
    yield made
    made.close()
