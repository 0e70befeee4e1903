"""The order of a run: each process begins with a share of the longest tests, so that all end at about the same time."""

from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")


def longest_first(tests: Sequence[T], is_long: Callable[[T], bool], processes: int) -> list[T]:
    """Return the tests so that each of as many even shares of them as there are processes begins with long ones."""
    long = [test for test in tests if is_long(test)]
    short = [test for test in tests if not is_long(test)]
    ordered: list[T] = []
    for at in range(processes):
        end = len(ordered) + (len(tests) - len(ordered)) // (
            processes - at
        )  # as `--dist worksteal` shares them out
        ordered += long[at::processes]
        more = max(0, end - len(ordered))
        ordered += short[:more]
        del short[:more]
    return ordered
