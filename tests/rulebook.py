"""Which rules have a test: `python tests/rulebook.py` lists those of the rulebook that no test names.

The rules carry the IDs of the facts that Gloam was built from: J7.x, J10.x, J14.x, T14.x and R.x are the five articles on
the three classic games, JG.x, TG.x and RG.x the whole games. A test names a rule in its own name: `test_j7_4_...`,
`test_rg7_and_rg17_...`, or a whole run of them: `test_j7_4_to_j7_6_...`.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent

ARTICLES: Final = {"J7": 19, "J10": 17, "J14": 15, "T14": 10, "R": 14}
"""How many rules each article has."""

GAMES: Final = {"JG": 26, "TG": 33, "RG": 34}
"""How many facts of each whole game there are."""

SETTLED: Final = {
    "JG.26": "how the original's code is built, not how it plays",
    "TG.33": "what the original lacks; Gloam has all of it",
}
"""Facts that no test can name, each with the reason."""

_TOKEN: Final = re.compile(r"(?<![a-z0-9])(j7|j10|j14|t14|jg|tg|rg|r)_?(\d+)(?![0-9a-z])")
_RUN: Final = re.compile(
    r"(?<![a-z0-9])(j7|j10|j14|t14|jg|tg|rg|r)_?(\d+)_to_(?:j7|j10|j14|t14|jg|tg|rg|r)_?(\d+)(?![0-9a-z])"
)


def rules(parts: dict[str, int]) -> list[str]:
    """Return the IDs of some parts of the rulebook, in order."""
    return [
        f"{part}.{number}" if part != "R" else f"R{number}"
        for part in parts
        for number in range(1, parts[part] + 1)
    ]


def named(name: str) -> set[str]:
    """Return the rules that the name of a test names."""
    found = {(part, int(number)) for part, number in _TOKEN.findall(name)}
    for part, first, last in _RUN.findall(name):
        found |= {(part, number) for number in range(int(first), int(last) + 1)}
    return {f"R{number}" if part == "r" else f"{part.upper()}.{number}" for part, number in found}


def test_names() -> Iterator[str]:
    """Yield the name of every test in this folder."""
    for path in sorted(HERE.rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
                yield node.name


def untested(parts: dict[str, int]) -> list[str]:
    """Return the rules of these parts that no test names, in order."""
    tested = {rule for name in test_names() for rule in named(name)}
    return [rule for rule in rules(parts) if rule not in tested and rule not in SETTLED]


if __name__ == "__main__":
    lacking = untested({**ARTICLES, **GAMES})
    sys.stdout.writelines(f"{rule}\n" for rule in lacking)
    sys.exit(1 if lacking else 0)
