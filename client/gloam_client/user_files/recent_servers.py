"""The servers that this user played on, the newest first, each with the last life there. One small file."""

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from gloam_shared.text import clean

FILE: Final = "recent-servers"
SERVERS_MAX: Final = 8
_SIZE_MAX: Final = 65_536
_TEXT_MAX: Final = 80


class RecentServer(NamedTuple):
    """A server: its address, the player's name there, and their last life in a few words."""

    place: str
    name: str
    life: str = ""


def read(data: Path) -> tuple[RecentServer, ...]:
    """Return the servers of a folder, the newest first. A broken file is kept aside, and gives none."""
    path = data / FILE
    try:
        with path.open("rb") as file:
            entries = json.loads(file.read(_SIZE_MAX))
        servers = [RecentServer(*(_short(entry[key]) for key in RecentServer._fields)) for entry in entries]
    except FileNotFoundError:
        return ()
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        with suppress(OSError):
            path.replace(path.with_name(f"{FILE}.broken"))
        return ()
    return tuple(servers[:SERVERS_MAX])


def name_at(data: Path, place: str) -> str:
    """Return the name under which this user played or watched at a server last; "" for none."""
    return next((server.name for server in read(data) if server.place == place), "")


def note(data: Path, server: RecentServer) -> None:
    """Put a server first; one without a life keeps the words about its last. Write errors are ignored."""
    known = {each.place: each for each in read(data)}
    former = known.pop(server.place, None)
    if former is not None and not server.life:
        server = server._replace(life=former.life)
    kept = [server, *known.values()][:SERVERS_MAX]
    draft = data / f"{FILE}.{os.getpid()}"
    with suppress(OSError):
        draft.write_text(json.dumps([each._asdict() for each in kept], indent=1), encoding="utf-8")
        draft.replace(data / FILE)


def _short(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return clean(value)[:_TEXT_MAX]
