"""A proxy of TCP on a port of its own that can hold back what the server answers, and cut its connections."""

import socket
from collections.abc import Callable
from contextlib import suppress
from threading import Event, Thread


class CutProxy:
    """Passes bytes to a port of this machine and back. While answers are held the server gets all and the client nothing."""

    def __init__(self, port: int) -> None:
        self._target = port
        self._answers = Event()
        self._answers.set()
        self._open: list[socket.socket] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._start(self._accept)

    def hold_answers(self) -> None:
        """Hold back all answers from now on."""
        self._answers.clear()

    def cut(self) -> None:
        """Cut all connections; what was held back is lost. New ones pass everything."""
        connections, self._open = self._open, []
        for each in connections:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()
        self._answers.set()

    def close(self) -> None:
        """Accept no more connections, and cut those that there are."""
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.cut()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                try:
                    server = socket.create_connection(("127.0.0.1", self._target))
                except OSError:
                    client.close()
                    continue
                self._open += [client, server]
                self._start(self._pass, client, server, None)
                self._start(self._pass, server, client, self._answers)

    def _pass(self, source: socket.socket, target: socket.socket, gate: Event | None) -> None:
        with suppress(OSError):
            while data := source.recv(1 << 16):
                if gate is not None:
                    gate.wait()
                target.sendall(data)
        for each in (source, target):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    @staticmethod
    def _start(work: Callable[..., None], *arguments: object) -> None:
        Thread(target=work, args=arguments, daemon=True).start()
