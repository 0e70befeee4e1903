"""Where each friend was last seen, or called from: it is remembered until the player stands there.

Pure; `memory` keeps it over runs of the client.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from gloam_shared.view.view import CreatureFlag, View

KEPT_MAX: Final = 64


class LastSeen(NamedTuple):
    """A place where a friend was: seen there, or `called` from or for there."""

    depth: int
    cell: int
    called: bool = False


FriendLocations: TypeAlias = Mapping[str, LastSeen]
NO_LOCATIONS: Final[FriendLocations] = MappingProxyType({})


def update_locations(before: FriendLocations, view: View) -> FriendLocations:
    """Return where friends are and were, after a view: a place where the player stands by now leads no further."""
    depth, grid = view.place.depth, view.place.grid
    kept = {
        name: trace
        for name, trace in before.items()
        if trace.depth != depth
        or (trace.cell < len(view.terrain) and grid.distance(view.cell, trace.cell) > 1)
    }
    seen = {
        one.name: LastSeen(depth, one.cell)
        for one in view.creatures
        if one.marks & CreatureFlag.PLAYER and not one.marks & CreatureFlag.SELF
    }
    return dict(list({**kept, **seen}.items())[-KEPT_MAX:])


def locations_after_ping(before: FriendLocations, name: str, depth: int, cell: int) -> FriendLocations:
    """Return where friends are and were, after a call."""
    return dict(list({**before, name: LastSeen(depth, cell, called=True)}.items())[-KEPT_MAX:])


def restore_locations(kept: FriendLocations, now: FriendLocations, view: View) -> FriendLocations:
    """Return what was kept of this life together with what was learned since, which goes first."""
    return update_locations({**kept, **now}, view)
