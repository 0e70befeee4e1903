"""The first minutes of a new player in the real client: a goal, hints by need, a tip; and none of it twice."""

from pathlib import Path

import pytest

from support.client.headless_client import HeadlessClient
from support.processes.screen import entered
from support.processes.server_process import ServerProcess

pytestmark = pytest.mark.end_to_end


def tip(pty: HeadlessClient) -> str:
    """Return the beginning of the tip in the log."""
    return next(row.split("Tip: ")[1].strip() for row in pty.screen() if "Tip: " in row)


def test_goals_hints_and_tips_are_given_once(tmp_path: Path) -> None:
    """U4, U53, U64: another session of the same player, in another world, repeats neither hint nor tip."""
    tips = []
    for realm in ("first", "second"):
        with (
            ServerProcess(tmp_path / realm) as server,
            entered(HeadlessClient(tmp_path / "anna", server.port, "Anna", rows=40, cols=120)) as anna,
        ):
            anna.wait_for("Goal 1 of 3: find stairs down; o explores")
            anna.wait_for("Tip: ")
            tips.append(tip(anna))
            assert ("Move with the arrows" in anna.text()) == (realm == "first")
            anna.type("i")
            anna.wait_for("Goal 1 of 3")
    assert tips[0] != tips[1]
