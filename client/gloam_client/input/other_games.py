"""Keys of DCSS, Brogue and NetHack that do nothing here, and the key here with the same action. Data only."""

from typing import Final

from gloam_client.input import keymap
from gloam_client.input.own_keys import KeyChoice

_INTENTS: Final = {
    "cast": "Z",
    "rest": "0",
    "quit": "S CTRL_S CTRL_X CTRL_Q",
    "sheet": "% A",
    "inventory": 'I \\ * " ( ) [ ] { } |',
    "options": "= ~ CTRL_A",
    "wield": "W '",
    "fight": "SHIFT_TAB",
    "eat": "E",
    "help": "& F1",
    "find": "CTRL_F CTRL_W",
    "look": "^",
    "history": "CTRL_P CTRL_O",
    "say": "CTRL_T",
    "travel": "` CTRL_G",
    "redraw": "CTRL_R",
}
_ELSEWHERE: Final = {
    **{key: intent for intent, keys in _INTENTS.items() for key in keys.split()},
    " ": "wait",
}


def our_key(choice: KeyChoice, key: str) -> str:
    """Return a sentence with the key here for a key's action in other roguelikes; "" if there is none."""
    intent = _ELSEWHERE.get(key)
    row = next((row for row in keymap.rows(choice, "play") if row.intent == intent), None)
    if row is None:
        return ""
    ours = next(
        (one for one in row.keys if one != "."), row.keys[0]
    )  # a full stop would be lost at the end of a sentence
    return f"{keymap.key_label(key)}: {row.short} is {keymap.key_label(ours)}."
