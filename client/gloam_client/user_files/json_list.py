"""A small file with a list, the newest entry first, which the client alone writes. A broken one is kept aside."""

import json
import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

T = TypeVar("T")


def read_list(path: Path, size_max: int, entry_of: Callable[[Mapping[str, Any]], T]) -> list[T]:
    """Return the entries of a file. One that is broken, or cut by the size, is kept aside, and gives none.

    `entry_of` raises TypeError, KeyError or ValueError for an entry that is none.
    """
    try:
        with path.open("rb") as file:
            entries = json.loads(file.read(size_max))
        return [entry_of(entry) for entry in entries]
    except FileNotFoundError:
        return []
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        with suppress(OSError):
            path.replace(path.with_name(f"{path.name}.broken"))
        return []


def write_list(path: Path, entries: Iterable[Mapping[str, Any]]) -> None:
    """Write a file whole, or leave it as it is: write errors are ignored."""
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    with suppress(OSError):
        draft.write_text(json.dumps(list(entries), indent=1), encoding="utf-8")
        draft.replace(path)
