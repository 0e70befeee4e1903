"""The real client against the stand-in server, mostly on a real pseudo-terminal: what a person at the keyboard would see."""

import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from gloam_shared.protocol.commands import Move
from gloam_shared.protocol.messages.chat import ChatLine, MapPinged
from gloam_shared.protocol.messages.login import Goodbye
from gloam_shared.protocol.messages.play import SubmitCommand
from support.client.fake_dungeon import ServerThread, join, start
from support.client.fake_server import scene
from support.processes.pty import PATIENCE_S, PtyTerminal

pytestmark = pytest.mark.end_to_end


@pytest.fixture
def dungeon() -> Iterator[ServerThread]:
    server = ServerThread()
    yield server
    server.stop()


def test_line_leads_dungeon_and_key_moves_body(dungeon: ServerThread, tmp_path: Path) -> None:
    """One line leads into the dungeon and a key moves the body."""
    with start(dungeon, tmp_path) as pty:
        pty.wait_for("HP 40/40")
        before = next(row.index("@") for row in pty.screen() if "@" in row)
        for steps, key in enumerate(("l", "\x1b[C", "6"), start=1):
            pty.type(key)
            pty.wait_for(lambda rows, x=before + steps: any(row.find("@") == x for row in rows))  # type: ignore[misc]  # mypy cannot infer a lambda with a default
        moves = [message.command for message in dungeon.server.heard if isinstance(message, SubmitCommand)]
        assert [Move(1, 0, pick_up=True)] * 3 == moves


def test_terminal_answers_no_question_played_same(dungeon: ServerThread, tmp_path: Path) -> None:
    """A terminal that answers no question is played on all the same."""
    with start(dungeon, tmp_path, answers=False) as pty:
        pty.wait_for("HP 40/40")
        assert b"Entering the dungeon" in pty.raw


def test_a_fight_is_reported_by_marks_and_words(dungeon: ServerThread, tmp_path: Path) -> None:
    with join(dungeon, tmp_path) as ann:
        ann.wait_for("HP 40/40")
        dungeon.do(lambda: scene(dungeon.server))
        ann.wait_for("waiting for Bert")
        ann.wait_for("The rat strikes you for 2 damage! x2")
        rows = ann.wait_for("Level up x2: press +")
        y = next(at for at, row in enumerate(rows) if "@" in row)
        me, rat = rows[y].index("@"), rows[y].index("r")
        assert ann.cell(y, me).reverse
        assert ann.cell(y, rat).underline


@pytest.mark.thorough
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_signal_ends_client(dungeon: ServerThread, tmp_path: Path, number: signal.Signals) -> None:
    """A signal ends the client and puts the terminal back."""
    with start(dungeon, tmp_path) as pty:
        pty.wait_for("HP 40/40")
        pty.signal(number)
        assert 128 + number == pty.wait_exit()
        assert pty.restored


@pytest.mark.thorough
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_signal_ends_client_not_read(dungeon: ServerThread, tmp_path: Path, number: signal.Signals) -> None:
    """A terminal that takes no more output, as one whose ssh connection stalls, does not keep the client."""
    with start(dungeon, tmp_path) as pty:
        pty.wait_for("HP 40/40")
        for turn in range(300):  # each asks for a whole new picture, and none is read
            pty.resize_unread(*((50, 160), (40, 120))[turn % 2])
            time.sleep(0.01)
        pty.signal(number)
        assert 128 + number == pty.process.wait(PATIENCE_S)


@pytest.mark.thorough
def test_newest_picture_shown_when_read_again(dungeon: ServerThread, tmp_path: Path) -> None:
    """It skips the pictures that the terminal could not take, and shows the newest one."""
    with start(dungeon, tmp_path) as pty:
        pty.wait_for("HP 40/40")
        for turn in range(301):
            pty.resize_unread(*((50, 160), (40, 120))[turn % 2])
            time.sleep(0.01)
        dungeon.do(lambda: scene(dungeon.server))
        pty.resize(24, 80)
        pty.wait_for("The rat strikes you for 2 damage! x2")
        assert len(pty.raw) < 400_000


def test_fault_client_puts_terminal_back(dungeon: ServerThread, tmp_path: Path) -> None:
    """A fault in the client restores the terminal and prints a message."""
    code = (
        "import sys, gloam_client.update as u, gloam_client.app as a\n"
        "def broken(model, happened, now_ms):\n"
        "    if type(happened).__name__ == 'KeyPressed': raise RuntimeError('planted')\n"
        "    return u.update(model, happened, now_ms)\n"
        "a.update = broken\n"
        "import gloam_client.__main__ as m\n"
        f"sys.argv = ['gloam', '127.0.0.1:{dungeon.server.port}', '--name', 'Ann']\n"
        "m.main()\n"
    )
    with PtyTerminal([sys.executable, "-c", code], {"GLOAM_HOME": str(tmp_path)}) as pty:
        pty.wait_for("HP 40/40")
        pty.type("l")
        assert pty.wait_exit() == 1
        assert pty.restored
        assert b"planted" in pty.raw[pty.raw.rfind(b"\x1b[?1049l") :]


def test_ctrl_z_no_shell_could_continue_client(dungeon: ServerThread, tmp_path: Path) -> None:
    """Ctrl z where no shell could continue the client stops nothing."""
    with start(dungeon, tmp_path) as pty:
        pty.wait_for("HP 40/40")
        pty.type("\x1a?")
        pty.wait_for("Keys (type to search)")


@pytest.mark.thorough
def test_a_closed_window_ends_the_client(dungeon: ServerThread, tmp_path: Path) -> None:
    with start(dungeon, tmp_path) as pty:
        pty.wait_for("HP 40/40")
        pty.hang_up()
        pty.process.wait(PATIENCE_S)
    dungeon.wait_for(lambda: Goodbye() in dungeon.server.heard)


def test_after_cut_client_comes_back_log(dungeon: ServerThread, tmp_path: Path) -> None:
    """After a cut the client returns by itself with its log."""
    with join(dungeon, tmp_path) as ann:
        ann.wait_for("HP 40/40")
        dungeon.do(lambda: dungeon.server.send(ChatLine("Bert", "keep this")))
        ann.wait_for("Bert: keep this")
        dungeon.do(dungeon.server.cut)
        ann.wait_for("You were away ")
        ann.wait_for("Bert: keep this")
        assert dungeon.server.joins == 2


def steps_by_a_split_arrow(pty: PtyTerminal, dungeon: ServerThread) -> bool:
    """Send an arrow in three pieces, and tell whether it was one; a machine that stands still between them may spoil it."""
    before = sum(isinstance(message, SubmitCommand) for message in dungeon.server.heard)
    for piece in ("\x1b", "[", "C"):
        pty.type(piece)
        time.sleep(0.01)
    pty.pump(0.5)
    done = [message.command for message in dungeon.server.heard if isinstance(message, SubmitCommand)]
    return done[before:] in ([Move(1, 0, pick_up=True)], [Move(1, 0, digs=False, pick_up=True)])


def closes_by_escape_s(pty: PtyTerminal) -> float:
    """Return how long the line of chat stays after Esc, in seconds."""
    pty.type(":")
    pty.wait_for("Say:")
    began = time.monotonic()
    pty.type("\x1b")
    pty.wait_for(lambda rows: "Say:" not in "".join(rows))
    return time.monotonic() - began


def test_lone_escape_seen_within_50_ms(dungeon: ServerThread, tmp_path: Path) -> None:
    """A lone escape is seen within 50 ms and split arrows stay arrows."""
    with start(dungeon, tmp_path) as pty:
        pty.wait_for("HP 40/40")
        assert any(steps_by_a_split_arrow(pty, dungeon) for _ in range(20))
        assert any(closes_by_escape_s(pty) < 0.25 for _ in range(20))


@pytest.mark.thorough
def test_terminal_says_good_bye_after_screen_left(dungeon: ServerThread, tmp_path: Path) -> None:
    """The terminal says good bye after the screen is left."""
    with start(dungeon, tmp_path) as pty:
        pty.wait_for("HP 40/40")
        pty.type("Qy")
        assert pty.wait_exit() == 0
        after = pty.raw.rpartition(b"\x1b[?1049l")[2].decode()
    assert "You left. Your character is safe; the same command brings you back." in after


def test_a_recorded_session_is_played_again(dungeon: ServerThread, tmp_path: Path) -> None:
    path = tmp_path / "evening.session"
    with join(dungeon, tmp_path, record=path) as ann:
        ann.wait_for("HP 40/40")
        dungeon.do(lambda: dungeon.server.send(ChatLine("Bert", "for ever")))
        ann.wait_for("Bert: for ever")
        ann.type("Qy")
        assert ann.wait_exit() == 0
    with join(dungeon, tmp_path, replay=path) as ann:
        ann.wait_for("Bert: for ever")
        ann.wait_for("the end")
        ann.type("x")
        ann.wait_for("No command on x here.")
        ann.type("Q")
        assert ann.wait_exit() == 0


@pytest.mark.thorough
def test_a_late_answer_of_a_slow_terminal_is_no_key(dungeon: ServerThread, tmp_path: Path) -> None:
    with start(dungeon, tmp_path, answers=False) as pty:
        pty.wait_for("HP 40/40")
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
    """U34, U36: a theme fills the screen in true color, 256 and 16 colors, and NO_COLOR leaves it as it was."""
    (tmp_path / "options.toml").write_text('theme = "day"\n', encoding="utf-8")
    with start(dungeon, tmp_path, env=env) as pty:
        pty.wait_for("HP 40/40")
        pty.wait_for(lambda _: pty.cell(10, 40).bg == ground)
        assert {pty.cell(row, column).bg for row in range(24) for column in range(80)} == {ground}


def test_u18_keys_are_bound(dungeon: ServerThread, tmp_path: Path) -> None:
    """U18, U57: an action gets another key, the bottom line and help follow, and the next run of the client knows it."""
    with join(dungeon, tmp_path) as ann:
        ann.wait_for("HP 40/40")
        ann.type("O")
        ann.wait_for("Options")
        ann.type("K")
        ann.wait_for("Keys (vi")
        ann.type("jj\r")
        ann.wait_for("Press its new key")
        ann.type("z")
        ann.wait_for("* z")
    with join(dungeon, tmp_path) as ann:
        ann.wait_for("HP 40/40")
        ann.wait_for(lambda rows: "z explore" in rows[-1])
        ann.type("?")
        ann.wait_for(lambda rows: any(row[2:4] == "z " and "explore: walk" in row for row in rows))


def test_u38_the_bell_reaches_the_terminal(dungeon: ServerThread, tmp_path: Path) -> None:
    """U38: a chosen event rings the terminal's bell once, and no other key or event does."""
    (tmp_path / "options.toml").write_text('bell_friends = "on"\n', encoding="utf-8")
    with start(dungeon, tmp_path) as pty:
        pty.wait_for("HP 40/40")
        before = pty.raw.count(b"\a")
        pty.type("i\x1b")
        dungeon.do(
            lambda: dungeon.server.send(MapPinged("Bert", "danger", 1, 5), MapPinged("Bert", "come", 1, 6))
        )
        pty.wait_for("Bert pings: come here!")
        pty.pump(0.1)
        assert pty.raw.count(b"\a") == before + 1


def test_a_broken_options_file_is_named_in_play(dungeon: ServerThread, tmp_path: Path) -> None:
    """A broken options file is kept aside; the log says so, and the game begins with the defaults."""
    (tmp_path / "options.toml").write_text("theme = ", encoding="utf-8")
    (tmp_path / "keys.toml").write_text("[vi]\nrest = []", encoding="utf-8")
    with join(dungeon, tmp_path) as ann:
        ann.wait_for("HP 40/40")
        ann.type("m")
        ann.wait_for("keys.toml.broken")
        assert "options.toml.broken" in ann.text()
    assert (tmp_path / "options.toml.broken").read_text(encoding="utf-8") == "theme = "


@pytest.mark.thorough
def test_a_dumb_terminal_gets_a_sentence_and_no_screen(tmp_path: Path) -> None:
    for words in (["127.0.0.1:1", "--name", "Ann"], ["doctor"]):
        argv = [sys.executable, "-m", "gloam_client", *words]
        with PtyTerminal(argv, {"GLOAM_HOME": str(tmp_path), "TERM": "dumb"}) as pty:
            assert pty.wait_exit() == (1 if words == ["doctor"] else 2)
            assert b"calls itself dumb" in pty.raw
            assert b"\x1b[" not in pty.raw


def test_under_the_locale_c_only_ascii_is_drawn(dungeon: ServerThread, tmp_path: Path) -> None:
    with start(dungeon, tmp_path, env={"LANG": "C", "LC_ALL": ""}) as pty:
        pty.wait_for("HP 40/40")
        assert pty.raw.isascii()
        assert "#" in pty.text()


@pytest.mark.thorough
def test_two_hundred_sizes_are_drawn_whole(dungeon: ServerThread, tmp_path: Path) -> None:
    """U30: the real client follows 200 sizes of its window, each drawn whole, or with the size that it needs."""
    with start(dungeon, tmp_path) as pty:
        pty.wait_for("HP 40/40")
        for number in range(200):
            cols, rows = 30 + number * 37 % 221, 5 + number * 29 % 96
            pty.resize(rows, cols)
            if cols >= 60 and rows >= 20:
                pty.wait_for(lambda seen, rows=rows: len(seen) == rows and "HP 40/40" in seen[-2])  # type: ignore[misc]  # mypy cannot infer a lambda with a default
            else:
                pty.wait_for(f"now {cols}x{rows}")
