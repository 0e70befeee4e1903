"""One row of the key table, and the keys that many screens share. Data only."""

from typing import Final, NamedTuple

from gloam_shared.protocol.commands import AnyCommand


class KeyBinding(NamedTuple):
    """One row: in a state of the screen, these keys mean this intent. `short` is its word on the bottom line.

    `command` is what a key of play sends, if that needs no question and no look at the model.
    """

    state: str
    intent: str
    keys: tuple[str, ...]
    section: str
    help: str
    short: str = ""
    command: AnyCommand | None = None


TYPING: Final = "Typing a line"
"""The section of those keys in help, which shows them once."""
EDITING: Final = (
    ("erase", ("BACKSPACE",), "erase the letter before the cursor", "erase"),
    ("erase next", ("DELETE",), "erase the letter at the cursor", ""),
    ("erase word", ("CTRL_W",), "erase the word before the cursor", ""),
    ("clear", ("CTRL_U",), "erase all before the cursor", ""),
    ("cursor left", ("LEFT",), "a letter to the left", ""),
    ("cursor right", ("RIGHT",), "a letter to the right", ""),
    ("cursor start", ("HOME", "CTRL_A"), "to the start of the line", ""),
    ("cursor end", ("END", "CTRL_E"), "to the end of the line", ""),
)
"""The keys of every text field: intent, keys, help, and the word on the bottom line."""


def editing_rows(state: str, *, hinted: bool = True) -> tuple[KeyBinding, ...]:
    """Return the rows of the text field in a state, for the bottom line, too, if `hinted`."""
    return tuple(
        KeyBinding(state, intent, keys, TYPING, words, short if hinted else "")
        for intent, keys, words, short in EDITING
    )


UP: Final = ("UP", "k", "KP_8")
DOWN: Final = ("DOWN", "j", "KP_2")
LIST_UP: Final = ("UP", "KP_8")
LIST_DOWN: Final = ("DOWN", "KP_2")
"""The keys of lists whose letters choose an entry."""
