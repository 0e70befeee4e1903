"""Each sentence of the flagship's descriptions is a picture, or tells a deed that a scenario plays (rule F29).

`described_deeds.toml` beside this file places them. Who writes a new description adds its sentences there.
"""

import ast
import re
import tomllib
from functools import cache
from pathlib import Path

import pytest

from support.content.shipped_files import campaign

TESTS = Path(__file__).parents[2]
TABLE = tomllib.loads(Path(__file__).with_name("described_deeds.toml").read_text(encoding="utf-8"))
PICTURES: list[str] = TABLE["pictures"]
DEEDS: dict[str, list[str]] = TABLE["deeds"]
SWEEPS = {"CASTERS", "LASTING", "THINGS"}
"""Names of parameters that are drawn from the campaign, so that their tests reach each key without naming it."""


def sentences(table: str, key: str, words: str) -> list[str]:
    return [f"{table}.{key}: {sentence}" for sentence in re.split(r"(?<=[.!?])\s+", words) if sentence]


def described() -> list[str]:
    """Return each sentence of each description of the flagship, with what it describes."""
    gloam = campaign("gloam")
    words = {
        "creatures": {key: kind.words for key, kind in gloam.creatures.items()},
        "items": {key: kind.words for key, kind in gloam.items.items()},
        "spells": {key: spell.words for key, spell in gloam.spells.items()},
        "traits": {key: trait.words for key, trait in gloam.traits.items()},
        "brands": {brand.key: brand.words for brand in gloam.brands},
    }
    found = [
        sentence
        for table, kinds in words.items()
        for key, fields in kinds.items()
        for sentence in sentences(table, key, fields)
    ]
    return found + sentences("victory", "words", gloam.victory.words)


@cache
def read_tests(path: str) -> dict[str, str]:
    """Return the tests of a module by name, each with its parameters and its body as text."""
    text = (TESTS / path).read_text(encoding="utf-8")
    found = [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
    lines = text.splitlines()
    return {
        node.name: "\n".join(
            lines[
                min((mark.lineno for mark in node.decorator_list), default=node.lineno) - 1 : node.end_lineno
            ]
        )
        for node in found
        if node.name.startswith("test_")
    }


def test_each_sentence_is_placed_once() -> None:
    """A sentence is a picture or a deed, and no sentence is placed that no description has."""
    deeds = {sentence for played in DEEDS.values() for sentence in played}
    assert sorted({*PICTURES, *deeds}) == sorted(described())
    assert [sentence for sentence in PICTURES if sentence in deeds] == []
    assert len(PICTURES) == len(set(PICTURES))


@pytest.mark.parametrize("test", sorted(DEEDS))
def test_each_deed_is_played_by_a_test(test: str) -> None:
    """The test exists, and names what it plays or draws it from the campaign."""
    path, name = test.split("::")
    assert name in read_tests(path)
    text = read_tests(path)[name]
    if SWEEPS.intersection(re.findall(r"\w+", text)):
        return
    keys = [sentence.split(":")[0].partition(".")[2] for sentence in DEEDS[test]]
    assert [key for key in keys if not _names(text, key)] == []


def _names(text: str, key: str) -> bool:
    """Return whether a text names a key, whole or without the word for what it is (`ring_bat`)."""
    words = set(re.findall(r"\w+", text))
    return key in words or key.partition("_")[2] in words or any(key in word.split("_") for word in words)
