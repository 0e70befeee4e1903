"""The way of a key press, as ARCHITECTURE.md lists it, against the trace of a real one."""

import json
import re
import sys
from pathlib import Path

import pytest

from support.processes.pty import PtyTerminal

pytestmark = pytest.mark.end_to_end

ROOT = Path(__file__).parents[3]
PROGRAM = ROOT / "tests" / "support" / "processes" / "key_press.py"
DOCUMENT = ROOT / "server" / "ARCHITECTURE.md"
HOP = re.compile(r"^\| `([\w.]+:[\w.]+)` \|", re.MULTILINE)


def hops() -> list[str]:
    """Return the functions of the document in order."""
    return HOP.findall(DOCUMENT.read_text(encoding="utf-8"))


def traced(folder: Path, functions: list[str]) -> list[tuple[str, list[str]]]:
    """Return the calls of functions during one step, each with what of ours is on its stack."""
    program = [sys.executable, str(PROGRAM), str(folder), *functions]
    with PtyTerminal(program, {"PYTHONPATH": str(ROOT / "tests")}) as pty:
        key, trace = folder / "key", folder / "trace.json"
        pty.wait_for(lambda _: key.exists())
        pty.type(key.read_bytes())
        pty.wait_for(lambda _: trace.exists())
        assert pty.wait_exit() == 0
    return [(name, stack) for name, stack in json.loads(trace.read_text(encoding="utf-8"))]


@pytest.mark.thorough
def test_key_press_goes_way_document_tells(tmp_path: Path) -> None:
    """Each function is called after the one before it, and only from modules that are on the list."""
    all_hops = hops()
    calls = traced(tmp_path, all_hops)
    modules = {name.partition(":")[0] for name in all_hops}
    at, missing, unnamed = 0, [], {}
    for hop in all_hops:
        found = next((later for later in range(at, len(calls)) if calls[later][0] == hop), None)
        if found is None:
            missing.append(hop)
            continue
        at = found + 1
        between = {name for name in calls[found][1] if name.partition(":")[0] not in modules}
        if between:
            unnamed[hop] = sorted(between)
    assert len(all_hops) > 60
    assert missing == []
    assert unnamed == {}
