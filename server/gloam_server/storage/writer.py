"""The one writer thread: the store's blocking calls as Deferreds, batches first.

A commit blocks for milliseconds, and the reactor has to serve sockets meanwhile. So that a commit also returns soon to
a busy reactor, the command line shortens the interpreter's switch interval.
"""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
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
SHARED_MAX: Final = 256
"""The most calls that share a transaction: a batch that arrives meanwhile waits for all of them, 0.1 to 0.8 ms each."""


class ThreadReactor(Protocol):
    """The reactor, as far as the writer needs it."""

    def callFromThread(self, function: Callable[..., Any], /, *args: Any) -> None:  # noqa: N802  # Twisted's name
        """Call in the reactor's thread."""


@dataclass(frozen=True, slots=True)
class _Job:
    """A call and its Deferred; `key` is None for one that shares its transaction with no other."""

    work: Callable[[], Any]
    key: str | None = None
    done: Deferred[Any] = field(default_factory=Deferred)


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
        self._appends: deque[_Job] = deque()
        self._other_calls: deque[_Job] = deque()
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
        return self._ask(self._appends, _Job(partial(self.store.commit, records, rows)))

    def call(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> Deferred[R]:
        """Run `function` in the writer's thread, after all calls before it and all appends until its turn."""
        return self._ask(self._other_calls, _Job(partial(function, *args, **kwargs)))

    def share(self, key: str, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> Deferred[R]:
        """Run `function` in a transaction, which it shares with all calls of this kind that wait right behind it.

        They run in the order of their keys, so that the transactions of two servers take the locks on the names of a host in
        one order. If one fails, each runs again in a transaction of its own: so a call must not mind to be undone and repeated.
        """
        return self._ask(self._other_calls, _Job(partial(function, *args, **kwargs), key))

    def stop(self) -> Deferred[None]:
        """Finish the queued calls, then end the thread.

        The store stays open: the caller that opened it closes it.
        """
        done = self.call(lambda: None)
        self._stopped = True
        self._asked.put(0)
        return done

    def _ask(self, line: deque[_Job], job: _Job) -> Deferred[Any]:
        if self._stopped:
            raise RuntimeError("the writer has been stopped")
        line.append(job)
        self._asked.put(1)
        return job.done

    def _work(self) -> None:
        while self._asked.get():
            job = (self._appends or self._other_calls).popleft()
            if job.key is None:
                self._run(job.work, job.done)
            else:
                self._run_shared(sorted([job, *self._sharing()], key=lambda each: each.key or ""))

    def _sharing(self) -> Iterator[_Job]:
        """Take the waiting calls that may share the transaction of the one before."""
        for _ in range(SHARED_MAX - 1):
            if not self._other_calls or self._other_calls[0].key is None:
                return
            self._asked.get()
            yield self._other_calls.popleft()

    def _run_shared(self, jobs: list[_Job]) -> None:
        try:
            with self.directory.together():
                results = [job.work() for job in jobs]
        except Exception:  # noqa: BLE001  # of one of them, or of their commit: each gets its own answer
            for job in jobs:
                self._run(partial(together, self.directory, job.work), job.done)
        else:
            for job, result in zip(jobs, results, strict=True):
                self._reactor.callFromThread(job.done.callback, result)

    def _run(self, work: Callable[[], Any], done: Deferred[Any]) -> None:
        try:
            result = work()
        except Exception as error:  # noqa: BLE001  # the Deferred passes it on
            if isinstance(error, WrongSequence):
                self._reactor.callFromThread(self._fenced, str(error))
            self._reactor.callFromThread(done.errback, Failure())
        else:
            self._reactor.callFromThread(done.callback, result)


def together(directory: Directory, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Do `work` as one transaction: a login makes a handful of calls, and each commit costs a sync."""
    with directory.together():
        return work(*args, **kwargs)
