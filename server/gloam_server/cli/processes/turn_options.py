"""The words between a supervisor and a turn process or a standby: options, and what those tell."""

import socket
from typing import Final, Literal, TypeAlias

import msgspec
from msgspec import Struct

from gloam_server.app.config import Config, Settings, config_of
from gloam_server.app.views.entrance_sockets import EntranceSockets

Role: TypeAlias = Literal["serves", "stands by"]

READY: Final = b"."
"""It listens, or could take over."""
RENEWED: Final = b"r"
"""All processes that start from now on have the installed code."""
_OPTIONS_MAX: Final = 1 << 20


class TurnOptions(Struct, frozen=True, kw_only=True):
    """The options of a turn process or a standby, as its supervisor sends them. `port`, `doors` and `life` are descriptors, -1 for none."""

    role: Role
    data: str
    settings: Settings
    exact_seed: bool
    one_life: bool
    store: str | None
    status_json: bool
    port: int
    doors: int
    life: int

    def config(self) -> Config:
        """Return the whole configuration."""
        from pathlib import Path  # noqa: PLC0415

        config = config_of(self.settings, Path(self.data))
        return msgspec.structs.replace(
            config, exact_seed=self.exact_seed, one_life=self.one_life, store=self.store
        )

    def sockets(self) -> EntranceSockets:
        """Return the sockets that were handed down."""
        doors = None if self.doors < 0 else socket.socket(fileno=self.doors)
        return EntranceSockets(socket.socket(fileno=self.port), doors, self.life)


def options_from(line: socket.socket) -> TurnOptions:
    """Return the options that a supervisor sends to a new process."""
    data = b""
    while not data.endswith(b"\n") and len(data) < _OPTIONS_MAX:
        data += line.recv(65_536)
    return msgspec.json.decode(data, type=TurnOptions)
