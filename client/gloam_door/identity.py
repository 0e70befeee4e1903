"""The identity of visitors: the door's key, and the device token that a cookie or an ssh key leads to.

The game server knows a name by a device token. The door makes it from its own key and the visitor's secret, so that
neither the server nor another door learns the secret.
"""

import hashlib
import hmac
import os
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from pathlib import Path
from typing import Final, Literal, NamedTuple, TypeAlias

Door: TypeAlias = Literal["web", "ssh"]
"""The way by which a visitor arrives."""
KEY_FILE: Final = "door-key"
SECRET_SIZE: Final = 32
COOKIE_LENGTH: Final = 43
"""The characters of a secret of 32 bytes in a cookie."""


class Identity(NamedTuple):
    """A visitor's device: its token for the game server, and its folder; None for a guest, who keeps nothing."""

    token: bytes
    folder: str | None


class DoorKey:
    """The secret from which a door makes the tokens of its visitors; a door with another key makes others."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def identify(self, door: Door, secret: bytes) -> Identity:
        """Return the identity of a visitor by the secret of a browser, or by the digest of an ssh key."""
        token = self._digest(door.encode(), secret)
        return Identity(token, self._digest(b"folder", token).hex())

    def _digest(self, *parts: bytes) -> bytes:
        return hmac.digest(self._key, b"\0".join(parts), hashlib.sha256)


def guest() -> Identity:
    """Return the identity of a visitor without a key: it ends with the visit."""
    return Identity(secrets.token_bytes(SECRET_SIZE), None)


def load_door_key(folder: Path) -> DoorKey:
    """Return the key of a door, made at the first start, which only the door's user can read. Raises OSError.

    A lost key makes every visitor a new device.
    """
    path = folder / KEY_FILE
    try:
        kept = path.read_bytes()
    except FileNotFoundError:
        kept = b""
    if len(kept) == SECRET_SIZE:
        return DoorKey(kept)
    if kept:
        raise OSError(0, "it has another length; restore it from a backup, or remove it", str(path))
    made = secrets.token_bytes(SECRET_SIZE)
    keep_secret(path, made)
    return DoorKey(made)


def keep_secret(path: Path, secret: bytes) -> None:
    """Write a new file that only the door's user can read: the whole secret, or no file. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(secret)
            file.flush()
            os.fsync(file.fileno())
        os.link(draft, path)
    finally:
        draft.unlink(missing_ok=True)


def cookie_text(secret: bytes) -> str:
    """Return a secret as the value of a cookie."""
    return urlsafe_b64encode(secret).decode().rstrip("=")


def cookie_secret(text: str) -> bytes | None:
    """Return the secret in a cookie; None for any other text."""
    if len(text) != COOKIE_LENGTH or not text.isascii():
        return None
    try:
        secret = urlsafe_b64decode(f"{text}=")
    except ValueError:
        return None
    return secret if cookie_text(secret) == text else None
