"""Errors of a campaign, as one sentence for its author: the file, the key, and the solution."""

import re
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any, Final, TypeVar

import msgspec
from msgspec import inspect

T = TypeVar("T")

_PLACE: Final = re.compile(r"^(?P<what>.*?)(?: - at `\$(?P<path>.*)`)?$", re.DOTALL)
_STEP: Final = re.compile(r"\.(?P<key>[^.\[]+)|\[(?P<index>\d+)\]")
_UNKNOWN: Final = re.compile(r"unknown field `(?P<key>.*)`", re.DOTALL)
_MISSING: Final = re.compile(r"missing required field `(?P<key>.*)`")
_SHOWN_MAX: Final = 60


class CampaignError(ValueError):
    """A campaign is invalid. The text has the file, the key, what is expected, and the solution."""


def convert_or_explain(file: str, where: str, raw: object, kind: type[T]) -> T:
    """Return a parsed table as a checked struct. Raises CampaignError, its key path beginning with `where`."""
    try:
        return msgspec.convert(raw, kind, strict=True)
    except msgspec.ValidationError as fault:
        raise _explain(str(fault), file, where, raw, kind) from None


def invalid_value(file: str, path: str, value: object, mend: str) -> CampaignError:
    """Return the error for a key with an invalid value: the sentence ends with the solution."""
    return CampaignError(_sentence(f"In {file}, {path} is {_shorten(value)}: {mend}"))


def unknown_key(file: str, path: str, key: str, known: Iterable[str]) -> CampaignError:
    """Return the error for an unknown key."""
    here = f"{path}.{key}" if path else key
    return CampaignError(_sentence(f"In {file}, {here} is not known: {alternatives(key, known)}"))


def alternatives(given: str, known: Iterable[str]) -> str:
    """Return the suggestion for an unknown word: the most similar known one, or all if none is similar."""
    words = sorted(known)
    near = get_close_matches(given, words, n=1)
    if near:
        return f"did you mean {near[0]}?"
    return f"write one of {', '.join(words)}" if words else "remove it, for there is none to choose from"


def _explain(fault: str, file: str, where: str, raw: object, kind: type) -> CampaignError:
    """Return msgspec's validation error as our own text."""
    found = _PLACE.match(fault)
    assert found is not None, "the pattern matches every text"
    trail = found["path"] or ""
    value, expected = _follow(trail, raw, inspect.type_info(kind))
    path = (where + trail).lstrip(".")
    if (name := _UNKNOWN.search(found["what"])) and isinstance(expected, inspect.StructType):
        return unknown_key(
            file, path, name["key"], [field.name for field in expected.fields if field.name != "key"]
        )
    if (name := _MISSING.search(found["what"])) and isinstance(expected, inspect.StructType):
        kind_of = {field.name: field.type for field in expected.fields}[name["key"]]
        here = f"{path}.{name['key']}" if path else name["key"]
        return CampaignError(f"In {file}, {here} is missing: add {_expectation(kind_of)}.")
    if where and trail == ".key":
        return CampaignError(f"In {file}, rename the table [{where}]: write {_expectation(expected)}.")
    literal = _bare(expected)
    if isinstance(literal, inspect.LiteralType) and isinstance(value, str):
        return invalid_value(file, path, value, alternatives(value, [str(word) for word in literal.values]))
    return invalid_value(file, path, value, f"write {_expectation(expected)}")


def _follow(trail: str, raw: Any, kind: inspect.Type) -> tuple[object, inspect.Type]:
    """Return the value at the end of a path such as `.levels.width`, and the type that is expected there."""
    for place in _STEP.finditer(trail):
        kind = _bare(kind)
        if isinstance(kind, inspect.StructType) and place["key"]:
            kind = {field.name: field.type for field in kind.fields}[place["key"]]
            raw = raw[place["key"]]
        elif isinstance(kind, inspect.VarTupleType) and place["index"]:
            kind = kind.item_type
            raw = raw[int(place["index"])]
    return raw, kind


def _bare(kind: inspect.Type) -> inspect.Type:
    return kind.type if isinstance(kind, inspect.Metadata) else kind


def _expectation(kind: inspect.Type) -> str:
    """Return what is expected of a value, in words."""
    if isinstance(kind, inspect.Metadata):
        described = (kind.extra_json_schema or {}).get("description")
        return str(described) if described else _expectation(kind.type)
    match kind:
        case inspect.IntType(ge=least, le=most):
            return f"a whole number from {least} to {most}"
        case inspect.BoolType():
            return "true or false"
        case inspect.LiteralType(values=words):
            return f"one of {', '.join(sorted(map(str, words)))}"
        case inspect.VarTupleType(item_type=item):
            return f"a list, each of it {_expectation(item)}"
        case inspect.StructType():
            return "a table"
        case inspect.UnionType(types=types):
            return _expectation(next(one for one in types if not isinstance(one, inspect.NoneType)))
        case _:
            return "a text"


def _sentence(text: str) -> str:
    return text if text.endswith("?") else f"{text}."


def _shorten(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _SHOWN_MAX else text[: _SHOWN_MAX - 3] + "..."
