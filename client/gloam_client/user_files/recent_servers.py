"""The servers that this user played on, the newest first, each with the last life there. One small file."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

from gloam_client.user_files.json_list import read_list, write_list
from gloam_shared.text import clean

FILE: Final = "recent-servers"
SERVERS_MAX: Final = 8
_SIZE_MAX: Final = 65_536
_TEXT_MAX: Final = 80
_STORED: Final = ("place", "name", "life")
"""The names of the fields in the file, in their order."""


class RecentServer(NamedTuple):
    """A server: its address, the player's name there, and their last life in a few words."""

    address: str
    name: str
    life: str = ""


def read(data: Path) -> tuple[RecentServer, ...]:
    """Return the servers of a folder, the newest first. A broken file is kept aside, and gives none."""
    return tuple(read_list(data / FILE, _SIZE_MAX, _entry)[:SERVERS_MAX])


def name_at(data: Path, address: str) -> str:
    """Return the name under which this user played or watched at a server last; "" for none."""
    return next((server.name for server in read(data) if server.address == address), "")


def note(data: Path, server: RecentServer) -> None:
    """Put a server first; one without a life keeps the words about its last. Write errors are ignored."""
    known = {each.address: each for each in read(data)}
    former = known.pop(server.address, None)
    if former is not None and not server.life:
        server = server._replace(life=former.life)
    kept = [server, *known.values()][:SERVERS_MAX]
    write_list(data / FILE, (dict(zip(_STORED, each, strict=True)) for each in kept))


def _entry(entry: Mapping[str, object]) -> RecentServer:
    return RecentServer(*(_short(entry[key]) for key in _STORED))


def _short(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return clean(value)[:_TEXT_MAX]
