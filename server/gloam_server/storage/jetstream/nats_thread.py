"""The client of NATS in a thread with a loop of its own, behind calls that block.

The thread runs when nothing is asked, too: a server ends the connection of a client that answers no ping.
"""

import asyncio
import secrets
import socket
import ssl
from collections.abc import Awaitable, Callable
from concurrent.futures import CancelledError
from concurrent.futures import TimeoutError as FutureTimeoutError
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import Any, Final, TypeVar
from weakref import WeakSet

import nats
from nats import errors
from nats.aio.client import Client
from nats.js import JetStreamContext
from nats.js import errors as js_errors

from gloam_server.storage.errors import NoLeader, StorageError, StorageFault, StorageFull

R = TypeVar("R")
ANSWER_S: Final = 2.0
"""The longest time that a call waits for an answer of NATS; then its outcome is unknown."""

_CONNECT_S: Final = 3.0
_RECONNECT_S: Final = 0.1
_PING_S: Final = 1
_PINGS_MAX: Final = 2
"""A server that answers no ping is left for another one after three seconds: by itself the client would wait minutes."""

_LOST: Final = (OSError, errors.Error, FutureTimeoutError, CancelledError)
"""The errors of a call that has no answer; the client cancels some as it connects with another server."""

_ENDINGS_MAX: Final = 4
"""The number of times that tasks are ended: a task that ends may begin another."""

_ENDING_S: Final = 0.2
"""The wait for tasks that end. `asyncio.wait_for` may ignore the end of its task (Python 3.11), and the client then goes on to connect."""

_FULL: Final = frozenset({10002, 10023, 10047, 10077, 10122})
"""The codes of JetStream for a lack of room: of the machine, the account, the stream."""


class _Loop(asyncio.SelectorEventLoop):
    """An event loop that knows its connections and sockets, and leaves none open.

    The client forgets a connection that a starting server left without a greeting, and it begins to connect again while it is
    closed: then there is a socket before any connection.
    """

    def __init__(self) -> None:
        super().__init__()
        self._opened: Final[WeakSet[asyncio.Transport]] = WeakSet()
        self._sockets: Final[WeakSet[socket.socket]] = WeakSet()

    async def sock_connect(self, made: socket.socket, address: Any) -> None:
        """Connect a socket as any loop does."""
        self._sockets.add(made)
        await super().sock_connect(made, address)

    async def create_connection(self, *given: Any, **options: Any) -> Any:
        """Connect as any loop does."""
        transport, protocol = await super().create_connection(*given, **options)
        self._opened.add(transport)
        return transport, protocol

    async def start_tls(self, *given: Any, **options: Any) -> Any:
        """Begin TLS as any loop does."""
        transport = await super().start_tls(*given, **options)
        if transport is not None:
            self._opened.add(transport)
        return transport

    async def end(self) -> None:
        """End all tasks but this one (a subscription, the renewal of a lease) and all connections."""
        for _ in range(_ENDINGS_MAX):
            tasks = asyncio.all_tasks() - {asyncio.current_task()}
            for task in tasks:
                task.cancel()
            ended = asyncio.gather(*tasks, return_exceptions=True)
            await asyncio.wait([ended], timeout=_ENDING_S)
        for transport in list(self._opened):
            transport.abort()
        await asyncio.sleep(0)  # aborted transports close their sockets in the loop's next round

    def close(self) -> None:
        """Close the loop and all sockets of it."""
        super().close()
        for each in list(self._sockets):
            each.close()


class NatsThread:
    """A connection to NATS. Raises StorageError if none can be made; later the client connects again and again.

    Servers with `tls://` must show a certificate of `authority`, a file, or of the system's authorities. TLS begins
    before any other byte: the client would otherwise send its password in clear text to a server that offers no TLS.
    """

    def __init__(self, servers: list[str], authority: Path | None = None) -> None:
        trusted = _trusted(authority) if servers[0].startswith("tls://") else None
        self._loop: Final = _Loop()
        self._thread: Final = Thread(target=self._loop.run_forever, name="gloam-nats", daemon=True)
        self._said = ""
        self._thread.start()
        try:
            self.client: Final[Client] = self._wait(self._connect(servers, trusted), 2 * _CONNECT_S)
        except (*_LOST, ValueError) as error:
            self._end_loop()
            settings = ", and set `handshake_first: true` in its settings of TLS" if trusted else ""
            raise StorageError(
                f"NATS does not let this server in ({self._said or _words(error)}); correct its address in --store, or "
                f"start it{settings}."
            ) from error
        self.jetstream: Final[JetStreamContext] = self.client.jetstream(timeout=ANSWER_S)

    def call(self, work: Callable[[], Awaitable[R]], wait_s: float = 2 * ANSWER_S) -> R:
        """Do `work` in the thread's loop, and return its result. Raises StorageFault or StorageFull, and APIError as it is."""
        try:
            return self._wait(work(), wait_s)
        except js_errors.APIError as error:
            if isinstance(error, js_errors.ServiceUnavailableError):
                self.leave()
            if getattr(error, "err_code", None) in _FULL:  # errors of keys have no code
                raise StorageFull(
                    "The storage of NATS is full; nothing is lost, and play goes on when there is room again."
                ) from error
            if isinstance(error, js_errors.ServiceUnavailableError):
                raise NoLeader(
                    "NATS does not answer (its servers elect a leader); see that they run."
                ) from error
            raise
        except _LOST as error:
            self.leave()
            raise StorageFault(
                f"NATS does not answer ({self._said or _words(error)}); see that its servers run."
            ) from error

    def later(self, work: Callable[[], Awaitable[None]]) -> None:
        """Do `work` in the thread's loop some time, without waiting."""
        asyncio.run_coroutine_threadsafe(_awaited(work()), self._loop)

    def leave(self) -> None:
        """Go to another server, if there are several: this one may be cut off from the others, which have a leader."""
        if len(self.client.servers) > 1:
            self.later(self.client.force_reconnect)

    def close(self) -> None:
        """Close the connection, and end the thread."""
        if self._loop.is_closed():
            return
        with suppress(*_LOST):  # it ends with its thread
            self._wait(self.client.close(), ANSWER_S)
        self._end_loop()

    async def _connect(self, servers: list[str], trusted: ssl.SSLContext | None) -> Client:
        return await nats.connect(
            secrets.SystemRandom().sample(servers, len(servers)),
            dont_randomize=True,  # a reconnection begins with another server than the present one
            name="gloam",
            tls=trusted,
            tls_handshake_first=trusted is not None,
            connect_timeout=int(_CONNECT_S),
            reconnect_time_wait=_RECONNECT_S,
            ping_interval=_PING_S,
            max_outstanding_pings=_PINGS_MAX,
            max_reconnect_attempts=-1,
            allow_reconnect=True,
            error_cb=self._note,
            disconnected_cb=_ignore,
            reconnected_cb=self._forget,
            closed_cb=_ignore,
        )

    async def _note(self, error: Exception) -> None:
        """Keep what the client reports beside its calls: a permission that is lacking shows only as a missing answer.

        A refusal in words counts more than the broken connection that follows it.
        """
        if not (self._said and isinstance(error, OSError)):
            self._said = _words(error)

    async def _forget(self) -> None:
        self._said = ""

    def _wait(self, work: Awaitable[R], wait_s: float) -> R:
        future = asyncio.run_coroutine_threadsafe(_awaited(work), self._loop)
        try:
            return future.result(wait_s)
        except FutureTimeoutError:
            future.cancel()
            raise

    def _end_loop(self) -> None:
        with suppress(FutureTimeoutError):
            self._wait(self._loop.end(), ANSWER_S)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(ANSWER_S)
        if not self._loop.is_running():
            self._loop.close()


def _trusted(authority: Path | None) -> ssl.SSLContext:
    try:
        return ssl.create_default_context(cafile=authority)
    except OSError as error:  # SSLError is one
        raise StorageError(
            f"The certificate authority {authority} cannot be read ({error.strerror or 'it is none'}); correct ca= in --store."
        ) from error


async def _awaited(work: Awaitable[R]) -> R:
    return await work


async def _ignore() -> None:
    pass


def _words(error: BaseException) -> str:
    """Return an error's text for a sentence."""
    text = str(error).removeprefix("nats: ").strip().rstrip(".")
    return text or type(error).__name__
