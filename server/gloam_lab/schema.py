"""The protocol for machines: one JSON document, made from the types. `python -m gloam_lab.schema` prints it.

PROTOCOL.md explains the entries; tests compare this document, that page and the types.
"""

import inspect as source
import json
import string
import sys
from collections.abc import Mapping
from enum import IntEnum, IntFlag
from typing import Any, Final, get_args

import msgspec
from msgspec import NODEFAULT, Struct
from msgspec import inspect as types

from gloam_shared import limits, text
from gloam_shared.appearance import COLORS, TERRAIN_LOOKS, TRANSPARENT, WALKABLE, Terrain
from gloam_shared.event_kinds import TEMPLATES, EventKind, MessageTemplate
from gloam_shared.geometry import DIRECTIONS
from gloam_shared.narration.rendering import HUNGER_WORDS
from gloam_shared.protocol import codes, commands, framing, registry
from gloam_shared.protocol.compression import DEFLATE
from gloam_shared.protocol.messages import parties
from gloam_shared.protocol.messages.dungeons import DUNGEONS
from gloam_shared.protocol.messages.replays import REPLAYS
from gloam_shared.view import changes, choices, menace, view

_PLACEHOLDERS: Final = {
    "s": "subject",
    "o": "object",
    "a": "object",
    "n": "amount",
    "w": "source",
    "b": "source",
    "d": "source",
}
"""The field of a line for each letter in its words; capitals mean the same field."""

_TABLES: Final = {
    "Answer.code": "codes.Answer",
    "Answer.reason": "codes.Reason",
    "Error.code": "codes.Error",
    "Bye.code": "codes.Bye",
    "LogLine.kind": "lines",
    "Creature.marks": "marks",
    "Friend.marks": "marks",
    "PartyMember.marks": "member_marks",
    "InventoryItem.traits": "traits",
    "InventoryItem.effect": "effects",
    "Spell.effect": "effects",
    "Spell.deals": "damage",
    "Menace.deals": "damage",
    "Menace.magic_deals": "damage",
    "LevelGain.kind": "gains",
    "Creature.colour": "colours",
    "Item.colour": "colours",
    "FloorItem.colour": "colours",
    "InventoryItem.colour": "colours",
    "Recolored.colour": "colours",
    "Ground.packed": "terrain",
    "MapMemory.packed": "terrain",
}
"""Fields with values from a table of the document, which may grow; numbers of marks and traits are added up."""

_PACKED: Final = {"Ground.packed": "values", "MapMemory.packed": "values", "Sight.packed": "flags"}
"""Fields with the difference of two maps, and whether it has values."""

_PAIRS: Final = {
    "Returned.creatures": ("handle", "cell"),
    "Creatures.hurt": ("handle", "hp"),
    "Creatures.marked": ("handle", "marks"),
    "Creatures.moved": ("handle", "cell"),
    "Sheet.pairs": ("sheet", "value"),
    "Steps.pairs": ("handle", "heading"),
    "OfferTrade.pairs": ("slot", "count"),
}
"""Lists of pairs of numbers, and the meaning of both numbers."""

_OWN: Final = ("queued_bytes_", "connections_reserved", "read_", "send_buffer", "password_jobs_", "gather_")
"""Prefixes of limits that only the server uses."""

_UNIONS: Final = {"Command": commands.AnyCommand, "Change": changes.AnyChange}
"""Fields of one kind among many, by the name that the document gives them."""


def protocol() -> dict[str, Any]:
    """Return the whole document, ready for JSON."""
    return {
        "protocol": {
            "newest": registry.PROTOCOL_VERSION,
            "oldest": registry.PROTOCOL_OLDEST,
            "abilities": [*registry.ABILITIES, DEFLATE, REPLAYS, DUNGEONS],
        },
        "framing": {"first_head_bytes": framing.LENGTH_SIZE, "head_bytes_max": framing.HEAD_MAX},
        "limits": {name: bound for name, bound in _limits() if not _is_time(name)},
        "timings": {name: bound for name, bound in _limits() if _is_time(name)},
        "phases": [{"phase": phase, "messages": leads_to} for phase, leads_to in registry.PHASES.items()],
        "messages": {
            "from_client": [_kind(kind) for kind in _messages(registry.FromClient)],
            "from_server": [_kind(kind) for kind in _messages(registry.FromServer)],
        },
        "commands": [_kind(kind) | {"takes": _takes(kind)} for kind in get_args(commands.AnyCommand)],
        "changes": [_kind(kind) for kind in get_args(changes.AnyChange)],
        "parts": [_kind(kind) for kind in parts()],
        "view": _fields(view.View),
        "codes": {
            "Answer": _meanings(codes.ANSWERS),
            "Reason": _meanings(codes.REASONS),
            "Error": _meanings(codes.ERRORS),
            "Bye": _meanings(codes.BYES),
        },
        "lines": [_line(kind, template) for kind, template in TEMPLATES.items()],
        "terrain": [_terrain(terrain) for terrain in Terrain],
        "marks": _numbers(view.CreatureFlag),
        "member_marks": _numbers(parties.MemberMark),
        "traits": _numbers(view.ItemFlag),
        "effects": _numbers(view.MagicEffect),
        "gains": _numbers(choices.GainKind),
        "damage": _numbers(menace.DamageKind),
        "hunger": [
            {"number": int(state), "name": state.name, "words": HUNGER_WORDS[state]} for state in view.Hunger
        ],
        "sheet": _numbers(view.Stat),
        "headings": [list(step) for step in DIRECTIONS],
        "colours": [
            {"name": name, "rgb": list(rgb), "terminal": number} for name, (rgb, number) in COLORS.items()
        ],
        "names": {
            "min": limits.NAME_MIN,
            "max": limits.NAME_MAX,
            "pattern": text.NAME_PATTERN,
            "reserved": sorted(text.RESERVED),
        },
    }


def parts() -> list[type[Struct]]:
    """Return the types of the lists without a tag inside views, changes and messages, each where it is first used."""
    found: dict[type[Struct], None] = {}

    def search(kind: types.Type) -> None:
        if isinstance(kind, types.StructType) and kind.cls not in found:
            if kind.tag is None:
                found[kind.cls] = None
            for field in kind.fields:
                search(field.type)
        for inner in (*getattr(kind, "types", ()), *filter(None, (getattr(kind, "item_type", None),))):
            search(inner)

    for field in _info(view.View).fields:
        search(field.type)
    for kind in (*get_args(changes.AnyChange), *_messages(registry.FromServer)):
        search(_info(kind))
    return list(found)


def render_document() -> str:
    """Return the document as the text of its file: one entry a line, for readers of differences."""
    return "{\n" + ",\n".join(_section(name, part) for name, part in protocol().items()) + "\n}\n"


def _section(name: str, part: Any) -> str:
    """Return one part of the document as text, each entry on its own line."""
    if isinstance(part, list):
        entries = ",\n".join(f"    {_json(entry)}" for entry in part)
        return f"  {_json(name)}: [\n{entries}\n  ]"
    if all(isinstance(entry, list) for entry in part.values()):
        inner = ",\n".join(_section(key, entry).replace("\n", "\n  ") for key, entry in part.items())
        return f"  {_json(name)}: {{\n  {inner}\n  }}"
    entries = ",\n".join(f"    {_json(key)}: {_json(entry)}" for key, entry in part.items())
    return f"  {_json(name)}: {{\n{entries}\n  }}"


def _json(entry: Any) -> str:
    return json.dumps(entry, ensure_ascii=False)


def _messages(union: Any) -> list[type[Struct]]:
    """Return the messages of a union in the order of their tags."""
    return sorted(get_args(union), key=lambda kind: kind.__struct_config__.tag)


def _kind(kind: type[Struct]) -> dict[str, Any]:
    """Return a message, command, change or part: its tag, if it has one, its name, and its fields in their order."""
    tag = kind.__struct_config__.tag
    entry: dict[str, Any] = {} if tag is None else {"tag": tag}
    return entry | {"name": kind.__name__, "meaning": _meaning(kind), "fields": _fields(kind)}


def _meaning(kind: type[Struct]) -> str:
    """Return the first paragraph of a type's own description, as one line."""
    return " ".join((source.getdoc(kind) or "").partition("\n\n")[0].split())


def _fields(kind: type[Struct]) -> list[dict[str, Any]]:
    return [_field(f"{kind.__name__}.{field.name}", field) for field in _info(kind).fields]


def _info(kind: type[Struct]) -> types.StructType:
    info = types.type_info(kind)
    assert isinstance(info, types.StructType)
    return info


def _field(path: str, field: types.Field) -> dict[str, Any]:
    entry = {"name": field.name} | _type(field.type)
    notes: tuple[tuple[str, Mapping[str, Any]], ...]
    notes = ("table", _TABLES), ("packed", _PACKED), ("pairs", _PAIRS)
    entry |= {name: noted[path] for name, noted in notes if path in noted}
    if field.default is not NODEFAULT:
        entry["default"] = msgspec.to_builtins(field.default)
    return entry


def _type(kind: types.Type) -> dict[str, Any]:
    """Return a field's type and its bounds."""
    match kind:
        case types.BoolType():
            return {"type": "bool"}
        case types.IntType(ge=least, le=most):
            return {"type": "int"} | _bounds(least, most)
        case types.StrType(min_length=least, max_length=most):
            return {"type": "text"} | _bounds(least, most)
        case types.BytesType(min_length=least, max_length=most):
            return {"type": "bytes"} | _bounds(least, most)
        case types.LiteralType(values=values):
            return {"type": "text", "one_of": list(values)}
        case types.VarTupleType(item_type=item, min_length=least, max_length=most):
            return {"type": "list", "of": _type(item)} | _bounds(least, most)
        case types.StructType(cls=cls):
            return {"type": cls.__name__}
        case types.UnionType(types=several):
            return _union(several)
        case _:
            raise TypeError(f"the schema cannot describe the type of a field: {kind}")


def _union(several: tuple[types.Type, ...]) -> dict[str, Any]:
    """Return one type of several: a named union, a type or nil, or any of a list."""
    classes = {kind.cls for kind in several if isinstance(kind, types.StructType)}
    for name, union in _UNIONS.items():
        if classes == set(get_args(union)):
            return {"type": name}
    rest = [kind for kind in several if not isinstance(kind, types.NoneType)]
    entry = _type(rest[0]) if len(rest) == 1 else {"type": "any", "of": [_type(kind) for kind in rest]}
    return entry | ({"nil": True} if len(rest) < len(several) else {})


def _bounds(least: float | None, most: float | None) -> dict[str, Any]:
    bounds = {"min": least, "max": most}
    return {name: bound for name, bound in bounds.items() if bound is not None}


def _takes(kind: type[Struct]) -> str:
    """Return the cost of a command: one "turn", the turns of a "plan", or "nothing"."""
    if kind in get_args(commands.Plan):
        return "plan"
    return "turn" if kind in get_args(commands.ActionCommand) else "nothing"


def _limits() -> list[tuple[str, int]]:
    """Return the limits of the conversation that concern a client."""
    named = [(name.lower(), bound) for name, bound in vars(limits).items() if isinstance(bound, int)]
    return [(name, bound) for name, bound in named if not name.startswith(_OWN)]


def _is_time(limit: str) -> bool:
    return limit.endswith(("_s", "_ms")) and not limit.endswith("_per_s")


def _meanings(listed: Mapping[Any, str]) -> list[dict[str, str]]:
    return [{"code": code, "meaning": meaning} for code, meaning in listed.items()]


def _numbers(names: type[IntEnum | IntFlag]) -> list[dict[str, Any]]:
    return [{"number": int(member), "name": member.name} for member in names]


def _terrain(terrain: Terrain) -> dict[str, Any]:
    look = TERRAIN_LOOKS[terrain]
    entry = {"number": int(terrain), "name": terrain.name} | look._asdict()
    return entry | {"walkable": terrain in WALKABLE, "transparent": terrain in TRANSPARENT}


def _line(kind: EventKind, template: MessageTemplate) -> dict[str, Any]:
    """Return a kind of line: the fields that its words use, and the words for each point of view."""
    return {"kind": kind, "fields": line_fields(template)} | template._asdict()


def line_fields(template: MessageTemplate) -> list[str]:
    """Return the fields of a line that its words depend on: the fields in them, and the one that is "you"."""
    used = {
        _PLACEHOLDERS[name.lower()]
        for sentence in template[:3]
        for _, name, _, _ in string.Formatter().parse(sentence)
        if name
    }
    used |= {"subject"} if template.by_you else set()
    used |= {"object"} if template.to_you else set()
    return [field for field in view.LogLine.__struct_fields__ if field in used]


if __name__ == "__main__":
    sys.stdout.write(render_document())
