"""Scrolls: rules RG.16 and RG.26 as played."""

from typing import Any

import pytest

from gloam_server.rules.dice import Dice
from gloam_server.world.actions import plan, try_execute
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.events import Narration, PlayerDied
from gloam_server.world.model.inputs import PlayerAction, Turn
from gloam_server.world.model.outcome import Impossible
from gloam_shared.protocol.commands import ActionCommand, Read
from support.content.magic_campaign import academy
from support.scenarios.scenario import Scenario, kinds, read_events


def scene(drawing: str, **letters: Any) -> Scenario:
    return Scenario(drawing, campaign=academy(), **letters)


def read(scenario: Scenario, kind: str, cell: int | None = None, name: str = "1") -> list[Narration]:
    scenario.give(name, f"{kind}_scroll")
    return scenario.turn((name, Read(0, cell)))


def refused(scenario: Scenario, kind: str, cell: int | None) -> str:
    scenario.give("1", f"{kind}_scroll")
    outcome = plan(scenario.level, scenario["1"], Read(0, cell))
    assert isinstance(outcome, Impossible)
    return outcome.text


@pytest.mark.rule("RG.16")
def test_magic_missile_takes_eight_whatever() -> None:
    """Magic missile takes eight against any defense."""
    scenario = scene("#1.....k#", k="statue")
    scenario.set_stats("k", defence=500)
    events = read(scenario, "missile", scenario["k"].cell)
    assert scenario["k"].hp == 1_000 - 8
    assert "The statue takes 8 damage from the missile!" in read_events(events, scenario["1"])
    assert scenario["1"].carried == []


@pytest.mark.rule("RG.16")
def test_a_scroll_that_kills_brings_experience() -> None:
    scenario = scene("#1..k#", k="kobold")
    events = read(scenario, "missile", scenario["k"].cell)
    assert "You kill the kobold!" in read_events(events, scenario["1"])
    assert scenario["1"].experience == 10


@pytest.mark.rule("RG.16")
def test_fireball_takes_twenty_within_three_cells() -> None:
    """A fireball takes twenty from all within three cells."""
    scenario = scene("#1......a.bc.d#", a="statue", b="statue", c="statue", d="statue")
    read(scenario, "fireball", scenario["a"].cell - 1)
    assert [1_000 - scenario[name].hp for name in "abcd"] == [20, 20, 0, 0]


@pytest.mark.rule("RG.16")
def test_walls_stop_a_blast() -> None:
    scenario = scene(
        """
        #########
        #1....a.#
        #####.###
        #......b#
        #########
        """,
        a="statue",
        b="statue",
    )
    read(scenario, "fireball", scenario["1"].cell + 4)
    assert [1_000 - scenario[name].hp for name in "ab"] == [20, 0]


@pytest.mark.rule("RG.16")
def test_who_stands_in_his_own_blast_is_hit() -> None:
    scenario = scene("#1.a....#", a="statue")
    events = read(scenario, "fireball", scenario["a"].cell)
    assert scenario["1"].hp == 20
    assert "You take 20 damage from the fireball!" in read_events(events, scenario["1"])


@pytest.mark.rule("RG.16", "RG.30")
def test_ones_own_scroll_may_end_ones_life() -> None:
    scenario = scene("#1.a....#", a="statue")
    scenario.set_health("1", hp=20)
    scenario.give("1", "fireball_scroll")
    result = scenario.apply(Turn((PlayerAction(scenario["1"].number, 1, Read(0, scenario["a"].cell)),)))
    [death] = result.outputs
    assert isinstance(death, PlayerDied)
    assert death.by == "an overinflated ego"


@pytest.mark.rule("RG.16")
def test_blast_spares_friends_and_arrived() -> None:
    """A blast spares friends and who has just arrived."""
    scenario = scene("#1....2a3.#", a="statue")
    scenario.protect("3", 3)
    events = read(scenario, "fireball", scenario["a"].cell)
    assert (scenario["2"].hp, scenario["3"].hp, scenario["a"].hp) == (40, 40, 980)
    assert kinds(events).count("blasted") == 1


@pytest.mark.rule("RG.16")
def test_a_monsters_blast_hits_its_fellows() -> None:
    scenario = scene("#1.....ab.m#", a="statue", b="statue", m="mage")
    scenario.give("m", "fireball_scroll")
    context = TurnContext(scenario.level, Dice(1, 1, 1))
    scenario.set_stats("m", sight=8)
    assert try_execute(context, scenario["m"], Read(0, scenario["a"].cell - 1)) is None
    assert [1_000 - scenario[name].hp for name in "ab"] == [20, 20]
    assert scenario["m"].hp == 12


@pytest.mark.rule("RG.16")
def test_sleep_lasts_36_within_one_cell() -> None:
    scenario = scene("#1.....abc#", a="statue", b="statue", c="statue")
    read(scenario, "sleep_ray", scenario["a"].cell)
    assert [bool(scenario[name].asleep) for name in "abc"] == [True, True, False]
    assert scenario["a"].asleep == 35  # its own turn has passed already


@pytest.mark.rule("RG.16")
def test_a_harmful_scroll_is_not_read_at_a_friend() -> None:
    scenario = scene("#1.2#")
    assert refused(scenario, "missile", scenario["2"].cell) == "You will not do that to a friend."


@pytest.mark.rule("RG.16")
def test_who_has_just_arrived_is_no_target() -> None:
    scenario = scene("#1.k#", k="kobold")
    scenario.protect("k", 2)
    assert "just arrived" in refused(scenario, "missile", scenario["k"].cell)


@pytest.mark.rule("RG.26")
@pytest.mark.parametrize(
    ("cell", "reason"),
    [
        (None, "Aim it at something."),
        (1 + 7, "Out of range."),
        (0, "There is no room for it."),
        (60_000, "You cannot see that place."),
        (13, "You cannot see that place."),
    ],
)
def test_aimed_wrong_refused_and_costs_nothing(cell: int | None, reason: str) -> None:
    """A wrong aim is refused and costs nothing."""
    scenario = scene("#1.........##.#")
    scenario.set_stats("1", sight=9)
    assert refused(scenario, "fireball", cell) == reason
    assert len(scenario["1"].carried) == 1


@pytest.mark.rule("RG.26")
def test_empty_and_unseen_targets_differ_only_in_sight() -> None:
    """An empty cell and an unseen target differ only in sight."""
    dark = scene("#1.#k#", k="kobold")
    empty = scene("#1.#.#", k="kobold")
    assert refused(dark, "missile", 4) == refused(empty, "missile", 4) == "You cannot see that place."
    assert refused(scene("#1..#"), "missile", 3) == "You point and mumble at nothing."


def test_other_things_are_not_read() -> None:
    scenario = scene("#1.#")
    scenario.give("1", "sword", "white_book")

    def why(command: ActionCommand) -> str:
        outcome = plan(scenario.level, scenario["1"], command)
        assert isinstance(outcome, Impossible)
        return outcome.text

    assert why(Read(0)) == "You cannot read the sword."
    assert why(Read(1)) == "Cast its spells instead."
    assert why(Read(2)) == "You carry nothing there."
