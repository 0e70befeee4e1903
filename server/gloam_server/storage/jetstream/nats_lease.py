"""The lease of a world in NATS: a key that ends by itself two seconds after its holder does. The claim decides."""

import asyncio
import os
import secrets
import socket
from contextlib import suppress
from typing import Final

import msgspec
from nats import errors
from nats.js import api
from nats.js import errors as js_errors
from nats.js.kv import KeyValue

from gloam_server.storage.errors import NoLeader, StorageFault, WorldOpen
from gloam_server.storage.jetstream.nats_thread import NatsThread
from gloam_server.storage.realms import Holder
from gloam_server.storage.store import PATIENT, LeaseTerms

BUCKET: Final = "gloam-lease"
HOLD_S: Final = 2.0
"""The time after which the lease of a server that ended without release is free."""

_RENEW_S: Final = 0.5


class _Value(msgspec.Struct, frozen=True):
    """The value of a lease: `token` tells one holder from all others, the rest is for people."""

    token: str
    name: str
    worker: str = ""


def holder_in(value: bytes) -> Holder:
    """Return the server that a lease names; an older one wrote its token alone."""
    try:
        found = msgspec.json.decode(value, type=_Value)
    except msgspec.MsgspecError:
        return Holder("a server of an older version")
    return Holder(found.name, found.worker)


def _value(worker: str) -> bytes:
    return msgspec.json.encode(_Value(secrets.token_hex(8), _name(os.getpid()), worker))


def _name(process: int) -> str:
    return f"process {process} on {socket.gethostname()}"


class NatsLease:
    """The right to open a world, renewed in the thread of the client until it is released. Raises WorldOpen."""

    def __init__(
        self,
        nats: NatsThread,
        realm: str,
        replicas: int,
        *,
        take_over: bool = False,
        terms: LeaseTerms = PATIENT,
    ) -> None:
        self._nats: Final = nats
        self._realm: Final = realm
        self._holder: Final = _value(terms.worker)
        self._terms: Final = terms
        self._revision = 0
        self._renewing: asyncio.Task[None] | None = None
        self._nats.call(lambda: self._take(replicas, take_over=take_over), 3 * HOLD_S + terms.wait_s)

    def release(self) -> None:
        """Let another server open the world."""
        if self._renewing is None:
            return
        with suppress(StorageFault, js_errors.APIError):
            self._nats.call(self._give_back)

    async def _take(self, replicas: int, *, take_over: bool) -> None:
        self._bucket = await self._bucket_of(replicas)
        loop = asyncio.get_running_loop()
        until = loop.time() + self._terms.wait_s
        while True:
            try:
                self._revision = await (self._bucket.put if take_over else self._bucket.create)(
                    self._realm, self._holder
                )
                break
            except js_errors.KeyNotFoundError:
                # An earlier attempt still waits for the other servers of NATS.
                if loop.time() > until:
                    raise NoLeader(
                        "NATS confirms no lease (its servers elect a leader); see that they run."
                    ) from None
            except js_errors.KeyWrongLastSequenceError:
                if await self._follow():
                    break
                if loop.time() > until:
                    raise WorldOpen(
                        f"The realm {self._realm} is open in another server; stop that one first, or, where it hangs, "
                        "take it over with `gloam-server run --take-over`."
                    ) from None
            await asyncio.sleep(self._terms.glance_s)
        self._renewing = loop.create_task(self._renew())

    async def _follow(self) -> bool:
        """Take the lease from the process that this one follows, if that has it still."""
        if not self._terms.follows:
            return False
        with suppress(js_errors.KeyNotFoundError, js_errors.KeyWrongLastSequenceError):
            found = await self._bucket.get(self._realm)
            if holder_in(found.value or b"").name == _name(self._terms.follows):
                self._revision = await self._bucket.update(self._realm, self._holder, found.revision)
                return True
        return False

    async def _bucket_of(self, replicas: int) -> KeyValue:
        try:
            return await self._nats.jetstream.key_value(BUCKET)
        except js_errors.NotFoundError:
            return await self._nats.jetstream.create_key_value(
                api.KeyValueConfig(bucket=BUCKET, ttl=HOLD_S, history=1, replicas=replicas)
            )

    async def _renew(self) -> None:
        """Renew the lease until it is taken by another server, whose claim then decides."""
        is_mine = True
        while is_mine:
            await asyncio.sleep(_RENEW_S)
            with suppress(errors.Error, OSError):  # it may end meanwhile: the claim decides
                is_mine = await self._renew_once()

    async def _renew_once(self) -> bool:
        """Renew the lease; return False if another server has it."""
        try:
            self._revision = await self._bucket.update(self._realm, self._holder, self._revision)
        except js_errors.KeyWrongLastSequenceError:
            return await self._is_mine()
        return True

    async def _is_mine(self) -> bool:
        """Return whether the lease is this server's after all, or free again and taken."""
        try:
            found = await self._bucket.get(self._realm)
        except js_errors.KeyNotFoundError:
            self._revision = await self._bucket.create(self._realm, self._holder)
            return True
        self._revision = found.revision or 0
        is_mine: bool = found.value == self._holder
        return is_mine

    async def _give_back(self) -> None:
        if self._renewing is not None:
            self._renewing.cancel()
            self._renewing = None
        with suppress(errors.Error):
            if (await self._bucket.get(self._realm)).value == self._holder:
                await self._bucket.delete(self._realm)
