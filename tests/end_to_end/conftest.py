"""Fixtures for tests with real programs: a user's folder, and the stand-in server."""

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from gloam_client.net.local_server import address
from support.client.fake_dungeon import dungeon

__all__ = ("dungeon",)


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    """A user's folder; the private servers that a failed test leaves in it are ended."""
    yield tmp_path / "home"
    for record in (tmp_path / "home").rglob("private.json"):
        running = address(record.parent)
        if running is not None:
            with suppress(ProcessLookupError):
                os.kill(running.pid, signal.SIGKILL)
