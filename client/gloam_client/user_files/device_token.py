"""The device token: the secret that proves this device's right to a name. It is sent only to servers."""

import os
import secrets
from pathlib import Path
from typing import Final

from gloam_shared import limits

_FILE: Final = "device-token"


def load_device_token(folder: Path) -> bytes:
    """Return this device's token, made at first use and kept in `folder`, readable by its owner alone."""
    path = folder / _FILE
    kept = _read(path)
    if kept is not None:
        return kept
    folder.mkdir(parents=True, exist_ok=True)
    token = secrets.token_bytes(limits.TOKEN_SIZE)
    draft = folder / f"{_FILE}.{os.getpid()}"
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(token)
        file.flush()
        os.fsync(file.fileno())
    try:
        os.link(draft, path)  # another client that starts at the same moment must find the same token
    except FileExistsError:
        return _read(path) or _replace(draft, path, token)
    except OSError:
        return _replace(draft, path, token)
    finally:
        draft.unlink(missing_ok=True)
    return token


def _read(path: Path) -> bytes | None:
    try:
        token = path.read_bytes()
    except FileNotFoundError:
        return None
    return token if len(token) == limits.TOKEN_SIZE else None


def _replace(draft: Path, path: Path, token: bytes) -> bytes:
    """Write the token over a file without a valid one, or where the file system has no hard links."""
    draft.replace(path)
    return token
