"""The abilities of a terminal, on a real pseudo-terminal: what it answers, its colors, its locale and its widths."""

import sys
import time
from pathlib import Path

import pytest

from gloam_client.terminal.painter import XTERM, nearest
from gloam_client.terminal.themes import THEMES
from gloam_shared.protocol.messages.chat import ChatLine
from gloam_shared.protocol.messages.play import SubmitCommand
from support.client.fake_dungeon import ServerThread, start
from support.processes.pty import PtyTerminal
from support.processes.screen import place

pytestmark = pytest.mark.end_to_end


def test_a_late_answer_of_a_slow_terminal_is_no_key(dungeon: ServerThread, tmp_path: Path) -> None:
    """A terminal that answers no question is played on all the same, and what it says too late is not typed."""
    with start(dungeon, tmp_path, answers=False) as pty:
        pty.wait_for("HP 40/40")
        assert b"Entering the dungeon" in pty.raw
        pty.type("\x1b[?2026;2$y\x1bP>|xterm(390)\x1b\\")
        time.sleep(0.2)
        before = next(row.index("@") for row in pty.screen() if "@" in row)
        pty.type("l")
        pty.wait_for(lambda rows: any(row.find("@") == before + 1 for row in rows))
        assert "No command" not in pty.text()
        assert len([message for message in dungeon.server.heard if isinstance(message, SubmitCommand)]) == 1


def test_doctor_looks_terminal(dungeon: ServerThread, tmp_path: Path) -> None:
    """Doctor looks at the terminal and leaves nothing behind."""
    argv = [sys.executable, "-m", "gloam_client", "doctor", f"127.0.0.1:{dungeon.server.port}"]
    with PtyTerminal(argv, {"GLOAM_HOME": str(tmp_path)}) as pty:
        assert pty.wait_exit() == 0
        assert pty.restored
        for words in ("ok    size       80x24", "16.7 million colors", "ok    network", "ok    data"):
            assert words in pty.text()
        before, _, rest = bytes(pty.raw).partition(b"\x1b[?1049h")
        asked, _, after = rest.partition(b"\x1b[?1049l")
        assert b"\x1bP" not in before + after, "a terminal that does not know a query may show it as text"
        assert b"\x1bP+q" in asked


@pytest.mark.parametrize(("ambiguous", "found"), [(1, "one cell"), (2, "two cells"), (0, "one cell")])
def test_doctor_measures_signs_of_ambiguous_width(tmp_path: Path, ambiguous: int, found: str) -> None:
    """By where the cursor is after one; nothing of it stays on the screen, nor of the answer in the input."""
    with PtyTerminal(
        [sys.executable, "-m", "gloam_client", "doctor"], {"GLOAM_HOME": str(tmp_path)}, ambiguous=ambiguous
    ) as pty:
        assert pty.wait_exit() == 0
        assert f"signs of ambiguous width take {found}" in pty.text()
        assert "\u00a7" not in pty.text()
        assert pty.screen()[0].startswith("ok    terminal")


def test_wide_ambiguous_signs_are_drawn_right(dungeon: ServerThread, tmp_path: Path) -> None:
    """The map is drawn in ASCII, and words of others keep what is beside them in place; half a sign never shows."""
    words = "\u201c\u03b1\u03b2\u03b3\u201d \u2014 \u0416\u0414"
    with start(dungeon, tmp_path, ambiguous=2, cols=140, rows=40) as pty:
        pty.wait_for("HP 40/40")
        pty.wait_for(lambda _: pty.marked("@") is not None)
        assert not set("\u2592\u2591\u00b7\u2248") & set(pty.text())
        assert "#" in pty.text()
        dungeon.do(lambda: dungeon.server.send(ChatLine("Bert", words)))
        rows = pty.wait_for("Bert: \u201c")
        said = next(row for row in rows if "Bert: " in row)
        assert said.replace(" ", "").endswith("".join(words.split())) or words.split(maxsplit=1)[0] in said
        pty.type(":\u0416\u03b1a\x1b[D\x1b[D+")
        pty.wait_for("Say: \u0416+\u03b1a")
        assert "No command" not in pty.text()
        dungeon.do(lambda: dungeon.server.send(ChatLine("Bert", "hello")))
        assert [row for row in pty.wait_for("Bert: hello") if "Bert: \u201c" in row] == [said]


def test_a_late_answer_about_the_cursor_is_no_key(dungeon: ServerThread, tmp_path: Path) -> None:
    """A terminal that does not say where its cursor is counts as usual, and what it says too late is not typed."""
    with start(dungeon, tmp_path, ambiguous=0) as pty:
        pty.wait_for("HP 40/40")
        assert "\u00b7" in pty.text()
        pty.type(":\x1b[2;3R")
        pty.type("\x1b[24;80R")
        pty.wait_for("Say: ")
        pty.type("ok")
        pty.wait_for("Say: ok")
        assert "No command" not in pty.text()


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("ground", "light"), [("ffff/ffff/ffff", True), ("0000/0000/0000", False), ("", False)]
)
def test_terminal_light_ground_gets_colors_read(
    dungeon: ServerThread, tmp_path: Path, ground: str, light: bool
) -> None:
    """A terminal with a light ground gets colors that can be read."""
    argv = [sys.executable, "-m", "gloam_client", f"127.0.0.1:{dungeon.server.port}", "--name", "Ann"]
    with PtyTerminal(argv, {"GLOAM_HOME": str(tmp_path)}, ground=ground) as pty:
        pty.wait_for("HP 40/40")
        painted = bytes(pty.raw[pty.raw.rfind(b"\x1b[2J") :])
        assert (b"38;2;95;215;95" in painted) is not light  # the green of health
        assert b"38;2;238;238;238" not in painted


@pytest.mark.parametrize(
    ("env", "ground"),
    [
        ({}, "ffffff"),
        pytest.param({"COLORTERM": ""}, "ffffff", marks=pytest.mark.thorough),
        pytest.param({"TERM": "xterm-16color", "COLORTERM": ""}, "brightwhite", marks=pytest.mark.thorough),
        pytest.param({"NO_COLOR": "1"}, "default", marks=pytest.mark.thorough),
    ],
)
def test_u34_theme_at_each_depth(
    dungeon: ServerThread, tmp_path: Path, env: dict[str, str], ground: str
) -> None:
    """U34, U36: a theme fills the screen in true color, 256 and 16 colors, and NO_COLOR leaves it as it was.

    Lit cells near the player have backgrounds of their own.
    """
    (tmp_path / "options.toml").write_text('theme = "day"\n', encoding="utf-8")
    with start(dungeon, tmp_path, env=env) as pty:
        pty.wait_for("HP 40/40")
        pty.wait_for(lambda _: pty.cell(10, 40).bg == ground)
        lights = THEMES["day"].lights
        shades = (*lights, *(XTERM[nearest(light)] for light in lights))
        lit = {f"{red:02x}{green:02x}{blue:02x}" for red, green, blue in shades} - {ground}
        found = {pty.cell(row, column).bg for row in range(24) for column in range(80)}
        assert found - lit == {ground}
        assert {pty.cell(row, column).bg for row in (0, 1, 22, 23) for column in range(80)} == {ground}


@pytest.mark.thorough
def test_a_dumb_terminal_gets_a_sentence_and_no_screen(tmp_path: Path) -> None:
    for words in (["127.0.0.1:1", "--name", "Ann"], ["doctor"]):
        argv = [sys.executable, "-m", "gloam_client", *words]
        with PtyTerminal(argv, {"GLOAM_HOME": str(tmp_path), "TERM": "dumb"}) as pty:
            assert pty.wait_exit() == (1 if words == ["doctor"] else 2)
            assert b"calls itself dumb" in pty.raw
            assert b"\x1b[" not in pty.raw


@pytest.mark.parametrize(
    "env",
    [
        {"LANG": "C", "LC_ALL": ""},
        pytest.param(
            {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}, marks=pytest.mark.thorough
        ),
    ],
)
def test_under_the_locale_c_only_ascii_is_drawn(
    dungeon: ServerThread, tmp_path: Path, env: dict[str, str]
) -> None:
    with start(dungeon, tmp_path, env=env) as pty:
        pty.wait_for("HP 40/40")
        place(pty)
        assert "#" in "".join(pty.screen()[1:20])
        assert pty.raw.isascii()


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("env", "missing", "wanted"),
    [
        ({"NO_COLOR": "1"}, (b"38;2;", b"38;5;", b"90m"), b";7m"),
        ({"TERM": "xterm-16color", "COLORTERM": ""}, (b"38;2;", b"38;5;"), b"90m"),
    ],
)
def test_no_more_colours_sent_terminal(
    dungeon: ServerThread, tmp_path: Path, env: dict[str, str], missing: tuple[bytes, ...], wanted: bytes
) -> None:
    """No more colors are sent than the terminal has."""
    with start(dungeon, tmp_path, env=env) as pty:
        pty.wait_for("HP 40/40")
        place(pty)
        assert wanted in pty.raw
        for sign in missing:
            assert sign not in pty.raw
