"""The result of a start, for the program that started the server: one JSON object on a line of stdout."""

import json

from gloam_server.app.config import PortTaken
from gloam_server.logs import escape
from gloam_server.storage.journal import WorldOpen


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
