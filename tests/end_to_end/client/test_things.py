"""The real client, without a terminal, against the real server: a thing seen, fetched, carried and laid down."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from gloam_client.state.options import CHOICES
from support.client.headless_client import HeadlessClient
from support.content.campaigns import arena_files
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


def log(ann: HeadlessClient) -> str:
    """Return the log strip; a sentence may run over two of its rows."""
    return " ".join(row.strip() for row in ann.screen()[-7:-2])


def until(ann: HeadlessClient, keys: str, wanted: Callable[[], object], presses: int = 40) -> None:
    """Press keys again and again until something holds."""
    for _ in range(presses):
        if wanted():
            return
        ann.type(keys)
        ann.pump(0.3)
        while ann.pump(0.05):
            pass
    raise AssertionError("never held after any of the keys; now:\n" + ann.text())


def go_to_an_item(ann: HeadlessClient) -> None:
    """Travel to an item that is in sight, and wait until the last of the keys pressed for it has been answered."""
    until(ann, "x\t\r", lambda: ", pick up" in ann.screen()[-1])
    while ann.pump(1.0):
        pass
    ann.wait_for(", pick up")


def picks_up(rows: list[str], value: str) -> bool:
    """Return whether the options on a screen say that useful items are picked up, or are not."""
    return any(re.search(rf"Pick up useful items +\[{value}\]", row) for row in rows)


@pytest.mark.thorough
def test_a_thing_is_seen_fetched_listed_and_laid_down(tmp_path: Path) -> None:
    with (
        ServerProcess(tmp_path / "realm", campaign=strewn(tmp_path / "strewn")) as server,
        HeadlessClient(tmp_path / "home", server.port, "Ann") as ann,
    ):
        ann.wait_for("HP 40/40")
        assert any("%" in row for row in ann.screen()[1:17])

        ann.type("i")
        ann.wait_for("You are not carrying")  # the message line is as narrow as the level
        go_to_an_item(ann)

        ann.type(",")
        several = "Choose the items you wish to pickup"
        ann.wait_for(lambda _: several in ann.text() or _PICKED.search(log(ann)) is not None)
        if several in ann.text():
            ann.type("a")
            ann.wait_for("a + ")
            ann.type("\r")
        ann.wait_for(lambda _: _PICKED.search(log(ann)) is not None)
        found = _PICKED.search(log(ann))
        assert found is not None

        ann.type("i")
        ann.wait_for("Inventory")
        ann.wait_for(f"a - {found[1]}")
        ann.type("\x1bd")
        ann.wait_for("Choose the item you wish to drop")
        ann.type("a")
        ann.wait_for(f"You drop the {found[1]}.")
        ann.wait_for(", pick up")


@pytest.mark.thorough
def test_option_decides_whether_worth_picked(tmp_path: Path) -> None:
    """The option decides whether what is worth it is picked up."""
    with (
        ServerProcess(tmp_path / "realm", campaign=strewn(tmp_path / "strewn", worth=True)) as server,
        HeadlessClient(tmp_path / "home", server.port, "Ann") as ann,
    ):
        ann.wait_for("HP 40/40")
        ann.type("O")
        ann.wait_for(lambda rows: picks_up(rows, "on"))
        ann.type(_TO_PICK_UP + "l")
        ann.wait_for(lambda rows: picks_up(rows, "off"))
        ann.type("\x1b")
        go_to_an_item(ann)
        ann.type("i")
        ann.wait_for("You are not carrying")  # the message line is as narrow as the level

        ann.type("O")
        ann.wait_for(lambda rows: picks_up(rows, "off"))
        ann.type(_TO_PICK_UP + "l\x1b")
        until(ann, "o", lambda: _PICKED.search(log(ann)) is not None)
        ann.type("i")
        ann.wait_for("Inventory")
