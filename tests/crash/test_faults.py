"""Processes are killed and cut off under bots, in a file and in a cluster: real processes, a real disk, an auditor of every input."""

from pathlib import Path

import pytest

from support.crash.faults import run
from support.run.effort import effort

pytestmark = [pytest.mark.end_to_end, pytest.mark.thorough, pytest.mark.long]


@pytest.mark.parametrize("fault", ["turn", "hang"])
def test_no_takeover_loses_or_repeats_a_command(tmp_path: Path, fault: str) -> None:
    """No connection is cut, every answered command was carried out, none twice, and `verify` finds the same state."""
    report = run([fault], 1 if fault == "hang" else effort(1, 3), 4, tmp_path)
    assert report.is_clean, report
    assert report.answered > 0


def test_no_fault_of_a_cluster_loses_a_command(tmp_path: Path) -> None:
    """As above. A view process's connections end with it, and only they."""
    report = run(["turn", "view", "leader", "cut-nats", "postgres", "all"], 1, 4, tmp_path, cluster=True)
    assert report.is_clean, report
    assert report.answered > 0


def test_no_cut_between_two_loses_a_command(tmp_path: Path) -> None:
    """As above, for processes of a server, and for servers of NATS: the leader alone, and the leader without one of two."""
    report = run(["cut-view", "cut-standby", "split-leader", "split-pair"], 1, 4, tmp_path, cluster=True)
    assert report.is_clean, report
    assert report.answered > 0
