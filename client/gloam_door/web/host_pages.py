"""Health and metrics of a door, for programs of its host: on a port of their own, on loopback."""

import socket
from collections.abc import Callable
from contextlib import suppress
from http import HTTPStatus
from typing import Final

import msgspec
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

_REQUEST_S: Final = 10


class HostPages:
    """Serves `/health` and `/metrics` on a socket."""

    def __init__(
        self, listener: socket.socket, health: Callable[[], dict[str, object]], metrics: Callable[[], str]
    ) -> None:
        self._listener = listener
        self._health = health
        self._metrics = metrics
        self._server: Server | None = None

    async def start(self) -> None:
        """Serve."""
        self._server = await serve(
            _no_socket,
            sock=self._listener,
            process_request=self._answer,
            open_timeout=_REQUEST_S,
            server_header=None,
        )

    def stop(self) -> None:
        """Stop listening."""
        if self._server is not None:
            with suppress(OSError):
                self._server.close()

    def _answer(self, _: ServerConnection, request: Request) -> Response:
        match request.path:
            case "/health":
                health = self._health()
                status = HTTPStatus.OK if health["ok"] else HTTPStatus.SERVICE_UNAVAILABLE
                return _respond(status, "application/json", msgspec.json.encode(health) + b"\n")
            case "/metrics":
                return _respond(HTTPStatus.OK, "text/plain; version=0.0.4", self._metrics().encode())
            case _:
                return _respond(HTTPStatus.NOT_FOUND, "text/plain", b"There are /health and /metrics.\n")


async def _no_socket(_: ServerConnection) -> None:
    """Do nothing: each request is answered before a WebSocket could begin."""


def _respond(status: HTTPStatus, kind: str, body: bytes) -> Response:
    headers = Headers({"Content-Type": kind, "Content-Length": str(len(body)), "Connection": "close"})
    return Response(status, status.phrase, headers, body)
