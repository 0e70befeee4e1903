"""The client that tests run without a terminal: it reports its own faults, and a frame shows what a terminal would."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gloam_client import app
from gloam_client.render.frame import next_change_ms
from gloam_client.update import update
from support.client.fake_dungeon import ServerThread, join
from support.run.fault_seam import FaultSeam


def broken(*_: Any) -> Any:
    raise RuntimeError("planted")


def play(dungeon: ServerThread, home: Path, seam: FaultSeam, work: Callable[..., Any]) -> None:
    """Press a key in a client in which a function fails."""
    with join(dungeon, home) as ann:
        ann.wait_for("HP 40/40")
        with seam.fault(work, broken, within=app):
            ann.type("i")
            ann.wait_for("never", timeout=0.2)


@pytest.mark.parametrize("work", [update, next_change_ms], ids=["update", "draw"])
def test_a_fault_fails_the_test(
    dungeon: ServerThread, tmp_path: Path, seam: FaultSeam, work: Callable[..., Any]
) -> None:
    """Whether it ends the client, or only a callback of its loop."""
    with pytest.raises(RuntimeError, match="planted"):
        play(dungeon, tmp_path, seam, work)


def test_a_fault_while_drawing_ends_the_client(
    dungeon: ServerThread, tmp_path: Path, seam: FaultSeam
) -> None:
    """A callback of the loop is no task: asyncio alone would log its fault, and the screen would stand still."""
    ended: list[bool] = []

    def draw() -> None:
        with join(dungeon, tmp_path) as ann:
            ann.wait_for("HP 40/40")
            with seam.fault(next_change_ms, broken, within=app):
                ann.type("i")
                with pytest.raises(RuntimeError, match="planted"):
                    ann.wait_exit(10)
                ended.append(True)

    with pytest.raises(RuntimeError, match="planted"):
        draw()
    assert ended


def test_the_words_of_the_end_are_shown(dungeon: ServerThread, tmp_path: Path) -> None:
    with join(dungeon, tmp_path) as ann:
        ann.wait_for("HP 40/40")
        ann.resize(40, 120)
        ann.wait_for(lambda rows: len(rows) == 40 and len(rows[0]) == 120)
        ann.type(":")
        ann.wait_for("Say:")
        ann.paste("pasted")
        ann.wait_for("Say: pasted")
        ann.type("\x1bQy")
        assert ann.wait_exit() == 0
        ann.wait_for("You left. Your character is safe")
