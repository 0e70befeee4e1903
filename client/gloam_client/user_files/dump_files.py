"""Dumps of lives in the user's folder, as text and as JSON. The name of a file is made here, from what is checked."""

import json
import re
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any, Final, NamedTuple

from gloam_client.user_files.user_folders import create_file, remove_file
from gloam_shared.text import name_fault

FOLDER: Final = "dumps"
_UNNAMED: Final = "Wanderer"
_CAMPAIGN_MAX: Final = 24


class DumpedLife(NamedTuple):
    """The world and the life of a dump. Names and realm come from a server, and may hold anything."""

    name: str
    life: int
    campaign: str
    realm: str

    @property
    def stem(self) -> str:
        """The name of its files without suffix: the player, the life, the campaign, and a hash of the world."""
        name = self.name if name_fault(self.name) is None else _UNNAMED
        campaign = re.sub(r"[^A-Za-z0-9]+", "-", self.campaign).strip("-")[:_CAMPAIGN_MAX]
        world = sha256(f"{self.realm}/{self.campaign}".encode(errors="replace")).hexdigest()[:8]
        return "-".join(filter(None, (name, "life", str(max(self.life, 0)), campaign, world)))


def write_dump(data: Path, life: DumpedLife, text: str, values: dict[str, Any]) -> Path:
    """Write a life as text and as JSON, and return the text's path. Earlier dumps stay: a further one has a number.

    Raises OSError; then neither file is there.
    """
    folder = data / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    for number in count(1):
        path = folder / f"{life.stem}{f'-{number}' if number > 1 else ''}.txt"
        if not (path.exists() or path.with_suffix(".json").exists()):
            break
    _write(path.with_suffix(".json"), json.dumps(values, indent=1, ensure_ascii=False) + "\n")
    try:
        _write(path, text)
    except OSError:
        remove_file(path.with_suffix(".json"))
        raise
    return path


def _write(path: Path, text: str) -> None:
    try:
        with create_file(path) as file:
            file.write(text.encode())
    except FileExistsError:
        raise
    except OSError:
        remove_file(path)
        raise
