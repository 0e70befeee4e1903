"""A door in a thread of this process, to a real server's socket: all of it is the real program but its command line."""

import asyncio
import threading
from pathlib import Path
from typing import Any, Final, Self

import msgspec
from websockets.sync.client import ClientConnection, connect

from gloam_door.config import Settings
from gloam_door.door import Door

_PATIENCE_S: Final = 60


class RunningDoor:
    """A door on free ports of this machine; use it in a `with`."""

    def __init__(self, data: Path, server: Path | str, **settings: Any) -> None:
        self.data = data
        values = {"server": str(server), "port": 0, "ssh_port": 0, "visits_per_address_max": 64, **settings}
        self.door = Door(msgspec.convert(values, Settings, strict=False), data)
        self._loop = asyncio.new_event_loop()
        self._stop = asyncio.Event()
        self._ready = threading.Event()
        self._fault: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="door", daemon=True)

    def __enter__(self) -> Self:
        """Return the door, which listens."""
        self._thread.start()
        assert self._ready.wait(_PATIENCE_S)
        if self._fault is not None:
            raise self._fault
        return self

    def __exit__(self, *_: object) -> None:
        """Stop it in order."""
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(_PATIENCE_S)
        if self._fault is not None:
            raise self._fault

    @property
    def origin(self) -> str:
        """The origin of its own page."""
        return f"http://localhost:{self.door.web_port}"

    def connect(self, origin: str | None = "", **headers: str) -> ClientConnection:
        """Open the WebSocket as a page of this door, or of another origin; None for none."""
        return connect(
            f"ws://127.0.0.1:{self.door.web_port}/play",
            origin=self.origin if origin == "" else origin,  # type: ignore[arg-type]  # a text is an origin
            additional_headers={name.replace("_", "-"): value for name, value in headers.items()},
            compression=None,
        )

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self.door.run(lambda _: self._ready.set(), self._stop))
        except BaseException as error:  # noqa: BLE001  # it fails the test in the thread of the test
            self._fault = error
        finally:
            self._ready.set()
            self._loop.close()
