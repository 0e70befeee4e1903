"""The processes of a real server with view processes, and which of them has a player's connection."""

import socket
import time
from collections.abc import Container, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

from click.testing import CliRunner

from gloam_server.cli.main import cli
from gloam_server.cli.processes import forks
from support.client.fake_client import FakeClient
from support.processes.server_process import ServerProcess

_SESSION: Final = 3
"""The place of the session's number in the line of the system, after the name; the start is at `_BEGAN`."""
_BEGAN: Final = 19
_PATIENCE_S: Final = 60
_TRIES: Final = 40
"""The most connections until the system has given one to another process: a half of them is."""


def view_processes(server: ServerProcess) -> list[int]:
    """Return the numbers of the view processes, which are the server's own."""
    return sorted(each for each, name in _processes(server) if name.startswith(forks.VIEW))


def turn_processes(server: ServerProcess) -> list[int]:
    """Return the numbers of the turn process and then of its standby, which the server's first process has started."""
    own = [each for each, name in _processes(server) if name in (forks.TURNS, forks.STANDBY)]
    return sorted(own, key=lambda each: (began(each), each))  # both may begin in the same tick of the clock


def forking_processes(server: ServerProcess) -> list[int]:
    """Return the numbers of the processes that fork view processes."""
    return [each for each, name in _processes(server) if name == forks.FORKS]


def began(process: int) -> int:
    """Return when a process began, in ticks of the system; 0 if it has ended."""
    return _stat(process, _BEGAN)


def has_standby(server: ServerProcess) -> bool:
    """Return whether another process can take over now."""
    said = _status(server)
    return "standby: " in said and "standby: not ready" not in said


def is_whole(server: ServerProcess) -> bool:
    """Return whether another process can take over now, and each view process listens."""
    said = _status(server)
    return "standby: " in said and ": not ready" not in said


def _status(server: ServerProcess) -> str:
    return CliRunner().invoke(cli, ["status", "--data", str(server.data)]).output


def wait_for_standby(server: ServerProcess) -> None:
    """Wait until another process can take over."""
    deadline = time.monotonic() + _PATIENCE_S
    while not has_standby(server):
        assert time.monotonic() < deadline, "no standby is ready"
        time.sleep(0.1)


def process_of(server: ServerProcess, port: int) -> int:
    """Return the view process that has the connection from a port of this machine; 0 if none has it yet."""
    inodes = {inode for inode, dialed_from in _connections(server) if dialed_from == port}
    return next((each for each in view_processes(server) if inodes & _descriptors(each)), 0)


def used_view_processes(server: ServerProcess) -> list[int]:
    """Return the view processes that have connections, the one that has run the longest first."""
    inodes = {inode for inode, dialed_from in _connections(server) if dialed_from}
    return sorted((each for each in view_processes(server) if inodes & _descriptors(each)), key=began)


def dial_another(
    server: ServerProcess, taken: Container[int], host: str = "127.0.0.1"
) -> tuple[int, socket.socket]:
    """Return a view process that is not among some, and a connection to it on which nothing is said yet.

    The system chooses the process; logins until it chooses another one would soon be too many.
    """
    for _ in range(_TRIES):
        line = socket.create_connection((host, server.port), timeout=_PATIENCE_S)
        deadline = time.monotonic() + _PATIENCE_S
        while not (process := process_of(server, line.getsockname()[1])):
            assert time.monotonic() < deadline, "no process takes a connection"
            time.sleep(0.01)
        if process not in taken:
            return process, line
        line.close()
    raise AssertionError(f"{_TRIES} connections reached none but {taken}")


def players_apart(server: ServerProcess, *names: str) -> list[FakeClient]:
    """Let players log in, each in another view process than the one before; return their clients."""
    former, clients = 0, []
    for name in names:
        former, line = dial_another(server, {former})
        client = FakeClient(server.port, name, line=line)
        client.wait_for(partial(_is_in, client))
        clients.append(client)
    return clients


def _is_in(client: FakeClient) -> bool:
    return client.view.place.depth > 0


def _connections(server: ServerProcess) -> Iterator[tuple[str, int]]:
    """Yield the sockets at the server's port as the system names them, each with the port that it was dialed from."""
    for table in ("tcp", "tcp6"):
        for row in Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
            fields = row.split()
            if int(fields[1].rpartition(":")[2], 16) == server.port:
                yield f"socket:[{fields[9]}]", int(fields[2].rpartition(":")[2], 16)


def _processes(server: ServerProcess) -> Iterator[tuple[int, str]]:
    """Yield the numbers and names of the processes of a server that run: they are in its session."""
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal() and _stat(int(folder.name), _SESSION) == server.process.pid:
            with suppress(OSError):
                if (folder / "cmdline").read_bytes():  # else it has ended
                    yield int(folder.name), (folder / "comm").read_text().strip()


def _stat(process: int, at: int) -> int:
    """Return a number that the system keeps of a process; 0 if it has ended."""
    with suppress(OSError):
        return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[at])
    return 0


def _descriptors(process: int) -> set[str]:
    found = set()
    with suppress(OSError):
        for link in Path(f"/proc/{process}/fd").iterdir():
            with suppress(OSError):
                found.add(str(link.readlink()))
    return found
