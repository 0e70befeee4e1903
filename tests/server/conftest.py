"""What tests in this folder are given: poison, which lets rules fail."""

import pytest

from support.server.failing_rules import Poison


@pytest.fixture
def poison(monkeypatch: pytest.MonkeyPatch) -> Poison:
    return Poison(monkeypatch)
