"""The pages about the realm: ladder, news, and the lives whose replays its host shares. They ask the game server."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterable
from typing import Final, NamedTuple, cast

from gloam_client.net.daily import today
from gloam_client.net.guest.server_questions import ask
from gloam_client.net.tls_connect import ConnectFailed
from gloam_client.render.panels.ladder_table import ORDER_WORDS, SPAN_WORDS, board_cells, board_words
from gloam_client.screens.session.character_dump import dump_text
from gloam_client.user_files.address import Address
from gloam_door.replays import Replays
from gloam_door.upstream import Upstream, Visitor
from gloam_door.web.pages import NOT_FOUND, Markup, Page, fill, joined, play_page, report_page
from gloam_shared.narration.rendering import depth_text
from gloam_shared.protocol.messages.records import (
    ORDERS,
    SPANS,
    AskLadder,
    AskNews,
    Ladder,
    LadderOrder,
    LadderSpan,
    News,
)
from gloam_shared.text import clean

KEPT_S: Final = 10
"""The time for which a page about the realm is shown again without asking the server."""
_PATIENCE_S: Final = 4
"""The time for which a request waits; it is less than the time for a handshake."""
_SPANS: Final = tuple(span for span in SPANS if span != "party")
_LADDER: Final = re.compile(f"/ladder(?:/({'|'.join(_SPANS)})/({'|'.join(ORDERS)}))?")
REPLAY_PATH: Final = re.compile(r"/replay/([A-Za-z0-9-]{1,32})")
"""The path of a page that plays a replay."""
_LIFE: Final = re.compile(r"/(life|replay)/([A-Za-z0-9-]{1,32})(\.cast)?")
_AGAIN: Final = Page(
    503,
    "text/plain; charset=utf-8",
    b"This takes a moment; the page tries again by itself.\n",
    {"Refresh": "3"},
)
_NO_NEWS: Final = "Nothing has happened here this week."
_LADDER_BODY: Final = """<nav aria-label="Boards">$links</nav>
<p>$words</p>
<div class="wide" role="region" aria-label="The board" tabindex="0"><table>
<thead>$head</thead>
<tbody>$rows</tbody>
</table></div>"""
_NEWS_BODY: Final = """<ul>
$items</ul>
<p>The seed of the day is that of $day: <code>gloam --daily$campaign</code></p>"""
_LIFE_BODY: Final = """<p><a href="/replay/$id">Replay</a> <a href="/replay/$id.cast">Replay as an asciicast</a></p>
<pre class="wide" role="region" aria-label="The life" tabindex="0">$text</pre>"""


class _Kept(NamedTuple):
    """A page that is made or was made, and until when it is shown."""

    until_s: float
    page: "asyncio.Task[Page]"


class RealmPages:
    """Answers from what it made in the last seconds, so that a crowd of readers costs the server one question."""

    def __init__(self, upstream: Upstream, address: Address, replays: Replays) -> None:
        self._upstream = upstream
        self._address = address
        self._replays = replays
        self._kept: dict[str, _Kept] = {}

    async def at(self, path: str, reader: Visitor) -> Page:
        """Return the page at a path, without its query; a fault is a page, too."""
        path = path.partition("?")[0]
        if (found := _LADDER.fullmatch(path)) is not None:
            span, order = cast(LadderSpan, found[1] or "all"), cast(LadderOrder, found[2] or "depth")
            question = AskLadder(span, order)
            return await self._keep(f"{span} {order}", lambda: self._ladder(question, reader))
        if path == "/news":
            return await self._keep("news", lambda: self._news(reader))
        if (found := _LIFE.fullmatch(path)) is not None and not (found[1] == "life" and found[3]):
            made = self._cast(found[2], reader) if found[3] else self._life(found[1], found[2], reader)
            return await self._in_time(_or_fault(made))
        return NOT_FOUND

    async def _keep(self, name: str, make: Callable[[], Awaitable[Page]]) -> Page:
        """Return a page that is kept, or is being made, or make it. The names are few."""
        loop = asyncio.get_running_loop()
        kept = self._kept.get(name)
        if kept is None or kept.until_s <= loop.time():
            made = loop.create_task(_or_fault(make()))
            kept = self._kept[name] = _Kept(loop.time() + KEPT_S, made)
        return await self._in_time(asyncio.shield(kept.page))

    async def _in_time(self, page: Awaitable[Page]) -> Page:
        try:
            async with asyncio.timeout(_PATIENCE_S):
                return await page
        except TimeoutError:
            return _AGAIN

    async def _ladder(self, question: AskLadder, reader: Visitor) -> Page:
        line = await self._upstream.dial(reader)
        return ladder_page(await ask(self._address, line, question, Ladder), question)

    async def _news(self, reader: Visitor) -> Page:
        line = await self._upstream.dial(reader)
        return news_page(await ask(self._address, line, AskNews(), News))

    async def _cast(self, id_: str, reader: Visitor) -> Page:
        saved = {"Content-Disposition": f'attachment; filename="{id_}.cast"'}
        return Page(200, "application/x-asciicast", await self._replays.cast(id_, reader), saved)

    async def _life(self, kind: str, id_: str, reader: Visitor) -> Page:
        life = await self._replays.life(id_, reader)
        state = life["end"]["words"] if life["end"] else f"alive on depth {depth_text(life['depth'])}"
        title = f"{life['name']}: {state}"
        if kind == "replay":
            return play_page(title, f"A life in Gloam ({life['campaign']}), as it was seen. Space pauses.")
        text = fill(_LIFE_BODY, id=id_, text=dump_text(life))
        return report_page(title, f"Everything about a life in Gloam ({life['campaign']}).", text)


async def _or_fault(page: Awaitable[Page]) -> Page:
    """Return a page, or the one that says why there is none."""
    try:
        return await page
    except ConnectFailed as error:
        status = 404 if error.code == "replay" else 503
        return report_page(
            "Gloam", "There is nothing here now.", fill("<p>$text</p>", text=clean(error.text)), status
        )


def ladder_page(board: Ladder, question: AskLadder) -> Page:
    """Return a board of the ladder as a page."""
    choices = [
        *((span, question.order, SPAN_WORDS[span]) for span in _SPANS),
        *((question.span, order, f"by {ORDER_WORDS[order]}") for order in ORDERS),
    ]
    here = (question.span, question.order)
    links = joined(
        fill(
            '<a href="/ladder/$span/$order"$mark>$words</a> ',
            span=span,
            order=order,
            words=words,
            mark=Markup(' aria-current="page"' if (span, order) == here else ""),
        )
        for span, order, words in choices
    )
    head, *rows = board_cells(board)
    body = fill(
        _LADDER_BODY,
        links=links,
        words=board_words(board),
        head=_row(head, "th"),
        rows=joined(_row(row, "td") for row in rows),
    )
    best = f" The best: {clean(board.rows[0].name)}." if board.rows else ""
    return report_page("Gloam: the ladder", f"The best lives that ended here.{best}", body)


def _row(texts: Iterable[str], tag: str) -> Markup:
    cells = joined(fill(f"<{tag}>$text</{tag}>", text=text) for text in texts)
    return fill("<tr>$cells</tr>\n", cells=cells)


def news_page(news: News) -> Page:
    """Return the news as a page."""
    texts = [clean(item.text) for item in reversed(news.items)]
    items = joined(fill("<li>$text</li>\n", text=text) for text in texts or [_NO_NEWS])
    campaign = "" if news.campaign == "gloam" else f" --campaign {clean(news.campaign)}"
    body = fill(_NEWS_BODY, items=items, day=today(), campaign=campaign)
    return report_page("Gloam: the news of the week", texts[0] if texts else _NO_NEWS, body)
