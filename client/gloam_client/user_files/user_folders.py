"""The folders of one user's worlds, device token and options, and the creation of files that the user names."""

import errno
import os
import re
import stat
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import IO, Final

import platformdirs

_DEFAULT_CAMPAIGN: Final = "gloam"
_WORLDS: Final = "campaigns"
_LABEL_MAX: Final = 24
_OWNER_ONLY: Final = 0o600


class NoHomeFolder(Exception):
    """The user has no home folder, as in a container that runs under a bare number; the text says what to set."""


def data_folder(given: Path | None) -> Path:
    """Return the folder of worlds and device token: as given, else GLOAM_HOME, else the user's own."""
    return given or _home() or _own_folder(platformdirs.user_data_path)


def world_folder(data: Path, campaign: str) -> Path:
    """Return the folder of a campaign's private world: the data folder for the default, else one below it.

    A campaign is named as for the server: by its key, or by its folder if the name has a slash. Folders of the same
    name have separate worlds.
    """
    if campaign in ("", _DEFAULT_CAMPAIGN):
        return data
    named = str(Path(campaign).resolve()) if "/" in campaign else campaign
    label = re.sub(r"[^A-Za-z0-9_-]", "-", Path(named).name)[:_LABEL_MAX]
    return (
        data
        / _WORLDS
        / (label if label == named else f"{label}-{sha256(os.fsencode(named)).hexdigest()[:8]}")
    )


def options_file() -> Path:
    """Return the path of the options: in GLOAM_HOME, else in the user's folder for settings."""
    return (_home() or _own_folder(platformdirs.user_config_path)) / "options.toml"


def create_file(path: Path) -> IO[bytes]:
    """Open a file for writing that only its owner may read. Raises OSError, also where the file already holds something.

    A device such as /dev/full is opened, too. A pipe without a reader is refused instead of waited for.
    """
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_NONBLOCK, _OWNER_ONLY)
    opened = os.fstat(descriptor)
    if stat.S_ISREG(opened.st_mode):
        if opened.st_size:
            os.close(descriptor)
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
        os.fchmod(descriptor, _OWNER_ONLY)
    return os.fdopen(descriptor, "wb")


def remove_file(path: Path) -> None:
    """Remove a file that could not be written whole; what is no plain file stays."""
    if path.is_file():
        path.unlink(missing_ok=True)


def _home() -> Path | None:
    home = os.environ.get("GLOAM_HOME")
    return Path(home) if home else None


def _own_folder(find: Callable[..., Path]) -> Path:
    """Return a folder of the user's own. Raises NoHomeFolder."""
    try:
        return find("gloam", appauthor=False)
    except RuntimeError:  # neither HOME nor the list of users names a home folder
        raise NoHomeFolder(
            "This user has no home folder; set GLOAM_HOME to a folder for your worlds."
        ) from None
