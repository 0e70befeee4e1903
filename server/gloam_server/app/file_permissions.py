"""Files with secrets: only the server's user may read the host's own files and those that the server makes."""

import logging
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from gloam_server.app.config import ConfigError

PRIVATE_UMASK: Final = 0o077
"""A server that runs with it makes no file that another user could read."""

_log: Final = logging.getLogger(__name__)


def require_private(path: Path, said: str) -> None:
    """See that a file with a secret can be read by its owner alone; `said` tells which setting names it, and where.

    Raises ConfigError when it is not there, or when others can read or change it.
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
    """Take files that the server itself made from other users, as former versions left them for all to read."""
    for path in paths:
        if path.exists() and path.stat().st_mode & PRIVATE_UMASK:
            path.chmod(stat.S_IMODE(path.stat().st_mode) & ~PRIVATE_UMASK)
            _log.warning("other users could read %s; now they cannot", path)
