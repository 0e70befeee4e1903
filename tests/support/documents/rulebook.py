"""The rules, the code that cites them, and the tests that prove them; as a program it lists rules without a test.

A rule has an ID and a row in a table of `server/docs/rules/*.md`. A test names the rules that it proves by its marker,
`@pytest.mark.rule("F19", "JG.4")`; the marker names answers to abuse of `server/docs/limits.md`, too. Elsewhere a rule is
cited as it is written there: J7.4, F19.
"""

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

TESTS: Final = Path(__file__).parents[2]
ROOT: Final = TESTS.parent
DOCUMENTS: Final = ROOT / "server" / "docs" / "rules"

_ID: Final = r"(?:J7|J10|J14|T14|JG|TG|RG)\.\d{1,2}|F1?\d\d|R\d{1,2}"
_ROW: Final = re.compile(rf"^\| ({_ID}) \| (.*) \|$", re.MULTILINE)
_CITED: Final = re.compile(rf"(?<![\w.])(?:{_ID})(?![\w.]*\w)")
_WRITTEN: Final = ("server", "client", "shared", "tests")
_SUFFIXES: Final = frozenset({".py", ".md", ".toml"})


class Test(NamedTuple):
    """A test: its function, and its source with its markers."""

    node: ast.FunctionDef | ast.AsyncFunctionDef
    source: str

    @property
    def name(self) -> str:
        return self.node.name


@cache
def rules() -> dict[str, str]:
    """Return the text of each rule by its ID, in the order of the documents."""
    return {rule: text for path in sorted(DOCUMENTS.glob("*.md")) for rule, text in rows(path)}


def rows(path: Path) -> list[tuple[str, str]]:
    """Return the rows of rules in a document: the ID, and the cells behind it."""
    return _ROW.findall(path.read_text(encoding="utf-8"))


def cited(text: str) -> set[str]:
    """Return the rules that a text cites."""
    return set(_CITED.findall(text))


def writings() -> Iterator[Path]:
    """Yield everything where rules are cited: code, data, tests and documents."""
    for folder in _WRITTEN:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in _SUFFIXES and not any(part.startswith(".") for part in path.parts):
                yield path
    yield from sorted(ROOT.glob("*.md"))


def marked(test: Test) -> set[str]:
    """Return the IDs in the markers of a test."""
    calls = [each for each in test.node.decorator_list if isinstance(each, ast.Call)]
    return {
        str(word.value)
        for call in calls
        if ast.unparse(call.func) == "pytest.mark.rule"
        for word in call.args
        if isinstance(word, ast.Constant)
    }


@cache
def every_test() -> tuple[Test, ...]:
    """Return every test in this folder."""
    found = []
    for path in sorted(TESTS.rglob("test_*.py")):
        source = path.read_text(encoding="utf-8")
        lines = source.splitlines()
        for node in ast.parse(source).body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
                begin = min([node.lineno, *(each.lineno for each in node.decorator_list)])
                found.append(Test(node, "\n".join(lines[begin - 1 : node.end_lineno])))
    return tuple(found)


@cache
def proven() -> frozenset[str]:
    """Return the IDs that the markers of all tests name, of rules and of abuses."""
    return frozenset().union(*map(marked, every_test()))


def untested() -> list[str]:
    """Return the rules that no test names, in the order of the documents."""
    return [rule for rule in rules() if rule not in proven()]


if __name__ == "__main__":
    lacking = untested()
    sys.stdout.writelines(f"{rule}\n" for rule in lacking)
    sys.exit(1 if lacking else 0)
