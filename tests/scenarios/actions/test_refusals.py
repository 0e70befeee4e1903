"""Each refusal has a reason of the closed list, and each word of the list has a place that gives it."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

import gloam_server
from gloam_server.world.actions import plan
from gloam_server.world.model.outcome import Impossible
from gloam_shared.protocol import commands
from gloam_shared.protocol.answers import refusal
from gloam_shared.protocol.codes import RefusalCode
from support.scenarios.scenario import Scenario

SOURCE = Path(gloam_server.__file__).parent


def _modules() -> Iterator[tuple[Path, ast.Module]]:
    for path in sorted(SOURCE.rglob("*.py")):
        yield path, ast.parse(path.read_text(encoding="utf-8"))


@pytest.mark.thorough
def test_every_refusal_of_the_world_gives_a_reason() -> None:
    reasons = []
    for path, module in _modules():
        for node in ast.walk(module):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id == "Impossible"
            ):
                assert len(node.args) == 2, f"{path}:{node.lineno} refuses without a reason"
                reasons.append(ast.literal_eval(node.args[1]))
    assert len(reasons) > 50
    assert set(reasons) <= set(get_args(RefusalCode))


@pytest.mark.thorough
def test_every_reason_is_given_somewhere() -> None:
    words = {
        node.value for _, module in _modules() for node in ast.walk(module) if isinstance(node, ast.Constant)
    }
    assert set(get_args(RefusalCode)) <= words


@pytest.mark.parametrize(
    ("rows", "command", "reason"),
    [
        ("#1#", commands.Move(1, 0), "undiggable"),
        ("#1.#", commands.Dig(1, 0), "no_rock"),
        ("#1.#", commands.Close(1, 0), "no_door"),
        ("#1.#", commands.Climb(down=True), "no_stairs"),
        ("#1.#", commands.Throw(0, 1), "gone"),
        ("#1.#", commands.Fire(2), "no_weapon"),
        ("#1.#", commands.Cast("no such spell", None), "unknown_spell"),
        ("#1.#", commands.PickUp(), "not_here"),
        ("#1.#", commands.PickUp((7,)), "not_here"),
        ("#1.#", commands.Wield(None), "already"),
        ("#1.#", commands.Wear(None), "already"),
        ("#1.#", commands.Give(0, 7), "gone"),
        ("#1.#", commands.Use(0), "gone"),
    ],
)
def test_a_program_reads_why(rows: str, command: commands.ActionCommand, reason: RefusalCode) -> None:
    scenario = Scenario(rows)
    outcome = plan(scenario.level, scenario["1"], command)
    assert isinstance(outcome, Impossible)
    assert outcome.reason == reason


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        (commands.Wield(0), "already"),
        (commands.Wear(1), "already"),
        (commands.Wield(2), "wrong_kind"),
        (commands.Throw(0, 1), "own_cell"),
    ],
)
def test_a_program_reads_what_is_wrong_with_an_item(
    command: commands.ActionCommand, reason: RefusalCode
) -> None:
    scenario = Scenario("#1.#")
    sword, tunic, _ = scenario.give("1", "sword", "tunic", "apple")
    scenario["1"].wielded, scenario["1"].worn = sword.number, tunic.number
    outcome = plan(scenario.level, scenario["1"], command)
    assert isinstance(outcome, Impossible)
    assert outcome.reason == reason


def test_older_clients_read_the_code_that_they_know() -> None:
    """A finer reason changes no code of `Answer`."""
    codes = {refusal(1, "", reason).code for reason in get_args(RefusalCode)}
    assert codes == {"cannot", "gone", "rock", "hungry", "state", "choice"}
    assert (refusal(1, "", "occupied").code, refusal(1, "", "occupied").reason) == ("cannot", "occupied")
    assert refusal(1, "", "gone").reason == ""
