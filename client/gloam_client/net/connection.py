"""The connection to the server: asyncio streams around a ProtocolClient, opened again when lost. Draws nothing.

The retries are one loop by hand (decision 125): each answer of the server decides whether and when another attempt follows.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable
from typing import Final, Protocol

from gloam_client.net.protocol_client import WATCH_OVER, ProtocolBroken, ProtocolClient
from gloam_client.net.tls_connect import ConnectFailed, TrustedStream, dial_plainly
from gloam_client.user_files.address import Address
from gloam_shared import limits
from gloam_shared.protocol.messages.login import Bye, Error, Goodbye
from gloam_shared.protocol.registry import FromServer

BACKOFF_FIRST_S: Final = 0.2
BACKOFF_MAX_S: Final = 5.0
WAIT_MAX_S: Final = 60
"""The longest wait that a server may ask for before the client stops trying automatically."""
FIRST_TRIES: Final = 3
"""The number of times a private server is tried before the first join: it may just be stopping."""
BROKEN_MAX: Final = 3
"""The number of broken connections in a row after which the client gives up."""

_SECONDS: Final = re.compile(r"\b([0-9]{1,6}) s\b")
ENDS: Final = frozenset(
    {
        "version",
        "name",
        "foreign",
        "replaced",
        "kicked",
        "banned",
        "fault",
        "password",
        "auth",
        "length",
        "wait",
        "slow",
        "invite",
    }
)
"""Codes of a goodbye after which trying again would only repeat it."""


class ConnectionListener(Protocol):
    """The receiver of the connection's state."""

    def on_connected(self) -> None:
        """A new connection begins."""

    def on_messages(self, messages: list[FromServer]) -> None:
        """Messages arrived and the protocol client has handled them."""

    def on_cut(self, text: str, since_ms: int, retry_ms: int) -> None:
        """The connection is lost and will be tried again."""

    def on_back(self, away_ms: int) -> None:
        """The connection is back."""


class Connection:
    """Keeps a protocol client connected for as long as `run` runs.

    `dial` opens the connection. `again` returns the server's present address before each new attempt. After a goodbye
    with a code of `ENDS` there is no new attempt; after the first join, the codes of `ends` count instead.
    """

    def __init__(
        self,
        link: ProtocolClient,
        address: Address,
        listener: ConnectionListener,
        now_ms: Callable[[], int],
        again: Callable[[], Awaitable[Address]] | None = None,
        ends: frozenset[str] = ENDS,
        dial: Callable[[Address], Awaitable[TrustedStream]] = dial_plainly,
    ) -> None:
        self._link = link
        self._address = address
        self._listener = listener
        self._now_ms = now_ms
        self._again = again
        self._ends = ends
        self._dial = dial
        self._writer: asyncio.StreamWriter | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._bye: Bye | Error | None = None
        self._wait_s = 0
        self._joined_once = False
        self._leaving = False

    async def run(self) -> None:
        """Talk until canceled, or until a goodbye is answered. Raises ConnectFailed if another attempt cannot help.

        Before the first join an error is shown immediately, because the address, name or key is probably wrong
        (`final`); only a private server gets a few attempts, as it may just be starting. After the first join the
        client always tries again: the character is in the dungeon, and the resume token brings it back. Pauses double
        up to BACKOFF_MAX_S and start again at each join; a server that asks to wait longer gets this wait. A broken
        protocol counts separately: one broken connection may be an accident, BROKEN_MAX are not.
        """
        pause_s, broken, cut_ms, tries = BACKOFF_FIRST_S, 0, None, 0
        while True:
            tries += 1
            wait_s = 0
            final = not self._joined_once and (self._again is None or tries >= FIRST_TRIES)
            try:
                await self._converse(cut_ms)
                text = "The server closed the connection."
            except ConnectFailed as error:
                wait_s = error.wait_s
                if error.hopeless or (final and not self._joined_once and not wait_s):
                    raise
                text = error.text
            except ProtocolBroken as error:
                broken += 1
                if not self._joined_once or broken >= BROKEN_MAX or error.code == WATCH_OVER:
                    raise ConnectFailed(error.text, hopeless=True) from error
                text = error.text
            except OSError:
                text = "The connection is lost."
            if self._leaving:
                return
            if final and not self._joined_once and not wait_s:
                raise ConnectFailed(
                    f"{self._address} closed the connection before you joined; try again in a moment."
                )
            if self._link.joined:
                pause_s, cut_ms, self._link.joined = BACKOFF_FIRST_S, self._link.heard_ms, False
            since_ms = self._now_ms() if cut_ms is None else cut_ms
            rest_s = max(pause_s, wait_s)
            self._listener.on_cut(text, since_ms, self._now_ms() + int(rest_s * 1_000))
            await asyncio.sleep(rest_s)
            pause_s = min(pause_s * 2, BACKOFF_MAX_S)
            if self._again is not None:
                self._address = await self._again()

    def flush(self) -> None:
        """Send the queued bytes, and set the timer for a late acknowledgement."""
        data = self._link.outgoing()
        # A transport may be closed for a moment before its reader knows; writing to it then is an error in some loops.
        if data and self._writer is not None and not self._writer.is_closing():
            self._writer.write(data)
        due_ms = self._link.tick_due_ms
        if due_ms is not None and self._timer is None and self._writer is not None:
            wait_s = max(due_ms - self._now_ms(), 0) / 1_000
            self._timer = asyncio.get_running_loop().call_later(wait_s, self._tick)

    async def goodbye(self) -> None:
        """Send a goodbye, and wait at most a second until it is sent."""
        writer = self._writer
        if writer is None:
            return
        self._leaving = True
        self._link.send(Goodbye())
        self.flush()
        try:
            async with asyncio.timeout(1):
                await writer.drain()
                writer.close()
                await writer.wait_closed()
        except (OSError, TimeoutError):
            return

    async def _converse(self, cut_ms: int | None) -> None:
        """Run one conversation, from the first byte to the end of the connection."""
        line = await self._dial(self._address)
        reader, self._writer = line.reader, line.writer
        self._bye, self._wait_s = None, 0
        try:
            self._listener.on_connected()
            self._link.connected(self._now_ms())
            self.flush()
            connection_reported = cut_ms is None
            while data := await self._read(reader):
                messages = self._link.receive(data, self._now_ms())
                if self._link.joined and not connection_reported:
                    connection_reported = True
                    self._listener.on_back(self._now_ms() - (cut_ms or 0))
                self._joined_once = self._joined_once or self._link.joined
                self._listener.on_messages(messages)
                self.flush()
                self._read_messages(messages)
                if self._bye is not None and not self._link.joined:
                    break
            if self._wait_s:
                assert self._bye is not None
                raise ConnectFailed(self._bye.text, code=self._bye.code, wait_s=self._wait_s)
            if self._bye is not None:
                ends = self._ends if self._joined_once else ENDS
                raise ConnectFailed(self._bye.text, hopeless=self._bye.code in ends, code=self._bye.code)
        finally:
            self._hang_up()

    async def _read(self, reader: asyncio.StreamReader) -> bytes:
        try:
            async with asyncio.timeout(limits.DEAD_S):
                return await reader.read(65_536)
        except TimeoutError as error:
            if self._joined_once:
                raise ConnectFailed("The server sends nothing.") from error
            raise ConnectFailed(f"{self._address} answers nothing; is that a Gloam server?") from error
        except OSError:
            if self._bye is None:
                raise
            return b""  # a server that says goodbye may close the connection before it has read everything

    def _read_messages(self, messages: list[FromServer]) -> None:
        for message in messages:
            if isinstance(message, Bye):
                self._bye = message
            elif (
                isinstance(message, Error) and not self._link.joined and message.code in self._ends | {"wait"}
            ):
                self._bye = message
                self._wait_s = _short_wait_s(message)

    def _tick(self) -> None:
        self._timer = None
        self._link.tick(self._now_ms())
        self.flush()

    def _hang_up(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._writer is not None:
            self._writer.close()
            self._writer = None


def _short_wait_s(error: Error) -> int:
    """Return the seconds that the server asks to wait; 0 for none, or for a wait that the player must decide about."""
    wait = _SECONDS.search(error.text) if error.code == "wait" else None
    return int(wait[1]) if wait is not None and int(wait[1]) <= WAIT_MAX_S else 0
