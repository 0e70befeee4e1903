"""Lines as they are: bytes in slices, stalls, slow readers, and transports that fill up."""

from gloam_client.link import Link
from gloam_server.net.connection import Connection
from gloam_shared.messages import FromServer
from simulation.chance import Chance
from support.realm import SimServer, Wire, address, connect

FULL = 16_384
"""So many bytes on a wire, and its transport tells the server to pause."""


class Line:
    """One connection: the server's end of it, and what is under way both ways."""

    def __init__(self, server: SimServer, chance: Chance) -> None:
        self.wire = Wire()
        self.connection: Connection = server.factory.buildProtocol(address("127.0.0.1"))
        self.uplink = bytearray()
        self.up = True
        self._chance = chance
        connect(self.connection, self.wire)

    def cut(self) -> None:
        """The line breaks: what is under way is lost."""
        if self.up:
            self.up = False
            self.connection.connectionLost()

    def carry_up(self, link: Link, *, all_of_it: bool = False) -> None:
        """Carry some of what the client has to say, in slices of any size."""
        self.uplink += link.outgoing()
        while self.up and self.uplink:
            size = len(self.uplink) if all_of_it else self._chance.randint(1, 40)
            self.connection.dataReceived(bytes(self.uplink[:size]))
            del self.uplink[:size]
            if not all_of_it and self._chance.random() < 0.1:
                break

    def carry_down(self, link: Link, now_ms: int, at_most: int) -> list[FromServer]:
        """Carry at most so many of the server's bytes, in slices of any size; return the messages they complete."""
        came: list[FromServer] = []
        while at_most > 0 and self.wire.sent:
            size = min(at_most, self._chance.choice((1, 3, 50, 700, 20_000)))
            data = bytes(self.wire.sent[:size])
            del self.wire.sent[:size]
            at_most -= size
            came += link.receive(data, now_ms)
        self._tell_the_transport()
        if self.wire.closed and not self.wire.sent:
            self.cut()
        return came

    def _tell_the_transport(self) -> None:
        full = len(self.wire.sent) > FULL
        if self.up and full != self.connection.paused:
            if full:
                self.connection.pauseProducing()
            else:
                self.connection.resumeProducing()
