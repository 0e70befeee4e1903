"""The seam for faults: what it replaces, and what it refuses, so that no rename or move disarms a fault unseen."""

import ast
from pathlib import Path

import pytest

from gloam_server.world.effects import upkeep
from gloam_server.world.effects.upkeep import end_action
from gloam_server.world.model.level import Level
from gloam_server.world.realm import realm
from gloam_server.world.transition import turn
from support.run.fault_seam import FaultSeam, holders

TESTS = Path(__file__).parents[1]


def test_a_function_is_found_in_its_callers() -> None:
    assert {(turn, "end_action"), (upkeep, "end_action")} <= set(holders(end_action))
    assert holders(end_action, turn) == [(turn, "end_action")]
    assert holders(Level.field_of_view) == [(Level, "field_of_view")]


def test_a_module_that_does_not_call_it() -> None:
    with pytest.raises(LookupError, match=r"end_action is planted in gloam_server.world.realm.realm"):
        holders(end_action, realm)


def test_a_function_that_is_not_gloams() -> None:
    with pytest.raises(LookupError, match="no module of Gloam"):
        holders(test_a_module_that_does_not_call_it)


def test_a_fault_that_is_never_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    seam = FaultSeam(monkeypatch)
    seam.plant(Level.players, lambda _: [])
    with pytest.raises(AssertionError, match=r"never reached: gloam_server.world.model.level.Level.players"):
        seam.check_reached()
    assert vars(turn)["end_action"] is end_action


def test_a_fault_lasts_for_its_block(monkeypatch: pytest.MonkeyPatch) -> None:
    seam = FaultSeam(monkeypatch)
    with seam.fault(end_action, lambda *_: "planted", within=turn):
        assert vars(turn)["end_action"](None, None) == "planted"
    assert vars(turn)["end_action"] is end_action
    seam.check_reached()


def test_no_fault_is_planted_by_name() -> None:
    """Constants of Gloam and modules of Python may be set by name; functions of Gloam go through the seam."""
    assert [each for path in sorted(TESTS.rglob("*.py")) for each in planted_by_name(path)] == []


def planted_by_name(path: Path) -> list[str]:
    """Return the lines of a file that replace a function of Gloam by its name."""
    text = path.read_text()
    if "setattr" not in text:
        return []
    tree = ast.parse(text)
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
    return [f"{path.relative_to(TESTS)}:{call.lineno}" for call in calls if _plants(call)]


def _plants(call: ast.Call) -> bool:
    if not isinstance(call.func, ast.Attribute) or call.func.attr != "setattr":
        return False
    owner = ast.unparse(call.args[0])
    if len(call.args) == 2 and "." in owner:
        owner, _, name = owner.strip("'\"").rpartition(".")
    elif isinstance(call.args[1], ast.Constant):
        name = str(call.args[1].value)
    else:
        return False
    return owner not in PYTHONS and not name.strip("_").isupper() and not name.startswith("__")


PYTHONS = {
    "Path", "asyncio", "importlib.util", "journal._engine.dialect", "os", "resource", "socket", "sys",
}  # fmt: skip
"""Names that are not Gloam's: Python's modules and classes, and SQLAlchemy's dialect."""
