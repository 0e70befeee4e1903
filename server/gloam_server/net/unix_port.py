"""Unix sockets of a server, for programs on its own machine: the host's commands, and doors."""

import os
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

from twisted.internet.defer import Deferred, execute
from twisted.internet.protocol import Factory
from twisted.internet.unix import Port
from twisted.python.failure import Failure

from gloam_server.net.reactor import WAITING_MAX, ListeningPort


class _UnixPort(Port):
    """Does not remove the socket if it now belongs to the server that took the world over."""

    def listen(self) -> ListeningPort:
        self.startListening()  # type: ignore[no-untyped-call]  # Twisted's
        self._made = Path(os.fsdecode(self._bindPath)).stat()
        return cast(ListeningPort, self)

    def connectionLost(self, reason: Failure) -> None:  # Twisted's name
        try:
            own = os.path.samestat(self._made, Path(os.fsdecode(self._bindPath)).stat())
        except FileNotFoundError:
            own = False
        if not own:
            self._bindPath = b"\0"  # Twisted removes only what has a name in the file system
        super().connectionLost(reason)  # type: ignore[no-untyped-call]  # as above


def listen_on_path(reactor: Any, path: str, factory: Factory, mode: int) -> Deferred[ListeningPort]:
    """Listen on a socket with these permissions, in place of one that a killed server left.

    Fires with the port, or fails with the reason why the folder allows no socket there.
    """
    with suppress(OSError):  # of a killed server; the world's lock proves that no other runs
        Path(path).unlink()
    port = _UnixPort(os.fsencode(path), cast(Any, factory), WAITING_MAX, mode, reactor=reactor)
    return execute(port.listen)
