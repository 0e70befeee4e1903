"""The order of a run: each process begins with a share of the longest tests, so that all end at about the same time.

Tests that belong together, such as those of a module that start a server for all of them, stay together.
"""

from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

T = TypeVar("T")


def longest_first(
    tests: Sequence[T],
    is_long: Callable[[T], bool],
    processes: int,
    group_of: Callable[[T], Hashable] = id,
) -> list[T]:
    """Return the tests so that each of as many even shares of them as there are processes begins with long ones.

    Long tests of one group stay together; the group that comes first in `tests` begins first.
    """
    groups: dict[Hashable, list[T]] = {}
    for test in filter(is_long, tests):
        groups.setdefault(group_of(test), []).append(test)
    long = list(groups.values())
    short = [test for test in tests if not is_long(test)]
    ordered: list[T] = []
    for at in range(processes):
        end = len(ordered) + (len(tests) - len(ordered)) // (
            processes - at
        )  # as `--dist worksteal` shares them out
        ordered += [test for group in long[at::processes] for test in group]
        more = max(0, end - len(ordered))
        ordered += short[:more]
        del short[:more]
    return ordered
