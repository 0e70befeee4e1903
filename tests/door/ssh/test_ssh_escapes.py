"""Escape sequences that another player says reach no terminal by ssh."""

import asyncio
import time
from collections.abc import Callable

import asyncssh
import pytest

from support.door.page_player import PagePlayer, begin
from support.door.running_door import RunningDoor
from support.door.ssh_visit import read_until, visit

pytestmark = pytest.mark.end_to_end
AGAIN_S = 3
ESCAPES = "\x1b[2J\x1b]0;owned\x07\x9b1m\u202e"


@pytest.mark.parametrize("term", ["xterm", "dumb"])
def test_escapes_reach_no_terminal(door: RunningDoor, term: str) -> None:
    """Escape sequences in another's chat are no sequences of the terminal; no name has any."""

    async def listen(line: asyncssh.SSHClientConnection) -> None:
        process = await line.create_process(term_type=term, encoding=None)
        shown = await read_until(process, b"HP" if term == "xterm" else b"Welcome to the dungeon")
        process.stdin.write(b"\x1b")
        await asyncio.to_thread(speak, door, f"Spk{term}")
        shown += await read_until(process, b"fin.")
        assert not any(each in shown.decode() for each in ("\x1b]", "\x07", "\x9b", "\u202e"))

    visit(door, f"Lis{term}", listen)


def playing() -> Callable[[PagePlayer], bool]:
    """Return a condition: a page is at play. It leaves screens that have opened unasked; Esc too soon again opens one."""
    pressed = 0.0

    def is_at_play(page: PagePlayer) -> bool:
        nonlocal pressed
        if page.state != "play" and time.monotonic() - pressed > AGAIN_S:
            pressed = time.monotonic()
            page.press("ESC")
        return page.state == "play"

    return is_at_play


def speak(door: RunningDoor, name: str) -> None:
    """Say escape sequences to all."""
    with door.connect() as line:
        page = PagePlayer(line)
        begin(page, name)
        page.wait_for(playing())
        page.press(":")
        page.wait_for(lambda page: page.state == "say")
        page.send(text=f"{ESCAPES}fin.")
        page.press("ENTER")
        page.wait_for("fin.")
