"""When Python searches for cyclic garbage."""

import gc
import weakref
from collections.abc import Iterator

import pytest

from gloam_server.app.garbage_collection import THRESHOLDS, IdleSearch, begin


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


def test_an_idle_server_searches_all_objects() -> None:
    search = IdleSearch()
    ring = old_ring()
    search.run(5)

    assert ring() is None


def test_an_idle_server_does_not_search_again_soon() -> None:
    """Strangers that come and go on an idle server do not make it search each time."""
    search = IdleSearch()
    search.run(5)
    ring = old_ring()
    search.run(60_004)
    assert ring() is not None

    search.run(60_005)
    assert ring() is None
