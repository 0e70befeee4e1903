"""The first-life hints that each player has had, kept over runs of the client: each player gets a hint once.

One small file.
"""

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from gloam_shared.text import fold

FILE: Final = "hints"
_SIZE_MAX: Final = 65_536


def read(data: Path) -> dict[str, frozenset[str]]:
    """Return the given hints by the player's folded name; an unreadable file gives none."""
    try:
        with (data / FILE).open("rb") as file:
            text = file.read(_SIZE_MAX).decode("utf-8", errors="replace")
    except OSError:
        return {}
    lines = [line.split() for line in text.splitlines()]
    return {name: frozenset(words) for name, *words in filter(None, lines)}


def write(data: Path, name: str, words: frozenset[str]) -> None:
    """Store the hints that a player has seen, and keep the hints of other players in the file.

    Write errors are ignored.
    """
    if not name.isalnum():
        return  # the name comes from a server
    given: Mapping[str, frozenset[str]] = {**read(data), fold(name): words}
    lines = [" ".join([player, *sorted(had)]) for player, had in given.items()]
    draft = data / f"{FILE}.{os.getpid()}"
    with suppress(OSError):
        draft.write_text("\n".join([*lines, ""]), encoding="utf-8")
        draft.replace(data / FILE)
