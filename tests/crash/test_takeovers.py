"""The turn process is killed under bots, and the standby takes over: real processes, a real disk, an auditor of every input."""

from pathlib import Path

import pytest

from support.crash.takeovers import run
from support.run.effort import effort

pytestmark = [pytest.mark.end_to_end, pytest.mark.thorough, pytest.mark.long]


@pytest.mark.parametrize("hang", [False, True], ids=["killed", "hung"])
def test_no_takeover_loses_or_repeats_a_command(tmp_path: Path, hang: bool) -> None:
    """No connection is cut, every answered command was carried out, none twice, and `verify` finds the same state."""
    report = run(1 if hang else effort(1, 3), 4, tmp_path, hang=hang)
    assert (report.cut, report.forgotten, report.lost, report.doubled, report.vanished) == (0, 0, 0, 0, 0)
    assert report.answered > 0
    assert report.state == report.verified
