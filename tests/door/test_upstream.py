"""The way to the game server: the header that names a visitor is one that the server reads."""

import asyncio
from pathlib import Path

import pytest
import uvloop

from gloam_client.net.connection import Connection
from gloam_client.net.protocol_client import ProtocolClient
from gloam_client.net.tls_connect import TrustedStream
from gloam_client.user_files.address import Address
from gloam_door.identity import Door
from gloam_door.upstream import Visitor, proxy_header
from gloam_door.visits import network_of
from gloam_server.net.proxy_protocol import Header, parse
from gloam_shared.protocol.messages.login import Goodbye
from support.client.connection_listener import Ear


@pytest.mark.parametrize("door", ["web", "ssh"])
@pytest.mark.parametrize(
    ("host", "named"),
    [("203.0.113.7", "203.0.113.7"), ("2001:db8::7", "2001:db8::7"), ("::ffff:192.0.2.1", "192.0.2.1")],
)
def test_the_server_reads_the_door_s_header(door: Door, host: str, named: str) -> None:
    data = proxy_header(Visitor(door, host, 50_000))
    assert parse(data) == Header(len(data), relayed=True, host=named, port=50_000, door=door)


def test_an_ipv6_network_counts_as_one_visitor() -> None:
    assert network_of("2001:db8::1") == network_of("2001:db8::ffff") != network_of("2001:db8:0:1::1")
    assert network_of("192.0.2.1") != network_of("192.0.2.2")
    assert network_of("::ffff:192.0.2.1") == network_of("192.0.2.1")


def test_nothing_is_written_to_a_closed_connection(tmp_path: Path) -> None:
    """A connection may be closed before its reader knows; the loop of a door raises an error for bytes sent then."""

    async def main() -> None:
        lines: list[TrustedStream] = []

        async def dial(_address: Address) -> TrustedStream:
            lines.append(TrustedStream(*await asyncio.open_unix_connection(path)))
            return lines[-1]

        async def hear(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.read()
            writer.close()

        async with await asyncio.start_unix_server(hear, path):
            link = ProtocolClient("Ann", bytes(32), "test")
            connection = Connection(link, Address("127.0.0.1", 0), Ear(), lambda: 0, dial=dial)
            running = asyncio.create_task(connection.run())
            while not lines:
                await asyncio.sleep(0.005)
            await asyncio.sleep(0)
            lines[-1].writer.transport.abort()
            for _ in range(4):
                link.send(Goodbye())
                connection.flush()
                await asyncio.sleep(0)
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)

    path = str(tmp_path / "server.sock")
    uvloop.run(main())
