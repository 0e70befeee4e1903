"""Docstrings and comments of a module, each with its line."""

import ast
import io
import tokenize
from collections.abc import Iterator
from typing import NamedTuple


class Passage(NamedTuple):
    """A docstring or a run of comments."""

    line: int
    text: str


def docstrings(source: str) -> Iterator[Passage]:
    """Yield the docstrings of modules, classes and functions, and the strings below assignments."""
    for node in ast.walk(ast.parse(source)):
        if (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
        ):
            yield Passage(node.lineno, node.value.value)


def comments(source: str) -> Iterator[Passage]:
    """Yield the comments; those on adjacent lines are one passage, as a phrase may continue on the next line."""
    start, end, words = 0, 0, list[str]()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            line = token.start[0]
            if words and line != end + 1:
                yield Passage(start, " ".join(words))
                words = []
            start, end = (start if words else line), line
            words.append(token.string.lstrip("# "))
    if words:
        yield Passage(start, " ".join(words))
