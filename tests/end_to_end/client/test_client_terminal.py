"""The real client against the stand-in server, mostly on a real pseudo-terminal: what a person at the keyboard would see."""

import signal
import sys
import time
from pathlib import Path

import pytest

from gloam_shared.protocol.commands import Move
from gloam_shared.protocol.messages.chat import ChatLine, MapPinged
from gloam_shared.protocol.messages.login import Goodbye
from gloam_shared.protocol.messages.play import SubmitCommand
from support.client.fake_dungeon import ServerThread, join, start
from support.client.fake_server import scene
from support.processes.pty import PATIENCE_S, PtyTerminal
from support.processes.screen import Client

pytestmark = pytest.mark.end_to_end


def test_line_leads_dungeon_and_key_moves_body(dungeon: ServerThread, tmp_path: Path) -> None:
    """One line leads into the dungeon and a key moves the body; bytes that are no text are ignored."""
    with start(dungeon, tmp_path) as pty:
        pty.wait_for("HP 40/40")
        before = next(row.index("@") for row in pty.screen() if "@" in row)
        keys: tuple[str | bytes, ...] = ("l", "\x1b[C", "6", b"\x82l", b"\xc3l")
        for steps, key in enumerate(keys, start=1):
            pty.type(key)
            pty.wait_for(lambda rows, x=before + steps: any(row.find("@") == x for row in rows))  # type: ignore[misc]  # mypy cannot infer a lambda with a default
        moves = [message.command for message in dungeon.server.heard if isinstance(message, SubmitCommand)]
        assert moves[:3] == [Move(1, 0, pick_up=True)] * 3
        assert [(move.dx, move.dy) for move in moves if isinstance(move, Move)] == [(1, 0)] * 5


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
        dungeon.wait_for(lambda: Goodbye() in dungeon.server.heard)


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
    """Quitting asks, leaves the terminal as it was, and says good bye after the screen is left."""
    with start(dungeon, tmp_path) as pty:
        pty.wait_for("HP 40/40")
        pty.type("Q")
        pty.wait_for("Your body leaves the dungeon at once")
        pty.type("n")
        pty.wait_for(lambda rows: "Quit the game?" not in "".join(rows))
        pty.type("Qy")
        assert pty.wait_exit() == 0
        assert pty.restored
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
    with join(dungeon, tmp_path) as pty:
        pty.wait_for("HP 40/40")
        pty.type("i\x1b")
        dungeon.do(
            lambda: dungeon.server.send(MapPinged("Bert", "danger", 1, 5), MapPinged("Bert", "come", 1, 6))
        )
        pty.wait_for("Bert pings: come here!")
        assert pty.rings == 1


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


def follow_sizes(client: Client, numbers: range) -> None:
    """Give the window sizes of 30x5 to 250x100, and wait until each is drawn."""
    client.wait_for("HP 40/40")
    for number in numbers:
        cols, rows = 30 + number * 37 % 221, 5 + number * 29 % 96
        client.resize(rows, cols)
        if cols >= 44 and rows >= 20:
            client.wait_for(lambda seen, rows=rows: len(seen) == rows and "HP 40/40" in seen[-2])  # type: ignore[misc]  # mypy cannot infer a lambda with a default
        else:
            client.wait_for(f"now {cols}x{rows}")


def test_two_hundred_sizes_are_drawn_whole(dungeon: ServerThread, tmp_path: Path) -> None:
    """U30: the client follows 200 sizes of its window, each drawn whole, or with the size that it needs."""
    with join(dungeon, tmp_path) as ann:
        follow_sizes(ann, range(200))


def test_sizes_of_a_terminal_are_followed(dungeon: ServerThread, tmp_path: Path) -> None:
    """U30: by the signal that the terminal sends."""
    with start(dungeon, tmp_path) as pty:
        follow_sizes(pty, range(8))
