"""Kept values: computed again for another input, and compared with the definition in the check mode."""

from typing import NamedTuple

import pytest

from gloam_shared.kept import Kept, KeptTable, checking, verify


class Room(NamedTuple):
    name: str
    doors: list[int]


def test_a_value_is_computed_once_for_its_inputs() -> None:
    kept, asked = Kept[list[int]]("a list"), []

    def compute(before: list[int] | None) -> list[int]:
        asked.append(before)
        return [7]

    with checking(pytest.fail):
        one = object()
        first = kept.get((one,), 1, compute)
        assert kept.find((one,), 1) is kept.get((one,), 1, compute) is first
    asked.clear()
    with checking(pytest.fail):
        kept.get((one,), 2, compute)
    assert asked == [first, None]  # the definition starts from nothing


def test_the_value_of_other_objects_is_no_start() -> None:
    kept, starts = Kept[str]("a name"), list[str | None]()
    one, equal = [1], [1]

    def compute(before: str | None) -> str:
        starts.append(before)
        return "name"

    for objects, values in [((one,), 1), ((one,), 1), ((one,), 2), ((equal,), 2)]:
        starts.clear()
        kept.get(objects, values, compute)
    assert starts[0] is None
    assert kept.find((one,), 2) is None


def test_what_is_not_kept_is_computed_each_time() -> None:
    kept = Kept[int]("a number")
    numbers = iter(range(9))
    with checking(None):
        computed = [kept.get((), values, lambda _: next(numbers)) for values in (None, None, 1, 1)]
    assert computed == [0, 1, 2, 2]
    kept.invalidate()
    assert kept.find((), 1) is None
    kept.keep((), 1, 9)
    assert kept.find((), 1) == 9


@pytest.mark.parametrize(
    ("kept", "now", "text"),
    [
        (3, 4, "it is kept as 3, and now is 4"),
        (Room("hall", [1, 2]), Room("hall", [1, 3]), "doors[1] is kept as 2, and now is 3"),
        ({"a": 1}, {"a": 2}, "['a'] is kept as 1, and now is 2"),
        ([1], [1, 2], "it is kept as [1], and now is [1, 2]"),
        ([1], (1,), "it is kept as [1], and now is (1,)"),
    ],
)
def test_a_stale_value_is_reported_with_the_difference(kept: object, now: object, text: str) -> None:
    stale: list[str] = []
    with checking(stale.append):
        verify("the room", kept, lambda: now)
        verify("the room", kept, lambda: kept)
    with checking(None):
        verify("the room", kept, lambda: pytest.fail("computed without the check mode"))
    assert stale == [f"the room: {text}"]


def test_an_input_that_is_missing_is_found() -> None:
    """The definition reads what is not among the inputs: the second read is stale."""
    table, source, stale = KeptTable[str, int]("the sum"), [1], list[str]()
    with checking(stale.append):
        for number in (1, 2):
            source.append(number)
            table["of all"].get((source,), True, lambda _: sum(source))
    assert stale == ["the sum: it is kept as 2, and now is 4"]
