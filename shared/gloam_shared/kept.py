"""Values that are kept until an input of them changes, and a check mode that finds each that should have changed.

A cache is wrong in one way only: something changed on which it depends, and it did not look. So every kept value names
its inputs in one call, and the computation from nothing is its definition. In the check mode, on in simulations
and in nearly all tests, each read computes the value again from nothing and compares. `server/docs/kept.md` lists what is kept.
"""

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from operator import is_
from typing import Any, Final, Generic, TypeVar

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")
V = TypeVar("V")


class _CheckMode:
    """The one switch: the function that takes the report of a stale value; None where nothing is checked."""

    __slots__ = ("report",)

    def __init__(self) -> None:
        self.report: Callable[[str], None] | None = None


CHECKS: Final = _CheckMode()
"""A reader for which each call counts looks at its `report` before it calls `verify`."""


@contextmanager
def checking(report: Callable[[str], None] | None) -> Iterator[None]:
    """Check each read of a kept value within this block, and report what is stale; with None, check nothing."""
    outer, CHECKS.report = CHECKS.report, report
    try:
        yield
    finally:
        CHECKS.report = outer


def verify(name: str, kept: T, compute: Callable[[], T]) -> T:
    """Compare a kept value with the one that is computed now, in the check mode. Return the one that is true."""
    report = CHECKS.report
    if report is None:
        return kept
    CHECKS.report = None  # what the computation itself reads is checked where it is read otherwise
    try:
        now = compute()
    finally:
        CHECKS.report = report
    if now == kept:
        return kept
    report(f"{name}: {_difference(kept, now)}")
    return now


class Kept(Generic[T]):
    """One value, with the inputs that it was computed from.

    `objects` are compared by identity: each is replaced when it changes, or lives as long as its subject. `values` are
    compared by equality, so they are immutable, or copies; None is equal to nothing: such a value is not kept.
    `compute` takes the value before of the same objects, or None. It may start there, if the result is the same as from
    nothing.
    """

    __slots__ = ("_objects", "_values", "name", "value")

    def __init__(self, name: str) -> None:
        self.name: Final = name
        self.value: T | None = None
        """The newest value, current or not."""
        self._objects: tuple[object, ...] = ()
        self._values: object = None

    def get(
        self,
        objects: tuple[object, ...],
        values: V,
        compute: Callable[[T | None], T],
        copied: Callable[[V], object] | None = None,
    ) -> T:
        """Return the value for these inputs: the same object while they are the same.

        `copied` returns what is kept of values that change in place.
        """
        value = self.value
        if objects and not all(map(is_, objects, self._objects)):
            value = None
        if value is None or values is None or values != self._values:
            value = self.value = compute(value)
            self._objects, self._values = objects, values if copied is None else copied(values)
        if CHECKS.report is not None:
            value = self.value = verify(self.name, value, lambda: compute(None))
        return value

    def find(self, objects: tuple[object, ...], values: object) -> T | None:
        """Return the value if these are its inputs, else None: for a value that is not always kept."""
        if values is None or values != self._values or not all(map(is_, objects, self._objects)):
            return None
        return self.value

    def keep(self, objects: tuple[object, ...], values: object, value: T) -> None:
        """Keep a value that was computed from these inputs."""
        self.value, self._objects, self._values = value, objects, values

    def invalidate(self) -> None:
        """Compute the value again at the next read: a writer notes a change that no input shows."""
        self._values = None


class KeptTable(dict[K, Kept[T]]):
    """A kept value for each key, all under one name. Its owner drops the keys."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name

    def __missing__(self, key: K) -> Kept[T]:
        found = self[key] = Kept[T](self._name)
        return found


def _difference(kept: Any, now: Any, at: str = "") -> str:
    """Return where two values differ first, and how."""
    if type(kept) is type(now):
        for name, one, other in _parts(kept, now):
            if one != other:
                return _difference(one, other, at + name)
    return f"{at.lstrip('.') or 'it'} is kept as {kept!r:.200}, and now is {now!r:.200}"


def _parts(kept: Any, now: Any) -> list[tuple[str, Any, Any]]:
    """Return the parts of two values of one type, by name; none if they are plain or have different parts."""
    names = getattr(kept, "__struct_fields__", getattr(kept, "_fields", getattr(kept, "__match_args__", ())))
    if names:
        return [(f".{name}", getattr(kept, name), getattr(now, name)) for name in names]
    if isinstance(kept, dict) and kept.keys() == now.keys():
        return [(f"[{key!r}]", kept[key], now[key]) for key in kept]
    if isinstance(kept, tuple | list) and len(kept) == len(now):
        return [(f"[{place}]", one, other) for place, (one, other) in enumerate(zip(kept, now, strict=True))]
    return []
