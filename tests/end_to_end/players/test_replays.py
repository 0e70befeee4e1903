"""A life on a real server, kept by the real client and played again from the title."""

from pathlib import Path

import pytest

from support.client.headless_client import HeadlessClient
from support.processes.screen import entered, leave, walk
from support.processes.server_process import ServerProcess

pytestmark = [pytest.mark.end_to_end, pytest.mark.thorough]


def test_life_is_played_again_from_the_title(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with (
        ServerProcess(tmp_path / "realm") as server,
        entered(HeadlessClient(home, server.port, "Anna")) as pty,
    ):
        for _ in range(3):
            walk(pty)
        leave(pty)
    with HeadlessClient(home, None, "Player", rows=20, cols=60, titled=True) as pty:
        pty.wait_for("Your name:")
        for _ in range(12):
            if any("> Replays" in row for row in pty.screen()):
                break
            before = pty.screen()
            pty.type("\x1b[B")
            pty.wait_for(lambda rows, before=before: rows != before)  # type: ignore[misc]
        pty.type("\r")
        pty.wait_for("plays it, too.")
        pty.type("\r")
        pty.wait_for("the end")
        pty.type("\x1b[H")
        pty.wait_for("Replay: turn 1 of")
        pty.type("g2\r")
        pty.wait_for("Replay: turn 2 of")
        pty.type("i")
        pty.wait_for("No command on i here.")
        pty.type("\x1b")
        pty.wait_for("plays it, too.")
        pty.type("\x1b")
        pty.wait_for("Your name:")
        pty.type("\x1b")
        assert pty.wait_exit() == 0
