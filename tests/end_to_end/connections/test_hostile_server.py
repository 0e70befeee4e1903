"""A real client on a real terminal against a server that means it ill (A73-A75)."""

import re
from pathlib import Path
from typing import Final

import pytest
from msgspec.structs import replace

from gloam_shared.protocol.messages.chat import ChatLine, SendChat
from gloam_shared.protocol.messages.lives import Died
from gloam_shared.protocol.messages.login import Bye, Error, Joined, Notice
from gloam_shared.protocol.messages.play import SubmitCommand
from gloam_shared.protocol.messages.records import MapMemory
from gloam_shared.view.view import CreatureFlag, LogLine
from support.client.fake_dungeon import ServerThread, join, start

pytestmark = pytest.mark.end_to_end

EVIL: Final = (
    "../../evil\x1b]0;owned\x07\x1b]52;c;aGk=\x1b\\\x1b[2J\x9b31m\x90q\x9c\u202e http://evil.example/\x1b[6n"
)
OWN: Final = re.compile(
    r"\x1b\[(?:[?>=]?[\d;]*[a-zA-Z@`]|\?\d+\$p|>q|>0q)"  # the client's own, and what blessed asks a terminal
    r"|\x1bP\+q[0-9a-fA-F;]*\x1b\\"
    r"|\x1b\]11;\?(?:\x07|\x1b\\)"  # the question for the color of the ground
    r"|\x1b[78]"  # the cursor kept and put back, round a sign whose width is measured
    r"|\x08{1,3}"  # steps to the left
)
FORBIDDEN: Final = ("\x1b]", "\x1b_", "\x9b", "\x9d", "\x90", "\x9c", "\u202e", "\x07", "\x1bPq")


def assert_unharmed(raw: bytes) -> None:
    written = raw.decode()
    left = OWN.sub("", written)
    assert [each for each in FORBIDDEN if each in left] == []
    assert [char for char in left if not (char.isprintable() or char in "\r\n")] == []


def files(folder: Path) -> set[str]:
    """Return the files below a folder; the replays of the client's own lives, which it names itself, count as one."""
    names = {path.relative_to(folder).as_posix() for path in folder.rglob("*")}
    return {re.sub(r"^replays/[0-9a-f]{12}\.(json|session)$", "replays/LIFE", name) for name in names}


@pytest.mark.thorough
@pytest.mark.rule("A73")
def test_server_text_opens_and_writes_nothing(dungeon: ServerThread, tmp_path: Path) -> None:
    """Text of a server becomes cells; the client writes and opens nothing for it."""

    def attack() -> None:
        server = dungeon.server
        view = server.view
        foe = replace(
            view.creatures[0],
            handle=8,
            name=EVIL,
            glyph="\x1b",
            marks=CreatureFlag.HOSTILE,
            cell=view.cell + 1,
        )
        server.view = replace(
            view, place=replace(view.place, name=EVIL), creatures=(*view.creatures, foe), choices=(EVIL,)
        )
        server.tell(LogLine(EVIL, EVIL, EVIL, 3, EVIL))  # type: ignore[arg-type]
        server.send(ChatLine(EVIL, EVIL), Notice(EVIL), Error("name", EVIL), Joined(EVIL, 0, 1))
        server.send(
            MapMemory(1, 9, 9, b"x" * 81), Died(EVIL, 1, 1, 1, 1, 1, 1, life=(EVIL,), keepsakes=(EVIL,))
        )

    def expel() -> None:
        dungeon.server.send(Bye("kicked", f"The end. {EVIL}"))
        dungeon.server._close()

    with start(dungeon, tmp_path) as pty:
        pty.wait_for("HP 40/40")
        before = files(tmp_path)
        dungeon.do(attack)
        pty.wait_for("You are dead")
        dungeon.do(expel)
        assert pty.wait_exit() == 1
        assert "gloam: The end. ../../evil]0;owned" in bytes(pty.raw).decode()
        assert_unharmed(bytes(pty.raw))
    assert files(tmp_path) == before


@pytest.mark.thorough
@pytest.mark.rule("A73")
def test_an_early_refusal_is_shown_as_plain_text(dungeon: ServerThread, tmp_path: Path) -> None:
    """The client prints a refusal before the first view in plain characters."""
    dungeon.server.refuse = Bye("version", f"Upgrade. {EVIL}")
    with start(dungeon, tmp_path) as pty:
        assert pty.wait_exit() == 1
        assert "gloam: Upgrade. ../../evil" in bytes(pty.raw).decode()
        assert_unharmed(bytes(pty.raw))


@pytest.mark.thorough
@pytest.mark.rule("A75")
@pytest.mark.parametrize("line_open", [False, True])
def test_paste_without_marks_goes_line_chat(
    dungeon: ServerThread, tmp_path: Path, *, line_open: bool
) -> None:
    """A paste without marks goes into the line of chat too."""
    with start(dungeon, tmp_path) as pty:
        pty.wait_for("HP 40/40")
        if line_open:
            pty.type(":")
            pty.wait_for("Say: ")
        for at in range(0, 10_000, 1_000):
            pty.type(("hjkl\r" * 2_000)[at : at + 1_000])
        pty.wait_for("hjkl hjkl")
        pty.type("\x1b")
        pty.wait_for(lambda rows: "Say: " not in "".join(rows))
        assert not [each for each in dungeon.server.heard if isinstance(each, SubmitCommand | SendChat)]
        pty.type("Qy")
        pty.wait_exit()
        assert b"\x1b[?2004h" in pty.raw
        assert pty.restored


@pytest.mark.thorough
@pytest.mark.rule("A75")
def test_a_large_paste_moves_no_body(dungeon: ServerThread, tmp_path: Path) -> None:
    """Ten kilobytes of paste go into the chat line and move no body."""
    with join(dungeon, tmp_path) as pty:
        pty.wait_for("HP 40/40")
        pty.paste("hjkl\r" * 2_000)
        pty.wait_for("Say: ")
        pty.type("\r")
        pty.wait_for(lambda _: any(isinstance(each, SendChat) for each in dungeon.server.heard))
        (said,) = [each.text for each in dungeon.server.heard if isinstance(each, SendChat)]
        assert said == ("hjkl " * 40).strip()
        assert not [each for each in dungeon.server.heard if isinstance(each, SubmitCommand)]
        pty.type("Qy")
        pty.wait_exit()
