"""The boards and the news of a running realm: for a client, and as JSON documents for the host's own pages."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Final

import msgspec

from gloam_server.engine.ladder.ladder import RealmLadder
from gloam_server.engine.ladder.ranking import DAY_S
from gloam_server.views.texts.news import week_news
from gloam_server.world.transition.dungeon import Dungeon
from gloam_shared.narration.rendering import depth_text
from gloam_shared.protocol.messages.records import ORDERS, SPANS, AskLadder, Ladder, LadderRow, News

PAGE_ROWS: Final = 25
"""The number of lives of each board in the document."""
_WEEK_S: Final = 7 * DAY_S
_CONTENT_DIGITS: Final = 12
"""The hex digits of a campaign's digest that a board shows: enough to tell two apart."""


class LadderBoards:
    """Answers from memory, at the time that the clock says."""

    def __init__(self, dungeon: Dungeon, ladder: RealmLadder, wall_s: Callable[[], int]) -> None:
        self._dungeon = dungeon
        self._ladder = ladder
        self._wall_s = wall_s
        self._page = b""
        self._page_of = (-1, -1, -1)

    def board(self, ask: AskLadder) -> Ladder:
        """Return one board."""
        campaign, rules = self._dungeon.campaign, self._dungeon.realm.rules_version
        content = campaign.digest[:_CONTENT_DIGITS]
        return self._ladder.board(ask, self._wall_s(), campaign.key, content, rules)

    def page(self) -> bytes:
        """Return every board except a party's as JSON; made again only after a death, an upgrade or midnight."""
        newest = (self._ladder.version, self._dungeon.realm.rules_version, self._wall_s() // DAY_S)
        if newest != self._page_of:
            self._page, self._page_of = msgspec.json.encode(self._document()) + b"\n", newest
        return self._page

    def news(self) -> News:
        """Return the news of the last week."""
        since_s = max(self._wall_s() - _WEEK_S, 0)
        events = self._dungeon.realm.events.entries
        items = week_news(events, self._ladder.count_since(since_s))
        return News(self._dungeon.campaign.key, since_s, items)

    def news_page(self) -> bytes:
        """Return the news of the last week as JSON, with the date whose seed of the day is played now."""
        news, day = self.news(), datetime.fromtimestamp(self._wall_s(), UTC).strftime("%Y-%m-%d")
        items = [{"kind": item.kind, "text": item.text} for item in news.items]
        page = {"campaign": news.campaign, "since_s": news.since_s, "day": day, "items": items}
        return msgspec.json.encode(page) + b"\n"

    def _document(self) -> dict[str, Any]:
        boards = {
            span: {order: self.board(AskLadder(span, order)) for order in ORDERS}
            for span in SPANS
            if span != "party"
        }
        one = boards["all"]["depth"]
        return {
            "campaign": one.campaign,
            "content": one.content,
            "rules": one.rules,
            "boards": {
                span: {order: board_document(board, PAGE_ROWS) for order, board in orders.items()}
                for span, orders in boards.items()
            },
        }


def board_document(board: Ladder, rows: int) -> dict[str, Any]:
    """Return a board for programs: dates in seconds since 1970, and depths as players read them, too."""
    return {
        "since_s": board.since_s,
        "lives": board.lives,
        "rows": [_row_document(row) for row in board.rows[:rows]],
    }


def _row_document(row: LadderRow) -> dict[str, Any]:
    fields = {name: getattr(row, name) for name in LadderRow.__struct_fields__}
    return fields | {"depth_text": depth_text(row.depth)}
