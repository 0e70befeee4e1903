"""A message of a server that the protocol does not list is found, and fails a run of the tests."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from gloam_shared.protocol.codec import encode
from gloam_shared.protocol.framing import FrameWriter
from gloam_shared.protocol.messages.lives import Died
from gloam_shared.protocol.messages.login import Bye, Error, Joined, Status, Welcome
from gloam_shared.protocol.messages.play import Pace, Update
from gloam_shared.protocol.registry import FromServer
from gloam_shared.view import changes, view
from gloam_shared.view.patch import diff
from gloam_shared.view.run_length import diff_values
from support.protocol.sent_messages import Sent, faults, read_document

ROOT = Path(__file__).parents[3]
DOCUMENT = read_document()
WELCOME = Welcome(1, "The Caves", 0, 8)
JOINED = (WELCOME, Joined("Anna", 0, 1))
RAT = view.Creature(7, 3, 2, 2, 1, view.CreatureFlag.HOSTILE, "r", "brown", "rat")


class Line:
    """Stands for a connection."""


def found(messages: Sequence[FromServer]) -> list[str]:
    sent = Sent(DOCUMENT)
    line, frames = Line(), FrameWriter()
    for message in messages:
        sent.take(line, frames.frame(encode(message)))
    return [
        fault.partition(", which")[0].removeprefix("A server sent ")
        for fault in faults(DOCUMENT, [(*thing, "") for thing in sent.seen])
    ]


def make_messages(*parts: changes.AnyChange) -> tuple[FromServer, ...]:
    return (*JOINED, Update(parts))


GROUND = diff_values(bytes(6), bytes([0, 2, 2, 1, 0, 0]), 3)


@pytest.mark.parametrize(
    "messages",
    [
        (Status(ready=True, campaign="gloam", players=0, version="1"),),
        (*JOINED, Update(diff(view.NOWHERE, view.NOWHERE), whole=True), Bye("goodbye", "")),
        make_messages(changes.Creatures(come=(RAT,)), changes.Ground(GROUND), changes.Sheet((view.Stat.HUNGER, 2))),
        make_messages(changes.Lines((view.LogLine("strikes", "you", "rat", 2),))),
        (*JOINED, Died("rat", 1, 1, 0, 1, 0, 0), Joined("Anna", 0, 2), Pace(held=False, waiting=False, plan=False)),
    ],
)  # fmt: skip
def test_what_is_listed_is_no_fault(messages: Sequence[FromServer]) -> None:
    assert found(messages) == []


@pytest.mark.parametrize(
    ("messages", "fault"),
    [
        ((Error("invented", "?"),), "codes.Error: invented"),  # type: ignore[arg-type]
        ((Bye("length", "?"),), "codes.Bye: length"),  # type: ignore[arg-type]
        ((JOINED[1],), "order: Joined while connected"),
        ((WELCOME, Update(())), "order: Update while greeted"),
        ((*JOINED, Bye("goodbye", ""), Error("rate", "")), "order: Error while closed"),
        ((*JOINED, Died("rat", 1, 1, 0, 1, 0, 0), Update(())), "order: Update while dead"),
        (make_messages(changes.Lines((view.LogLine("frobnicates"),))), "lines: frobnicates"),  # type: ignore[arg-type]
        (make_messages(changes.Creatures(come=(view.Creature(7, 3, 2, 2, 1, 2048, "r", "brown", "rat"),))), "marks: 2048"),
        (make_messages(changes.Items(come=(view.Item(7, 3, 1, "!", "mauve", "potion"),))), "colours: mauve"),
        (make_messages(changes.Ground(diff_values(bytes(4), bytes([0, 99, 0, 0]), 2))), "terrain: 99"),
        (make_messages(changes.Sheet((view.Stat.HUNGER, 77))), "hunger: 77"),
        (make_messages(changes.Sheet((99, 1))), "sheet: 99"),
        ((*JOINED, Joined("Anna", -1, 1)), "shape: Joined.number = -1"),
        (make_messages(changes.Choices(("stronger", 3))), "shape: Choices.options = ['stronger', 3]"),  # type: ignore[arg-type]
    ],
)  # fmt: skip
def test_what_is_not_listed_is_a_fault(messages: Sequence[FromServer], fault: str) -> None:
    assert fault in found(messages)


RUN = """
from support.server.sim_server import SimServer

def test_that_passes():
    anna = SimServer().join("Anna")
    session = anna.connection.session
    anna.connection.send(session._welcome)
    anna.connection.send(session.end("invented", "?")[0].message)
"""


@pytest.mark.thorough
def test_run_tests_pass_fails_sent(tmp_path: Path) -> None:
    """A run whose tests pass fails for what they sent."""
    file = tmp_path / "test_sending.py"
    file.write_text(RUN, encoding="utf-8")
    options = ["-c", str(ROOT / "pyproject.toml"), "-p", "conftest", "-p", "no:cacheprovider", "-n", "1"]
    run = subprocess.run(
        [sys.executable, "-m", "pytest", *options, str(file)],
        cwd=ROOT / "tests",
        capture_output=True,
        text=True,
        check=False,
    )
    assert "1 passed" in run.stdout, run.stdout + run.stderr
    for fault in ("codes.Bye: invented", "order: Welcome while playing"):
        assert f"A server sent {fault}, which protocol.json does not list" in run.stdout
    assert run.returncode == pytest.ExitCode.TESTS_FAILED
