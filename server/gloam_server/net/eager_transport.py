"""TCP connections that send immediately what fits into the kernel's buffer, instead of in the reactor's next iteration.

Twisted queues what is written, and asks the reactor to call when the socket has room: two system calls and a tour
through the reactor for each update, which is more than the sending itself. A socket nearly always has room.

Two messages to one player in one batch are two small packets, and sending is part of the batch's own time.
"""

from twisted.internet.tcp import Server


class EagerServer(Server):
    """A connection that was accepted. Bytes stay in order: nothing is sent before what is queued."""

    def write(self, data: bytes) -> None:
        """Send what fits, and queue the rest. A lost connection is noticed as with any queued bytes."""
        if (
            data
            and not self.TLS
            and self.connected
            and not (self.disconnecting or self._writeDisconnected)
            and not self._is_queued()
        ):
            sent = self.writeSomeData(data)
            if sent == len(data):
                return
            if isinstance(sent, int) and sent > 0:
                data = data[sent:]
        super().write(data)  # type: ignore[no-untyped-call]  # Twisted has no type for it

    def _is_queued(self) -> bool:
        """Return whether bytes wait for room."""
        return bool(self._tempDataLen or self.dataBuffer)
