"""The times at which Python searches for cyclic garbage."""

import gc
import weakref
from collections.abc import Iterator

import pytest

from gloam_server.app.garbage_collection import THRESHOLDS, YOUNGEST_MIN, IdleSearch, begin, search_young


class Ring:
    """An object that only a search for cyclic garbage frees."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)
    gc.unfreeze()
    gc.enable()


def old_ring() -> "weakref.ref[Ring]":
    """Make cyclic garbage that is too old for a search of the young."""
    ring = Ring()
    gc.collect(1)
    gc.collect(1)
    return weakref.ref(ring)


def test_what_is_there_at_the_start_is_never_searched() -> None:
    gc.disable()
    begin()
    assert gc.isenabled()
    assert gc.get_freeze_count() > 10_000
    assert gc.get_threshold()[:2] == THRESHOLDS[:2]


def made() -> list[list[int]]:
    """Make enough objects for a search, as a batch does, and none searches meanwhile; Python reuses some freed lists."""
    gc.disable()
    objects: list[list[int]] = [[] for _ in range(2 * YOUNGEST_MIN)]
    gc.enable()
    return objects


def test_a_loop_at_rest_searches_the_young() -> None:
    begin()
    gc.collect(0)
    ring = weakref.ref(Ring())
    kept = made()
    assert ring() is not None
    search_young()
    assert ring() is None
    assert kept


def test_few_young_objects_are_not_searched() -> None:
    begin()
    gc.collect(0)
    ring = weakref.ref(Ring())
    search_young()
    assert ring() is not None


def test_older_ones_are_searched_after_some_searches() -> None:
    begin()
    gc.collect(1)
    kept = [made()]
    ring = Ring()
    gone = weakref.ref(ring)
    search_young()
    del ring
    assert gone() is not None
    for _ in range(THRESHOLDS[1] + 1):
        kept.append(made())
        search_young()
    assert gone() is None


def test_no_search_at_rest_while_a_server_starts() -> None:
    gc.collect(0)
    ring = weakref.ref(Ring())
    kept = made()
    gc.disable()
    search_young()
    assert ring() is not None
    assert kept


def test_an_idle_server_searches_all_objects() -> None:
    search = IdleSearch()
    ring = old_ring()
    search.run(5)
    assert ring() is None


@pytest.mark.thorough
def test_an_idle_server_does_not_search_again_soon() -> None:
    """Strangers that connect and leave on an idle server do not make it search each time."""
    search = IdleSearch()
    search.run(5)
    ring = old_ring()
    search.run(60_004)
    assert ring() is not None
    search.run(60_005)
    assert ring() is None
