"""The messages between the turn side, which runs the dungeon, and the view side, which shows it to clients.

Both sides import this module, and neither the other. In one process the messages hold Python objects and are passed by
calls, in the order in which they are sent. `ARCHITECTURE.md` has the table of the messages.
"""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from msgspec import Struct

from gloam_server.autopilot.plans import PointOfInterest
from gloam_server.world.transition.dungeon import Batch
from gloam_shared.view.view import LogLine


class Lines(Struct, frozen=True, array_like=True):
    """Log lines of a player that no event has: what a step of their plan says."""

    account: int
    lines: tuple[LogLine, ...]


class Durable(Struct, frozen=True, array_like=True):
    """A durable batch."""

    batch: Batch
    acted: AbstractSet[int]
    """The numbers of the bodies in its turns: their players get their views without delay."""
    lines: Sequence[Lines]
    """The lines of its plans: they stand before the lines of its events."""


class Shown(Struct, frozen=True, array_like=True):
    """To the turn side: the sights that a view shows, so that exploring does not stop for them again."""

    account: int
    points: frozenset[PointOfInterest]
