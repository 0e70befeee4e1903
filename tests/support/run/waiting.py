"""Waits of tests for what other processes do."""

import time
from collections.abc import Callable
from typing import Final

PATIENCE_S: Final = 60


def wait_until(condition: Callable[[], object], words: str, pause_s: float = 0.02) -> None:
    """Wait until a condition holds; look again after each pause."""
    until = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < until, words
        time.sleep(pause_s)
