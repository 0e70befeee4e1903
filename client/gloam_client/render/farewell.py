"""The text left on the terminal at the end: whether the character is safe, and how to return. Pure."""

from typing import Final

from gloam_client.state.model import Model
from gloam_client.state.records import SurfaceKind

_WAYS_BACK: Final[dict[SurfaceKind, str]] = {
    "terminal": "the same command",
    "ssh": "the same command",
    "browser": "this page",
}


def farewell(model: Model) -> str:
    """Return the sentence for a player who leaves, "" without a character on this connection."""
    if not model.in_dungeon or model.connection.state != "joined":
        return ""
    back = (
        "`gloam` brings you back"
        if model.server.private
        else f"{_WAYS_BACK[model.surface.kind]} brings you back"
    )
    if model.dead:
        return f"You left. This life is over; {back} as an heir."
    if model.pace.held:
        return f"You left. Your character stays on guard while a foe holds it, at most ten turns; {back}."
    return f"You left. Your character is safe; {back}."
