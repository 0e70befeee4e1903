"""Cuts of a line between two processes of this machine, which both go on: as if the system had lost it."""

import ctypes
import os
import socket
import struct
from contextlib import suppress
from pathlib import Path

_PIDFD_GETFD = 438
"""The number of the system call that copies a descriptor of another process."""
_CREDENTIALS = struct.Struct("3i")


def cut_line(one: int, other: int) -> None:
    """Cut the Unix sockets of a process whose other end belongs to another process."""
    cut = 0
    for each in _unix_sockets(one):
        with each:
            credentials = each.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
            if _CREDENTIALS.unpack(credentials)[0] == other:
                each.shutdown(socket.SHUT_RDWR)
                cut += 1
    assert cut, f"process {one} has no line to process {other}"


def _unix_sockets(process: int) -> list[socket.socket]:
    """Return copies of the connected Unix sockets of a process."""
    system, found = ctypes.CDLL(None, use_errno=True), []
    with suppress(OSError):
        handle = os.pidfd_open(process)
        for link in Path(f"/proc/{process}/fd").iterdir():
            if not str(link.readlink()).startswith("socket:"):
                continue
            copy = system.syscall(_PIDFD_GETFD, handle, int(link.name), 0)
            if copy < 0:
                continue
            made = socket.socket(fileno=copy)
            if made.family == socket.AF_UNIX and made.type == socket.SOCK_STREAM:
                found.append(made)
            else:
                made.close()
        os.close(handle)
    return found
