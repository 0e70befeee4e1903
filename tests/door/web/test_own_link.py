"""A name that is kept by a link, in real browsers: asked once after the first level, opened in Chromium and in Firefox."""

import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from support.content.hares_campaign import write_hares
from support.door.axe import axe_script, findings
from support.door.browser import CHROMIUM, Browser, Tab
from support.door.firefox import FIREFOX, Firefox
from support.door.running_door import RunningDoor
from support.processes.server_process import ServerProcess

pytestmark = [
    pytest.mark.end_to_end,
    pytest.mark.thorough,
    pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium (apt-get install chromium)"),
]
STEPS_MAX = 300
SCREEN_PAUSE_S = 0.6
"""A screen that opens unasked takes no key for half a second."""


@pytest.fixture
def hares(tmp_path: Path) -> Iterator[RunningDoor]:
    campaign = write_hares(tmp_path / "hares")
    with (
        ServerProcess(
            tmp_path / "world", "--door-socket", "door.sock", "--open", campaign=campaign
        ) as server,
        RunningDoor(tmp_path / "door", server.data / "door.sock") as door,
    ):
        yield door


def state(tab: Tab) -> str:
    shown: str = tab.run("document.getElementById('stage').dataset.state || ''")
    return shown


def shown_link(tab: Tab) -> str:
    link: str = tab.run("document.getElementById('own').hidden ? '' : document.getElementById('link').value")
    return link


def fight(tab: Tab, hares: int) -> bool:
    """Strike hares until this number is dead, or a question is asked; return whether one is."""
    for _ in range(STEPS_MAX):
        rows = tab.rows()
        if state(tab) == "keep name":
            return True
        if any(f"Kills {count}" in " ".join(rows) for count in range(hares, 9)):
            return False
        tab.press("Escape" if state(tab) != "play" else "Tab" if "Tab" in rows[-1] else "o")
        with suppress(AssertionError):
            tab.wait(lambda shown=rows: tab.rows() != shown, 1)  # type: ignore[misc]  # the default binds it
    raise AssertionError("\n".join(tab.rows()))


def test_a_link_keeps_the_name(hares: RunningDoor, tmp_path: Path) -> None:
    with Browser(tmp_path / "own") as own:
        tab = own.open(hares.origin)
        tab.join("Rika")
        assert fight(tab, 9), "the first level gained brings the question"
        time.sleep(SCREEN_PAUSE_S)
        tab.press("l")
        tab.wait(lambda: shown_link(tab) != "")
        link = shown_link(tab)
        assert link.startswith(f"{hares.origin}/#Rika~")
        assert link.partition("~")[2] not in "".join(tab.rows()), "a picture shows no key"
        script = axe_script()
        assert script is None or findings(tab, script) == []
        tab.press("Escape")
        tab.wait(lambda: shown_link(tab) == "")
        assert not fight(tab, 6), "it is asked once"
        tab.press("Q")
        tab.wait_for("Quit the game?")
        tab.press("y")
        tab.wait(lambda: "brings you back" in tab.run("document.getElementById('state').textContent"))
        assert tab.errors == []
    with Browser(tmp_path / "other") as other:
        tab = other.open(link)
        tab.wait_for("Rika HP ")
        assert tab.run("location.hash") == "", "the key does not stay in the address"
        tab.go(hares.origin)
        tab.wait_for("Rika HP ")
        assert not fight(tab, 8), "the other browser is asked, too"
        assert tab.errors == []
    if FIREFOX is not None:
        with Firefox(tmp_path / "fox") as fox:
            fox.go(link)
            fox.wait_for("Rika HP ")


def test_a_tab_that_is_open_takes_a_link(hares: RunningDoor, tmp_path: Path) -> None:
    """A link that is put into the address of a page that plays already changes only what is behind the #."""
    with Browser(tmp_path / "own") as own:
        tab = own.open(hares.origin)
        tab.join("Sina")
        assert fight(tab, 9)
        time.sleep(SCREEN_PAUSE_S)
        tab.press("l")
        tab.wait(lambda: shown_link(tab) != "")
        link = shown_link(tab)
    with Browser(tmp_path / "other") as other:
        tab = other.open(hares.origin)
        tab.join("Tara")
        tab.run(f"location.hash = {link.partition('#')[2]!r}; 0")
        tab.wait_for("Sina HP ")
