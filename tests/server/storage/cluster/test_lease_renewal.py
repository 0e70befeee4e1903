"""The taking and renewal of a lease while the servers of NATS elect leaders: it goes on."""

import asyncio
from types import SimpleNamespace

import pytest

pytest.importorskip("nats")

from nats.js import errors as js_errors

from gloam_server.storage.errors import StorageFault
from gloam_server.storage.jetstream import nats_lease
from gloam_server.storage.jetstream.nats_lease import NatsLease
from gloam_server.storage.store import LeaseTerms

OWN, OTHER = b"own", b"other"


class Bucket:
    """A bucket whose next calls fail, and then work; it counts what was renewed."""

    def __init__(self, value: bytes, *faults: Exception) -> None:
        self.value = value
        self.renewed = 0
        self._faults = list(faults)

    async def update(self, _: str, __: bytes, last: int) -> int:
        self._fail()
        self.renewed += 1
        return last + 1

    async def create(self, _: str, __: bytes) -> int:
        self._fail()
        return 1

    async def get(self, _: str) -> SimpleNamespace:
        self._fail()
        return SimpleNamespace(value=self.value, revision=7)

    def _fail(self) -> None:
        if self._faults:
            raise self._faults.pop(0)


class Lease(NatsLease):
    """A lease in a bucket that is there already."""

    async def _bucket_of(self, _: int) -> Bucket:  # type: ignore[override]  # a twin
        return self._bucket  # type: ignore[return-value]


def lease_in(bucket: Bucket) -> Lease:
    lease = object.__new__(Lease)
    lease._bucket, lease._realm, lease._holder, lease._revision = bucket, "realm", OWN, 1  # type: ignore[misc, assignment]  # a twin
    lease._renewing = None
    return lease


def taken(bucket: Bucket, terms: LeaseTerms) -> bool:
    """Return whether a lease is taken, whose renewal then ends."""
    lease = lease_in(bucket)
    lease._terms = terms  # type: ignore[misc]  # a twin

    async def work() -> bool:
        await lease._take(3, take_over=False)
        assert lease._renewing is not None
        lease._renewing.cancel()
        await asyncio.gather(lease._renewing, return_exceptions=True)
        return True

    return asyncio.run(work())


def renewed(bucket: Bucket, monkeypatch: pytest.MonkeyPatch) -> int:
    """Return how often a lease was renewed in a moment."""
    monkeypatch.setattr(nats_lease, "_RENEW_S", 0.001)
    lease = lease_in(bucket)

    async def work() -> None:
        renewing = asyncio.create_task(lease._renew())
        await asyncio.sleep(0.2)
        renewing.cancel()
        await asyncio.gather(renewing, return_exceptions=True)

    asyncio.run(work())
    return bucket.renewed


def test_a_lease_is_renewed_after_an_election(monkeypatch: pytest.MonkeyPatch) -> None:
    """The renewal was refused, and then no one could tell who has the lease."""
    faults = (js_errors.KeyWrongLastSequenceError(), js_errors.ServiceUnavailableError())
    assert renewed(Bucket(OWN, *faults), monkeypatch) > 1
    assert renewed(Bucket(OWN, js_errors.KeyWrongLastSequenceError()), monkeypatch) > 1


def test_a_lease_of_another_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    assert renewed(Bucket(OTHER, js_errors.KeyWrongLastSequenceError()), monkeypatch) == 0


def test_a_lease_is_tried_again_after_an_attempt() -> None:
    """A leader that is cut off refuses the second attempt, and knows no value of the first."""
    bucket = Bucket(OWN, js_errors.KeyNotFoundError(), js_errors.KeyNotFoundError())
    assert taken(bucket, LeaseTerms(wait_s=60, glance_s=0.001))


def test_a_lease_without_confirmation_is_a_fault() -> None:
    bucket = Bucket(OWN, js_errors.KeyNotFoundError(), js_errors.KeyNotFoundError())
    with pytest.raises(StorageFault, match="elect a leader"):
        taken(bucket, LeaseTerms(wait_s=-1, glance_s=0.001))
