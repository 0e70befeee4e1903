"""`gloam ladder`: a board of a server, or of an own world, as a table or as JSON. Needs no account."""

import asyncio
import json
from pathlib import Path
from typing import Any

from gloam_client.cli.usage_error import UsageError
from gloam_client.net.guest.server_questions import ask_board, ask_own_board
from gloam_client.net.local_server import NoLocalServer
from gloam_client.net.tls_connect import ConnectFailed
from gloam_client.render.panels.ladder_table import board_words, own_line, table
from gloam_client.user_files.address import Address
from gloam_client.user_files.known_servers import BadKnownServers
from gloam_shared.protocol.messages.records import AskLadder, Ladder, LadderRow
from gloam_shared.text import clean


def board_of(place: Address | None, data: Path, campaign: str, question: AskLadder) -> Ladder:
    """Return a board of the server at an address, or of an own world. Raises UsageError."""
    try:
        if place is not None:
            return asyncio.run(ask_board(place, data, question))
        return asyncio.run(ask_own_board(data, campaign, question))
    except ConnectFailed as error:
        raise UsageError(error.text) from error
    except (NoLocalServer, BadKnownServers) as error:
        raise UsageError(str(error)) from error


def as_text(board: Ladder, name: str) -> str:
    """Return a board as a table for people."""
    head, lines = table(board)
    rows = [head, *lines] if lines else ["No life has ended here yet."]
    own = [own_line(board, name)] if name else []
    return "\n".join([board_words(board), *own, "", *rows])


def as_json(board: Ladder) -> str:
    """Return a board as one JSON object; its texts are cleaned, as a terminal may show it."""
    own = _fields(board.own) if board.own is not None else None
    whole = {**_fields(board), "rows": [_fields(row) for row in board.rows], "own": own}
    return json.dumps(whole, indent=1)


def _fields(part: Ladder | LadderRow) -> dict[str, Any]:
    named = {name: getattr(part, name) for name in part.__struct_fields__}
    return {name: clean(value) if isinstance(value, str) else value for name, value in named.items()}
