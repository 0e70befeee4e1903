"""`gloam ladder` and `gloam news`: a board or the news of a server, as text or as JSON. Needs no account."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gloam_client.cli.usage_error import UsageError
from gloam_client.net.daily import today
from gloam_client.net.guest.host_dungeons import ask_everywhere
from gloam_client.net.guest.server_questions import Reply, ask_board, ask_news, ask_own_board
from gloam_client.net.local_server import NoLocalServer
from gloam_client.net.many_dungeons import Dungeon
from gloam_client.net.tls_connect import ConnectFailed
from gloam_client.render.panels.ladder_table import board_words, own_line, table
from gloam_client.user_files.address import Address
from gloam_client.user_files.known_servers import BadKnownServers
from gloam_shared.protocol.messages.records import AskLadder, AskNews, Ladder, LadderRow, News
from gloam_shared.text import clean


def ladder_words(
    address: Address | None,
    data: Path,
    campaign: str,
    question: AskLadder,
    name: str,
    *,
    as_json: bool,
    dungeons: bool,
) -> str:
    """Return a board as the user asked for it, of all dungeons of a host if so. Raises UsageError."""
    if dungeons:
        found = everywhere(address, data, question, Ladder)
        return all_json(found) if as_json else all_text(found, name)
    board = board_of(address, data, campaign, question)
    return board_json(board) if as_json else as_text(board, name)


def news_words(address: Address, data: Path, *, as_json: bool, dungeons: bool) -> str:
    """Return the news as the user asked for them, of all dungeons of a host if so. Raises UsageError."""
    if dungeons:
        found = everywhere(address, data, AskNews(), News)
        return all_json(found) if as_json else all_text(found)
    week = news_of(address, data)
    return news_json(week) if as_json else news_text(week)


def board_of(address: Address | None, data: Path, campaign: str, question: AskLadder) -> Ladder:
    """Return a board of the server at an address, or of an own world. Raises UsageError."""
    try:
        if address is not None:
            return asyncio.run(ask_board(address, data, question))
        return asyncio.run(ask_own_board(data, campaign, question))
    except ConnectFailed as error:
        raise UsageError(error.text) from error
    except (NoLocalServer, BadKnownServers) as error:
        raise UsageError(str(error)) from error


def news_of(address: Address, data: Path) -> News:
    """Return the news of the server at an address. Raises UsageError."""
    try:
        return asyncio.run(ask_news(address, data))
    except ConnectFailed as error:
        raise UsageError(error.text) from error
    except BadKnownServers as error:
        raise UsageError(str(error)) from error


def everywhere(
    address: Address | None, data: Path, question: AskLadder | AskNews, kind: type[Reply]
) -> list[tuple[Dungeon, Reply | str]]:
    """Return the answers of all dungeons of a host, a sentence for one without. Raises UsageError."""
    if address is None:
        raise UsageError("--dungeons is for all dungeons of a host; name it, such as play.example.org.")
    try:
        return asyncio.run(ask_everywhere(address, data, question, kind))
    except ConnectFailed as error:
        raise UsageError(error.text) from error
    except BadKnownServers as error:
        raise UsageError(str(error)) from error


def all_text(found: Sequence[tuple[Dungeon, Ladder | News | str]], name: str = "") -> str:
    """Return the answers of all dungeons as text for people, each below the name of its dungeon.

    The ladder of several dungeons stands once, where the first of them is.
    """
    parts, told = [], set[str]()
    for dungeon, answer in found:
        match answer:
            case Ladder() if dungeon.name in told:
                continue
            case Ladder():
                text = as_text(answer, name)
                told.update(map(clean, answer.dungeons))
            case News():
                text = "\n".join(_news_lines(answer))
            case str():
                text = clean(answer)
        parts.append(f"{_heading(dungeon)}\n{text}")
    return "\n\n".join(parts)


def all_json(found: Sequence[tuple[Dungeon, Ladder | News | str]]) -> str:
    """Return the answers of all dungeons as one JSON object; `fault` says why there is no answer."""
    documents = []
    for dungeon, answer in found:
        at = {"name": dungeon.name, "title": dungeon.title, "address": str(dungeon.address)}
        match answer:
            case Ladder():
                documents.append({**at, "ladder": _board_document(answer)})
            case News():
                documents.append({**at, "news": _news_document(answer)})
            case str():
                documents.append({**at, "fault": clean(answer)})
    return json.dumps({"dungeons": documents}, indent=1)


def _heading(dungeon: Dungeon) -> str:
    title = f" ({dungeon.title})" if dungeon.title else ""
    return f"{dungeon.name or dungeon.address}{title}:"


def _news_lines(news: News) -> list[str]:
    return [clean(item.text) for item in news.items] or ["Nothing has happened here this week."]


def news_text(news: News) -> str:
    """Return the news as lines for people, and how to play the seed of the day."""
    lines = _news_lines(news)
    campaign = f" --campaign {clean(news.campaign)}" if news.campaign not in ("", "gloam") else ""
    return "\n".join([*lines, "", f"The seed of the day is that of {today()}: gloam --daily{campaign}"])


def news_json(news: News) -> str:
    """Return the news as one JSON object; its texts are cleaned."""
    return json.dumps(_news_document(news), indent=1)


def _news_document(news: News) -> dict[str, Any]:
    items = [{"kind": clean(item.kind), "text": clean(item.text)} for item in news.items]
    return {"campaign": clean(news.campaign), "since_s": news.since_s, "day": today(), "items": items}


def as_text(board: Ladder, name: str) -> str:
    """Return a board as a table for people."""
    head, lines = table(board)
    rows = [head, *lines] if lines else ["No life has ended here yet."]
    own = [own_line(board, name)] if name else []
    return "\n".join([board_words(board), *own, "", *rows])


def board_json(board: Ladder) -> str:
    """Return a board as one JSON object; its texts are cleaned, as a terminal may show it."""
    return json.dumps(_board_document(board), indent=1)


def _board_document(board: Ladder) -> dict[str, Any]:
    own = _fields(board.own) if board.own is not None else None
    return {**_fields(board), "rows": [_fields(row) for row in board.rows], "own": own}


def _fields(part: Ladder | LadderRow) -> dict[str, Any]:
    named = {name: getattr(part, name) for name in part.__struct_fields__}
    return {name: clean(value) if isinstance(value, str) else value for name, value in named.items()}
