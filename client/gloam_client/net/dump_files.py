"""Dumps of lives in the user's folder: NAME-life-N.txt and .json. The name of a file is checked here."""

import json
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from gloam_shared.text import name_fault

FOLDER: Final = "dumps"
_UNNAMED: Final = "Wanderer"


def write_dump(data: Path, name: str, life: int, text: str, values: dict[str, Any]) -> Path:
    """Write a life as text and as JSON, and return the text's path. An earlier dump of it is replaced.

    Raises OSError.
    """
    folder = data / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    stem = f"{name if name_fault(name) is None else _UNNAMED}-life-{max(life, 0)}"
    path = folder / f"{stem}.txt"
    _replace(folder / f"{stem}.json", json.dumps(values, indent=1, ensure_ascii=False) + "\n")
    _replace(path, text)
    return path


def _replace(path: Path, text: str) -> None:
    """Write another file and rename it: a dump is whole or as it was."""
    draft = path.with_name(f".{path.name}.part")
    try:
        draft.write_text(text, encoding="utf-8")
        draft.replace(path)
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
