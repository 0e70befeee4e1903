"""The replays in the user's folder: one file a life with the server's messages, and a small one that describes it.

The newest `LIVES_MAX` lives are kept, in at most `TOTAL_MAX` bytes. A file is named by a hash, never by a server.
"""

import os
import time
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Final, NamedTuple

import msgspec

FOLDER: Final = "replays"
SUFFIX: Final = ".session"
LIVES_MAX: Final = 20
TOTAL_MAX: Final = 50 * 2**20
LIFE_MAX: Final = 10 * 2**20
"""The most bytes of one life that are kept: about 100,000 turns."""
_ABOUT: Final = ".json"
_ABOUT_MAX: Final = 8_192
_VERSION: Final = 1

_Text = Annotated[str, msgspec.Meta(max_length=1_024)]
_Number = Annotated[int, msgspec.Meta(ge=0, le=2**53)]


class AboutLife(msgspec.Struct, frozen=True):
    """The entry of a life in the list: where and whose it was, when it was begun, how deep it got, and how it ended."""

    campaign: _Text
    name: _Text
    life: _Number
    began_s: _Number
    depth: _Number = 0
    level: _Number = 0
    turns: _Number = 0
    by: _Text = ""
    won: bool = False
    over: bool = False
    version: int = _VERSION


class KeptReplay(NamedTuple):
    """A replay in the list; its `id` is the name of its file."""

    id: str
    path: Path
    about: AboutLife

    @property
    def date(self) -> str:
        """The day and the minute when the life was begun, in local time."""
        try:
            return time.strftime("%Y-%m-%d %H:%M", time.localtime(self.about.began_s))
        except (OverflowError, ValueError, OSError):
            return "-"


def replay_id(realm: str, name: str, life: int) -> str:
    """Return the id of a life's replay: a hash, because realm and name come from a server."""
    return sha256(msgspec.msgpack.encode((realm, name, life))).hexdigest()[:12]


def list_replays(data: Path) -> tuple[KeptReplay, ...]:
    """Return the kept replays, the newest first; files that describe none are left out."""
    found = [
        KeptReplay(path.stem, path, about)
        for path in _sessions(data / FOLDER)
        if (about := read_about(path)) is not None
    ]
    return tuple(found[:LIVES_MAX])


def find_replay(data: Path, wanted: str) -> Path | None:
    """Return the file of a kept replay by its id, or by the beginning of it if that is clear."""
    found = [each.path for each in list_replays(data) if wanted and each.id.startswith(wanted)]
    return found[0] if len(found) == 1 else None


def delete_replay(data: Path, wanted: str) -> None:
    """Delete a kept replay by its id."""
    for each in list_replays(data):
        if each.id == wanted:
            _delete(each.path)


def read_about(path: Path) -> AboutLife | None:
    """Return what describes a replay; None if that is missing or damaged."""
    try:
        with path.with_suffix(_ABOUT).open("rb") as file:
            about = msgspec.json.decode(file.read(_ABOUT_MAX), type=AboutLife)
    except (OSError, ValueError, RecursionError):
        return None
    return about if about.version == _VERSION else None


def write_about(path: Path, about: AboutLife) -> None:
    """Write what describes a replay, whole or not at all. Raises OSError."""
    target = path.with_suffix(_ABOUT)
    draft = target.with_name(f"{target.name}.{os.getpid()}")
    try:
        draft.write_bytes(msgspec.json.encode(about))
        draft.replace(target)
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)


def prune(folder: Path, open_: Path) -> None:
    """Delete the oldest replays beyond the bounds; the open one is the newest."""
    total = 0
    others = [path for path in _sessions(folder) if path != open_]
    for at, path in enumerate(others, 1):
        with suppress(OSError):
            total += path.stat().st_size
            if at >= LIVES_MAX or total + LIFE_MAX > TOTAL_MAX:
                _delete(path)


def _sessions(folder: Path) -> list[Path]:
    """Return the files of replays, the newest first."""
    with suppress(OSError):
        dated = [(path.stat().st_mtime_ns, path) for path in folder.glob(f"*{SUFFIX}")]
        return [path for _, path in sorted(dated, reverse=True)]
    return []


def _delete(path: Path) -> None:
    for each in (path, path.with_suffix(_ABOUT)):
        with suppress(OSError):
            each.unlink(missing_ok=True)
