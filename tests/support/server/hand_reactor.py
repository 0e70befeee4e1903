"""A reactor's turn, taken by hand: what threads hand over runs when a test says so."""

from collections.abc import Callable
from queue import Queue
from typing import Any


class HandReactor:
    """Holds what threads hand over until `turn` is called."""

    def __init__(self) -> None:
        self.handed: Queue[Callable[[], object]] = Queue()

    def callFromThread(self, function: Callable[..., Any], /, *args: Any) -> None:  # noqa: N802  # Twisted's name
        """Take a call from a thread."""
        self.handed.put(lambda: function(*args))

    def turn(self, count: int = 1) -> None:
        """Wait for this number of calls, and run them."""
        for _ in range(count):
            self.handed.get(timeout=60)()
