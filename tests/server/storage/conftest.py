"""Fixtures for tests in this folder: a store of either backend, and another server's hold on the same world."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from gloam_server.storage.open_store import open_store
from gloam_server.storage.store import Store
from support.storage.memory_store import MemoryStore


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    made: Store = MemoryStore() if request.param == "memory" else open_store(tmp_path / "world.db")
    yield made
    made.close()


@pytest.fixture
def rival(store: Store, tmp_path: Path) -> Iterator[Store]:
    """Another server's hold on the same world."""
    made = (
        store.open_again(take_over=True)
        if isinstance(store, MemoryStore)
        else open_store(tmp_path / "world.db", take_over=True)
    )
    yield made
    made.close()
