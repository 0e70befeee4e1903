"""The known servers, each with the pin of its key: lines `HOST:PORT PIN` in a file of the user."""

import os
import re
from pathlib import Path
from typing import Final

from gloam_client.user_files.address import Address

FILE: Final = "known-servers"
_OWNER_ONLY: Final = 0o600
_LINE: Final = re.compile(r"(\S+) ([A-Za-z0-9_-]{43})")


class BadKnownServers(Exception):
    """The file cannot be used; the text is one sentence with the solution."""


class KnownServers:
    """The known servers of a folder. Nothing is cached, because another client may write at any time."""

    def __init__(self, folder: Path) -> None:
        self.path: Final = folder / FILE

    def pin(self, address: Address) -> str:
        """Return a server's stored pin, "" for an unknown server. Raises BadKnownServers."""
        return self._read().get(_key(address), "")

    def remember(self, address: Address, pin: str) -> None:
        """Store a server's pin in place of any older one. Raises BadKnownServers."""
        self._write(self._read() | {_key(address): pin})

    def forget(self, address: Address) -> bool:
        """Forget a server; return False if it was unknown. Raises BadKnownServers."""
        known = self._read()
        if known.pop(_key(address), None) is None:
            return False
        self._write(known)
        return True

    def _read(self) -> dict[str, str]:
        try:
            lines = self.path.read_text(encoding="utf-8-sig").splitlines()
        except FileNotFoundError:
            return {}
        except (OSError, UnicodeDecodeError) as error:
            raise BadKnownServers(f"{self.path} cannot be read: {error}; correct it or remove it.") from error
        known = {}
        for number, line in enumerate(lines, 1):
            found = _LINE.fullmatch(line)
            if found is None:
                raise BadKnownServers(
                    f"Line {number} of {self.path} is no server and its pin; remove that line."
                )
            known[found[1]] = found[2]
        return known

    def _write(self, known: dict[str, str]) -> None:
        scratch = self.path.with_name(f"{FILE}.{os.getpid()}")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, _OWNER_ONLY)
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                file.writelines(f"{address} {pin}\n" for address, pin in known.items())
                file.flush()
                os.fsync(file.fileno())
            scratch.replace(self.path)
        except OSError as error:
            raise BadKnownServers(
                f"{self.path} cannot be written ({error.strerror}); name another folder with --data."
            ) from error


def _key(address: Address) -> str:
    return str(address).casefold()
