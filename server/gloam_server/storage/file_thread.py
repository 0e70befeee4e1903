"""The thread for files beside the world: a slow or hung folder delays no turn."""

from collections.abc import Callable
from functools import partial
from queue import SimpleQueue
from threading import Thread
from typing import Any, Final, ParamSpec, TypeVar

from twisted.internet.defer import Deferred, fail
from twisted.python.failure import Failure

from gloam_server.storage.writer import ThreadReactor

P = ParamSpec("P")
R = TypeVar("R")
WAITING_MAX: Final = 64
"""The most calls that wait or run: while a disk hangs, what is asked for does not fill the memory."""

STOP_S: Final = 2
"""The longest time that a stop waits for the calls."""


class FilesBusy(Exception):
    """Too many calls wait for a slow disk; the caller should try again later or do without."""


class FileThread:
    """Runs calls one after another; their Deferreds fire in the reactor's thread. The thread starts at the first call.

    The world itself has the writer's thread, which must not wait for other files.
    """

    def __init__(self, reactor: ThreadReactor) -> None:
        self._reactor: Final = reactor
        self._jobs: Final[SimpleQueue[Callable[[], None] | None]] = SimpleQueue()
        self._waiting = 0
        self._thread: Thread | None = None

    def call(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> Deferred[R]:
        """Run `function` in the thread. Fires with FilesBusy immediately if too many calls wait."""
        if self._waiting >= WAITING_MAX:
            return fail(FilesBusy())
        self._waiting += 1
        done: Deferred[R] = Deferred()

        def job() -> None:
            try:
                finish = partial(done.callback, function(*args, **kwargs))
            except Exception:  # noqa: BLE001  # the Deferred passes it on
                finish = partial(done.errback, Failure())
            self._reactor.callFromThread(self._finish, finish)

        self._jobs.put(job)
        if self._thread is None:
            self._thread = Thread(target=self._work, name="gloam-files", daemon=True)
            self._thread.start()
        return done

    def stop(self, clock: Any) -> Deferred[None]:
        """End the thread after the queued calls. Fires then, or after a moment: a disk that hangs delays no stop for long."""
        done = self.call(lambda: None).addTimeout(STOP_S, clock)
        self._jobs.put(None)
        return done.addErrback(lambda _: None)

    def _finish(self, finish: Callable[[], None]) -> None:
        self._waiting -= 1
        finish()

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            job()
