"""The processes of a real server with view processes, and which of them has a player's connection."""

import time
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

from click.testing import CliRunner

from gloam_server.cli.main import cli
from support.client.fake_client import FakeClient
from support.processes.server_process import ServerProcess

_VIEW: Final = b"gloam_server.cli.processes.view_process"
_TURNS: Final = b"gloam_server.cli.processes.turn_process"
_PARENT: Final = 1
"""The place of the parent's number in the line of the system, after the name; the start is at `_BEGAN`."""
_BEGAN: Final = 19
_PATIENCE_S: Final = 60
_TRIES: Final = 40
"""The most connections until the system has given one to another process: a half of them is."""


def view_processes(server: ServerProcess) -> list[int]:
    """Return the numbers of the view processes, which are the server's own."""
    return sorted(each for each, words in _commands() if {_VIEW, str(server.data).encode()} <= set(words))


def turn_processes(server: ServerProcess) -> list[int]:
    """Return the numbers of the turn process and then of its standby, which the server's first process has started."""
    own = [
        each for each, words in _commands() if _TURNS in words and _stat(each, _PARENT) == server.process.pid
    ]
    return sorted(
        own, key=lambda each: (_stat(each, _BEGAN), each)
    )  # both may begin in the same tick of the clock


def has_standby(server: ServerProcess) -> bool:
    """Return whether another process can take over now."""
    said = CliRunner().invoke(cli, ["status", "--data", str(server.data)]).output
    return "standby: " in said and "standby: not ready" not in said


def wait_for_standby(server: ServerProcess) -> None:
    """Wait until another process can take over."""
    deadline = time.monotonic() + _PATIENCE_S
    while not has_standby(server):
        assert time.monotonic() < deadline, "no standby is ready"
        time.sleep(0.1)


def process_of(server: ServerProcess, port: int) -> int:
    """Return the view process that has the connection from a port of this machine; 0 if none has it yet."""
    inodes = set()
    for table in ("tcp", "tcp6"):
        for row in Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
            fields = row.split()
            if int(fields[1].rpartition(":")[2], 16) == server.port and fields[2].endswith(f":{port:04X}"):
                inodes.add(f"socket:[{fields[9]}]")
    return next((each for each in view_processes(server) if inodes & _descriptors(each)), 0)


def players_apart(server: ServerProcess, *names: str) -> list[FakeClient]:
    """Let players log in, each in another view process than the one before; return their clients."""
    former, clients = 0, []
    for name in names:
        client = FakeClient(server.port, name)
        for _ in range(_TRIES):
            client.wait_for(partial(_is_in, client))
            process = process_of(server, client.local_port)
            if process != former:
                break
            client.hang_up()
            client.connect()
        else:
            raise AssertionError(f"{name} came to process {former} {_TRIES} times")
        former = process
        clients.append(client)
    return clients


def _is_in(client: FakeClient) -> bool:
    return client.view.place.depth > 0


def _commands() -> Iterator[tuple[int, list[bytes]]]:
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            with suppress(OSError):
                yield int(folder.name), (folder / "cmdline").read_bytes().split(b"\0")


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
