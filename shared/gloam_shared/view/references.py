"""References: both sides keep what left sight on a level, so that the server need not send it again.

Both sides keep the same, because it follows from the views alone: each creature and item that left sight, as last
seen. They keep the newest of each sort, at most `REFERENCES_MAX`, and forget all with the level or a whole view.
"""

from typing import Final, TypeVar

from msgspec.structs import replace

from gloam_shared.limits import REFERENCES_MAX
from gloam_shared.view.changes import AnyChange, Creatures, Entered, Items, Patch, Recolored, Returned
from gloam_shared.view.patch import looks_like
from gloam_shared.view.view import Creature, Item, View

T = TypeVar("T", Creature, Item)


class References:
    """What one connection remembers out of sight. A writer and a reader of updates have one each."""

    def __init__(self) -> None:
        self._creatures: dict[int, Creature] = {}
        self._items: dict[int, Item] = {}

    def clear(self) -> None:
        """Forget everything."""
        self._creatures.clear()
        self._items.clear()

    def copy(self) -> "References":
        """Return another that remembers the same."""
        twin = References()
        twin._creatures, twin._items = dict(self._creatures), dict(self._items)
        return twin

    def shorten(self, patch: Patch) -> Patch:
        """Return a patch with references for what comes back; `expand` makes the full patch from it."""
        if not any(_may_shorten(change) for change in patch):
            return patch
        back: list[int] = []
        items: list[int] = []
        rest: list[AnyChange] = []
        for change in patch:
            match change:
                case Entered():
                    self.clear()
                    rest.append(change)
                case Creatures():
                    rest.append(self._without_known(change, back))
                case Items(gone, come):
                    items += [item.handle for item in come if self._items.get(item.handle) == item]
                    rest.append(Items(gone, tuple(item for item in come if item.handle not in items)))
                case _:
                    rest.append(change)
        kept = [change for change in rest if change not in _EMPTY]
        return (Returned(tuple(back), tuple(items)), *kept) if back or items else tuple(kept)

    def expand(self, patch: Patch) -> Patch:
        """Return a patch without references. Raises ValueError if one refers to something forgotten."""
        expanded: list[AnyChange] = []
        for change in patch:
            match change:
                case Entered():
                    self.clear()
                    expanded.append(change)
                case Returned(creatures, items):
                    expanded += self._brought_back(creatures, items)
                case _:
                    expanded.append(change)
        return tuple(expanded)

    def note(self, before: View, patch: Patch) -> None:
        """Remember what a full patch took out of sight, as it was in the view before, and forget what it brought."""
        if any(isinstance(change, Entered) for change in patch):
            return  # all is forgotten, and nothing of another level is remembered
        for change in patch:
            match change:
                case Creatures(gone, come):
                    _keep(self._creatures, before.creatures, gone, come)
                case Items(gone, come):
                    _keep(self._items, before.items, gone, come)

    def _without_known(self, change: Creatures, back: list[int]) -> Creatures:
        """Return a change without the parts that a reference can replace; add these to `back`, as handle and cell."""
        come: list[Creature] = []
        hurt, marked, coloured = list(change.hurt), list(change.marked), list(change.coloured)
        for creature in change.come:
            handle = creature.handle
            known = self._creatures.get(handle)
            if known is None or not looks_like(known, creature):
                come.append(creature)
                continue
            back += (handle, creature.cell)
            hurt += (handle, creature.hp) if creature.hp != known.hp else ()
            marked += (handle, creature.marks) if creature.marks != known.marks else ()
            coloured += [Recolored(handle, creature.colour)] if creature.colour != known.colour else []
        return replace(
            change, come=tuple(come), hurt=tuple(hurt), marked=tuple(marked), coloured=tuple(coloured)
        )

    def _brought_back(self, creatures: tuple[int, ...], items: tuple[int, ...]) -> list[AnyChange]:
        try:
            come = [
                replace(self._creatures[handle], cell=cell)
                for handle, cell in zip(creatures[::2], creatures[1::2], strict=True)
            ]
            things = [self._items[handle] for handle in items]
        except KeyError as error:
            raise ValueError(f"a patch refers to {error}, which is not remembered") from error
        return [Creatures(come=tuple(come)), Items(come=tuple(things))]


_EMPTY: Final = (Creatures(), Items())


def _may_shorten(change: AnyChange) -> bool:
    """Return whether something comes into sight, or all is forgotten: most patches have neither."""
    return bool(change.come) if isinstance(change, Creatures | Items) else isinstance(change, Entered)


def _keep(kept: dict[int, T], before: tuple[T, ...], gone: tuple[int, ...], come: tuple[T, ...]) -> None:
    left = set(gone)
    kept.update([(each.handle, each) for each in before if each.handle in left] if left else ())
    for each in come:
        kept.pop(each.handle, None)
    while len(kept) > REFERENCES_MAX:
        del kept[next(iter(kept))]
