"""The real client on a pseudo-terminal against the real server: a thing seen, fetched, carried and laid down."""

import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from gloam_client.state.options import CHOICES
from support.content.campaigns import arena_files
from support.processes.pty import PtyTerminal
from support.processes.server_process import ServerProcess

pytestmark = pytest.mark.end_to_end

_TO_PICK_UP = "j" * [choice.name for choice in CHOICES].index("pick_up")
"""The keys to the option from the first one."""
_PICKED = re.compile(r"You pick up an? (\w+)\.")


def strewn(folder: Path, *, worth: bool = False) -> str:
    """Write the small campaign with a thing on every other cell, and no one else in it; return its name."""
    folder.mkdir()
    for name, raw in arena_files().items():
        text = raw.decode().replace("monsters = 0", "monsters = 0\nitems = 60")
        if worth:
            text = text.replace('found = "common"', 'found = "common"\npick_up = "always"')
        (folder / name).write_text(text, encoding="utf-8")
    return f"{folder}/"


def log(pty: PtyTerminal) -> str:
    """Return the log strip; a sentence may run over two of its rows."""
    return " ".join(row.strip() for row in pty.screen()[-7:-2])


def until(pty: PtyTerminal, keys: str, wanted: Callable[[], object], presses: int = 40) -> None:
    """Press keys again and again until something holds."""
    for _ in range(presses):
        if wanted():
            return
        pty.type(keys)
        pty.pump(0.3)
        while pty.pump(0.05):
            pass
    raise AssertionError("pressed in vain; now:\n" + pty.text())


def picks_up(rows: list[str], value: str) -> bool:
    """Return whether the options on a screen say that useful items are picked up, or are not."""
    return any(re.search(rf"Pick up useful items +\[{value}\]", row) for row in rows)


@pytest.mark.thorough
def test_a_thing_is_seen_fetched_listed_and_laid_down(tmp_path: Path) -> None:
    with ServerProcess(tmp_path / "realm", campaign=strewn(tmp_path / "strewn")) as server:
        argv = [sys.executable, "-m", "gloam_client", f"127.0.0.1:{server.port}", "--name", "Ann"]
        with PtyTerminal(argv, {"GLOAM_HOME": str(tmp_path / "home")}) as pty:
            pty.wait_for("HP 40/40")
            assert any("%" in row for row in pty.screen()[1:17])

            pty.type("i")
            pty.wait_for("You are not carrying")  # the message line is as narrow as the level
            until(pty, "x\t\r", lambda: ", pick up" in pty.screen()[-1])

            pty.type(",")
            several = "Choose the items you wish to pickup"
            pty.wait_for(lambda _: several in pty.text() or _PICKED.search(log(pty)) is not None)
            if several in pty.text():
                pty.type("a")
                pty.wait_for("a + ")
                pty.type("\r")
            pty.wait_for(lambda _: _PICKED.search(log(pty)) is not None)
            found = _PICKED.search(log(pty))
            assert found is not None

            pty.type("i")
            pty.wait_for("Inventory")
            pty.wait_for(f"a - {found[1]}")
            pty.type("\x1bd")
            pty.wait_for("Choose the item you wish to drop")
            pty.type("a")
            pty.wait_for(f"You drop the {found[1]}.")
            pty.wait_for(", pick up")


@pytest.mark.thorough
def test_option_decides_whether_worth_picked(tmp_path: Path) -> None:
    """The option decides whether what is worth it is picked up."""
    with ServerProcess(tmp_path / "realm", campaign=strewn(tmp_path / "strewn", worth=True)) as server:
        argv = [sys.executable, "-m", "gloam_client", f"127.0.0.1:{server.port}", "--name", "Ann"]
        with PtyTerminal(argv, {"GLOAM_HOME": str(tmp_path / "home")}) as pty:
            pty.wait_for("HP 40/40")
            pty.type("O")
            pty.wait_for(lambda rows: picks_up(rows, "on"))
            pty.type(_TO_PICK_UP + "l")
            pty.wait_for(lambda rows: picks_up(rows, "off"))
            pty.type("\x1b")
            until(pty, "x\t\r", lambda: ", pick up" in pty.screen()[-1])
            pty.type("i")
            pty.wait_for("You are not carrying")  # the message line is as narrow as the level

            pty.type("O")
            pty.wait_for(lambda rows: picks_up(rows, "off"))
            pty.type(_TO_PICK_UP + "l\x1b")
            until(pty, "o", lambda: _PICKED.search(log(pty)) is not None)
            pty.type("i")
            pty.wait_for("Inventory")
