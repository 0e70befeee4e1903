"""The result of a start on stdout: a line for people, or one JSON object for the program that started the server."""

import json
import os
from typing import Final

from gloam_server import logs
from gloam_server.app.config import PortTaken
from gloam_server.log_thread import LineThread
from gloam_server.logs import escape
from gloam_server.storage.errors import WorldOpen

_STDOUT: Final = 1


class RunningOutput:
    """The stdout of a running server, which never waits for its reader. With `status_json` a program reads it; `name` is in each line."""

    def __init__(self, log_format: str, *, status_json: bool, name: str = "") -> None:
        self._for_programs = log_format == "json"
        self._status_json = status_json
        self._name = f"{name}: " if name else ""
        self._lines = LineThread(_STDOUT, lambda _: "")

    def listening(self, host: str, port: int, pin: str) -> None:
        """Print where the server listens: a program reads only this line."""
        secured = f" with TLS, pin {pin}" if pin else ""
        text = f"{self._name}listening on {bracket_host(host)}:{port}{secured}"
        if self._status_json:
            self._print(listening(host, port))
        elif self._for_programs:
            self._print(logs.json_entry(text, "listening", host=host, port=port, pin=pin))
        else:
            self._print(f"gloam-server: {text}")

    def failed(self, error: BaseException) -> None:
        """Tell the program that waits for it why the server does not start."""
        if self._status_json:
            self._print(failed(error))

    def hint(self, text: str) -> None:
        """Print a text that helps a host at a terminal."""
        if os.isatty(_STDOUT) and not self._for_programs:
            self._print(text)

    def drain(self) -> None:
        """Wait a moment, until all is read."""
        self._lines.drain()

    def _print(self, text: str) -> None:
        self._lines.write(f"{text}\n")


def bracket_host(host: str) -> str:
    """Return an address as it stands before a port."""
    return f"[{host}]" if ":" in host else host


def listening(host: str, port: int) -> str:
    """Return the line of a server that listens."""
    return json.dumps({"status": "listening", "host": host, "port": port})


def failed(error: BaseException) -> str:
    """Return the line of a server that does not start: `code` is "port_taken", "world_open" or "refused"."""
    match error:
        case PortTaken():
            code = "port_taken"
        case WorldOpen():
            code = "world_open"
        case _:
            code = "refused"
    return json.dumps({"status": "failed", "code": code, "text": escape(str(error))})
