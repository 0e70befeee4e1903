"""Fixtures for tests in this folder: poison, which lets rules fail."""

from collections.abc import Iterator

import pytest

from support.run.fault_seam import FaultSeam
from support.server.failing_rules import Poison


@pytest.fixture
def poison(seam: FaultSeam) -> Iterator[Poison]:
    poison = Poison(seam)
    yield poison
    poison.check_failed()
