"""The folders of visitors: options, keys, hints, and what their lives have seen. A guest's folder ends with the visit."""

import shutil
import time
from contextlib import suppress
from pathlib import Path
from tempfile import mkdtemp
from typing import Final

from gloam_door.identity import Identity
from gloam_shared.text import name_fault

FOLDER: Final = "players"
BYTES_MAX: Final = 1024 * 1024
"""The most bytes that a folder keeps; the oldest files go first."""
FOLDERS_MAX: Final = 10_000
KEPT_DAYS: Final = 90
_DAY_S: Final = 86_400
_NAME_FILE: Final = "name"


class PlayerFolders:
    """All folders of a door. All calls may raise OSError."""

    def __init__(self, data: Path) -> None:
        self._root = data / FOLDER
        self._guests: dict[Identity, Path] = {}

    def open(self, identity: Identity) -> Path:
        """Return the folder of an identity, made if it is new."""
        if identity.folder is None:
            self._root.mkdir(parents=True, exist_ok=True)
            path = self._guests[identity] = Path(mkdtemp(prefix="guest-", dir=self._root))
            return path
        path = self._root / identity.folder[:2] / identity.folder
        path.mkdir(parents=True, exist_ok=True)
        path.touch()
        return path

    def close(self, identity: Identity) -> None:
        """Trim the folder of a visitor who has left; a guest's is removed."""
        if identity.folder is None:
            shutil.rmtree(self._guests.pop(identity), ignore_errors=True)
        else:
            with suppress(OSError):
                trim(self._root / identity.folder[:2] / identity.folder)

    def prune(self) -> None:
        """Remove folders that were not used for long, and the oldest of too many; guests' that a killed door left."""
        for left in self._root.glob("guest-*"):
            if left not in self._guests.values():
                shutil.rmtree(left, ignore_errors=True)
        folders = sorted(self._root.glob("??/*"), key=lambda path: path.stat().st_mtime)
        oldest_s = time.time() - KEPT_DAYS * _DAY_S
        for count, folder in enumerate(folders):
            if len(folders) - count > FOLDERS_MAX or folder.stat().st_mtime < oldest_s:
                shutil.rmtree(folder, ignore_errors=True)


def trim(folder: Path, bytes_max: int = BYTES_MAX) -> None:
    """Remove the oldest files of a folder until the rest has at most `bytes_max` bytes."""
    files = sorted(
        (path for path in folder.rglob("*") if path.is_file()), key=lambda path: path.stat().st_mtime
    )
    size = sum(path.stat().st_size for path in files)
    for path in files:
        if size <= bytes_max:
            return
        size -= path.stat().st_size
        path.unlink()


def read_name(folder: Path) -> str:
    """Return the name of the last visit; "" for none."""
    try:
        name = (folder / _NAME_FILE).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""
    return "" if name_fault(name) else name


def write_name(folder: Path, name: str) -> None:
    """Keep the name of this visit. Raises OSError."""
    (folder / _NAME_FILE).write_text(name, encoding="utf-8")
