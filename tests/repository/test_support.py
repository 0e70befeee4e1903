"""Rules for tests/support: what tests share stands there, and a folder of tests holds tests alone."""

import ast
import re
from pathlib import Path
from typing import Final

TESTS: Final = Path(__file__).parents[1]
SUPPORT: Final = TESTS / "support"
BENCHMARKS: Final = TESTS / "benchmarks"
PROGRAMS: Final = {"run.py", "steps.py", "audit.py", "release.py", "confine.py"}
"""Programs that `make` starts; each lies beside the tests that start it."""

SOURCES: Final = sorted(TESTS.rglob("*.py"))


def test_a_folder_of_tests_holds_tests_alone() -> None:
    beside = [path for path in SOURCES if not path.name.startswith("test_") and path.name != "conftest.py"]
    helpers = [path for path in beside if path.name not in PROGRAMS and BENCHMARKS not in path.parents]
    assert [path for path in helpers if SUPPORT not in path.parents] == []


def test_no_test_imports_from_a_test() -> None:
    found = []
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                modules = [node.module, *(f"{node.module}.{each.name}" for each in node.names)]
                found += [(path.name, name) for name in modules if re.search(r"(?:^|\.)test_\w+$", name)]
    assert found == []
