"""A writer whose thread is busy until the test lets it go on: what is asked for meanwhile waits together."""

import threading
from contextlib import AbstractContextManager

from gloam_server.storage.writer import Writer
from support.server.hand_reactor import HandReactor
from support.storage.memory_journal import MemoryJournal
from support.storage.memory_store import MemoryStore


class BusyWriter(Writer):
    """A writer on a world in memory. Its thread waits for `go_on`; it counts the transactions of several calls each.

    The reactor first gets the ends of the two calls that hold it up.
    """

    def __init__(self, reactor: HandReactor, journal: type[MemoryJournal] = MemoryJournal) -> None:
        store = MemoryStore(journal)
        self.go_on, self.transactions, begin = threading.Event(), 0, store.directory.together

        def counted() -> AbstractContextManager[None]:
            self.transactions += 1
            return begin()

        store.directory.together = counted  # type: ignore[method-assign]
        super().__init__(store, reactor)
        begun = threading.Event()
        self.call(begun.set)
        self.call(self.go_on.wait, 60)
        begun.wait(60)
