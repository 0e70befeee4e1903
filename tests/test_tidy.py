"""Style that no linter checks: sizes, docstrings, leftovers."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LINES_MAX = 400
FUNCTION_LINES_MAX = 60
PACKAGES = ("server/gloam_server", "client/gloam_client", "shared/gloam_shared")
SOURCES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
LEFTOVER = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X|HA" r"CK)\b")
MACHINE_PATH = re.compile(r"(?<![\w.~])/(home|root|Users|work|opt/pypi\w*|private)/[\w.]+")
SUFFIXES = {".py", ".toml", ".md", ".yml", ".lock", ".mako"}
NAMES = {"Makefile", "Dockerfile", "run", ".dockerignore", ".gitignore"}

each_source = pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.relative_to(ROOT).as_posix())


@each_source
def test_no_file_is_too_long(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LINES_MAX


@each_source
def test_no_function_is_too_long_and_every_module_says_what_it_is_for(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert ast.get_docstring(tree)
    if "versions" in path.parts:  # a step of a migration is a list of columns
        return
    long = [
        f"{node.name} ({node.end_lineno - node.lineno + 1} lines)"
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.end_lineno is not None
        and node.end_lineno - node.lineno >= FUNCTION_LINES_MAX
    ]
    assert long == []


def test_nothing_is_left_over_and_no_path_of_one_machine_is_named() -> None:
    told = []
    for path in _texts():
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if LEFTOVER.search(line) or MACHINE_PATH.search(line):
                told.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()}")
    assert told == []


def _texts() -> list[Path]:
    top = [path for path in ROOT.iterdir() if path.is_file()]
    folders = ("server", "client", "shared", "tests", ".ci")
    inside = [path for folder in folders for path in (ROOT / folder).rglob("*") if path.is_file()]
    return sorted(
        path
        for path in (*top, *inside)
        if path.name in NAMES or (path.suffix in SUFFIXES and path != Path(__file__))
    )
