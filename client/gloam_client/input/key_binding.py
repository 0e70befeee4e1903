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


UP: Final = ("UP", "k", "KP_8")
DOWN: Final = ("DOWN", "j", "KP_2")
LIST_UP: Final = ("UP", "KP_8")
LIST_DOWN: Final = ("DOWN", "KP_2")
"""The keys of lists whose letters choose an entry."""
