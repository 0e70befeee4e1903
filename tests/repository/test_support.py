"""Rules for tests/support: what tests share stands there, one package a subject, and its README lists the modules."""

import ast
import re
from pathlib import Path
from typing import Final

import pytest

TESTS: Final = Path(__file__).parents[1]
SUPPORT: Final = TESTS / "support"
BENCHMARKS: Final = TESTS / "benchmarks"
PROGRAMS: Final = {"run.py", "steps.py", "audit.py", "release.py"}
"""Programs that `make` starts; each lies beside the tests that start it."""

MODULES: Final = sorted(path for path in SUPPORT.rglob("*.py") if path.name != "__init__.py")
SOURCES: Final = sorted(TESTS.rglob("*.py"))


def test_the_readme_lists_each_module_by_its_docstring() -> None:
    listed = {}
    for section in re.split(r"^## ", (SUPPORT / "README.md").read_text(encoding="utf-8"), flags=re.MULTILINE)[
        1:
    ]:
        for name, text in re.findall(r"^\| `(\w+)` \| (.*) \|$", section, re.MULTILINE):
            listed[f"{section.split()[0]}/{name}.py"] = text
    assert listed == {path.relative_to(SUPPORT).as_posix(): _first_sentence(path) for path in MODULES}


def test_a_folder_of_tests_holds_tests_alone() -> None:
    beside = [path for path in SOURCES if not path.name.startswith("test_") and path.name != "conftest.py"]
    helpers = [path for path in beside if path.name not in PROGRAMS and BENCHMARKS not in path.parents]
    assert [path for path in helpers if SUPPORT not in path.parents] == []


@pytest.mark.parametrize("package", sorted({path.parent for path in MODULES}), ids=lambda path: path.name)
def test_a_package_holds_at_most_16_modules(package: Path) -> None:
    assert len([path for path in MODULES if path.parent == package]) <= 16


def test_no_test_imports_from_a_test() -> None:
    found = []
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                modules = [node.module, *(f"{node.module}.{each.name}" for each in node.names)]
                found += [(path.name, name) for name in modules if re.search(r"(?:^|\.)test_\w+$", name)]
    assert found == []


def _first_sentence(path: Path) -> str:
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    assert docstring
    return docstring.partition("\n\n")[0]
