"""A host name with several addresses, of which the first is silent: another answers soon, of any family."""

import asyncio
import contextlib
import socket
import ssl
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gloam_client.net.tls_connect import CONNECT_S, TlsConnector, dial_plainly
from gloam_client.user_files.address import Address
from gloam_client.user_files.known_servers import KnownServers
from gloam_server.net.certificate import ensure, own_files
from support.client.loopback_server import serving

NAME = "two-addresses.example"


def family(host: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in host else socket.AF_INET


@contextlib.contextmanager
def silent(host: str) -> Iterator[int]:
    """Listen at a host, with a full queue: the kernel answers no further connection. Yield the port."""
    with contextlib.ExitStack() as opened:
        listener = opened.enter_context(socket.socket(family(host)))
        listener.bind((host, 0))
        listener.listen(0)
        port = int(listener.getsockname()[1])
        for _ in range(4):
            waiting = opened.enter_context(socket.socket(family(host)))
            waiting.setblocking(False)
            waiting.connect_ex((host, port))
        yield port


@pytest.mark.parametrize(
    ("dead", "alive"), [("127.0.0.7", "::1"), ("::1", "127.0.0.1"), ("127.0.0.7", "127.0.0.1")]
)
@pytest.mark.parametrize("encrypted", [False, True])
def test_the_next_address_is_tried(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, dead: str, alive: str, encrypted: bool
) -> None:
    async def main(port: int) -> str:
        async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(b"here")
            await reader.read()

        (tmp_path / "server").mkdir()
        files = own_files(tmp_path / "server")
        ensure(files, 1_700_000_000)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(files.certificate, files.key)
        place = Address(NAME, port)
        dial = TlsConnector(KnownServers(tmp_path)).dial if encrypted else dial_plainly
        async with serving(answer, alive, port, context if encrypted else None):
            line = await dial(place)
            peer = str(line.writer.get_extra_info("peername")[0])
            line.writer.transport.abort()
            return peer

    with silent(dead) as port:
        found: list[Any] = [(family(host), socket.SOCK_STREAM, 6, "", (host, port)) for host in (dead, alive)]
        monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
        began = time.monotonic()
        assert asyncio.run(main(port)) == alive
        assert time.monotonic() - began < CONNECT_S
