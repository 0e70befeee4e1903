"""Leftover files of a former world in a folder: a new realm is never founded over them."""

import shlex
from pathlib import Path
from typing import Final

from gloam_server.storage.errors import StorageError
from gloam_server.storage.sqlite.file_access import SIDECARS
from gloam_server.storage.sqlite.world_file.copy import UNFINISHED
from gloam_server.storage.sqlite.world_file.durability_witness import ENDING as WITNESS

FORMER: Final = ("damaged", "tables", "before", "salvaged")
"""A former or unfinished world's file has the world's name with one of these words and a time."""

_NAMED_MAX: Final = 3


def former_path(world: Path, word: str, stamp: str) -> Path:
    """Return the name for an old file of a world, such as world.damaged-20261121-120000.sqlite3."""
    return world.with_name(f"{world.stem}.{word}-{stamp}{world.suffix}")


def former_worlds(world: Path, word: str, ending: str | None = None) -> list[Path]:
    """Return the files of a world's folder with this word in their names, and with this ending, if given."""
    begins, ends = f"{world.stem}.{word}-", world.suffix + (ending or "")
    return sorted(
        file for file in _beside(world) if file.name.startswith(begins) and file.name.endswith(ends)
    )


def leftover_files(world: Path) -> list[Path]:
    """Return the files of any size in a folder that belong to an earlier world or to an unfinished one."""
    own = {world.name + ending for ending in ("", *SIDECARS, WITNESS)}
    begins = tuple(f"{world.stem}.{word}-" for word in FORMER)
    return [
        file
        for file in sorted(_beside(world), key=lambda file: (file.name not in own, file.name))
        if file.name in own or file.name.startswith(begins) or file.name.endswith(UNFINISHED)
    ]


def require_no_leftovers(world: Path, *, but: tuple[str, ...] = ()) -> None:
    """Raise StorageError if a new realm would be founded over leftovers of another.

    `but` are the endings of the world's own files that do not count: if the file is intact and only has no
    realm.
    """
    own = {world.name + ending for ending in but}
    found = [file for file in leftover_files(world) if file.name not in own]
    if not found:
        return
    folder, them = shlex.quote(str(world.parent)), "it" if len(found) == 1 else "them"
    raise StorageError(
        f"The folder {world.parent} holds {_list_files(found)} of a former world but no world to go on with, so no new one is "
        f"made there; move {them} away and put a backup back with `gloam-server restore FILE --data {folder}`, or name "
        "another folder with --data."
    )


def _list_files(files: list[Path]) -> str:
    """Return the names of files with their sizes, the first few of many."""
    named = [f"{file.name} ({file.lstat().st_size} bytes)" for file in files[:_NAMED_MAX]]
    if len(files) > _NAMED_MAX:
        named.append(f"{len(files) - _NAMED_MAX} more")
    return named[0] if len(named) == 1 else f"{', '.join(named[:-1])} and {named[-1]}"


def _beside(world: Path) -> list[Path]:
    try:
        return list(world.parent.iterdir())
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        raise StorageError(
            f"The folder {world.parent} cannot be read ({error.strerror}); name another with --data."
        ) from error
