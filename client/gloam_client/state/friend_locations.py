"""Where each friend was last seen, or called from: it is remembered until the player stands there.

Pure; `memory` keeps it over runs of the client.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from gloam_shared.geometry import chebyshev
from gloam_shared.view.view import CreatureFlag, View

KEPT_MAX: Final = 64


class Trace(NamedTuple):
    """A place where a friend was: seen there, or `called` from or for there."""

    depth: int
    cell: int
    called: bool = False


Whereabouts: TypeAlias = Mapping[str, Trace]
NOTHING: Final[Whereabouts] = MappingProxyType({})


def sighted(before: Whereabouts, view: View) -> Whereabouts:
    """Return where friends are and were, after a view: a place where the player stands by now leads no further."""
    depth, width = view.place.depth, view.place.width
    kept = {
        name: trace
        for name, trace in before.items()
        if trace.depth != depth
        or (trace.cell < len(view.terrain) and chebyshev(view.cell, trace.cell, width) > 1)
    }
    seen = {
        one.name: Trace(depth, one.cell)
        for one in view.creatures
        if one.marks & CreatureFlag.PLAYER and not one.marks & CreatureFlag.SELF
    }
    return dict(list({**kept, **seen}.items())[-KEPT_MAX:])


def called(before: Whereabouts, name: str, depth: int, cell: int) -> Whereabouts:
    """Return where friends are and were, after a call."""
    return dict(list({**before, name: Trace(depth, cell, called=True)}.items())[-KEPT_MAX:])


def rejoined(kept: Whereabouts, now: Whereabouts, view: View) -> Whereabouts:
    """Return what was kept of this life together with what was learned since, which goes first."""
    return sighted({**kept, **now}, view)
