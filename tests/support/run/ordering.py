"""The order of a run: each process begins with a share of the longest tests, so that all end at about the same time."""

from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

T = TypeVar("T")


def longest_first(
    tests: Sequence[T],
    is_long: Callable[[T], bool],
    processes: int,
    waits_in: Callable[[T], Hashable | None] = lambda _: None,
) -> list[T]:
    """Return the tests so that each of as many even shares of them as there are processes begins with long ones.

    `waits_in` returns the group of a test that waits for other programs, None for any other test. Every second share
    begins with such groups, so that other tests run beside them. A group stays together: it may share a server.
    """
    long = [test for test in tests if is_long(test)]
    waiting: dict[Hashable, list[T]] = {}
    short: list[T] = []
    for test in tests:
        group = waits_in(test)
        if not is_long(test):
            (short if group is None else waiting.setdefault(group, [])).append(test)
    groups = list(waiting.values())
    ordered: list[T] = []
    for at in range(processes):
        # `--dist worksteal` shares the tests out so
        end = len(ordered) + (len(tests) - len(ordered)) // (processes - at)
        ordered += long[at::processes]
        if at % 2 == 0:
            ordered += [test for group in groups[at // 2 :: (processes + 1) // 2] for test in group]
        more = max(0, end - len(ordered))
        ordered += short[:more]
        del short[:more]
    return ordered
