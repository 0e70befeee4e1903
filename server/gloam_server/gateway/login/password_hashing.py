"""Password hashing in one thread, one at a time: two would delay the reactor on a small machine."""

import unicodedata
from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread
from typing import Any, Final, Protocol, TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from twisted.internet.defer import Deferred
from twisted.python.failure import Failure

from gloam_server.storage.writer import ThreadReactor
from gloam_shared import limits

R = TypeVar("R")
MEMORY_KIB: Final = 19 * 1_024
ROUNDS: Final = 2


class TooBusy(Exception):
    """The queue of hashes is full; the player should try again in a moment."""


class PasswordHashing(Protocol):
    """Makes and checks hashes asynchronously. A full queue raises TooBusy immediately."""

    def make(self, password: str) -> Deferred[str]:
        """Hash a new password."""

    def check(self, password_hash: str | None, password: str) -> Deferred[bool]:
        """Return whether a password matches a hash.

        With None for the hash it costs the same and never matches.
        """


class Argon2Hasher:
    """The hash function: argon2id with 19 MiB and two rounds, or cheaper for tests. Blocks."""

    def __init__(self, memory_kib: int = MEMORY_KIB, rounds: int = ROUNDS) -> None:
        self._argon = PasswordHasher(time_cost=rounds, memory_cost=memory_kib, parallelism=1)
        self._dummy_hash = self._argon.hash("")
        self.run = 0

    def make(self, password: str) -> str:
        """Hash a password."""
        self.run += 1
        return self._argon.hash(_plain(password))

    def check(self, password_hash: str | None, password: str) -> bool:
        """Compare a password with a hash, or with a fixed one if there is none."""
        self.run += 1
        try:
            self._argon.verify(password_hash or self._dummy_hash, _plain(password))
        except (VerificationError, InvalidHashError):
            return False
        return password_hash is not None


class PasswordHashingThread:
    """Runs the hashing in its own thread, started at the first password."""

    def __init__(self, reactor: ThreadReactor, hashing: Argon2Hasher | None = None) -> None:
        self._reactor = reactor
        self._hashing = hashing
        self._jobs: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._waiting = 0
        self._thread: Thread | None = None

    def make(self, password: str) -> Deferred[str]:
        """Hash a new password."""
        return self._later(lambda hashing: hashing.make(password))

    def check(self, password_hash: str | None, password: str) -> Deferred[bool]:
        """Return whether a password matches a hash."""
        return self._later(lambda hashing: hashing.check(password_hash, password))

    def stop(self) -> None:
        """End the thread after the queued work."""
        self._jobs.put(None)

    def _later(self, work: Callable[[Argon2Hasher], R]) -> Deferred[R]:
        if self._waiting >= limits.PASSWORD_JOBS_MAX:
            raise TooBusy
        self._waiting += 1
        done: Deferred[R] = Deferred()

        def job() -> None:
            try:
                self._hashing = self._hashing or Argon2Hasher()
                result = work(self._hashing)
            except Exception:  # noqa: BLE001  # the Deferred passes it on
                self._reactor.callFromThread(self._finish, done.errback, Failure())
            else:
                self._reactor.callFromThread(self._finish, done.callback, result)

        self._jobs.put(job)
        if self._thread is None:
            self._thread = Thread(target=self._work, name="gloam-passwords", daemon=True)
            self._thread.start()
        return done

    def _finish(self, report: Callable[[Any], None], result: object) -> None:
        self._waiting -= 1
        report(result)

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            job()


def _plain(password: str) -> str:
    """Return a password in a normalized form, the same for every keyboard."""
    return unicodedata.normalize("NFC", password)
