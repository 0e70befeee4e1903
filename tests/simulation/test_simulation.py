"""Many seeds of the simulation. What a failing one prints lives through it once more."""

import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gloam_server.engine.publishing.view_side import ViewSide
from simulation import run
from support.run.effort import effort
from support.run.fault_seam import FaultSeam
from support.run.hashing import said_under_each_order
from support.simulation.simulate import CURSE, Simulation

ROOT = Path(__file__).parents[2]
COUNT = effort(2, 6)
HOURS = 0.03
"""The length of a run, its quiet end included: 108 s."""

MENDED = [
    pytest.param(4, 0.05, id="a command of one life was carried out in the next"),
    pytest.param(28, 0.05, id="the twin of the journal took a new append for one of before the power cut"),
]
"""Runs that found something which has been mended since; a modified client would turn them into other runs."""


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(COUNT))
def test_nothing_that_must_hold_is_broken(seed: int) -> None:
    report = run.live(seed, HOURS)
    assert not report.broken, f"{report.broken}\nOnce more: {run.again(seed, HOURS)}"
    assert report.updates > 20


@pytest.mark.thorough
@pytest.mark.parametrize(("seed", "hours"), MENDED)
def test_what_once_broke_does_not_break_again(seed: int, hours: float) -> None:
    report = run.live(seed, hours, forges=False)
    assert not report.broken, f"{report.broken}\nOnce more: {run.again(seed, hours, forges=False)}"


@pytest.mark.thorough
def test_a_modified_client_sends_every_type() -> None:
    """It sends each message that a player may send, and each command, most before their time: the first seed has all of them."""
    sent, wanted = set[str](), set[str]()
    for seed in (3, 0, 1, 2, 4, 5, 6, 7):
        simulation = Simulation(seed, 120).run()
        sent |= set(simulation.forger.sent)
        wanted = {kind.__name__ for kind in simulation.forger.kinds}
        if sent == wanted:
            break
    assert sent == wanted


@pytest.mark.thorough
def test_chance_and_nothing_else_decides_a_run() -> None:
    assert digest(3) == digest(3)
    assert digest(3) != digest(4)


def test_resume_tokens_follow_from_the_seed() -> None:
    """The size of a token on a compressed line decides when bytes arrive: a secret one would make two runs differ."""
    tokens = [Simulation(3, 5).run().machine.disk.directory.resumption_of(1) for _ in range(2)]
    assert tokens[0] is not None
    assert tokens[0] == tokens[1]


@pytest.mark.thorough
def test_the_order_of_hashing_changes_nothing() -> None:
    program = "from support.simulation.simulate import Simulation; print(Simulation(1, 15).run().digest)"
    assert len(said_under_each_order("-c", program)) == 1


def test_seed_breaks_prints_command_breaks(
    monkeypatch: pytest.MonkeyPatch, seam: FaultSeam, capsys: pytest.CaptureFixture[str]
) -> None:
    """A seed that breaks prints the command that breaks it again."""
    seam.plant(ViewSide.show, a_fault_of_ours)
    monkeypatch.setattr(sys, "argv", ["run.py", "--seed", "3", "--hours", "0.02"])
    code = run.main()
    output = capsys.readouterr().out
    command = shlex.split(output.partition("Once more: ")[2].partition("\n")[0])
    assert code == 1
    assert "1 of them broken: [3]" in output
    assert command == "python tests/simulation/run.py --seed 3 --hours 0.02".split()
    assert (ROOT / command[1]).is_file()


@pytest.mark.thorough
def test_happened_reported_kind_hours_and_ratio() -> None:
    """The report counts what happened by kind, with the hours and the ratio."""
    reports = [run.live(seed, 0.02) for seed in (11, 14)]
    summary = run.summary(reports, took_s=2)
    assert all(kind in summary for kind in reports[0].faults)
    assert sum(each.faults[CURSE] for each in reports), "the seam has let the rules fail in a creature's turn"
    assert "2 seeds, 0 of them broken" in summary
    assert "0.04 hours simulated in 0.001 hours: 7" in summary


def digest(seed: int) -> str:
    return Simulation(seed, 15).run().digest


def a_fault_of_ours(*_: Any) -> Callable[[], None]:
    raise RuntimeError("planted")
