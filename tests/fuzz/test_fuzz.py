"""Hostile inputs by the thousand; by the ten thousand in CI, and any number by `make fuzz N=...`.

Each side runs in a process of its own, so that its memory is its own. A failure shows the command that sends
the same once more.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from support.fuzz.client_side import check_output
from support.fuzz.rounds import INPUTS, MARK_EVERY, Faults, Found, play
from support.fuzz.server_side import ServerRound
from support.run.effort import CI, effort
from support.simulation.randomness import Chance

RUN = Path(__file__).with_name("run.py")
TRIED = effort(3_000, 50_000)
"""Fifty thousand inputs to each side in CI; `make fuzz N=2000000` sends millions."""
GROWTH_KIB_MAX = 8_192
"""The growth of a process between its first rounds and its end that is allowed; one that leaks 200 bytes an input grows
10 MB."""


@pytest.mark.thorough
@pytest.mark.long
@pytest.mark.parametrize("side", ["server", "client", "door"])
def test_no_input_breaks_and_memory_stays_flat(side: str) -> None:
    """No input breaks anything and memory stays flat."""
    command = [sys.executable, str(RUN), "--side", side, "--inputs", str(TRIED), "--json"]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr[-4_000:]
    record = json.loads(ended.stdout)
    assert record["inputs"] == TRIED
    if CI:
        assert record["grew_kib"] < GROWTH_KIB_MAX


def test_failure_reported_input_and_command_sends() -> None:
    """A report of a failure has the input and the command that sends it again."""

    class Brittle(ServerRound):
        """Breaks at the tenth input into a live world."""

        def _to_world(self) -> None:
            super()._to_world()
            assert self.tally["to a live world"] < 10, "too many"

    def begin(chance: Chance, at: int, faults: Faults) -> Brittle:
        return Brittle(chance, at, faults)

    with pytest.raises(Found) as first:
        play("server", begin, 3, 0, INPUTS)
    at = int(str(first.value).rpartition("AT=")[2])
    with pytest.raises(Found) as again:
        play("server", begin, 3, at // INPUTS * INPUTS, at % INPUTS + 1)

    assert str(again.value) == str(first.value)
    assert f"make fuzz SIDE=server SEED=3 AT={at}" in str(first.value)
    play("server", begin, 3, at // INPUTS * INPUTS, at % INPUTS)


@pytest.mark.rule("A73")
@pytest.mark.parametrize(
    "text", ["\x1b]0;title\x07", "\x1b[21t", "\x1b[?1049l", "a\nb", "\x9b1m", "\ue000", "\u202e"]
)
def test_painters_sequences_noticed(text: str) -> None:
    """Anything but the painters own sequences is noticed."""
    check_output("\x1b[?2026h\x1b[0m\x1b[2J\x1b[3;4H\x1b[0;1;38;2;1;2;3mAnn\x1b[2C\u2592\x1b[0m\x1b[?2026l")
    with pytest.raises(AssertionError, match="would reach the terminal"):
        check_output(f"\x1b[2Jan{text}")


def test_memory_looked_more_twice_share_ci() -> None:
    """Memory is looked at more than twice in a share of ci."""
    assert 125_000 // INPUTS // MARK_EVERY > 5
