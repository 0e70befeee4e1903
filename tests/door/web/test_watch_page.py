"""Watching by a link: a real door shows pages what a player of a real server sees, with one client for all of them."""

import http.client
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from gloam_shared.protocol.commands import Wait
from gloam_shared.protocol.messages.watching import EndWatching, SetWatchable, Watchers
from support.client.fake_client import FakeClient
from support.door.axe import findings
from support.door.browser import CHROMIUM, Browser
from support.door.page_player import PagePlayer
from support.door.running_door import RunningDoor
from support.processes.server_process import ServerProcess, run_server_command

pytestmark = pytest.mark.end_to_end
REFUSED = "No player of that name can be watched by a link now; ask them, or try again later."


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    data = tmp_path_factory.mktemp("realm") / "world"
    flags = ("--door-socket", "door.sock", "--open", "--watch-guests")
    with ServerProcess(data, *flags, campaign="jsrogue") as running:
        yield running


def open_to_guests(player: FakeClient) -> None:
    player.send(SetWatchable(True, guests=True))
    player.settle()


def watch(door: RunningDoor, stack: ExitStack, name: str, **hello: bool) -> PagePlayer:
    return PagePlayer(stack.enter_context(door.connect()), at=f"/watch/{name}", **hello)


def farewell(page: PagePlayer) -> str:
    page.wait_for(lambda page: bool(page.bye))
    return page.bye


def see(page: PagePlayer, player: FakeClient, words: str) -> None:
    """Wait until a page shows words, while the player's client reads on."""

    def shown(page: PagePlayer) -> bool:
        player.read(0.0)
        return words in page.text()

    page.wait_for(shown)


def sees_health(player: FakeClient) -> Callable[[list[str]], bool]:
    """Return whether rows show the health of a player, whose client reads on."""

    def shown(rows: list[str]) -> bool:
        player.read(0.0)
        return any("HP " in row for row in rows)

    return shown


def newest_watchers(player: FakeClient) -> Watchers | None:
    return next((each for each in reversed(player.got) if isinstance(each, Watchers)), None)


@pytest.mark.thorough
def test_pages_share_one_connection(server: ServerProcess, door: RunningDoor) -> None:
    """Three pages see the player by one connection; the player's list counts them as guests; no key of theirs acts."""
    with FakeClient(server.port, "Anna") as anna, ExitStack() as stack:
        open_to_guests(anna)
        pages = [watch(door, stack, name, say=name == "ANNA") for name in ("Anna", "anna", "ANNA")]
        for page in pages:
            see(page, anna, "You watch Anna")
            assert [key for key, _, _ in page.keys] == ["ESC"]
            assert page.title == "Watch Anna - Gloam"
        anna.wait_for(lambda: newest_watchers(anna) == Watchers((), 3))
        who = run_server_command("who", "--data", str(server.data)).stdout
        assert who.count("by browser") <= 1
        anna.do(Wait())
        pages[0].press("n", "L", "ENTER", "q")
        pages[0].send(text="hello")
        for page in pages:
            see(page, anna, "HP ")
        assert pages[2].said
        assert not pages[0].said
        pages[0].press("ESC")
        assert farewell(pages[0]) == "You no longer watch."
        anna.wait_for(lambda: newest_watchers(anna) == Watchers((), 2))
        see(pages[1], anna, "You watch Anna")
        stack.close()
        anna.wait_for(lambda: newest_watchers(anna) == Watchers((), 0))


def test_the_choice_ends_watching(server: ServerProcess, door: RunningDoor) -> None:
    """Each of the ways to end it says why, immediately; a later page learns no more than of a name of no one."""
    with FakeClient(server.port, "Bert") as bert, ExitStack() as stack:
        for message, words in (
            (SetWatchable(True), "Bert no longer allows watching by a link."),
            (SetWatchable(False), "Bert no longer allows watching."),
            (EndWatching(""), "Bert has ended your watching."),
        ):
            open_to_guests(bert)
            page = watch(door, stack, "Bert")
            bert.wait_for(lambda: newest_watchers(bert) == Watchers((), 1))
            bert.send(message)
            assert farewell(page) == words
            bert.wait_for(lambda: newest_watchers(bert) == Watchers((), 0))
        bert.send(SetWatchable(True))
        bert.settle()
        assert {farewell(watch(door, stack, name)) for name in ("Bert", "Nobody", "Dora")} == {REFUSED}


def test_the_player_leaves(server: ServerProcess, door: RunningDoor) -> None:
    with ExitStack() as stack:
        with FakeClient(server.port, "Carl") as carl:
            open_to_guests(carl)
            page = watch(door, stack, "Carl")
            carl.wait_for(lambda: newest_watchers(carl) == Watchers((), 1))
        assert farewell(page) == "Carl has left."


def test_a_ban_ends_a_browsers_pages(server: ServerProcess, door: RunningDoor) -> None:
    """Its game and its open watch page end immediately; no other page does, though all of them share one connection."""
    with FakeClient(server.port, "Iris") as iris, ExitStack() as stack:
        open_to_guests(iris)
        socket = stack.enter_context(door.connect())
        visitor = PagePlayer(socket, name="Jan")
        assert socket.response is not None
        cookie = socket.response.headers["Set-Cookie"].partition(";")[0]
        visitor.wait_for(lambda page: page.state == "title")
        visitor.press("ENTER")
        visitor.wait_for(lambda page: page.state not in ("title", ""))
        visitor.wait_for("HP ")
        other = watch(door, stack, "Iris")
        see(other, iris, "You watch Iris")
        watching = PagePlayer(stack.enter_context(door.connect(Cookie=cookie)), at="/watch/Iris")
        see(watching, iris, "You watch Iris")
        run_server_command("ban", "Jan", "--data", str(server.data))
        assert farewell(visitor) == "The host has banned you for good."
        assert farewell(watching) == "This name or device is banned here for good."
        see(other, iris, "You watch Iris")
        assert not other.bye
        banned = PagePlayer(stack.enter_context(door.connect(Cookie=cookie)), at="/watch/Iris")
        assert farewell(banned) == "This name or device is banned here for good."


def test_a_host_who_lets_no_guest_watch(tmp_path_factory: pytest.TempPathFactory) -> None:
    """The default: a page reads one sentence, for every name."""
    folder = tmp_path_factory.mktemp("closed")
    with (
        ServerProcess(folder / "world", "--door-socket", "door.sock", "--open", campaign="jsrogue") as server,
        RunningDoor(folder / "door", server.data / "door.sock") as door,
        FakeClient(server.port, "Anna") as anna,
        ExitStack() as stack,
    ):
        open_to_guests(anna)
        said = {farewell(watch(door, stack, name)) for name in ("Anna", "Bert")}
        assert said == {"This host lets no one watch by a link."}


@pytest.mark.thorough
def test_a_page_that_never_reads_delays_no_one(server: ServerProcess, door: RunningDoor) -> None:
    """Its line holds a frame; the others see on, and it ends when it takes nothing for long."""
    with FakeClient(server.port, "Emma") as emma, ExitStack() as stack:
        open_to_guests(emma)
        for _ in range(3):
            watch(door, stack, "Emma")
        page = watch(door, stack, "Emma")
        see(page, emma, "HP ")
        begun = time.monotonic()
        while time.monotonic() < begun + 2:
            emma.do(Wait())
        see(page, emma, "HP ")


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/watch/Anna", 200),
        ("/watch/Nobody", 200),
        ("/watch/Anna?from=chat", 200),
        ("/watch/", 404),
        ("/watch/..", 404),
        ("/watch/../ladder", 404),
        ("/watch/%2e%2e%2fworld", 404),
        ("/watch/Anna/", 404),
        ("/watch/%3Cscript%3E", 404),
        ("/watch/" + "A" * 17, 404),
    ],
)
def test_every_name_has_the_same_page(door: RunningDoor, path: str, status: int) -> None:
    """The page of a player who is not there differs in nothing but the name; other paths have none."""
    line = http.client.HTTPConnection("127.0.0.1", door.door.web_port, timeout=30)
    line.request("GET", path)
    answer = line.getresponse()
    body = answer.read().decode()
    line.close()
    assert answer.status == status
    if status == 200:
        name = path.removeprefix("/watch/").partition("?")[0]
        assert f'<meta property="og:title" content="Watch {name} - Gloam">' in body


def test_a_bad_message_ends_the_page_alone(server: ServerProcess, door: RunningDoor) -> None:
    with FakeClient(server.port, "Fred") as fred, ExitStack() as stack:
        open_to_guests(fred)
        bad, good = (watch(door, stack, "Fred") for _ in range(2))
        bad.send(key="UP", text="both")
        with pytest.raises(Exception, match="not a page of this door"):
            bad.wait_for("never")
        see(good, fred, "You watch Fred")


@pytest.mark.thorough
@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium (apt-get install chromium)")
@pytest.mark.parametrize(
    ("width", "height", "columns", "rows"),
    [(1280, 800, 100, 30), (844, 390, 100, 30), (390, 844, 44, 32), (360, 640, 44, 32)],
)
def test_a_browser_shows_the_whole_view(
    server: ServerProcess, door: RunningDoor, home: Path, width: int, height: int, columns: int, rows: int
) -> None:
    """The page scales the view to its size; a phone held upright has a narrow one, and no buttons but Esc; Esc leaves."""
    with FakeClient(server.port, "Gina") as gina, Browser(home) as browser:
        open_to_guests(gina)
        tab = browser.open(f"{door.origin}/watch/Gina", width, height, touch=width < 1_000)
        shown = tab.wait_for(sees_health(gina))
        assert (len(shown), len(shown[0])) == (rows, columns)
        assert "You watch Gina" in shown[0]
        assert tab.run("pixels") >= 9, "the letters can be read"
        box = tab.run(
            "(() => {const b = document.getElementById('cells').getBoundingClientRect(); return [b.right, b.bottom]})()"
        )
        assert box[0] <= width + 1
        assert box[1] <= height + 1
        assert tab.run("document.title") == "Watch Gina - Gloam"
        buttons = "[...document.querySelectorAll('#pad button')].map(one => one.textContent.trim())"
        assert tab.run(buttons) == (["Esc leave"] if width < 1_000 else [])
        tab.resize(height, width, touch=width < 1_000)
        turned = sees_health(gina)
        tab.wait_for(lambda rows: turned(rows) and len(rows[0]) == (44 if 1_000 > width > height else 100))
        tab.press("Escape")
        tab.wait(lambda: "You no longer watch." in tab.run("document.getElementById('state').textContent"))
        assert tab.errors == []


@pytest.mark.thorough
@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium (apt-get install chromium)")
def test_the_page_breaks_no_rule(server: ServerProcess, door: RunningDoor, home: Path, axe: str) -> None:
    """By the rules of axe-core: on a desktop and on a phone, with the picture and with lines of text, and when it is over."""
    with FakeClient(server.port, "Hugo") as hugo, Browser(home) as browser:
        open_to_guests(hugo)
        tab = browser.open(f"{door.origin}/watch/Hugo")
        tab.wait_for(sees_health(hugo))
        tab.run("document.getElementById('text').click()")
        tab.wait(lambda: tab.run("document.getElementById('lines').childElementCount") > 0)
        for width, height in ((1280, 800), (390, 844)):
            tab.resize(width, height, touch=width < 1_000)
            assert findings(tab, axe) == []
        tab.press("Escape")
        tab.wait(lambda: "You no longer watch." in tab.run("document.getElementById('state').textContent"))
        assert findings(tab, axe) == []
