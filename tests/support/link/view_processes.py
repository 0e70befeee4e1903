"""The view processes of a real server, and which of them has a player's connection."""

from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

from support.client.fake_client import FakeClient
from support.processes.server_process import ServerProcess

_TRIES: Final = 40
"""The most connections until the system has given one to another process: a half of them is."""


def view_processes(server: ServerProcess) -> list[int]:
    """Return the numbers of the view processes, which are the server's own."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            try:
                words = (folder / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if b"gloam_server.cli.view_process" in words and str(server.data).encode() in words:
                found.append(int(folder.name))
    return sorted(found)


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


def _descriptors(process: int) -> set[str]:
    found = set()
    with suppress(OSError):
        for link in Path(f"/proc/{process}/fd").iterdir():
            with suppress(OSError):
                found.add(str(link.readlink()))
    return found
