"""Files with secrets: only the server's user may read the host's own files and those that the server makes."""

import logging
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from gloam_server.app.config import ConfigError

PRIVATE_UMASK: Final = 0o077
"""The umask of the server: other users can read no file that it creates."""

_log: Final = logging.getLogger(__name__)


def require_private(path: Path, said: str) -> None:
    """Check that only the owner can read a file with a secret; `said` names the setting and its source.

    Raises ConfigError if it does not exist, or if others can read or change it.
    """
    try:
        mode = path.stat().st_mode
    except OSError as error:
        raise ConfigError(
            f"{said}: the file {path} cannot be read ({error.strerror}); name one that can."
        ) from error
    if mode & PRIVATE_UMASK:
        raise ConfigError(
            f"{said}: other users can read or change {path} (mode {stat.S_IMODE(mode):o}); run: chmod 600 {path}"
        )


def restrict_to_owner(paths: Iterable[Path]) -> None:
    """Remove other users' permissions from the server's own files, which former versions left readable."""
    for path in paths:
        if path.exists() and path.stat().st_mode & PRIVATE_UMASK:
            path.chmod(stat.S_IMODE(path.stat().st_mode) & ~PRIVATE_UMASK)
            _log.warning("other users could read %s; now they cannot", path)
