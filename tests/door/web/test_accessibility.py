"""The door's page by the rules of axe-core: the title, play, the lists, text mode, and the pad of a phone."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from gloam_server.storage.shared_replays import FOLDER
from support.client.recorded_life import recorded_life
from support.door.axe import findings
from support.door.browser import CHROMIUM, Browser
from support.door.running_door import RunningDoor
from support.processes.server_process import ServerProcess

pytestmark = [
    pytest.mark.end_to_end,
    pytest.mark.thorough,
    pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium (apt-get install chromium)"),
]


@pytest.fixture
def browser(home: Path) -> Iterator[Browser]:
    with Browser(home) as running:
        yield running


@pytest.mark.parametrize("touch", [False, True])
def test_no_rule_is_broken(browser: Browser, door: RunningDoor, axe: str, *, touch: bool) -> None:
    """On a desktop and on a phone, with the picture alone and with lines of text."""
    tab = browser.open(door.origin, *((390, 844) if touch else (1280, 800)), touch=touch)
    tab.wait_for("Your name")
    assert findings(tab, axe) == []
    tab.join("Gerd" if touch else "Hanna")
    assert findings(tab, axe) == []
    tab.run("document.getElementById('text').click()")
    tab.wait(lambda: tab.run("document.getElementById('lines').childElementCount") > 0)
    assert findings(tab, axe) == []


@pytest.mark.parametrize(
    "path", ["/ladder", "/ladder/day/kills", "/news", "/life/Ann-1", "/replay/Ann-1", "/life/unknown"]
)
def test_pages_to_read_break_no_rule(
    browser: Browser, server: ServerProcess, door: RunningDoor, axe: str, path: str
) -> None:
    """Ladder, news, a life, its replay, and a page that says what is not there, on a desktop and on a phone."""
    shared = server.data / FOLDER / "Ann-1.session"
    shared.parent.mkdir(exist_ok=True)
    shared.write_bytes(recorded_life())
    tab = browser.open(f"{door.origin}{path}")
    if path.startswith("/replay"):
        tab.wait_for("Replay: turn")
    for width, height in ((1280, 800), (390, 844)):
        tab.resize(width, height, touch=width < 1_000)
        assert findings(tab, axe) == []
        assert tab.run("document.documentElement.scrollWidth <= innerWidth + 1"), (
            "the page itself is not wide"
        )
    assert not [error for error in tab.errors if "404" not in error]


def test_the_check_sees_a_fault(browser: Browser, door: RunningDoor, axe: str) -> None:
    tab = browser.open(door.origin)
    tab.wait_for("Your name")
    tab.run("document.body.append(document.createElement('button')); 0")
    assert [rule for rule, *_ in findings(tab, axe)] == ["button-name"]
