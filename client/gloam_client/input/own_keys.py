"""Keys of the player's own: a preset, and what differs from it. Pure."""

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple, TypeAlias

from gloam_client.input.key_table import KeyBinding


class BoundKeys(NamedTuple):
    """The keys of one action of play under one preset, in place of the preset's."""

    preset: str
    intent: str
    keys: tuple[str, ...]


class OwnKeys(NamedTuple):
    """A preset with keys of the player's own."""

    preset: str
    bound: tuple[BoundKeys, ...]


KeyChoice: TypeAlias = str | OwnKeys
"""The keys in use: a preset, by its name, or the player's own keys."""

_WALKS: Final = ("west", "south", "north", "east", "north-west", "north-east", "south-west", "south-east")


def preset_of(choice: KeyChoice) -> str:
    """Return the preset that a choice begins with."""
    return choice if isinstance(choice, str) else choice.preset


def bound_of(choice: KeyChoice) -> tuple[BoundKeys, ...]:
    """Return the keys of the player's own, under any preset."""
    return () if isinstance(choice, str) else choice.bound


def choice_of(preset: str, bound: Iterable[BoundKeys]) -> KeyChoice:
    """Return the choice of a preset with these keys of the player's own."""
    kept = tuple(sorted(bound))
    return OwnKeys(preset, kept) if kept else preset


def apply_own(table: Iterable[KeyBinding], own: OwnKeys) -> tuple[KeyBinding, ...]:
    """Return the table of the preset with the player's own keys in play, and wherever the same actions have keys.

    The other keys of such a state keep their meaning: a key that walks in play may do something else with a cursor.
    """
    rows = tuple(table)
    keys = {one.intent: one.keys for one in own.bound if one.preset == own.preset}
    taken: dict[str, set[str]] = {}
    for row in rows:
        if row.state in _FOLLOWING and not _follows(row):
            taken.setdefault(row.state, set()).update(row.keys)
    bound = (_rebound(row, keys, taken.get(row.state, set())) for row in rows)
    return tuple(row for row in bound if row.keys)


def _rebound(row: KeyBinding, keys: Mapping[str, tuple[str, ...]], taken: set[str]) -> KeyBinding:
    wanted = keys.get(row.intent)
    if wanted is None or not (row.state == "play" or _follows(row)):
        return row
    return row._replace(keys=tuple(key for key in wanted if key not in taken))


_FOLLOWING: Final = frozenset({"cursor", "target", "direction", "examine"})
"""The states in which actions of play have the same keys: directions, and the uses of an item."""


def _follows(row: KeyBinding) -> bool:
    if row.state == "examine":
        return row.intent not in ("up", "down", "help", "back")
    return row.state in _FOLLOWING and row.intent.startswith(("step ", "run "))


def walking_letters(rows: Iterable[KeyBinding], verb: str) -> str:
    """Return the letters that "step" or "run" somewhere, in the order of hjklyubn."""
    keys = {row.intent: row.keys for row in rows}
    return "".join(
        next((key for key in keys[f"{verb} {way}"] if len(key) == 1 and key.isalpha()), "") for way in _WALKS
    )
