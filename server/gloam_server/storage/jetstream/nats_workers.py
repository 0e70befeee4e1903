"""Workers in NATS: each tells its state under a key that ends by itself, and hears requests on a subject of its own."""

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final, TypeVar

import msgspec
from msgspec import Struct
from nats import errors
from nats.aio.msg import Msg
from nats.js import api
from nats.js import errors as js_errors
from nats.js.kv import KeyValue

from gloam_server.storage.errors import StorageError
from gloam_server.storage.jetstream.nats_lease import BUCKET as LEASES
from gloam_server.storage.jetstream.nats_lease import holder_in
from gloam_server.storage.jetstream.nats_thread import ANSWER_S, NatsThread
from gloam_server.storage.workers import ABSENT_S, Answer, Placed, Request, Respond, WorkerState

R = TypeVar("R")
BUCKET: Final = "gloam-workers"
SUBJECTS: Final = "gloam.worker"
_JOIN_S: Final = 8.0
_AGAIN_S: Final = 0.2


class _Told(Struct, frozen=True):
    """The value of a worker's key. `token` tells it from another worker of the same name."""

    token: str
    state: WorkerState


class NatsWorkers:
    """The implementation of `Workers`."""

    def __init__(self, nats: NatsThread, replicas: int) -> None:
        self._nats: Final = nats
        self._replicas: Final = replicas
        self._token: Final = secrets.token_hex(8)
        self._name = ""

    def look(self) -> Placed:
        """Return the placement of all realms."""
        leases, told = self._call(self._read)
        holders = {realm: holder_in(value) for realm, value in leases.items()}
        return Placed(holders, {name: _decode(value).state for name, value in told.items()})

    def join(self, state: WorkerState, heard: Callable[[Request, Respond], None]) -> None:
        """Begin as a worker. Raises StorageError if one of that name runs."""

        async def take(message: Msg) -> None:
            with suppress(msgspec.MsgspecError):  # none of a worker's
                request: Request = msgspec.json.decode(message.data, type=Request)
                heard(request, lambda answer: self._respond(message, answer))

        # It listens before it is in the list: who reads the list may ask it at that moment.
        self._call(lambda: self._nats.client.subscribe(f"{SUBJECTS}.{state.name}", cb=take))
        self._call(lambda: self._join(state), _JOIN_S)
        self._name = state.name

    def tell(self, state: WorkerState) -> None:
        """Tell this worker's state."""
        self._call(lambda: self._put(state))

    def leave(self) -> None:
        """End as a worker."""
        if self._name:
            self._call(self._delete)

    def ask(self, worker: str, request: Request, wait_s: float) -> Answer:
        """Ask a worker, and wait for its answer. Raises StorageError if there is none."""
        data = msgspec.json.encode(request)
        try:
            answered = self._nats.call(
                lambda: self._nats.client.request(f"{SUBJECTS}.{worker}", data, timeout=wait_s), wait_s + 1
            )
            return msgspec.json.decode(answered.data, type=Answer)
        except (StorageError, msgspec.MsgspecError) as error:
            raise StorageError(
                f"The worker {worker} does not answer; see with `gloam-server realms list` that it runs."
            ) from error

    def _call(self, work: Callable[[], Awaitable[R]], wait_s: float = 2 * ANSWER_S) -> R:
        """Do `work` in the client's thread. Raises StorageError for each error of NATS."""
        try:
            return self._nats.call(work, wait_s)
        except js_errors.APIError as error:
            raise StorageError(
                f"NATS refuses this worker ({error.description}); see its log, and the rights of its user."
            ) from error

    def _respond(self, message: Msg, answer: Answer) -> None:
        if message.reply:
            self._nats.later(lambda: message.respond(msgspec.json.encode(answer)))

    async def _join(self, state: WorkerState) -> None:
        loop = asyncio.get_running_loop()
        bucket = await self._bucket()
        until = loop.time() + ABSENT_S + _AGAIN_S  # one that was killed a moment ago is there still
        while True:
            try:
                await bucket.create(state.name, self._value(state))
            except (js_errors.KeyWrongLastSequenceError, js_errors.KeyNotFoundError):
                if loop.time() > until:
                    raise StorageError(
                        f"A worker {state.name} runs already; give this one another name with --name."
                    ) from None
                await asyncio.sleep(_AGAIN_S)
            else:
                return

    async def _put(self, state: WorkerState) -> None:
        await (await self._bucket()).put(state.name, self._value(state))

    async def _delete(self) -> None:
        with suppress(errors.Error):
            await (await self._bucket()).delete(self._name)

    def _value(self, state: WorkerState) -> bytes:
        return msgspec.json.encode(_Told(self._token, state))

    async def _bucket(self) -> KeyValue:
        try:
            return await self._nats.jetstream.key_value(BUCKET)
        except js_errors.NotFoundError:
            return await self._nats.jetstream.create_key_value(
                api.KeyValueConfig(bucket=BUCKET, ttl=ABSENT_S, history=1, replicas=self._replicas)
            )

    async def _read(self) -> tuple[dict[str, bytes], dict[str, bytes]]:
        leases, told = await asyncio.gather(self._values(LEASES), self._values(BUCKET))
        return leases, told

    async def _values(self, name: str) -> dict[str, bytes]:
        """Return all values of a bucket, none if there is no such bucket."""
        prefix = f"$KV.{name}."
        try:
            found = await self._nats.jetstream.stream_info(f"KV_{name}", subjects_filter=">")
            bucket = await self._nats.jetstream.key_value(name)
        except js_errors.NotFoundError:
            return {}
        keys = [subject.removeprefix(prefix) for subject in found.state.subjects or ()]
        values = await asyncio.gather(*(_value_of(bucket, key) for key in keys))
        return {key: value for key, value in zip(keys, values, strict=True) if value is not None}


async def _value_of(bucket: KeyValue, key: str) -> bytes | None:
    """Return the value of a key, None if it has ended."""
    with suppress(js_errors.KeyNotFoundError):
        return (await bucket.get(key)).value
    return None


def _decode(value: bytes) -> _Told:
    try:
        return msgspec.json.decode(value, type=_Told)
    except msgspec.MsgspecError as error:
        raise StorageError(
            f"The bucket {BUCKET} in NATS holds a key that is none of Gloam's workers; delete it, or name another cluster in --store."
        ) from error
