"""The load test: when a turn is due by the rules, its options, and one small run against a real server."""

import pytest

from benchmarks.load.__main__ import read_arguments
from benchmarks.load.measure import measure
from benchmarks.load.options import LoadOptions
from benchmarks.load.server_side import ServerCounts, read_metrics
from benchmarks.load.turn_wait import TurnWait


def test_without_a_wait_the_turn_is_due_at_once() -> None:
    wait = TurnWait()
    wait.sent(10.0)

    assert wait.answered(10.004) == pytest.approx((0.004, 0))
    assert not wait.is_waiting


def test_the_next_turn_keeps_its_distance() -> None:
    """A command that comes 10 ms after a due turn waits 40 ms by the rules."""
    wait = TurnWait()
    wait.sent(10.0)
    wait.answered(10.004)
    wait.sent(10.01)

    assert wait.answered(10.053) == pytest.approx((0.003, 0.04))


def test_a_refusal_sets_no_distance() -> None:
    wait = TurnWait()
    wait.sent(10.0)
    wait.answered(10.004, turn=False)
    wait.sent(10.01)

    assert wait.answered(10.012) == pytest.approx((0.002, 0))


def test_a_turn_is_due_when_the_last_player_acts() -> None:
    wait = TurnWait()
    wait.sent(10.0)
    wait.pace(10.1, waiting=True, names=("Anna", "Bert"), ms=1_900)
    wait.acted("Anna", 10.2)
    assert wait.waits_for == {"Bert"}
    wait.acted("Bert", 10.5)

    assert wait.answered(10.505) == pytest.approx((0.005, 0.5))


def test_a_turn_is_due_when_patience_ends() -> None:
    wait = TurnWait()
    wait.sent(10.0)
    wait.pace(10.1, waiting=True, names=("Anna",), ms=900)

    assert wait.answered(11.25) == pytest.approx((0.25, 1.0))


def test_a_pace_without_names_ends_the_wait() -> None:
    wait = TurnWait()
    wait.sent(10.0)
    wait.pace(10.1, waiting=True, names=("Anna",), ms=1_900)
    wait.pace(10.6, waiting=True, names=(), ms=0)

    assert wait.answered(10.61) == pytest.approx((0.01, 0.6))


def test_a_turn_that_others_release_is_unknown() -> None:
    """A player outside the fleet acts at a moment that the fleet does not see."""
    wait = TurnWait()
    wait.sent(10.0)
    wait.pace(10.1, waiting=True, names=("Stranger",), ms=1_900)
    assert wait.answered(10.4) is None
    wait.sent(10.5)

    assert wait.answered(10.504) == pytest.approx((0.004, 0))


def test_metrics_are_read_by_name_with_labels() -> None:
    page = '# HELP a A.\n# TYPE a gauge\na{held="no"} 2.0\nb_sum 0.5\n'

    assert read_metrics(page) == {'a{held="no"}': 2.0, "b_sum": 0.5}


def test_stalls_are_what_the_short_range_lacks() -> None:
    short, count = 'gloam_reactor_seconds_bucket{le="0.05"}', "gloam_reactor_seconds_count"
    before = ServerCounts(metrics={short: 90.0, count: 100.0})
    after = ServerCounts(metrics={short: 190.0, count: 203.0})

    assert after.stalls_since(before) == 3


def test_options_pass_to_the_fleet_unchanged() -> None:
    options, _ = read_arguments(["--clients", "7", "--mode", "full", "--spread", "--think", "0.5"])

    assert (options.clients, options.mode, options.spread, options.think_s) == (7, "full", True, 0.5)
    assert LoadOptions.load(options.dump()) == options


@pytest.mark.parametrize("said", [["--clients", "1001"], ["--rate", "0"], ["--spread"]])
def test_options_that_cannot_be_are_refused(said: list[str]) -> None:
    with pytest.raises(SystemExit):
        read_arguments(said)


@pytest.mark.end_to_end
@pytest.mark.thorough
@pytest.mark.parametrize(("mode", "tls"), [("walk", False), ("full", False), ("walk", True)])
def test_a_small_fleet_is_served(mode: str, tls: bool) -> None:
    result = measure(LoadOptions(clients=3, mode=mode, seconds=2, warm_s=0.5, rate=4, tls=tls), quiet=True)
    figures = {each.name: each.value for each in result.figures()}

    assert figures["clients in play at the end"] == 3
    assert figures["connections lost"] == 0
    assert figures["commands served"] > 0
    assert 0 < figures["due turn to patch, p50"] <= figures["due turn to patch, longest"]
    assert figures["server: commits"] > 0
    assert result.chart().startswith("<svg")
