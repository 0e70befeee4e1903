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
    """The creatures and items that one connection remembers out of sight.

    A writer and a reader of updates have one each.
    """

    def __init__(self) -> None:
        self._creatures: dict[int, Creature] = {}
        self._items: dict[int, Item] = {}

    def clear(self) -> None:
        """Forget everything."""
        self._creatures.clear()
        self._items.clear()

    def copy(self) -> "References":
        """Return another that remembers the same."""
        duplicate = References()
        duplicate._creatures, duplicate._items = dict(self._creatures), dict(self._items)
        return duplicate

    def last_seen(self, handle: int) -> int | None:
        """Return the cell at which a creature was when it left sight; None if it is not remembered."""
        creature = self._creatures.get(handle)
        return creature.cell if creature is not None else None

    def shorten(self, patch: Patch) -> Patch:
        """Return a patch with references for creatures and items that return; `expand` makes the full patch from it."""
        back: list[int] = []
        items: list[int] = []
        rest: list[AnyChange] = []
        for change in patch:
            match change:
                case Entered():
                    self.clear()
                    rest.append(change)
                case Creatures() if change.come:
                    rest += self._without_known_creatures(change, back)
                case Items() if change.come:
                    rest += self._without_known_items(change, items)
                case _:
                    rest.append(change)
        return (Returned(tuple(back), tuple(items)), *rest) if back or items else tuple(rest)

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
        if Entered in map(type, patch):
            return  # all is forgotten, and nothing of another level is remembered
        for change in patch:
            match change:
                case Creatures():
                    _keep(self._creatures, before.creatures, change.gone, change.come)
                case Items():
                    _keep(self._items, before.items, change.gone, change.come)

    def _without_known_creatures(self, change: Creatures, back: list[int]) -> list[AnyChange]:
        """Return a change without the parts that a reference can replace; add these to `back`, as handle and cell."""
        come: list[Creature] = []
        hurt, marked, coloured = list(change.hurt), list(change.marked), list(change.coloured)
        for creature in change.come:
            handle = creature.handle
            known = self._creatures.get(handle)
            if known is None:
                come.append(creature)
                continue
            if replace(known, cell=creature.cell) == creature:  # most are as they were, or elsewhere
                back += (handle, creature.cell)
                continue
            if not looks_like(known, creature):
                come.append(creature)
                continue
            back += (handle, creature.cell)
            hurt += (handle, creature.hp) if creature.hp != known.hp else ()
            marked += (handle, creature.marks) if creature.marks != known.marks else ()
            coloured += [Recolored(handle, creature.colour)] if creature.colour != known.colour else []
        if not back:
            return [change]
        rest = replace(
            change, come=tuple(come), hurt=tuple(hurt), marked=tuple(marked), coloured=tuple(coloured)
        )
        return [] if rest == _NO_CREATURES else [rest]

    def _without_known_items(self, change: Items, back: list[int]) -> list[AnyChange]:
        """Return a change without the items that a reference can replace; add the handles of these to `back`."""
        come: list[Item] = []
        for item in change.come:
            if self._items.get(item.handle) == item:
                back.append(item.handle)
            else:
                come.append(item)
        return [Items(change.gone, tuple(come))] if come or change.gone else []

    def _brought_back(self, creatures: tuple[int, ...], items: tuple[int, ...]) -> list[AnyChange]:
        try:
            come = [
                replace(self._creatures[handle], cell=cell)
                for handle, cell in zip(creatures[::2], creatures[1::2], strict=True)
            ]
            things = [self._items[handle] for handle in items]
        except KeyError as error:
            raise ValueError(f"a patch refers to {error}, which is not remembered") from error
        return [change for change in (Creatures(come=tuple(come)), Items(come=tuple(things))) if change.come]


_NO_CREATURES: Final = Creatures()


def _keep(kept: dict[int, T], before: tuple[T, ...], gone: tuple[int, ...], come: tuple[T, ...]) -> None:
    left = set(gone)
    kept.update([(each.handle, each) for each in before if each.handle in left] if left else ())
    for each in come:
        kept.pop(each.handle, None)
    while len(kept) > REFERENCES_MAX:
        del kept[next(iter(kept))]
