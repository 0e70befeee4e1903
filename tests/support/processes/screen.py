"""The real client's screen as a test sees it, and a step that the test takes there."""

import sys
from pathlib import Path
from typing import TypeAlias, TypeVar

from support.client.headless_client import HeadlessClient
from support.processes.pty import PtyTerminal

_FLOOR = frozenset(".·")
_STORY = "any key begin"
"""The text of the bottom line while the story of a first life is open."""
_STEPS = {"h": (0, -1), "k": (-1, 0), "j": (1, 0), "l": (0, 1)}

Client: TypeAlias = PtyTerminal | HeadlessClient
AnyClient = TypeVar("AnyClient", PtyTerminal, HeadlessClient)


def entered(pty: AnyClient) -> AnyClient:
    """Return the terminal once its player is in the dungeon; close it if that fails."""
    try:
        pty.wait_for("HP 40/40")
        close_story(pty)
    except BaseException:
        pty.close()
        raise
    return pty


def place(pty: Client) -> tuple[int, int]:
    """Return the row and column of the player's cell."""
    close_story(pty)
    pty.wait_for(lambda _: pty.marked("@") is not None)
    found = pty.marked("@")
    assert found is not None
    return found


def close_story(pty: Client) -> None:
    """Close the story of a first life, which may cover the player, where it is open."""
    pty.wait_for(lambda rows: pty.marked("@") is not None or _STORY in rows[-1])
    if _STORY in pty.screen()[-1]:
        pty.type("\x1b")
        pty.wait_for(lambda rows: _STORY not in rows[-1])


def attentive(pty: Client, words: str) -> None:
    """Wait until a screen with these words shows and takes keys: an unasked one takes none at first."""
    pty.wait_for(words)
    while "No command on F9" not in pty.text():
        for key in ("\x1b[21~", "\x1b[20~"):  # two keys in turn, for one alone would be a held key
            pty.type(key)
            pty.pump(0.2)


def leave(pty: Client) -> None:
    """Quit the game from play, past the offer of a password."""
    pty.type("Q")
    pty.wait_for("Quit the game?")
    pty.type("y")
    pty.wait_for(lambda rows: any("Before you go" in row or "You left" in row for row in rows))
    if any("Before you go" in row for row in pty.screen()):
        pty.type("\x1b")
    assert pty.wait_exit() == 0


def around(pty: Client) -> list[str]:
    """Return what is drawn round the player, without the panel beside the map."""
    row, column = place(pty)
    rows = pty.screen()
    panel = min((line.index("│Health ") for line in rows if "│Health " in line), default=len(rows[0]))
    right = min(column + 7, panel)
    return [line[max(column - 6, 0) : right] for line in rows[max(row - 3, 2) : row + 4]]


def walk(pty: Client) -> None:
    """Take one step to where there is room for it, and wait until it is taken."""
    before = around(pty)
    row, column = place(pty)
    rows = pty.screen()
    pty.type(next(key for key, (dy, dx) in _STEPS.items() if rows[row + dy][column + dx] in _FLOOR))
    pty.wait_for(lambda _: around(pty) != before)


def choose(pty: Client, words: str) -> None:
    """Mark the line of the title with these words, and take it."""
    for _ in range(12):
        if words in marked_line(pty):
            pty.type("\r")
            return
        marked = marked_line(pty)
        pty.type("\x1b[B")
        pty.wait_for(lambda _, marked=marked: marked_line(pty) != marked)  # type: ignore[misc]
    raise AssertionError(pty.text())


def marked_line(pty: Client) -> str:
    """Return the marked line of the title."""
    return next((row for row in pty.screen() if row.lstrip().startswith("> ")), "")


def gloam(
    home: Path,
    *arguments: str,
    rows: int = 24,
    cols: int = 80,
    env: dict[str, str] | None = None,
    mouse: bool = False,
) -> PtyTerminal:
    """Start the client with a home of its own."""
    argv = [sys.executable, "-m", "gloam_client", *arguments]
    return PtyTerminal(argv, {"GLOAM_HOME": str(home), **(env or {})}, rows, cols, mouse=mouse)
