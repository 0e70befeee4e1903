"""The thread that makes hashes: one at a time, a bounded queue, the strength that was decided on."""

import time
from collections.abc import Callable
from queue import Queue
from typing import Any

import pytest
from twisted.internet.defer import Deferred

from gloam_server.gateway.login import password_hashing
from gloam_shared import limits


class Reactor:
    """Keeps what the thread wants called, for the test to call."""

    def __init__(self) -> None:
        self.calls: Queue[tuple[Callable[..., Any], tuple[Any, ...]]] = Queue()

    def callFromThread(self, function: Callable[..., Any], /, *args: Any) -> None:  # noqa: N802
        self.calls.put((function, args))

    def result(self, done: Deferred[Any]) -> Any:
        collected: list[Any] = []
        done.addBoth(collected.append)
        while not collected:
            function, args = self.calls.get(timeout=20)
            function(*args)
        return collected[0]


def test_password_right_or_wrong() -> None:
    """A password is right or wrong and nobodys is wrong."""
    reactor = Reactor()
    thread = password_hashing.PasswordHashingThread(
        reactor, password_hashing.Argon2Hasher(memory_kib=8, rounds=1)
    )
    kept = reactor.result(thread.make("caf\u00e9 secret"))
    assert reactor.result(thread.check(kept, "cafe\u0301 secret")) is True, "one letter, two ways to type it"
    assert reactor.result(thread.check(kept, "another")) is False
    assert reactor.result(thread.check("no hash at all", "another")) is False
    assert reactor.result(thread.check(None, "")) is False, "no account has the hash of an empty password"
    thread.stop()


def test_hash_argon2id_19_mib_and_two_rounds() -> None:
    """The hash is argon2id with 19 mib and two rounds."""
    assert password_hashing.MEMORY_KIB == 19_456
    assert password_hashing.Argon2Hasher().make("a password").startswith("$argon2id$v=19$m=19456,t=2,p=1$")


def test_one_is_made_at_a_time_and_so_many_may_wait() -> None:
    """bound: PASSWORD_JOBS_MAX."""
    at_work = [0, 0]

    class Slow(password_hashing.Argon2Hasher):
        def make(self, password: str) -> str:
            at_work[0] += 1
            at_work[1] = max(at_work)
            time.sleep(0.001)
            at_work[0] -= 1
            return password

    reactor = Reactor()
    thread = password_hashing.PasswordHashingThread(reactor, Slow(memory_kib=8, rounds=1))
    asked = [thread.make(str(number)) for number in range(limits.PASSWORD_JOBS_MAX)]
    with pytest.raises(password_hashing.TooBusy):
        thread.make("one more")

    assert [reactor.result(done) for done in asked] == [str(number) for number in range(len(asked))]
    assert at_work == [0, 1]
    assert reactor.result(thread.make("now there is room")) == "now there is room"
    thread.stop()
