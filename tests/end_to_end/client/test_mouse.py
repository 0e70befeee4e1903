"""The mouse: a life from the title to death without a key, and on a real pseudo-terminal, which is then as it was."""

import signal
from contextlib import suppress
from pathlib import Path

import pytest

from gloam_shared.protocol.commands import Travel
from gloam_shared.protocol.messages.play import SubmitCommand
from support.client.fake_dungeon import ServerThread, start
from support.client.headless_client import HeadlessClient
from support.content.campaigns import arena_files

pytestmark = pytest.mark.end_to_end

_HINTS = ("Tab fight", "> down", "o explore", ". wait")
"""The hints that this player clicks, the most urgent first."""


def pit(folder: Path) -> str:
    """Write a small campaign of open caves whose only monsters are kobolds that kill soon.

    Each world gets a secret of its own, so its levels differ from run to run. Fungi could fill a cave and bar the way
    to everything that kills, and stairs could lead to a cave of their own that nothing can enter.
    """
    folder.mkdir()
    for name, raw in arena_files(monsters=14).items():
        text = raw.decode().replace("hp = 6\nattack = 4", "hp = 60\nattack = 24")
        text = text.replace("fill_percent = 60", "fill_percent = 80")
        for other in ("rat", "bat", "fungus"):
            text = text.replace(f"[{other}]\n", f"[{other}]\nspawns = false\n")
        (folder / name).write_text(text, encoding="utf-8")
    return f"{folder}/"


def click_on(pty: HeadlessClient) -> None:
    """Click what the bottom line offers; without any of it, a cell beside the player."""
    *above, last = pty.screen()
    wanted = next((hint for hint in _HINTS if hint in last), None)
    if wanted is not None:
        pty.mouse("left", last.index(wanted) + len(wanted) // 2, len(above))
    elif (at := pty.marked("@")) is not None:
        pty.mouse("left", at[1], at[0])
    pty.pump(0.3)
    while pty.pump(0.05):
        pass


def click_until(pty: HeadlessClient, hint: str, wanted: str) -> None:
    """Click a hint until a text shows: the bottom line can change before the client reads a click."""
    for _ in range(20):
        if hint in pty.screen()[-1]:
            pty.click(hint)
        with suppress(AssertionError):
            pty.wait_for(wanted, timeout=3)
            return
    pty.wait_for(wanted, timeout=0)


@pytest.mark.thorough
def test_a_life_by_mouse_alone(home: Path, tmp_path: Path) -> None:
    """A life begins at the title, ends, and is left without one key."""
    with HeadlessClient(home, None, "Ann", titled=True, campaign=pit(tmp_path / "pit")) as pty:
        pty.wait_for("Your name:")
        pty.click("Play here")
        pty.wait_for("any key begin")
        pty.click("any key")
        pty.wait_for(lambda rows: "Enter actions" in rows[-1] and "any key" not in rows[-1])
        click_until(pty, "Enter actions", " Actions ")
        pty.click("let one turn pass")
        pty.wait_for(lambda rows: "let one turn pass" not in "\n".join(rows))
        for _ in range(300):
            if "You are dead" in pty.text():
                break
            click_on(pty)
        pty.wait_for("You are dead")
        click_until(pty, "Enter new life", "A new life begins")
        click_until(pty, "Q quit", "Quit the game?")
        pty.click("y  quit")
        assert pty.wait_exit() == 0


def test_a_click_on_a_terminal_travels(dungeon: ServerThread, tmp_path: Path) -> None:
    """A terminal that reports the mouse gets it; a signal, as every end, gives it back."""
    with start(dungeon, tmp_path, mouse=True) as pty:
        pty.wait_for("HP 40/40")
        pty.wait_for(lambda _: b"\x1b[?1003h" in pty.raw)
        y, x = next((at, row.index("@")) for at, row in enumerate(pty.screen()) if "@" in row)
        pty.mouse(x + 6, y, 35)
        pty.wait_for("6 steps east.")
        pty.mouse(x + 6, y)
        dungeon.wait_for(
            lambda: any(
                isinstance(one, SubmitCommand) and isinstance(one.command, Travel)
                for one in dungeon.server.heard
            )
        )
        pty.signal(signal.SIGTSTP)  # no shell could continue it: the terminal is given back and taken again
        pty.wait_for(lambda _: pty.raw.count(b"\x1b[?1003h") == 2)
        pty.signal(signal.SIGTERM)
        assert pty.wait_exit() == 128 + signal.SIGTERM
        assert pty.restored


@pytest.mark.parametrize("mouse", ["off", "on"])
def test_the_option_decides_over_the_mouse(mouse: str, dungeon: ServerThread, tmp_path: Path) -> None:
    """With "off" nothing is asked of a terminal that has a mouse, with "on" all of one that does not say so."""
    (tmp_path / "options.toml").write_text(f'mouse = "{mouse}"\n')
    with start(dungeon, tmp_path, mouse=mouse == "off") as pty:
        pty.wait_for("HP 40/40")
        pty.type("\x0c")
        pty.type("O")
        pty.wait_for("Options")
        assert (b"\x1b[?1003h" in pty.raw) is (mouse == "on")
        pty.signal(signal.SIGTERM)
        pty.wait_exit()
        assert pty.restored
