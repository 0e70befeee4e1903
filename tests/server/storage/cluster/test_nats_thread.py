"""The thread of the client of NATS leaves no connection open when it ends."""

import asyncio
import gc
import json
import socket
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from threading import Event, Thread

import pytest

pytest.importorskip("nats")

from gloam_server.storage.jetstream.nats_thread import NatsThread

WAIT_S = 30


class StartingNats:
    """A server of NATS that greets its first client, drops it, and greets the second with a broken line.

    The third it greets again. The client keeps no word of its second connection.
    """

    def __init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._listener.settimeout(WAIT_S)
        self.address = f"nats://127.0.0.1:{self._listener.getsockname()[1]}"
        self.left_open: socket.socket | None = None
        self._open = ExitStack()
        self._thread = Thread(target=self._serve)
        self._thread.start()

    def close(self) -> None:
        self._thread.join(WAIT_S)
        self._open.close()
        self._listener.close()

    def wait(self) -> None:
        """Wait until the third connection is greeted."""
        self._thread.join(WAIT_S)

    def _serve(self) -> None:
        first = self._accept()
        self._greet(first)
        first.shutdown(socket.SHUT_RDWR)
        self.left_open = self._accept()
        self.left_open.sendall(b"no greeting\r\n")
        self._greet(self._accept())

    def _accept(self) -> socket.socket:
        connection = self._open.enter_context(self._listener.accept()[0])
        connection.settimeout(WAIT_S)
        return connection

    @staticmethod
    def _greet(connection: socket.socket) -> None:
        info = {"server_id": "a", "version": "2.11.0", "max_payload": 1048576, "headers": True}
        connection.sendall(b"INFO " + json.dumps(info).encode() + b" \r\n")
        while b"PING" not in connection.recv(4096):
            pass
        connection.sendall(b"PONG\r\n")


@pytest.fixture
def starting() -> Iterator[StartingNats]:
    server = StartingNats()
    yield server
    server.close()


def test_an_ended_thread_leaves_no_connection(starting: StartingNats) -> None:
    thread = NatsThread([starting.address])
    starting.wait()
    thread.close()
    del thread
    gc.collect()  # a connection that is open warns as it is collected, which fails the test
    assert starting.left_open is not None
    while starting.left_open.recv(4096):
        pass


def test_an_ended_thread_connects_no_more() -> None:
    """A task that is ended begins another, which connects, as the client's does; the loop ends in the middle of it."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address, begun, made = listener.getsockname(), Event(), list[socket.socket]()

        async def connect(times: int) -> None:
            loop = asyncio.get_running_loop()
            made.append(socket.socket())
            made[-1].setblocking(False)
            try:
                await loop.sock_connect(made[-1], address)
                begun.set()
                await asyncio.sleep(WAIT_S)
            finally:
                if times:
                    again.add(loop.create_task(connect(times - 1)))

        again = set[asyncio.Task[None]]()
        starting = StartingNats()
        try:
            thread = NatsThread([starting.address])
            starting.wait()
            thread.later(lambda: connect(2))
            assert begun.wait(WAIT_S)
            thread.close()
        finally:
            starting.close()
        assert len(made) == 3
        assert [each.fileno() for each in made] == [-1, -1, -1]


def test_a_task_that_goes_on_is_ended_again() -> None:
    """A task that ignores the first try, as the client may while it connects."""
    goes_on, ended = Event(), Event()

    async def connect() -> None:
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(WAIT_S)
        goes_on.set()
        try:
            await asyncio.sleep(WAIT_S)
        finally:
            ended.set()

    starting = StartingNats()
    try:
        thread = NatsThread([starting.address])
        starting.wait()
        thread.later(connect)
        thread.close()
    finally:
        starting.close()
    assert goes_on.is_set()
    assert ended.is_set()
