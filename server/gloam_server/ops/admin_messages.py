"""What a host asks of a running server and what it answers, and where: all that a command line needs to ask."""

import os
from pathlib import Path
from typing import Final

from msgspec import Struct

SOCKET_FILE: Final = "admin.sock"
"""Lies in the data folder; only the server's own user may open it."""

HOURS_MAX: Final = 24 * 366 * 10
_PATH_MAX: Final = 100  # the kernel takes 107 bytes


class Request(Struct, frozen=True, forbid_unknown_fields=True):
    """One line of JSON to the server: a command and what it is about. `hours` 0 is for good."""

    command: str
    name: str = ""
    hours: int = 0
    text: str = ""


class Reply(Struct, frozen=True):
    """One line of JSON back: what to print, or why not."""

    ok: bool
    lines: tuple[str, ...]


def socket_path(data: Path) -> str:
    """Return where a data folder's socket is, written as short as may be: the kernel takes no long path."""
    path = str(data / SOCKET_FILE)
    return path if len(os.fsencode(path)) <= _PATH_MAX else min(path, os.path.relpath(path), key=len)
