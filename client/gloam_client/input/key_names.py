"""The names of keys: blessed's names on one side, the key table's on the other. Pure."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from blessed.keyboard import Keystroke

_F0: Final = 264
"""The code of F0; the codes of the function keys follow it."""
_MODIFIERS: Final = ("CTRL", "ALT", "SHIFT", "SUPER", "HYPER", "META")
_RELEASED: Final = "_RELEASED"
_REPEATED: Final = "_REPEATED"
_JOINER: Final = "\u200d"
"""The one sign that is not printable and yet a part of what is typed: it joins pictures to one."""
_PLAIN: Final = {"\r": "ENTER", "\n": "ENTER", "\t": "TAB", "\x7f": "BACKSPACE", "\x08": "BACKSPACE"}
"""Keys that are one control character."""
_NAMES: Final = {
    "ESCAPE": "ESC",
    "EXIT": "ESC",
    "PGDOWN": "PGDN",
    "PAGE_UP": "PGUP",
    "PAGE_DOWN": "PGDN",
    "NPAGE": "PGDN",
    "PPAGE": "PGUP",
    "NEXT": "PGDN",
    "PREVIOUS": "PGUP",
    "FIND": "HOME",
    "SELECT": "END",
    "LL": "END",
    "DC": "DELETE",
    "IC": "INSERT",
    "SUSPEND": "CTRL_Z",
    "UP_LEFT": "KP_7",
    "UP_RIGHT": "KP_9",
    "CENTER": "KP_5",
    "B2": "KP_5",
    "BEGIN": "KP_5",
    "DOWN_LEFT": "KP_1",
    "DOWN_RIGHT": "KP_3",
    "KP_BEGIN": "KP_5",
    "KP_ENTER": "ENTER",
    "KP_UP": "UP",
    "KP_DOWN": "DOWN",
    "KP_LEFT": "LEFT",
    "KP_RIGHT": "RIGHT",
    "KP_HOME": "HOME",
    "KP_END": "END",
    "KP_PAGE_UP": "PGUP",
    "KP_PAGE_DOWN": "PGDN",
    "KP_INSERT": "INSERT",
    "KP_DELETE": "DELETE",
    "KP_ADD": "+",
    "KP_SUBTRACT": "-",
    "KP_MULTIPLY": "*",
    "KP_DIVIDE": "/",
    "KP_DECIMAL": ".",
    "KP_SEPARATOR": ",",
    "KP_EQUAL": "=",
    "KP_0": "0",
}
"""blessed's names of unmodified keys for which the key table has another name."""
_SHIFTED: Final = {
    "BTAB": "TAB",
    "STAB": "TAB",
    "SUP": "UP",
    "SR": "UP",
    "SDOWN": "DOWN",
    "SF": "DOWN",
    "SLEFT": "LEFT",
    "SRIGHT": "RIGHT",
    "SHOME": "HOME",
    "SEND": "END",
    "SNEXT": "PGDN",
    "SPREVIOUS": "PGUP",
    "SIC": "INSERT",
    "SDC": "DELETE",
    "SBEG": "KP_5",
    "SEXIT": "ESC",
}
"""blessed's names of keys that are pressed with Shift."""
_SHIFT_MEANS_NOTHING: Final = frozenset({"ENTER", "ESC", "BACKSPACE"})
"""Keys that are the same with Shift."""


def key_name(stroke: "Keystroke") -> str:
    """Return a key's name in the key table: the character itself, else a word; "" for what is no key."""
    name = stroke.name
    if name is None:
        text = str(stroke)
        return text if len(text) == 1 and (text.isprintable() or text == _JOINER) else ""
    if name == "CSI":  # no key, but the beginning of a late answer
        return name
    return key_table_name(name) if name.startswith("KEY_") else ""


def key_table_name(name: str) -> str:
    """Return the key table's name for blessed's `KEY_...`; "" for a key release."""
    if name.endswith(_RELEASED):
        return ""
    name = name.removeprefix("KEY_").removesuffix(_REPEATED)
    pressed: list[str] = []
    while (modifier := name.partition("_")[0]) in _MODIFIERS and name != modifier:
        pressed.append(modifier)
        name = name.removeprefix(f"{modifier}_")
    if name in _SHIFTED:
        pressed = [*(one for one in pressed if one != "SHIFT"), "SHIFT"]
    name = _SHIFTED.get(name) or _NAMES.get(name, name)
    if pressed == ["SHIFT"] and name in _SHIFT_MEANS_NOTHING:
        return name
    return "_".join([*pressed, name])


def every_key_named(sequences: Mapping[str, int], names: Mapping[int, str]) -> dict[int, str]:
    """Name the codes of all sequences: blessed 1.52 raises KeyError for F13 and above."""
    return {**{code: f"KEY_F{code - _F0}" for code in sequences.values()}, **names}


def split_keys(name: str, stroke: str) -> tuple[str, ...]:
    """Return the keys of a stroke: Alt-x is no key here, so it is Esc and x that arrived together."""
    if not name.startswith("ALT_") or len(stroke) != 2 or stroke[0] != "\x1b":
        return (name,)
    after = _PLAIN.get(stroke[1], stroke[1])
    return ("ESC", after) if len(after) > 1 or after.isprintable() else (name,)
