"""Bots decide by what their views show: their sources compare no words and import nothing of the world."""

import ast
from pathlib import Path

import pytest

from gloam_lab import bots

_TEXTS = frozenset({"text", "words", "name"})


def _reads_text(node: ast.AST) -> bool:
    """Return whether an expression is, or is made of, a text for people that a view shows."""
    return any(isinstance(part, ast.Attribute) and part.attr in _TEXTS for part in ast.walk(node))


@pytest.mark.parametrize("path", sorted(Path(bots.__file__).parent.glob("*.py")), ids=lambda path: path.stem)
def test_bots_compare_no_words(path: Path) -> None:
    """No bot compares a literal with a name or a sentence, and none searches in one: rewording must not change play."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            assert all(each.name != "re" for each in node.names), f"{path}:{node.lineno} imports re"
        if isinstance(node, ast.Compare):
            sides = (node.left, *node.comparators)
            literal = any(
                isinstance(part, ast.Constant) and isinstance(part.value, str) and part.value
                for side in sides
                for part in ast.walk(side)
            )
            assert not (literal and any(map(_reads_text, sides))), f"{path}:{node.lineno} compares words"
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            searches = node.func.attr in (
                "startswith",
                "endswith",
                "find",
                "partition",
                "split",
                "lower",
                "casefold",
            )
            assert not (searches and _reads_text(node)), f"{path}:{node.lineno} searches in words"
        if isinstance(node, ast.JoinedStr):
            assert not _reads_text(node), f"{path}:{node.lineno} puts words together"


def test_bots_know_nothing_but_views() -> None:
    for path in Path(bots.__file__).parent.glob("*.py"):
        imported = [
            node.module
            for node in ast.walk(ast.parse(path.read_text()))
            if isinstance(node, ast.ImportFrom) and node.module
        ]
        allowed = (
            "gloam_shared",
            "gloam_lab.bots",
            "gloam_server.autopilot",
            "gloam_server.rules",
            "collections",
            "dataclasses",
            "enum",
            "functools",
            "typing",
        )
        assert all(name.startswith(allowed) for name in imported), imported
