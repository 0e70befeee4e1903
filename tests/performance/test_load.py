"""The load test: when a turn is due by the rules, its options, and one small run against a real server."""

from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.load.command import read_arguments
from benchmarks.load.measure import measure
from benchmarks.load.options import FIGHT, LoadOptions
from benchmarks.load.report import LoadResult
from benchmarks.load.server_side import ServerCounts, fight_campaign, read_metrics
from benchmarks.load.shared_turns import AnsweredTurn, SharedTurns
from benchmarks.load.turn_wait import Acts, TurnWait
from benchmarks.loads import EXPLORE, HALLS, LIMITS, WALK, named, parts_of_processes
from gloam_server.content.loader import load


def test_without_a_wait_the_turn_is_due_at_once() -> None:
    wait = TurnWait(Acts())
    wait.sent(10.0)
    assert wait.answered(10.004) == pytest.approx((0.004, 0))
    assert not wait.is_waiting


def test_the_next_turn_keeps_its_distance() -> None:
    """A command that arrives 10 ms after a due turn waits 40 ms by the rules."""
    wait = TurnWait(Acts())
    wait.sent(10.0)
    wait.answered(10.004)
    wait.sent(10.01)
    assert wait.answered(10.053) == pytest.approx((0.003, 0.04))


def test_a_refusal_sets_no_distance() -> None:
    wait = TurnWait(Acts())
    wait.sent(10.0)
    wait.answered(10.004, turn=False)
    wait.sent(10.01)
    assert wait.answered(10.012) == pytest.approx((0.002, 0))


def test_a_turn_is_due_when_the_last_player_acts() -> None:
    acts = Acts()
    wait = TurnWait(acts)
    wait.sent(10.0)
    wait.pace(10.1, names=("Anna", "Bert"), ms=1_900)
    acts.sent("Anna", 10.2)
    acts.sent("Bert", 10.5)
    assert wait.answered(10.505) == pytest.approx((0.005, 0.5))


def test_a_command_that_is_on_its_way_counts() -> None:
    """Anna's command was sent when the server told that her turn is waited for, and answered after it."""
    acts = Acts()
    wait = TurnWait(acts)
    wait.sent(10.0)
    acts.sent("Anna", 10.098)
    wait.pace(10.1, names=("Anna",), ms=1_900)
    acts.answered("Anna", 10.104, turn=True)
    assert wait.answered(10.105) == pytest.approx((0.007, 0.098))


def test_a_turn_before_the_wait_is_no_act() -> None:
    acts = Acts()
    acts.sent("Anna", 9.9)
    acts.answered("Anna", 9.95, turn=True)
    wait = TurnWait(acts)
    wait.sent(10.0)
    wait.pace(10.1, names=("Anna",), ms=1_900)
    assert wait.answered(10.4) is None


def test_a_refused_command_is_no_act() -> None:
    acts = Acts()
    wait = TurnWait(acts)
    wait.sent(10.0)
    wait.pace(10.1, names=("Anna",), ms=1_900)
    acts.sent("Anna", 10.2)
    acts.answered("Anna", 10.21, turn=False)
    acts.sent("Anna", 10.5)
    assert wait.answered(10.505) == pytest.approx((0.005, 0.5))


def test_patience_ends_with_one_who_was_refused() -> None:
    """Anna is refused and does not act again: the turn is due when the patience with her ends."""
    acts = Acts()
    wait = TurnWait(acts)
    wait.sent(10.0)
    wait.pace(10.1, names=("Anna",), ms=900)
    acts.sent("Anna", 10.9)
    acts.answered("Anna", 10.91, turn=False)
    wait.pace(11.004, names=(), ms=0)
    assert wait.answered(11.005) == pytest.approx((0.005, 1.0))


def test_who_is_waited_for_knows_for_whom_else() -> None:
    """The server names Bert to Anna, before her command. So her turn is due when Bert acts."""
    acts = Acts()
    annas = TurnWait(acts)
    annas.pace(9.9, names=("Bert",), ms=2_000)
    annas.sent(10.0)
    acts.sent("Bert", 10.06)
    assert annas.answered(10.07) == pytest.approx((0.01, 0.06))


def test_a_turn_is_due_when_patience_ends() -> None:
    wait = TurnWait(Acts())
    wait.sent(10.0)
    wait.pace(10.1, names=("Anna",), ms=900)
    assert wait.answered(11.25) == pytest.approx((0.25, 1.0))


def test_a_pace_without_names_ends_the_wait() -> None:
    wait = TurnWait(Acts())
    wait.sent(10.0)
    wait.pace(10.1, names=("Anna",), ms=1_900)
    wait.pace(10.6, names=(), ms=0)
    assert wait.answered(10.61) == pytest.approx((0.01, 0.6))


def test_a_turn_that_others_release_is_unknown() -> None:
    """A player outside the fleet acts at a moment that the fleet does not see."""
    wait = TurnWait(Acts())
    wait.sent(10.0)
    wait.pace(10.1, names=("Stranger",), ms=1_900)
    assert wait.answered(10.4) is None
    wait.sent(10.5)
    assert wait.answered(10.504) == pytest.approx((0.004, 0))


def _noted(*turns: tuple[str, float, float, set[str]]) -> dict[str, float]:
    """Return when the turn of each player was due, in the end, of these answers: name, answer, due, heard."""
    noted: dict[str, float] = {}
    shared = SharedTurns(lambda turn: noted.update({turn.name: turn.due_s}))
    for name, at_s, due_s, heard in turns:
        shared.add(AnsweredTurn(name, at_s, due_s, due_s, frozenset(heard)))
    shared.settle(float("inf"))
    return noted


def test_a_shared_turn_is_due_for_all_at_once() -> None:
    """Anna acts 80 ms before the turn and hears nothing; Bert waited for her and for Cleo, who acts last."""
    due = _noted(("Anna", 10.1, 10.02, set()), ("Bert", 10.12, 10.09, {"Anna", "Cleo"}))
    assert due == {"Anna": 10.09, "Bert": 10.09}


def test_the_turns_of_others_are_due_by_themselves() -> None:
    far = ("Bert", 10.2, 10.19, {"Anna"})  # a later turn of theirs
    due = _noted(("Anna", 10.1, 10.02, set()), ("Dora", 10.12, 10.11, {"Ede"}), far)
    assert due["Anna"] == 10.02


def test_no_turn_is_due_after_its_answer() -> None:
    due = _noted(("Anna", 10.1, 10.02, {"Bert"}), ("Bert", 10.14, 10.13, set()))
    assert due == {"Anna": 10.1, "Bert": 10.13}


def test_metrics_are_read_by_name_with_labels() -> None:
    page = '# HELP a A.\n# TYPE a gauge\na{held="no"} 2.0\nb_sum 0.5\n'
    assert read_metrics(page) == {'a{held="no"}': 2.0, "b_sum": 0.5}


def test_stalls_are_what_the_short_range_lacks() -> None:
    short, count = 'gloam_reactor_seconds_bucket{le="0.05"}', "gloam_reactor_seconds_count"
    before = ServerCounts(metrics={short: 90.0, count: 100.0})
    after = ServerCounts(metrics={short: 190.0, count: 203.0})
    assert after.stalls_since(before) == 3


def test_the_mean_of_a_histogram_counts_new_times() -> None:
    before = ServerCounts(metrics={"a_sum": 5.0, "a_count": 10.0})
    after = ServerCounts(metrics={"a_sum": 5.75, "a_count": 13.0})
    assert after.mean_since(before, "a") == 0.25
    assert after.mean_since(after, "a") == 0


def test_each_limit_is_that_of_a_figure() -> None:
    tally = {
        "began_s": 0.0,
        "seconds": 2.0,
        "answers": [],
        "unknown": 0,
        "clients": 1,
        "waited_s": 0,
        "own_cpu_s": 0,
        "lost": [],
    }
    counted = dict.fromkeys(
        ("sent", "refused", "updates", "bytes_in", "bytes_out", "deaths", "least_served"), 0
    )
    counts = ServerCounts(metrics={"gloam_patches_total": 1.0})
    result = LoadResult(LoadOptions(), {**tally, **counted}, counts, counts)
    for name, limits in LIMITS.items():
        figures = {each.name: each.limit for each in named(name, result)}

        assert figures[f"{name}: connections lost"] == "<= 0"
        assert {f"{name}: {figure}": limit for figure, limit in limits.items()}.items() <= figures.items()


def test_every_load_has_limits_of_its_own() -> None:
    walks = {"50 walking": WALK, "50 walking over TLS": WALK}
    assert LIMITS.keys() == {**walks, **HALLS, **EXPLORE}.keys()


def test_a_full_core_alone_limits_time() -> None:
    limited = [
        name for name, limits in LIMITS.items() if "server: processor time of a served command" in limits
    ]
    assert limited == ["1,000 exploring"]


def test_monsters_and_players_of_the_fight_last(tmp_path: Path) -> None:
    folder = Path(fight_campaign(tmp_path))
    campaign = load({each.name: each.read_bytes() for each in folder.iterdir()})
    (foe,) = [kind for kind in campaign.creatures.values() if kind.spawns]
    assert foe.tasks == ("hunt",)
    assert min(foe.hp, campaign.player_kind.hp) > 10_000


def test_options_pass_to_the_fleet_unchanged() -> None:
    options, _ = read_arguments(["--clients", "7", "--mode", "full", "--spread", "--think", "0.5"])
    assert (options.clients, options.mode, options.spread, options.think_s) == (7, "full", True, 0.5)
    assert LoadOptions.load(options.dump()) == options


@pytest.mark.parametrize(
    "said", [["--clients", "1001"], ["--newcomers", "951"], ["--rate", "0"], ["--spread"]]
)
def test_options_that_cannot_be_are_refused(said: list[str]) -> None:
    with pytest.raises(SystemExit):
        read_arguments(said)


@pytest.mark.end_to_end
@pytest.mark.thorough
def test_newcomers_come_in_while_others_play() -> None:
    result = measure(LoadOptions(clients=2, newcomers=3, seconds=2, warm_s=0.5, rate=4), quiet=True)
    assert result.tally["clients"] == 5
    assert 0 < result.tally["came_in_s"] <= result.seconds
    assert result.tally["least_served"] > 0
    assert result.tally["lost"] == []


@pytest.mark.end_to_end
@pytest.mark.thorough
def test_clients_beside_the_others_are_not_measured() -> None:
    options = LoadOptions(clients=2, beside=2, beside_mode="explore", seconds=2, warm_s=0.5, rate=4)
    result = measure(options, quiet=True)
    assert result.tally["clients"] == 4
    assert 0 < result.tally["sent"] <= 2 * 2 * 4 * 2
    assert result.tally["least_served"] > 0
    assert result.tally["lost"] == []
    assert result.latencies.answers[0][0] >= result.tally["began_s"]


@pytest.mark.end_to_end
@pytest.mark.thorough
def test_a_fight_waits_by_the_rules() -> None:
    options = LoadOptions(clients=6, campaign=FIGHT, seconds=4, warm_s=2)
    figures = {each.name: each.value for each in measure(options, quiet=True).figures()}
    assert figures["deaths"] == 0
    assert figures["waiting by rule, mean"] > 0
    assert figures["commands served"] > 0


@pytest.mark.end_to_end
@pytest.mark.thorough
@pytest.mark.parametrize(
    "options", [LoadOptions(), LoadOptions(mode="full"), LoadOptions(tls=True), LoadOptions(deflate=True)]
)
def test_a_small_fleet_is_served(options: LoadOptions) -> None:
    result = measure(replace(options, clients=3, seconds=2, warm_s=0.5, rate=4), quiet=True)
    figures = {each.name: each.value for each in result.figures()}
    assert figures["clients in play at the end"] == 3
    assert figures["connections lost"] == 0
    assert figures["commands served"] > 0
    assert 0 < figures["due turn to patch, p50"] <= figures["due turn to patch, longest"]
    assert figures["server: commits"] > 0
    assert result.chart().startswith("<svg")


@pytest.mark.end_to_end
@pytest.mark.thorough
def test_each_process_of_a_server_has_its_rows() -> None:
    options = LoadOptions(clients=6, seconds=2, warm_s=0.5, rate=4)
    alone, apart = (measure(replace(options, views=views), quiet=True) for views in (0, 2))
    figures = {
        each.name.removeprefix("by process: "): each.value for each in parts_of_processes([alone], [apart])
    }
    for name in ("turns", "view 1", "view 2"):
        assert figures[f"{name}: processor time, of one process"] > 0
        assert 0 < figures[f"{name}: processor share"] < 100
    assert figures["memory of all"] > 3 * 20
    assert figures["connections lost"] == 0
    assert 0 < figures["due turn to patch, p99"] < 5_000
