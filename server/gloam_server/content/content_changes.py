"""The changes of another version of a campaign, in lines for the host."""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from gloam_server.content.campaign import Campaign
from gloam_server.content.campaign_schema import CampaignSchema

_TABLES = {
    "creature": "creatures",
    "item": "items",
    "spell": "spells",
    "level": "levels",
    "people": "peoples",
    "trait": "traits",
    "trophy": "trophies",
    "bent": "bents",
    "room": "rooms",
}
_SHOWN_MAX = 60


def describe_changes(old: Campaign, new: Campaign) -> list[str]:
    """Return one line for each kind that is new, gone or changed, and for each changed rule."""
    lines = [
        line
        for word, table in _TABLES.items()
        for line in _of_kinds(word, getattr(old, table), getattr(new, table))
    ]
    for name in CampaignSchema.__struct_fields__:
        lines += [f"rule {line}" for line in _between(name, getattr(old, name), getattr(new, name))]
    return lines


def _of_kinds(word: str, old: Mapping[str, Struct], new: Mapping[str, Struct]) -> Iterator[str]:
    for key in old:
        if key not in new:
            yield f"{word} {key} is gone"
    for key in new:
        if key not in old:
            yield f"{word} {key} is new"
    for key in (key for key in new if key in old):
        changes = [line for line in _between("", old[key], new[key]) if line]
        if changes:
            yield f"{word} {key}: {'; '.join(changes)}"


def _between(name: str, old: Any, new: Any) -> Iterator[str]:
    """Yield the differences between two values, field by field if they have fields."""
    if old == new:
        return
    if isinstance(old, Struct) and type(old) is type(new):
        before, after = asdict(old), asdict(new)
        for field in before:
            yield from _between(f"{name}.{field}" if name else field, before[field], after[field])
        return
    yield f"{name} was {_short(old)}, is {_short(new)}"


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= _SHOWN_MAX else f"{text[:_SHOWN_MAX]}..."
