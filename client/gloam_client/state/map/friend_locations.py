"""The places where each friend was last seen, or pinged from: remembered until the player is there.

Pure; `memory` keeps it over runs of the client.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from gloam_shared.view.view import CreatureFlag, View

KEPT_MAX: Final = 64
_PLAYER: Final = int(CreatureFlag.PLAYER)
_OTHER: Final = int(CreatureFlag.PLAYER | CreatureFlag.SELF)
"""Plain numbers: a flag itself is slow to compare."""


class LastSeen(NamedTuple):
    """The last known place of a friend: seen there, or pinged from or for there (`called`)."""

    depth: int
    cell: int
    called: bool = False


FriendLocations: TypeAlias = Mapping[str, LastSeen]
NO_LOCATIONS: Final[FriendLocations] = MappingProxyType({})


def update_locations(before: FriendLocations, view: View) -> FriendLocations:
    """Return the friends' locations after a view, the same where nothing changes; a place that the player has reached is forgotten."""
    depth, size = view.place.depth, len(view.terrain)
    reached = {view.cell, *view.place.grid.neighbors(view.cell)} if size else set()
    after = {
        name: trace
        for name, trace in before.items()
        if trace.depth != depth or (trace.cell < size and trace.cell not in reached)
    }
    for one in view.creatures:
        if one.marks & _OTHER == _PLAYER:
            after[one.name] = LastSeen(depth, one.cell)
    if after == before:
        return before
    return after if len(after) <= KEPT_MAX else dict(list(after.items())[-KEPT_MAX:])


def locations_after_ping(before: FriendLocations, name: str, depth: int, cell: int) -> FriendLocations:
    """Return the friends' locations after a ping."""
    return dict(list({**before, name: LastSeen(depth, cell, called=True)}.items())[-KEPT_MAX:])


def restore_locations(kept: FriendLocations, now: FriendLocations, view: View) -> FriendLocations:
    """Return the stored locations of this life with newer ones, which take precedence."""
    return update_locations({**kept, **now}, view)
