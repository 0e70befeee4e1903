"""The assignment of a new key to an action of play, and the keys that a player may not change. Pure."""

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from gloam_client.input import keymap
from gloam_client.input.own_keys import BoundKeys, KeyChoice, OwnKeys, bound_of, choice_of, preset_of
from gloam_shared.text import as_cell, cells

_FIXED: Final = frozenset(
    {"ESC", "ENTER", "CTRL_C", "CTRL_Z", "?", "Q", "UP", "DOWN", "LEFT", "RIGHT"}
    | {f"KP_{digit}" for digit in range(1, 10)}
)
"""Keys that always keep their meaning, so that a player finds out of every screen and back to these choices."""
_NAME: Final = re.compile(r"[A-Z][A-Z0-9]{1,9}(?:_[A-Z0-9]{1,9}){0,3}")


class Rebinding(NamedTuple):
    """The result of a request for a key: the new choice, the old one if it is refused, and a sentence."""

    choice: KeyChoice
    words: str
    done: bool = True


def bind(choice: KeyChoice, intent: str, key: str) -> Rebinding:
    """Return the keys after `key` becomes the first key of an action of play.

    It replaces the shown key of that action. An action that had `key` gets the replaced one in exchange.
    """
    now = {row.intent: row for row in keymap.rows(choice, "play")}
    mine = now[intent]
    if not is_bindable(key):
        return Rebinding(
            choice, f"{keymap.key_label(key)} always means the same; choose another key.", done=False
        )
    replaced = next((old for old in mine.keys if is_bindable(old)), "")
    holder = next((row for row in now.values() if key in row.keys and row.intent != intent), None)
    changed = {intent: (key, *(old for old in mine.keys if old not in (key, replaced)))}
    if key in mine.keys:
        changed = {intent: (key, *(old for old in mine.keys if old != key))}
    words = f"{keymap.key_label(key)} is now: {mine.help}."
    if holder is not None:
        given = tuple(replaced if old == key else old for old in holder.keys if old != key or replaced)
        if not given:
            return Rebinding(
                choice,
                f"{keymap.key_label(key)} is the only key for this: {holder.help}. Change that first.",
                done=False,
            )
        changed[holder.intent] = given
        words += f" It was: {holder.help}; that has {keymap.key_label(given[0])} now."
    return Rebinding(_with(choice, changed), words)


def _with(choice: KeyChoice, changed: Mapping[str, tuple[str, ...]]) -> KeyChoice:
    preset = preset_of(choice)
    others = [one for one in bound_of(choice) if one.preset != preset or one.intent not in changed]
    return choice_of(
        preset, [*others, *(BoundKeys(preset, intent, keys) for intent, keys in changed.items())]
    )


def is_bindable(key: str) -> bool:
    """Return whether a key may get another meaning."""
    return key not in _FIXED and (
        as_cell(key) == key and cells(key) == 1 if len(key) == 1 else bool(_NAME.fullmatch(key))
    )


def faults(own: OwnKeys) -> list[str]:
    """Return what is wrong with keys of the player's own that a file contains."""
    before = {row.intent: row.keys for row in keymap.rows(own.preset, "play")}
    bound = [one for one in own.bound if one.preset == own.preset]
    found = [f'"{one.intent}" is no action' for one in bound if one.intent not in before]
    found += [f'"{one.intent}" has no key' for one in bound if not one.keys]
    held: dict[str, str] = {}
    for row in keymap.rows(own, "play"):
        kept = [key for key in before[row.intent] if key in _FIXED]
        found += [f'"{row.intent}" must keep {key}' for key in kept if key not in row.keys]
        for key in row.keys:
            if key in held:
                found.append(f'{key} has two meanings, "{held[key]}" and "{row.intent}"')
            elif not is_bindable(key) and key not in kept:
                found.append(f'"{row.intent}" cannot have {key}')
            held[key] = row.intent
    return found
