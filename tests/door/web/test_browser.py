"""The door's page in a real browser: a link leads into the dungeon, by keyboard, by touch, and in lines of text."""

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from support.door.browser import CHROMIUM, Browser, Tab
from support.door.running_door import RunningDoor
from support.processes.server_process import ServerProcess, run_server_command

pytestmark = [
    pytest.mark.end_to_end,
    pytest.mark.thorough,
    pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium (apt-get install chromium)"),
]
STEPS_MAX = 400
WANTED = (">", "Tab", ",", "o", "+", "R")
"""The keys that lead down, the best first, where they are offered; any other screen is left with Esc."""
NAMED = {"Esc": "Escape"}
CLOSED = 3
"""The state of a WebSocket after it is closed."""
SCREEN_PAUSE_S = 0.6
"""A screen that opens unasked takes no key for half a second."""


@pytest.fixture
def browser(home: Path) -> Iterator[Browser]:
    with Browser(home) as running:
        yield running


def join(tab: Tab, name: str) -> None:
    tab.join(name)
    tab.press("Escape")


def depth(tab: Tab) -> int:
    """Return the depth that the status line shows; 0 without one."""
    words = " ".join(tab.rows()).split()
    return int(words[words.index("Depth") + 1]) if "Depth" in words else 0


def wanted(state: str, offered: list[str]) -> str:
    """Return the best of the keys that are offered, by its label; "" to wait while a plan runs."""
    if "Esc stop" in offered:
        return ""
    if state != "play":
        return "Enter" if {"Enter aim here", "Enter new life", "Enter take"} & set(offered) else "Esc"
    keys = [words.split()[0] for words in offered if words.strip()]
    return next((key for key in WANTED if key in keys), ".")


def test_signs_draw_in_their_own_cells_only(browser: Browser, door: RunningDoor) -> None:
    """The fonts' shades are taller than a cell: what they would draw above stayed when the cell changed."""
    tab = browser.open(door.origin)
    tab.wait_for("Your name")
    inked = """(() => {
      clear();
      put(3, 3, 0, "\u2592\u00c5\u2593");
      const around = [[2, 2, 7, 1], [2, 4, 7, 1]].flatMap(([column, row, wide, high]) =>
        [...pen.getImageData(column * cell[0], row * cell[1], wide * cell[0], high * cell[1]).data]);
      const plain = [...pen.getImageData(0, 0, 1, 1).data].join();
      return around.filter((_, at) => at % 4 === 0 && around.slice(at, at + 4).join() !== plain).length;
    })()"""
    assert tab.run(inked) == 0


def test_a_fast_mouse_is_told_of_seldom(browser: Browser, door: RunningDoor) -> None:
    """The door hears of the first place and of the last: all between would be a flood."""
    tab = browser.open(door.origin)
    tab.wait_for("Your name")
    tab.run("""(() => {
      globalThis.sent = [];
      socket.send = text => sent.push(text);
      for (let at = 0; at < 40; at++)
        canvas.dispatchEvent(new PointerEvent("pointermove", {pointerType: "mouse", clientX: 12 * at, clientY: 40}));
    })()""")
    tab.wait(lambda: tab.run("sent.length") >= 2)
    columns = [mouse[1] for mouse in tab.run("sent.map(text => JSON.parse(text).mouse)")]
    assert columns == [0, tab.run("Math.floor(12 * 39 / cell[0])")]


def test_an_invite_s_link_leads_into_the_dungeon(browser: Browser, tmp_path: Path) -> None:
    """A link with an invite joins a world that lets no one in without, and the invite leaves the address."""
    with (
        ServerProcess(tmp_path / "closed", "--door-socket", "door.sock") as server,
        RunningDoor(tmp_path / "door", server.data / "door.sock") as door,
    ):
        line = run_server_command("invite", "--data", str(server.data), "--host", "localhost:7373").stdout
        code = line.split("/")[-1].split()[0]
        tab = browser.open(f"{door.origin}/#{code}")
        tab.wait(lambda: tab.run("location.hash") == "")
        join(tab, "Anna")
        assert tab.errors == []
        tab.go(f"{door.origin}/")
        tab.wait_for("Anna")
        tab.press("Enter")
        tab.wait_for("HP")


def test_the_keyboard_leads_to_the_second_level(browser: Browser, door: RunningDoor) -> None:
    """Keys alone lead down; chat takes what an input method composes; a resize shows more cells; a reload the same body."""
    tab = browser.open(door.origin)
    join(tab, "Bruno")
    tab.press(":")
    tab.wait(lambda: tab.run("document.activeElement.id") == "line")
    tab.type("grüß dich, 朋友")
    tab.wait_for("朋友")
    tab.press("Enter")
    tab.wait(lambda: tab.run("document.getElementById('typing').hidden"))
    before = tab.run("gloam.rows()[0].length")
    tab.resize(1920, 1080)
    tab.wait_for(lambda rows: len(rows[0]) > before)
    descend(tab, lambda: tab.rows()[-1].split("  "), lambda key: tab.press(NAMED.get(key, key)))
    tab.go(door.origin)
    tab.wait_for("Bruno")
    tab.press("Enter")
    tab.wait_for("Depth 2")
    assert tab.errors == []


def test_taps_alone_lead_to_the_second_level(browser: Browser, door: RunningDoor) -> None:
    """On a phone every step is a button of 46 pixels or more."""
    tab = browser.open(door.origin, 390, 844, touch=True)
    tab.wait_for("Your name")
    tab.type("Carla")
    tab.wait_for("Carla")
    tab.tap_button("Enter begin") if "Enter begin" in buttons(tab) else tab.press("Enter")
    tab.wait_for("HP")
    sizes = tab.run(
        "[...document.querySelectorAll('#pad button')].map(one => [one.offsetWidth, one.offsetHeight])"
    )
    assert min(min(size) for size in sizes) >= 46
    tab.tap_button("Esc")

    def tap(key: str) -> None:
        with suppress(AssertionError):  # the buttons may have changed since
            tab.tap_button(next((words for words in buttons(tab) if words.split()[0] == key), "Esc"))

    descend(tab, lambda: buttons(tab)[1:], tap)
    assert tab.errors == []


def test_the_mouse_looks_and_walks(browser: Browser, door: RunningDoor) -> None:
    """On the map the right button looks, and the left one walks."""
    tab = browser.open(door.origin)
    join(tab, "Mara")
    time.sleep(SCREEN_PAUSE_S)
    tab.press("Escape")
    left, top, wide, high = map(int, tab.run("stage.dataset.map").split())
    rows = tab.rows()
    y, x = next((y, rows[y].index("@")) for y in range(top, top + high) if "@" in rows[y][left : left + wide])
    ways = ((dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if rows[y + dy][x + dx] in "·.")
    to_x, to_y = next((x + dx, y + dy) for dx, dy in ways)
    tab.click(*cell(tab, to_x, to_y), "right")
    tab.wait_for("─ Look ─")
    tab.press("Escape")
    tab.wait_for(lambda rows: not any("─ Look ─" in row for row in rows))
    tab.click(*cell(tab, to_x, to_y))
    tab.wait_for(lambda rows: "@" in rows[to_y][to_x] or rows[y][x] != "@")
    assert tab.errors == []


def cell(tab: Tab, x: int, y: int) -> tuple[float, float]:
    """Return the middle of a cell of the picture, in CSS pixels."""
    left, top, wide, high = tab.run(
        "(() => {const b = canvas.getBoundingClientRect(); return [b.left, b.top, b.width / size[0], b.height / size[1]]})()"
    )
    return left + (x + 0.5) * wide, top + (y + 0.5) * high


def test_a_phone_that_slept_goes_on_where_it_was(browser: Browser, door: RunningDoor) -> None:
    """A cut line is replaced, immediately when the page is seen again; body, log and open screen are as before."""
    tab = browser.open(door.origin, 390, 844, touch=True)
    join(tab, "Senta")
    time.sleep(SCREEN_PAUSE_S)
    tab.press("Escape")
    tab.press("?")
    before = [row for row in tab.wait_for("Keys (") if "Keys (" in row or "Welcome" in row]
    tab.run("socket.onclose = null; socket.close(); 0")
    tab.wait(lambda: tab.run("socket.readyState") == CLOSED)
    tab.run("resize(44, 20, '#000000'); document.dispatchEvent(new Event('visibilitychange')); 0")
    rows = tab.wait_for("Keys (")
    assert [row for row in rows if "Keys (" in row or "Welcome" in row] == before
    tab.run("socket.close(); 0")
    tab.wait(lambda: "No connection" in tab.run("document.getElementById('state').textContent"))
    tab.wait(lambda: tab.run("document.getElementById('state').textContent") == "")
    tab.tap_button("Esc")
    tab.wait_for(lambda rows: not any("Keys (" in row for row in rows))
    assert tab.errors == []


def test_lines_of_text_stand_in_the_live_region(browser: Browser, door: RunningDoor) -> None:
    """Keys alone lead to the button for them."""
    tab = browser.open(door.origin)
    tab.wait_for("Your name")
    for _ in range(2):
        tab.shift_tab()
    assert tab.run("document.activeElement.id") == "text"
    tab.press("Enter")
    tab.wait(lambda: tab.run("document.getElementById('lines').childElementCount") > 0)
    join(tab, "Detta")
    tab.wait(lambda: "Welcome to the dungeon" in tab.run("document.getElementById('lines').textContent"))
    assert tab.run("document.getElementById('lines').getAttribute('aria-live')") == "polite"
    assert tab.run("document.getElementById('cells').getAttribute('aria-hidden')") == "true"


def test_lines_of_text_lead_to_the_second_level(browser: Browser, door: RunningDoor) -> None:
    """With lines of text on, the same keys lead down, and the live region tells of the way and of the new level."""
    tab = browser.open(door.origin)
    tab.wait_for("Your name")
    tab.run("document.getElementById('text').click()")
    join(tab, "Lioba")
    heard: list[str] = []

    def offered() -> list[str]:
        lines: list[str] = tab.run("[...document.querySelectorAll('#lines p')].map(one => one.textContent)")
        heard.extend(line for line in lines if line not in heard)
        return tab.rows()[-1].split("  ")

    descend(tab, offered, lambda key: tab.press(NAMED.get(key, key)))
    tab.wait(lambda: bool(offered()) and any("depth 2" in line.casefold() for line in heard))
    assert sum("explore" in line for line in heard) >= 1
    assert tab.errors == []


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (1920, 1080), (390, 844), (844, 390), (360, 640)])
def test_the_page_shows_the_client_s_cells(
    browser: Browser, door: RunningDoor, width: int, height: int
) -> None:
    """At each size the whole game is on the page, and nothing is cut off."""
    tab = browser.open(door.origin, width, height, touch=width < 1_000)
    tab.wait_for("G L O A M")
    box = tab.run(
        "(() => {const b = document.getElementById('cells').getBoundingClientRect(); return [b.left, b.top, b.right, b.bottom]})()"
    )
    assert box[0] >= 0
    assert box[1] >= 0
    assert box[2] <= width + 1
    assert box[3] <= height + 1
    assert tab.errors == []


def buttons(tab: Tab) -> list[str]:
    """Return the words of the buttons for keys."""
    words: list[str] = tab.run(
        "[...document.querySelectorAll('#keys button')].map(one => one.textContent.trim())"
    )
    return words


def descend(tab: Tab, offered: Callable[[], list[str]], press: Callable[[str], None]) -> None:
    """Press what leads down until the second level is reached."""
    for _ in range(STEPS_MAX):
        if depth(tab) >= 2:
            return
        before, key = tab.rows(), wanted(tab.run("document.getElementById('stage').dataset.state"), offered())
        if key:
            if key in ("Enter", "Esc"):
                time.sleep(SCREEN_PAUSE_S)
            press(key)
        with suppress(AssertionError):
            tab.wait(lambda shown=before: tab.rows() != shown, 1)  # type: ignore[misc]  # the default binds it
    raise AssertionError("never on the second level:\n" + "\n".join(tab.rows()))
