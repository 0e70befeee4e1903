"""The adventurer: seed by seed it gains levels and goes down, by what its view tells and nothing else."""

import ast
import inspect
from functools import cache

from gloam_server import bots
from gloam_server.bots import Adventurer, adventurer, walker
from gloam_shared.commands import Choose, Climb, Explore, Fight, Move
from gloam_shared.messages import Answer
from server.bots.halls import view
from server.bots.play import Outing
from support.campaigns import shipped

SEEDS = range(10)
COMMANDS = 200


@cache
def outing(seed: int) -> Outing:
    return Outing(shipped("jsrogue"), seed, Adventurer(), COMMANDS)


def test_most_go_down_and_gain_levels() -> None:
    outings = [outing(seed) for seed in SEEDS]

    assert sum(each.deepest >= 2 for each in outings) >= 7
    assert sum(each.level >= 3 for each in outings) >= 5


def test_hardly_any_gets_stuck() -> None:
    outings = [outing(seed) for seed in SEEDS]

    assert sum(each.stuck for each in outings) <= 1
    for each in outings:
        assert each.died or each.stuck or each.server.body(each.client).actions > COMMANDS


def test_the_same_seed_is_the_same_adventure() -> None:
    again = Outing(shipped("jsrogue"), 3, Adventurer(), COMMANDS)

    assert again.given == outing(3).given
    assert again.server.dungeon.state_hash() == outing(3).server.dungeon.state_hash()


def test_it_explores_what_is_quiet() -> None:
    assert Adventurer().decide(view()) == Explore()


def test_it_takes_a_choice_before_all_else() -> None:
    offered = ("Increase attack value (+2)", "Increase max health (+10)")

    assert Adventurer().decide(view(18, choices=offered, level=1)) == Choose(0)
    assert Adventurer().decide(view(18, choices=offered, level=2)) == Choose(1)


def test_it_fights_what_holds_it() -> None:
    assert Adventurer().decide(view(18, hp=20)) == Fight()


def test_badly_hurt_it_steps_away() -> None:
    step = Adventurer().decide(view(18, hp=19))

    assert isinstance(step, Move)
    assert step.dx == -1


def test_when_all_is_seen_it_goes_down() -> None:
    bot = Adventurer()
    bot.hear(view(), Answer(1, "ended", "There is nothing left to explore on this level."))

    assert bot.decide(view(stairs=20)) == Climb(down=True)
    assert isinstance(bot.decide(view()), Move), "without known stairs it digs on"


def test_bots_know_nothing_but_views() -> None:
    for module in (bots, adventurer, walker):
        imported = [
            node.module
            for node in ast.walk(ast.parse(inspect.getsource(module)))
            if isinstance(node, ast.ImportFrom) and node.module
        ]
        allowed = (
            "gloam_shared",
            "gloam_server.bots",
            "gloam_server.sessions",
            "gloam_server.rules",
            "collections",
        )
        assert all(name.startswith(allowed) for name in imported), imported
