"""Fixtures for tests in this folder: a cluster of one's own, and workers that end with the test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from support.cluster.workers import WorkerProcess
from support.storage.clusters import Cluster


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    """A NATS and a PostgreSQL without a realm; skips the test where they are not installed."""
    made = Cluster(tmp_path / "nats")
    yield made
    made.close()


@pytest.fixture
def started() -> Iterator[list[WorkerProcess]]:
    """The workers of a test, which end with it."""
    found: list[WorkerProcess] = []
    yield found
    for each in found:
        each.remove()
