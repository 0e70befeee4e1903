"""A server of a test on the loop of that test: no connection outlives it, since one would warn in a later test."""

import asyncio
import ssl
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

from gloam_client.user_files.address import Address


class LoopbackServer:
    """A listener, and its open connections. `serve` talks on each; then it is closed."""

    def __init__(self, serve: Callable[[StreamReader, StreamWriter], Awaitable[None]]) -> None:
        self._serve = serve
        self._open: set[StreamWriter] = set()
        self._server: asyncio.Server | None = None

    async def start(
        self, host: str = "127.0.0.1", port: int = 0, tls: ssl.SSLContext | None = None
    ) -> Address:
        """Listen, and return the address."""
        self._server = await asyncio.start_server(self._answer, host, port, ssl=tls)
        return Address(*self._server.sockets[0].getsockname()[:2])

    async def stop(self) -> None:
        """Listen no longer, and cut all connections: a farewell of TLS would outlive the loop."""
        if self._server is not None:
            self._server.close()
        for each in list(self._open):
            each.transport.abort()
        await asyncio.sleep(0)  # what was aborted is closed in the next round

    async def _answer(self, reader: StreamReader, writer: StreamWriter) -> None:
        self._open.add(writer)
        try:
            with suppress(OSError):
                await self._serve(reader, writer)
        finally:
            writer.close()


@asynccontextmanager
async def serving(
    serve: Callable[[StreamReader, StreamWriter], Awaitable[None]],
    host: str = "127.0.0.1",
    port: int = 0,
    tls: ssl.SSLContext | None = None,
) -> AsyncIterator[Address]:
    """Serve while a test runs. Yields the address."""
    server = LoopbackServer(serve)
    try:
        yield await server.start(host, port, tls)
    finally:
        await server.stop()
