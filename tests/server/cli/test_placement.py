"""The placement of realms: of several workers the one with the fewest realms takes one first, and a failing one waits."""

from itertools import pairwise

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gloam_server.cli.processes.moves import plan_balance, plan_moves
from gloam_server.cli.processes.placement import (
    FIRST_DELAY_S,
    LAST_DELAY_S,
    PAUSE_S,
    STEP_S,
    TIE_S,
    Placement,
    free_realms,
)
from gloam_server.storage.errors import StorageError
from gloam_server.storage.realms import Holder
from gloam_server.storage.workers import Placed, WorkerState

FREE = ("first", "second", "third")


def state(name: str = "alpha", *realms: str, most: int = 4, only: tuple[str, ...] = ()) -> WorkerState:
    """Return the state of a worker."""
    return WorkerState(name=name, most=most, realms=realms, only=only)


def taken_s(placement: Placement, worker: WorkerState, begin_s: float = 0.0) -> float:
    """Return how long a worker waits before it takes a realm, in hundredths of a second."""
    for step in range(1_000):
        if placement.choose(FREE, worker, begin_s + step / 100):
            return step / 100
    return float("inf")


def test_the_emptiest_worker_is_first() -> None:
    """The wait grows with the realms that a worker has by more than names can differ."""
    waits = [
        [
            taken_s(Placement(name), state(name, *(f"r{at}" for at in range(count)), most=9))
            for name in "abcdefgh"
        ]
        for count in range(4)
    ]
    for fewer, more in pairwise(waits):
        assert max(fewer) < min(more)
    assert max(waits[0]) <= TIE_S + 0.01
    assert len(set(waits[0])) > 1
    assert max(waits[3]) <= 3 * STEP_S + TIE_S + 0.01


def test_a_worker_takes_no_more_than_its_most() -> None:
    assert taken_s(Placement("alpha"), state("alpha", "a", "b", most=2)) == float("inf")
    drained = WorkerState(name="alpha", most=2, drains=True)
    assert taken_s(Placement("alpha"), drained) == float("inf")


def test_a_realm_that_is_taken_meanwhile_waits_again() -> None:
    """The wait begins when a realm is seen to be free, each time."""
    placement, worker = Placement("alpha"), state("alpha", "a", "b")
    placement.choose(("first",), worker, 0.0)
    placement.choose((), worker, 0.1)
    assert placement.choose(("first",), worker, 10.0) is None
    assert placement.choose(("first",), worker, 10.0 + 2 * STEP_S + TIE_S) == "first"


def test_a_realm_that_fails_is_tried_less_often() -> None:
    placement, worker, now_s = Placement("alpha"), state(), 0.0
    waits = []
    for _ in range(8):
        placement.failed("first", now_s)
        begin_s = now_s
        while placement.choose(("first",), worker, now_s) is None:
            now_s += 0.1
        waits.append(round(now_s - begin_s))
    assert waits == [FIRST_DELAY_S * 2**at for at in range(6)] + [LAST_DELAY_S] * 2
    placement.served("first")
    placement.failed("first", now_s)
    assert placement.choose(("first",), worker, now_s + FIRST_DELAY_S) == "first"


def test_a_fault_of_the_store_delays_all() -> None:
    """Leases may have ended meanwhile: servers that run renew them first."""
    placement, worker = Placement("alpha"), state()
    placement.choose(FREE, worker, 0.0)
    placement.pause(1.0)
    assert placement.choose(FREE, worker, 1.0 + PAUSE_S - 0.01) is None
    assert taken_s(placement, worker, 1.0 + PAUSE_S) <= TIE_S + 0.01


def test_free_realms_have_no_holder_and_no_starter() -> None:
    holders = {"first": Holder("process 1 on host")}
    workers = {"beta": WorkerState(name="beta", most=4, realms=("second", "fourth"), starts=("second",))}
    ports = dict.fromkeys((*FREE, "fourth"), 7373)
    assert free_realms(ports, Placed(holders, workers)) == {"third", "fourth"}


def test_a_drain_fills_the_emptiest_first() -> None:
    drained = state("alpha", "first", "second", "third")
    others = [state("beta", "x", most=4), state("gamma", most=4), state("delta", most=2, only=("third",))]
    workers = {each.name: each for each in (drained, *others)}
    assert plan_moves(drained, workers) == [("first", "gamma"), ("second", "beta"), ("third", "gamma")]


def test_a_drain_keeps_scarce_room() -> None:
    """The one realm that a worker may serve is not kept out by one that others may serve, too."""
    drained = state("alpha", "first", "second")
    others = [state("beta", most=1), state("gamma", most=1, only=("first",))]
    workers = {each.name: each for each in (drained, *others)}
    assert plan_moves(drained, workers) == [("first", "gamma"), ("second", "beta")]
    with pytest.raises(StorageError, match="No other worker has room for the realm first of alpha"):
        plan_moves(drained, {"alpha": drained})


def balanced(*workers: WorkerState) -> list[tuple[str, str]]:
    return plan_balance({each.name: each for each in workers})


def test_balance_fills_new_workers() -> None:
    full = state("alpha", "a", "b", "c", "d", "e", most=9)
    assert balanced(full, state("beta"), state("gamma")) == [("a", "beta"), ("b", "gamma"), ("c", "beta")]
    assert balanced(state("alpha", "a", "b"), state("beta", "c")) == []
    assert balanced() == []


def test_balance_keeps_what_a_worker_may_not_do() -> None:
    """A draining or full worker takes nothing, one for certain realms takes only those, and a server that starts stays."""
    full = WorkerState(name="alpha", most=9, realms=("a", "b", "c", "d"), starts=("a", "b"))
    assert balanced(full, WorkerState(name="beta", most=4, drains=True), state("gamma", most=0)) == []
    assert balanced(full, state("beta", only=("a", "d"))) == [("d", "beta")]
    assert balanced(full, state("beta", most=1)) == [("c", "beta")]


@given(
    st.lists(
        st.tuples(st.integers(0, 6), st.integers(0, 6), st.sets(st.integers(0, 20)), st.booleans()),
        max_size=5,
    )
)
def test_balance_ends_and_respects_all_bounds(drawn: list[tuple[int, int, set[int], bool]]) -> None:
    """Each move goes where there is room and leave for it; afterwards no further move would make two workers more equal."""
    names, at = [], 0
    for number, (count, room, only, drains) in enumerate(drawn):
        realms = tuple(f"r{each}" for each in range(at, at + count))
        allowed = tuple(f"r{each}" for each in sorted(only))
        names.append(
            WorkerState(name=f"w{number}", most=count + room, realms=realms, only=allowed, drains=drains)
        )
        at += count
    workers = {each.name: each for each in names}
    served = {each.name: list(each.realms) for each in names}
    for realm, target in balanced(*names):
        source = next(name for name, has in served.items() if realm in has)
        served[source].remove(realm)
        assert len(served[target]) < min(len(served[source]) + 1, workers[target].most)
        assert workers[target].may_serve(realm)
        assert not workers[target].drains
        served[target].append(realm)
    after = [msgspec.structs.replace(each, realms=tuple(served[each.name])) for each in names]
    assert balanced(*after) == []
