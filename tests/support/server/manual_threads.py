"""The writer's thread and the passwords' thread in memory, under a manual clock that does not start at 0."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from twisted.internet.defer import Deferred
from twisted.internet.task import Clock
from twisted.python.failure import Failure

from gloam_server.gateway.login.password_hashing import Argon2Hasher, TooBusy
from gloam_server.storage.journal import Record
from gloam_server.storage.store import Store
from gloam_server.storage.writer import together
from gloam_shared import limits

AWAKE_MS = 1_000_000


def awake() -> Clock:
    """Return a manual clock that has run for a while."""
    clock = Clock()
    clock.advance(AWAKE_MS / 1_000)
    return clock


@dataclass(frozen=True, slots=True)
class _Shared:
    """A call that shares its transaction."""

    key: str
    work: Callable[[], Any]
    done: Deferred[Any]


def _answer_shared(results: list[tuple[_Shared, Any]]) -> None:
    for shared, result in results:
        if isinstance(result, Failure):
            shared.done.errback(result)
        else:
            shared.done.callback(result)


class ManualWriter:
    """The writer's twin: one call after another, each done `delay_s` after its turn began, and never immediately.

    Its answer takes `answer_s` more: what is durable then is not known to be so.
    """

    def __init__(self, store: Store, clock: Clock, delay_s: float = 0.0) -> None:
        self.store = store
        self.directory = store.directory
        self.delay_s = delay_s
        self.answer_s = 0.0
        self.appended: list[list[Record]] = []
        self.unplugged = False
        self.backlog = 0
        self._clock = clock
        self._busy_until = 0.0
        self._sharing: list[_Shared] | None = None
        """The shared calls that are the last that was asked for, and have not run."""

    def append(self, records: Sequence[Record], rows: Sequence[Callable[[], object]] = ()) -> Deferred[None]:
        """Append as the real writer does, and keep what was asked for."""
        self.appended.append(list(records))
        return self.call(self.store.commit, records, rows)

    def share(self, key: str, function: Callable[..., Any], *args: Any) -> Deferred[Any]:
        """Run a blocking call in one transaction with all of its kind that are asked for right behind it."""
        shared = _Shared(key, partial(function, *args), Deferred())
        if self._sharing is None:
            group: list[_Shared] = []
            self.call(self._run_shared, group).addCallback(_answer_shared)
            self._sharing = group
        self._sharing.append(shared)
        return shared.done

    def _run_shared(self, group: list["_Shared"]) -> list[tuple["_Shared", Any]]:
        if self._sharing is group:
            self._sharing = None
        group.sort(key=lambda each: each.key)
        try:
            with self.directory.together():
                return [(each, each.work()) for each in group]
        except Exception:  # noqa: BLE001  # as the real writer: each by itself
            return [(each, self._run_alone(each)) for each in group]

    def _run_alone(self, shared: "_Shared") -> Any:
        try:
            return together(self.directory, shared.work)
        except Exception:  # noqa: BLE001  # the caller gets it
            return Failure()

    def call(self, function: Callable[..., Any], *args: Any) -> Deferred[Any]:
        """Run a blocking call."""
        self._sharing = None
        done: Deferred[Any] = Deferred()

        def run() -> None:
            if self.unplugged:
                return
            try:
                result = function(*args)
            except Exception:  # noqa: BLE001  # as the real writer: the caller gets it
                answer(done.errback, Failure())
            else:
                answer(done.callback, result)

        def answer(call: Callable[[Any], None], result: Any) -> None:
            if self.answer_s:
                self._clock.callLater(self.answer_s, call, result)
            else:
                call(result)

        now = self._clock.seconds()
        self._busy_until = max(now, self._busy_until) + self.delay_s
        self._clock.callLater(self._busy_until - now, run)
        return done


class ManualPasswords:
    """The twin of the passwords' thread: each hash is made when it is its turn, and never immediately."""

    def __init__(self, hashing: Argon2Hasher, clock: Clock) -> None:
        self.hashing = hashing
        self.waiting = 0
        self._clock = clock

    def make(self, password: str) -> Deferred[str]:
        """Hash a password."""
        return self._later(self.hashing.make, password)

    def check(self, password_hash: str | None, password: str) -> Deferred[bool]:
        """Compare a password with a hash."""
        return self._later(self.hashing.check, password_hash, password)

    def _later(self, work: Callable[..., Any], *args: Any) -> Deferred[Any]:
        if self.waiting >= limits.PASSWORD_JOBS_MAX:
            raise TooBusy
        self.waiting += 1
        done: Deferred[Any] = Deferred()

        def run() -> None:
            self.waiting -= 1
            done.callback(work(*args))

        self._clock.callLater(0, run)
        return done
