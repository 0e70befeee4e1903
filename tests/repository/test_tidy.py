"""Style that no linter checks: sizes, docstrings, leftovers."""

import ast
import re
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[2]
LINES_MAX = 400
TABLE_LINES_MAX = 600
TABLES = frozenset(
    {
        "client/gloam_client/input/key_table.py",
        "server/gloam_server/world/model/inputs.py",
        "shared/gloam_shared/protocol/registry.py",
    }
)
"""Modules that are one table or one union: to divide them hides what is missing from them."""
FUNCTION_LINES_MAX = 60
MODULES_MAX = 16
"""Modules of a folder, `__init__` and `conftest` not counted: more are divided by what belongs together."""
ATTRIBUTES_MAX = 25
"""Attributes of a class's own."""
WIDE = {
    "BotMemory": 36,
    "CampaignSchema": 42,
    "Creature": 75,
    "CreatureKind": 60,
    "ItemKind": 33,
    "LevelKind": 39,
    "LevelState": 41,
    "PlayerDied": 32,
    "Summary": 42,
}
"""Classes with more, which may only lose some: rows of content, state and tables, whose fields are their columns."""
TEST_NAME_MAX = 50
TEST_NAME = re.compile(r"^ *(?:async )?def (test_\w+)", re.MULTILINE)
QUESTION = re.compile(r"_?(are|can|could|has|have|is|may|must|should|was|were)_")
PACKAGES = (
    "server/gloam_server",
    "server/gloam_lab",
    "client/gloam_client",
    "client/gloam_door",
    "shared/gloam_shared",
)
SOURCES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("*.py"))
LEFTOVER = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X|HA" r"CK)\b")
MACHINE_PATH = re.compile(r"(?<![\w.~])/(home|root|Users|work|opt/pypi\w*|private)/[\w.]+")
SUFFIXES = {".py", ".toml", ".md", ".yml", ".lock", ".mako"}
NAMES = {"Makefile", "Dockerfile", "run", ".dockerignore", ".gitignore"}


def test_no_file_is_too_long() -> None:
    lines = {_name(path): len(path.read_text(encoding="utf-8").splitlines()) for path in SOURCES + TESTS}
    assert {
        name: count
        for name, count in lines.items()
        if count > (TABLE_LINES_MAX if name in TABLES else LINES_MAX)
    } == {}


def test_no_folder_has_too_many_modules() -> None:
    counts = Counter(
        _name(path.parent) for path in SOURCES + TESTS if path.name not in ("__init__.py", "conftest.py")
    )
    assert {name: count for name, count in counts.items() if count > MODULES_MAX} == {}


def test_no_class_has_too_many_attributes() -> None:
    counts = Counter[str]()
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                counts[node.name] = max(counts[node.name], len(_attributes(node)))
    assert {name: count for name, count in counts.items() if count > WIDE.get(name, ATTRIBUTES_MAX)} == {}
    assert {name for name, most in WIDE.items() if counts[name] < most} == set(), "lower their numbers"


def _attributes(node: ast.ClassDef) -> set[str]:
    """Return the fields that a class declares, and what its methods set on `self`; constants are none."""
    declared = {
        line.target.id
        for line in node.body
        if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name) and not _is_constant(line)
    }
    targets = [
        target
        for line in ast.walk(node)
        if isinstance(line, ast.Assign | ast.AnnAssign)
        for target in (line.targets if isinstance(line, ast.Assign) else [line.target])
    ]
    parts = [part for each in targets for part in (each.elts if isinstance(each, ast.Tuple) else [each])]
    return declared | {
        part.attr
        for part in parts
        if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name) and part.value.id == "self"
    }


def _is_constant(line: ast.AnnAssign) -> bool:
    return ast.unparse(line.annotation).startswith(("Final", "ClassVar"))


def test_no_function_long_and_module_says() -> None:
    """No function is too long and every module says what it is for."""
    silent, long = [], []
    for path in SOURCES + TESTS:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        silent += [] if ast.get_docstring(tree) else [_name(path)]
        long += _long_functions(path, tree)
    assert silent == []
    assert long == []


def test_names_of_questions_answer_yes_or_no() -> None:
    """A function whose name reads as a question returns a bool: `is_open`, `has_room`, `may_leave`."""
    found = [
        f"{_name(path)}:{node.lineno}: {node.name} returns {ast.unparse(node.returns)}"
        for path in SOURCES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and QUESTION.match(node.name)
        if node.returns is not None and ast.unparse(node.returns) != "bool"
    ]
    assert found == []


def _long_functions(path: Path, tree: ast.Module) -> list[str]:
    if "versions" in path.parts:  # a step of a migration is a list of columns
        return []
    return [
        f"{_name(path)}: {node.name} ({node.end_lineno - node.lineno + 1} lines)"
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.end_lineno is not None
        and node.end_lineno - node.lineno >= FUNCTION_LINES_MAX
    ]


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def test_nothing_left_over() -> None:
    """Nothing is left over and no path of one machine is named."""
    collected = []
    for path in _texts():
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if LEFTOVER.search(line) or MACHINE_PATH.search(line):
                collected.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()}")
    assert collected == []


def _texts() -> list[Path]:
    top = [path for path in ROOT.iterdir() if path.is_file()]
    folders = ("server", "client", "shared", "tests", ".ci")
    inside = [path for folder in folders for path in (ROOT / folder).rglob("*") if path.is_file()]
    return sorted(
        path
        for path in (*top, *inside)
        if path.name in NAMES or (path.suffix in SUFFIXES and path != Path(__file__))
    )


def test_names_of_tests_are_short() -> None:
    """The name of a test is short; its sentence stands in the docstring."""
    names = {name for path in (ROOT / "tests").rglob("*.py") for name in TEST_NAME.findall(path.read_text())}
    assert len(names) > 1_000
    assert sorted(name for name in names if len(name) > TEST_NAME_MAX) == []
