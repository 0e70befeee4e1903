"""Values derived from a part of a view, kept as long as the part is the same object: views share unchanged parts."""

from collections.abc import Callable
from typing import Generic, TypeVar

Part = TypeVar("Part")
Derived = TypeVar("Derived")


class Kept(Generic[Part, Derived]):
    """A function of one immutable object that is computed once for each object, by its identity.

    It keeps `most` objects, and forgets all when it is asked about another one.
    """

    def __init__(self, derive: Callable[[Part], Derived], most: int) -> None:
        self._derive = derive
        self._most = most
        self._kept: dict[int, tuple[Part, Derived]] = {}

    def __call__(self, part: Part) -> Derived:
        """Return what is derived from the object."""
        known = self._kept.get(id(part))
        if known is None or known[0] is not part:  # a kept part lives on, so no other has its identity
            if len(self._kept) >= self._most:
                self._kept.clear()
            known = self._kept[id(part)] = part, self._derive(part)
        return known[1]
