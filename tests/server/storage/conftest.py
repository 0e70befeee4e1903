"""Fixtures for tests in this folder: a journal on either back end, and another server's hold on the same world."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from gloam_server.storage.journal import Journal
from gloam_server.storage.sqlite.sqlite_journal import open_realm
from support.storage.memory_journal import MemoryJournal


@pytest.fixture(params=["memory", "sqlite"])
def journal(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Journal]:
    made: Journal = MemoryJournal() if request.param == "memory" else open_realm(tmp_path / "world.db")
    yield made
    made.close()


@pytest.fixture
def rival(journal: Journal, tmp_path: Path) -> Iterator[Journal]:
    """Another server's hold on the same world."""
    made = (
        journal.rival()
        if isinstance(journal, MemoryJournal)
        else open_realm(tmp_path / "world.db", take_over=True)
    )
    yield made
    made.close()
