"""The guidance of a player: the campaign's goal, and which hint and tip were given. Pure data."""

from typing import Final, NamedTuple


class Guide(NamedTuple):
    """The guidance of one run of the client."""

    goal: str = ""
    """The goal of the campaign, as the server words it; "" from an older server."""
    session: int = -1
    """The number of this run of the client, which chooses the tip; -1 for no tip."""
    advised_turn: int = -1_000
    """The turn of the newest hint."""


NO_GUIDE: Final = Guide()
