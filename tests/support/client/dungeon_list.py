"""A client that asks which dungeons a host has, over TCP."""

import socket

from gloam_client.net.protocol_client import ProtocolClient

PATIENCE_S = 60.0


def listed(port: int, name: str = "Anna") -> ProtocolClient:
    """Dial a server and ask for the dungeons of its host; return the client once it has joined. Raises ManyDungeons."""
    link = ProtocolClient(name, name.encode().ljust(32, b"."), "test", asks_dungeons=True)
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S) as line:
        link.connected(0)
        while not link.joined:
            line.sendall(link.outgoing())
            data = line.recv(65_536)
            assert data, "the server closed the connection"
            link.receive(data, 0)
    return link
