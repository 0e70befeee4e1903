"""The outputs of an input, read: the bodies that left play."""

from collections.abc import Iterable, Iterator

from gloam_server.world.model.creature import Creature
from gloam_server.world.model.inputs import Envelope, Output, StoreBody


def stored_bodies(outputs: Iterable[Output]) -> Iterator[Creature]:
    """Yield the bodies that the realm keeps from now on."""
    for output in outputs:
        if isinstance(output, Envelope) and isinstance(output.input, StoreBody):
            yield output.input.body
