"""The frames to a page, one after another, each when the line has taken the last, and the farewell."""

import asyncio
from contextlib import suppress
from typing import Any, Final

import msgspec
from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed

from gloam_door.surfaces.paced_frames import PacedFrames

_STUCK_S: Final = 15
"""A line that takes nothing for so long is over."""


class PageLine:
    """The way to one page."""

    def __init__(self, connection: ServerConnection) -> None:
        self._connection = connection
        self._outgoing: asyncio.Queue[str | None] = asyncio.Queue()
        self.goodbye: str | None = None
        """The last words, once they are known."""

    def put(self, text: str) -> None:
        """Send a frame; its surface draws the next one when this one is taken."""
        self._outgoing.put_nowait(text)

    def end(self, words: str) -> None:
        """Say farewell, and close the line; the first words count."""
        self.goodbye = self.goodbye or words or "Goodbye."
        self._outgoing.put_nowait(None)

    async def refuse(self, words: str) -> None:
        """Say why nothing begins."""
        await self._connection.send(_parts(["bye", words, False]))

    async def write(self, frames: PacedFrames) -> None:
        """Send what is put, until the farewell."""
        with suppress(ConnectionClosed, TimeoutError):
            while (text := await self._outgoing.get()) is not None:
                await self._send(text)
                frames.taken()
            if self.goodbye is not None:
                await self._send(_parts(["bye", self.goodbye, True]))
        await self._connection.close()

    async def _send(self, text: str) -> None:
        async with asyncio.timeout(_STUCK_S):
            await self._connection.send(text)


def _parts(*parts: list[Any]) -> str:
    return msgspec.json.encode(parts).decode()
