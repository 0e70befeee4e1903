"""The memory of visits that are over: it is free without a search for garbage, which a door with many visitors makes seldom."""

import gc
import time
from collections import Counter
from collections.abc import Iterator
from typing import Final

import asyncssh
import pytest

import gloam_door.web.server as web_server
from gloam_client.app import App
from gloam_client.state.model import Model
from gloam_door.visits import Visit
from gloam_door.web.server import _PagePlays
from support.door.page_player import PagePlayer
from support.door.running_door import RunningDoor
from support.door.ssh_visit import read_until, visit

_PATIENCE_S: Final = 30
_KEPT: Final = (App, Model, Visit, _PagePlays)


@pytest.fixture(autouse=True)
def no_search() -> Iterator[None]:
    """Search for no garbage during a test."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def kept() -> Counter[str]:
    """Return how many objects of each kind visits keep in this process."""
    return Counter(
        type(each).__name__ for each in gc.get_objects() if type(each) in _KEPT
    )  # an isinstance would ask weak proxies


def assert_nothing_stays(before: Counter[str]) -> None:
    """Fail if more stays than there was before."""
    deadline = time.monotonic() + _PATIENCE_S
    while (stays := kept() - before) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not stays


def play(door: RunningDoor, name: str, how: str) -> None:
    """Play by browser until there is a body, and end the visit."""
    with door.connect() as line:
        page = PagePlayer(line)
        page.wait_for("Your name")
        page.press(*name, "ENTER")
        page.wait_for("HP ")
        page.press("x")
        page.wait_for("─ Look ─")
        if how == "quits":
            page.press("ESC", "Q", "y")
            page.wait_for(lambda page: bool(page.bye))


@pytest.mark.parametrize("how", ["quits", "is cut"])
def test_a_visit_by_browser_leaves_nothing(
    door: RunningDoor, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    monkeypatch.setattr(web_server, "_RETURN_S", 0.1)
    before = kept()
    play(door, "Ada" if how == "quits" else "Bea", how)
    assert_nothing_stays(before)


@pytest.mark.parametrize("how", ["ends", "is cut"])
def test_a_visit_by_ssh_leaves_nothing(door: RunningDoor, how: str) -> None:
    before = kept()

    async def play(line: asyncssh.SSHClientConnection) -> None:
        process = await line.create_process(term_type="xterm", term_size=(100, 30), encoding=None)
        await read_until(process, b"HP ")
        if how == "ends":
            process.stdin.write_eof()
            while await process.stdout.read(4_096):
                pass

    visit(door, "Cleo" if how == "ends" else "Dana", play)
    assert_nothing_stays(before)
