"""The ceilings: the parts that are measured alone do real work, and the echo server answers a fleet."""

import pytest

from benchmarks.load.ceilings import Compared, compare_with_echo, echo
from benchmarks.load.options import LoadOptions
from benchmarks.load.report import LoadResult
from benchmarks.load.server_side import ServerCounts
from benchmarks.parts import costs
from benchmarks.parts.hall import Hall


def test_a_hall_holds_players_and_creatures_that_act() -> None:
    hall = Hall(3, 4, width=40, height=20)
    assert [len(hall.players), hall.level.count_monsters()] == [3, 4]
    before = hall.level.sequence
    hall.apply(hall.step_of(hall.next_player()))
    assert hall.level.sequence == before + 1
    assert [each.body for each in hall.take().applied] != []
    assert hall.view(hall.players[0]).creatures != ()


def test_each_part_has_a_cost() -> None:
    hall = Hall(2, width=40, height=20)
    assert costs.apply_us(hall, 3) > 0
    assert costs.divide_us(hall, 3) > 0
    assert min(costs.show_us(hall, 3)) > 0
    assert costs.sight_us(hall, 6, 3) > 0
    assert costs.generation_ms(40, 20, 1) > 0
    assert costs.append_us(2, 3) > 0


def test_a_ratio_says_how_far_the_ceiling_is() -> None:
    assert Compared("a turn", 300.0, 100.0, "us", "apply alone").ratio == 3
    assert Compared("a turn", 300.0, 0.0, "us", "apply alone").ratio == 0


@pytest.mark.end_to_end
@pytest.mark.thorough
def test_the_echo_server_answers_a_fleet() -> None:
    options = LoadOptions(clients=3, seconds=1.5, warm_s=0.3, rate=10)
    sent = {
        "began_s": 0.0,
        "seconds": 1.0,
        "clients": 3,
        "sent": 10,
        "updates": 30,
        "bytes_in": 1_500,
        "bytes_out": 200,
        "unknown": 0,
    }
    like = LoadResult(options, {**sent, "answers": [(0.1, 0.005)] * 10}, ServerCounts(), ServerCounts())
    bare = echo(options, like, quiet=True)

    assert bare.options.command_bytes == 20
    assert bare.options.update_bytes == 50
    assert bare.tally["updates"] >= 2 * bare.served > 20
    assert {each.name for each in compare_with_echo(like, bare)} >= {"answer, p50"}
