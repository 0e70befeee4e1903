"""A proxy of TCP, or of a Unix socket, that can hold back what the server answers, or everything, and cut its connections."""

import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread


class CutProxy:
    """Passes bytes to a port of this machine and back. While answers are held the server gets all and the client nothing;
    while both ways are held, nothing passes, and neither side reads of it.

    A target that is a path is a Unix socket, and `path` is then the socket of the proxy.
    """

    def __init__(self, target: int | Path, path: Path | None = None) -> None:
        self._target = target
        self._requests, self._answers = Event(), Event()
        self._requests.set()
        self._answers.set()
        self._open: list[socket.socket] = []
        self.port = 0
        if path is None:
            self._listener = socket.create_server(("127.0.0.1", 0))
            self.port = self._listener.getsockname()[1]
        else:
            self._listener = socket.socket(socket.AF_UNIX)
            self._listener.bind(str(path))
            self._listener.listen()
        self._start(self._accept)

    def hold_answers(self) -> None:
        """Hold back all answers from now on."""
        self._answers.clear()

    def hold(self) -> None:
        """Hold back everything from now on, as a network does that loses each packet."""
        self._requests.clear()
        self._answers.clear()

    def cut(self) -> None:
        """Cut all connections; what was held back is lost. New ones pass everything."""
        connections, self._open = self._open, []
        for each in connections:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()
        self._requests.set()
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
                    server = self._dial()
                except OSError:
                    client.close()
                    continue
                self._open += [client, server]
                self._start(self._pass, client, server, self._requests)
                self._start(self._pass, server, client, self._answers)

    def _dial(self) -> socket.socket:
        if isinstance(self._target, int):
            return socket.create_connection(("127.0.0.1", self._target))
        made = socket.socket(socket.AF_UNIX)
        made.connect(str(self._target))
        return made

    def _pass(self, source: socket.socket, target: socket.socket, gate: Event) -> None:
        with suppress(OSError):
            while data := source.recv(1 << 16):
                gate.wait()
                target.sendall(data)
        for each in (source, target):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    @staticmethod
    def _start(work: Callable[..., None], *arguments: object) -> None:
        Thread(target=work, args=arguments, daemon=True).start()
