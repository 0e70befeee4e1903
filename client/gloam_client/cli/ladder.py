"""`gloam ladder` and `gloam news`: a board or the news of a server, as text or as JSON. Needs no account."""

import asyncio
import json
from pathlib import Path
from typing import Any

from gloam_client.cli.usage_error import UsageError
from gloam_client.net.daily import today
from gloam_client.net.guest.server_questions import ask_board, ask_news, ask_own_board
from gloam_client.net.local_server import NoLocalServer
from gloam_client.net.tls_connect import ConnectFailed
from gloam_client.render.panels.ladder_table import board_words, own_line, table
from gloam_client.user_files.address import Address
from gloam_client.user_files.known_servers import BadKnownServers
from gloam_shared.protocol.messages.records import AskLadder, Ladder, LadderRow, News
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


def news_of(place: Address, data: Path) -> News:
    """Return the news of the server at an address. Raises UsageError."""
    try:
        return asyncio.run(ask_news(place, data))
    except ConnectFailed as error:
        raise UsageError(error.text) from error
    except BadKnownServers as error:
        raise UsageError(str(error)) from error


def news_text(news: News) -> str:
    """Return the news as lines for people, and how to play the seed of the day."""
    lines = [clean(item.text) for item in news.items] or ["Nothing has happened here this week."]
    campaign = f" --campaign {clean(news.campaign)}" if news.campaign not in ("", "gloam") else ""
    return "\n".join([*lines, "", f"The seed of the day is that of {today()}: gloam --daily{campaign}"])


def news_json(news: News) -> str:
    """Return the news as one JSON object; its texts are cleaned."""
    items = [{"kind": clean(item.kind), "text": clean(item.text)} for item in news.items]
    return json.dumps(
        {"campaign": clean(news.campaign), "since_s": news.since_s, "day": today(), "items": items}, indent=1
    )


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
