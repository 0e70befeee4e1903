"""A bare Twisted server with the frame sizes of the real one: what a server reaches that only reads and writes.

As a program it takes the bytes of a command, the bytes of an update, and the updates for each command. It prints its
port. Each command has its number in the first four bytes. One update with that number answers it; the other updates go
to other connections, in turn, with the number 0.
"""

import asyncio
import sys
import time
from typing import Any, cast

NUMBER_SIZE = 4


def main() -> None:
    """Serve until the process is ended."""
    command_size, update_size, updates = (int(each) for each in sys.argv[1:4])
    loop = asyncio.SelectorEventLoop()
    asyncio.set_event_loop(loop)
    from twisted.internet import asyncioreactor

    asyncioreactor.install(loop)
    from twisted.internet import reactor as installed
    from twisted.internet.protocol import Factory, Protocol

    connections: list[Any] = []
    turn = [0]
    filling = bytes(update_size - NUMBER_SIZE)

    class Echo(Protocol):
        held = b""

        def connectionMade(self) -> None:  # noqa: N802  # Twisted's name
            transport = cast(Any, self.transport)
            transport.setTcpNoDelay(True)
            connections.append(transport)

        def dataReceived(self, data: bytes) -> None:  # noqa: N802  # Twisted's name
            self.held += data
            while len(self.held) >= command_size:
                number, self.held = self.held[:NUMBER_SIZE], self.held[command_size:]
                cast(Any, self.transport).write(number + filling)
                for _ in range(updates - 1):
                    turn[0] = (turn[0] + 1) % len(connections)
                    connections[turn[0]].write(bytes(NUMBER_SIZE) + filling)

        def connectionLost(self, *_: object) -> None:  # noqa: N802  # Twisted's name
            connections.remove(self.transport)

    reactor = cast(Any, installed)
    reactor.seconds = time.monotonic
    port = reactor.listenTCP(0, Factory.forProtocol(Echo), interface="127.0.0.1", backlog=1_000)
    print(port.getHost().port, flush=True)
    reactor.run()


if __name__ == "__main__":
    main()
