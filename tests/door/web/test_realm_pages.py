"""The pages about the realm: ladder, news, lives and their replays, of a real server through a real door."""

import http.client
import json
import re
from collections.abc import Callable
from html.parser import HTMLParser

import pytest
from msgspec.structs import replace

from gloam_door.web.pages import HEADERS, Markup, Page, fill, play_page, report_page
from gloam_door.web.realm_pages import ladder_page, news_page
from gloam_server.storage.shared_replays import FOLDER
from gloam_shared.protocol.messages.records import AskLadder, Ladder, LadderRow, News, NewsItem
from support.client.recorded_life import recorded_life
from support.door.page_player import PagePlayer
from support.door.running_door import RunningDoor
from support.processes.server_process import ServerProcess

pytestmark = pytest.mark.end_to_end


def get(port: int, path: str) -> tuple[http.client.HTTPResponse, str]:
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    line.request("GET", path)
    answer = line.getresponse()
    body = answer.read().decode()
    line.close()
    return answer, body


@pytest.fixture(scope="module")
def shares(server: ServerProcess) -> ServerProcess:
    folder = server.data / FOLDER
    folder.mkdir()
    (folder / "Ann-1.session").write_bytes(recorded_life())
    (folder / "broken.session").write_bytes(b"\x1b[2J<script>")
    return server


@pytest.mark.parametrize(
    ("path", "words"),
    [("/ladder", "by depth: 0 lives"), ("/ladder/day/kills", "today since"), ("/news", "gloam --daily --campaign jsrogue")],
)  # fmt: skip
def test_ladder_and_news_are_pages(door: RunningDoor, path: str, words: str) -> None:
    answer, body = get(door.door.web_port, path)
    assert answer.status == 200
    assert {name: answer.headers[name] for name in HEADERS} == HEADERS
    assert words in body
    assert re.search(r'<meta property="og:title" content="Gloam: [^"]+">', body)
    assert re.search(r'<meta name="description" content="[^"]+">', body)


def test_a_shared_life_is_a_page_a_replay_and_a_cast(shares: ServerProcess, door: RunningDoor) -> None:
    """The dump is a page; the replay pauses and moves by its keys; the asciicast is a download."""
    _, body = get(door.door.web_port, "/life/Ann-1")
    assert "<title>Anna: " in body
    assert "was killed by an ogre" in body
    answer, body = get(door.door.web_port, "/replay/Ann-1.cast")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="Ann-1.cast"'
    assert json.loads(body.splitlines()[0])["version"] == 2
    answer, body = get(door.door.web_port, "/replay/Ann-1")
    assert re.search(r"<title>Anna: .*killed by an ogre", body)
    with door.connect() as line:
        page = PagePlayer(line, at="/replay/Ann-1")
        page.wait_for("Replay: turn")
        page.press(" ")
        page.wait_for("paused")
        page.press("END")
        page.wait_for("the end")
        page.press("ESC")
        page.wait_for(lambda page: bool(page.bye))
    assert shares.data.exists()


@pytest.mark.parametrize(
    ("path", "status", "words"),
    [
        ("/life/unknown", 404, "shares no replay with that id"),
        ("/life/broken", 503, "no recorded session"),
        ("/replay/broken.cast", 503, "no recorded session"),
    ],
)
def test_a_life_that_is_not_there_is_said(
    shares: ServerProcess, door: RunningDoor, path: str, status: int, words: str
) -> None:
    answer, body = get(door.door.web_port, path)
    assert (answer.status, words in body, "<script" in body) == (status, True, False)
    with door.connect() as line:
        page = PagePlayer(line, at="/replay/unknown")
        page.wait_for(lambda page: "shares no replay" in page.bye)
    assert shares.data.exists()


def test_values_of_a_template_are_escaped() -> None:
    """No text of a player becomes HTML, neither in the page nor in its title or description."""
    evil = "<script>alert(1)</script>\"' onload=x &amp; $body ${title}"
    filled = fill('<p title="$a">$b</p>', a=evil, b=evil)
    assert isinstance(filled, Markup)
    assert "<script" not in filled
    assert filled.count('"') == 2
    page = report_page(evil, evil, fill("<p>$text</p>", text=evil)).body.decode()
    assert "<script" not in page
    assert page.count("&lt;script&gt;") == 6
    assert "$body" in page


class _Head(HTMLParser):
    """Reads the title and the descriptions of a page, and all its tags."""

    def __init__(self, page: Page) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.told: dict[str, str] = {}
        self._in_title = False
        self.feed(page.body.decode())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self._in_title = tag == "title"
        values = dict(attrs)
        if tag == "meta" and (name := values.get("name") or values.get("property")):
            self.told[name] = values.get("content") or ""

    def handle_data(self, data: str) -> None:
        if self._in_title:
            self.told["title"] = data
            self._in_title = False


EVIL = "\"><script>alert(1)</script><meta name='x' content=\"&amp; ${title}"
ROW = LadderRow(1, EVIL, 2, 3, 4, 5, 0, False, EVIL, 0)  # a row has no names
PREVIEWS: dict[str, tuple[Callable[[str], Page], tuple[str, ...]]] = {
    "play": (lambda text: play_page(text, text), ("title", "description")),
    "report": (lambda text: report_page(text, text, fill("<p>$text</p>", text=text)), ("title", "description")),
    "ladder": (
        lambda text: ladder_page(Ladder("all", "depth", text, text, 1, rows=(replace(ROW, name=text, by=text),)), AskLadder()),
        ("description",),
    ),
    "news": (lambda text: news_page(News(text, 0, (NewsItem("death", text),))), ("description",)),
}  # fmt: skip


@pytest.mark.parametrize("name", PREVIEWS)
def test_a_link_preview_is_escaped(name: str) -> None:
    """A preview reads the text as it is, and the page has the tags of a page with a plain text in the same places."""
    make, places = PREVIEWS[name]
    evil, plain = _Head(make(EVIL)), _Head(make("plain"))
    assert evil.tags == plain.tags
    for place in places:
        assert EVIL in evil.told[place]
        assert evil.told.get(f"og:{place}") == evil.told[place]
    assert len(plain.told["title"]) > 3
    assert len(plain.told["description"]) > 3


def test_a_server_that_is_away_is_a_page(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("away")
    with RunningDoor(folder, folder / "missing.sock") as alone:
        for path in ("/ladder", "/news", "/life/a", "/replay/a"):
            answer, body = get(alone.door.web_port, path)
            assert (answer.status, "does not answer" in body) == (503, True)


def test_health_and_metrics_are_on_a_port_of_their_own(
    server: ServerProcess, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("measured")
    with RunningDoor(folder, server.data / "door.sock", metrics_port=0, visits_max=1) as door:
        with door.connect() as first, door.connect() as second:
            page = PagePlayer(first)
            page.wait_for("Your name")
            PagePlayer(second).wait_for(lambda page: "full" in page.bye)
            answer, body = get(door.door.metrics_port, "/health")
            assert (answer.status, json.loads(body)) == (200, {"ok": True, "wrong": [], "visits": 1})
            _, body = get(door.door.metrics_port, "/metrics")
        assert 'gloam_door_here{door="web"} 1.0\n' in body
        assert 'gloam_door_visits_total{door="web"} 1.0\n' in body
        assert 'gloam_door_refusals_total{reason="full"} 1.0\n' in body
        assert re.search(r"^gloam_door_frames_total [1-9]", body, re.MULTILINE)
        assert re.search(r"^process_resident_memory_bytes [1-9]", body, re.MULTILINE)
        assert re.search(r"^gloam_door_late_seconds \d", body, re.MULTILINE)
        assert get(door.door.metrics_port, "/")[0].status == 404
        assert get(door.door.web_port, "/metrics")[0].status == 404
