"""The one writer thread: the store's blocking calls as Deferreds, batches first.

A commit blocks for milliseconds, and the reactor has to serve sockets meanwhile. So that a commit also returns soon to
a busy reactor, the command line shortens the interpreter's switch interval.
"""

from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from queue import SimpleQueue
from threading import Thread
from typing import Any, Final, ParamSpec, Protocol, TypeVar

from twisted.internet.defer import Deferred
from twisted.python.failure import Failure

from gloam_server.storage.directory import Directory
from gloam_server.storage.errors import WrongSequence
from gloam_server.storage.journal import Record
from gloam_server.storage.store import Store

P = ParamSpec("P")
R = TypeVar("R")


class ThreadReactor(Protocol):
    """The reactor, as far as the writer needs it."""

    def callFromThread(self, function: Callable[..., Any], /, *args: Any) -> None:  # noqa: N802  # Twisted's name
        """Call in the reactor's thread."""


class Writer:
    """Runs calls one after another in its own thread; their Deferreds fire in the reactor's thread.

    Calls run in order, but batches go before other waiting calls: many new connections, with names to look up
    one by one, must not delay players. `fenced` is called in the reactor's thread when a call finds that
    another server has claimed the world.
    """

    def __init__(
        self, store: Store, reactor: ThreadReactor, fenced: Callable[[str], None] = lambda _: None
    ) -> None:
        self.store: Final = store
        self.directory: Final = store.directory
        self._reactor: Final = reactor
        self._fenced: Final = fenced
        self._appends: deque[Callable[[], None]] = deque()
        self._other_calls: deque[Callable[[], None]] = deque()
        self._asked: SimpleQueue[int] = SimpleQueue()  # 1 for each call, 0 for the end
        self._stopped = False
        self._thread: Final = Thread(target=self._work, name="gloam-writer", daemon=True)
        self._thread.start()

    @property
    def backlog(self) -> int:
        """The number of waiting calls."""
        return self._asked.qsize()

    def append(self, records: Sequence[Record], rows: Sequence[Callable[[], object]] = ()) -> Deferred[None]:
        """Append to the journal, with `rows` of the same transaction. Fires when it is durable, or with the StorageError."""
        return self._ask(self._appends, partial(self.store.commit, records, rows))

    def call(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> Deferred[R]:
        """Run `function` in the writer's thread, after all calls before it and all appends until its turn."""
        return self._ask(self._other_calls, partial(function, *args, **kwargs))

    def stop(self) -> Deferred[None]:
        """Finish the queued calls, then end the thread.

        The store stays open: the caller that opened it closes it.
        """
        done = self.call(lambda: None)
        self._stopped = True
        self._asked.put(0)
        return done

    def _ask(self, line: deque[Callable[[], None]], work: Callable[[], R]) -> Deferred[R]:
        if self._stopped:
            raise RuntimeError("the writer has been stopped")
        done: Deferred[R] = Deferred()

        def job() -> None:
            try:
                result = work()
            except Exception as error:  # noqa: BLE001  # the Deferred passes it on
                if isinstance(error, WrongSequence):
                    self._reactor.callFromThread(self._fenced, str(error))
                self._reactor.callFromThread(done.errback, Failure())
            else:
                self._reactor.callFromThread(done.callback, result)

        line.append(job)
        self._asked.put(1)
        return done

    def _work(self) -> None:
        while self._asked.get():
            (self._appends or self._other_calls).popleft()()


def together(directory: Directory, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Do `work` as one transaction: a login makes a handful of calls, and each commit costs a sync."""
    with directory.together():
        return work(*args, **kwargs)
