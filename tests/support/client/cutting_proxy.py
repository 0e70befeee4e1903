"""A proxy that cuts a line inside a message, and a client that dials again."""

import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Literal

from support.client.fake_client import PATIENCE_S, FakeClient

WAY = Literal["up", "down"]


class CuttingProxy:
    """Stands between a client and a server, and cuts the first line after this many bytes of one way."""

    def __init__(self, port: int, way: WAY, at: int) -> None:
        self._server = ("127.0.0.1", port)
        self._left = {"up": at if way == "up" else 1 << 30, "down": at if way == "down" else 1 << 30}
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.cuts = 0
        threading.Thread(target=self._accept, daemon=True).start()

    def cut_after(self, way: WAY, count: int) -> None:
        """Cut the lines after this many further bytes of one way."""
        self._left[way] = count

    def close(self) -> None:
        """Take no more lines."""
        self._listener.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                server = socket.create_connection(self._server)
                for way, source, sink in (("up", client, server), ("down", server, client)):
                    threading.Thread(target=self._carry, args=(way, source, sink), daemon=True).start()

    def _carry(self, way: WAY, source: socket.socket, sink: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(4_096):
                sink.sendall(data[: self._left[way]])
                self._left[way] -= len(data)
                if self._left[way] < 0:
                    self._left[way] = 1 << 30
                    self.cuts += 1
                    break
        for line in (source, sink):
            with suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)
            line.close()


def dialled_until(client: FakeClient, condition: Callable[[], object]) -> None:
    """Listen until a condition holds, and dial again whenever the line is cut."""
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline, f"{client.link.name} waited in vain; last came {client.got[-3:]}"
        if client.closed:
            client.hang_up()
            client.connect()
        client.read(0.05)
