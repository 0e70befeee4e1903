"""Requests to a running server, its replies, and the socket's path: everything that the command line needs."""

import os
from pathlib import Path
from typing import Final

from msgspec import Struct

SOCKET_FILE: Final = "admin.sock"
"""The socket in the data folder; only the server's own user may open it."""

HOURS_MAX: Final = 24 * 366 * 10
_PATH_MAX: Final = 100  # the kernel takes 107 bytes


class Request(Struct, frozen=True, forbid_unknown_fields=True):
    """One line of JSON to the server: a command and its arguments. `hours` 0 means forever."""

    command: str
    name: str = ""
    hours: int = 0
    text: str = ""


class Reply(Struct, frozen=True):
    """One line of JSON back: the text to print, or the refusal."""

    ok: bool
    lines: tuple[str, ...]


def socket_path(data: Path) -> str:
    """Return the path of a data folder's socket, as short as possible: the kernel accepts no long path."""
    path = str(data / SOCKET_FILE)
    return path if len(os.fsencode(path)) <= _PATH_MAX else min(path, os.path.relpath(path), key=len)
