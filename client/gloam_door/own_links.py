"""Own links of visitors by browser: `ORIGIN/#NAME~KEY`, where KEY is a password of the name that is not typed.

A browser sends nothing behind the # to a server, so no log contains a key. The game server keeps its hash. The door keeps
a number from which, with the visitor's cookie, it makes the key again, to show the link or to replace it.
"""

import hashlib
import hmac
import re
import secrets
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from gloam_door.identity import COOKIE_LENGTH, Identity, cookie_text
from gloam_shared.text import NAME_PATTERN, fold, name_fault

FILE: Final = "links"
_NAMES_MAX: Final = 16
"""The most names whose links a visitor's folder remembers; the oldest goes first."""
_SIZE_MAX: Final = 4_096
_NUMBER_SIZE: Final = 16
_OWN_LINK: Final = re.compile(rf"({NAME_PATTERN})~([A-Za-z0-9_-]{{{COOKIE_LENGTH}}})")


class OwnLink(NamedTuple):
    """The name that a link opens, and its key."""

    name: str
    key: str


def read_own_link(text: str) -> OwnLink | None:
    """Return the own link behind the # of an address; None if it is none."""
    found = _OWN_LINK.fullmatch(text)
    if found is None or name_fault(found[1]):
        return None
    return OwnLink(found[1], found[found.lastindex or 0])


class OwnLinks:
    """The links that one browser has made, each for a name. `folder` keeps their numbers, `origin` is the door's."""

    def __init__(self, identity: Identity, folder: Path, origin: str) -> None:
        self._identity = identity
        self._path = folder / FILE
        self._origin = origin
        self._new: dict[str, bytes] = {}

    def of(self, name: str) -> str:
        """Return the link for a name; "" if this browser made none."""
        number = self._read().get(fold(name))
        return "" if number is None else self._link(name, number)

    def make(self, name: str) -> str:
        """Return another link for a name. It is kept when `confirm` says so."""
        number = self._new[fold(name)] = secrets.token_bytes(_NUMBER_SIZE)
        return self._link(name, number)

    def confirm(self, name: str) -> None:
        """Keep the link that was made last for a name. Raises OSError."""
        number = self._new.pop(fold(name), None)
        if number is not None:
            others = {known: each for known, each in self._read().items() if known != fold(name)}
            self._write({**others, fold(name): number})

    def forget(self, name: str) -> None:
        """Forget the link for a name: a password has replaced it. Raises OSError."""
        known = self._read()
        if known.pop(fold(name), None) is not None:
            self._write(known)

    def _link(self, name: str, number: bytes) -> str:
        key = hmac.digest(
            self._identity.token, b"\0".join((b"link", fold(name).encode(), number)), hashlib.sha256
        )
        return f"{self._origin}/#{name}~{cookie_text(key)}"

    def _read(self) -> dict[str, bytes]:
        with suppress(OSError, msgspec.MsgspecError), self._path.open("rb") as file:
            return msgspec.json.decode(file.read(_SIZE_MAX), type=dict[str, bytes])
        return {}

    def _write(self, numbers: dict[str, bytes]) -> None:
        newest = dict(list(numbers.items())[-_NAMES_MAX:])
        draft = self._path.with_suffix(".new")
        draft.write_bytes(msgspec.json.encode(newest))
        draft.replace(self._path)
