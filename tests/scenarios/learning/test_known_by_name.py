"""A named monster greets players that know its name, and is remembered where players saw it (rule F100)."""

import pytest

from gloam_server.rules.dice import Dice
from gloam_server.views.texts.wanted import told_depths, wanted_marks, wanted_texts
from gloam_server.world.growth.renown import GREETED_MAX, note_victim
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Victim
from gloam_server.world.model.creature_state import LevelCell
from gloam_server.world.realm.chronicle import NameRose
from gloam_server.world.realm.fame import Fame, NamedCreature
from gloam_shared.protocol.commands import Wait
from support.content.campaigns import shipped, with_rules
from support.scenarios.scenario import Scenario, kinds, read_events

GLOAM = with_rules(shipped("gloam"), "learning", leaves_above=0)


def named(drawing: str, *victims: Victim) -> Scenario:
    scenario = Scenario(drawing, campaign=GLOAM, k="kobold")
    kobold = scenario["k"]
    kobold.title, kobold.name = "Skarn", "Skarn the kobold"
    kobold.victims, kobold.victim_count = list(victims), len(victims)
    scenario.set_health("1", hp=9_000, hp_max=9_000)
    return scenario


def spoken(scenario: Scenario, turns: int = 3) -> list[str]:
    return [
        line
        for _ in range(turns)
        for line in read_events(
            [event for event in scenario.turn(("1", Wait())) if event.kind == "speaks"], scenario["1"]
        )
    ]


@pytest.mark.rule("F100")
def test_it_greets_an_heir_of_its_victim_once() -> None:
    """Player 1 is the heir: the same account lives again. All who see it read the line, which is its people's."""
    scenario = named("#1....k#", Victim(1, "Player1"))
    [line] = spoken(scenario, 6)
    assert line.startswith("Skarn the kobold ")
    assert line.removeprefix("Skarn the kobold ") in GLOAM.peoples["kobolds"].speech
    assert scenario["k"].ai.greeted == [1]


@pytest.mark.rule("F100")
def test_a_stranger_is_not_greeted() -> None:
    assert spoken(named("#1....k#", Victim(7, "Ann"))) == []


@pytest.mark.rule("F100", "F93")
@pytest.mark.parametrize(("party", "lines"), [(3, 1), (4, 0)])
def test_it_greets_a_member_of_its_victims_party(party: int, lines: int) -> None:
    scenario = named("#1....k#", Victim(7, "Ann", 3))
    scenario["1"].member = party
    assert len(spoken(scenario)) == lines


@pytest.mark.rule("F100")
def test_out_of_sight_it_says_nothing_and_is_not_seen() -> None:
    scenario = named("#1..##k#", Victim(1, "Player1"))
    assert spoken(scenario) == []
    assert not scenario["k"].ai.sighted


@pytest.mark.rule("F100")
def test_greetings_are_remembered_with_a_bound() -> None:
    scenario = named("#1....k#", Victim(1, "Player1"))
    scenario["k"].ai.greeted = list(range(10, 10 + GREETED_MAX))
    spoken(scenario, 1)
    assert scenario["k"].ai.greeted == [*range(11, 10 + GREETED_MAX), 1]


@pytest.mark.rule("F100")
def test_wanted_tells_where_players_saw_it_last() -> None:
    """Its place is where a player saw it, not where it is: out of sight it goes unseen."""
    scenario = named("#1....k#", Victim(1, "Player1"))
    scenario["k"].learned = ["hurler"]
    scenario.set_progress("k", level=3, experience=200)
    fame = Fame({scenario["k"].number: NamedCreature("Skarn", "kobold", 1, 3, 2, ("Ann",), 1)})
    levels = {1: scenario.level}
    assert wanted_marks(fame, levels) == ()
    assert wanted_texts(fame, levels) == (
        "Skarn the kobold, level 3, on depth 1; slew Ann; has a throwing arm; reward: 100 % more experience and a trophy",
    )
    scenario.turn(("1", Wait()))
    cell = scenario["k"].cell
    assert scenario["k"].ai.sighted == LevelCell(1, cell) or scenario["k"].ai.sighted == LevelCell(
        1, cell + 1
    )
    assert [mark.name for mark in wanted_marks(fame, levels)] == ["Skarn the kobold"]
    assert "last seen on depth 1, in the east" in wanted_texts(fame, levels)[0]
    assert wanted_texts(fame, {}) == ("Skarn the kobold, level 3, on depth 1; slew Ann",)


@pytest.mark.rule("F100")
@pytest.mark.parametrize(
    ("seen", "told", "words"), [(1, 1, "last seen on"), (1, 2, "on"), (2, 1, "last seen on")]
)
def test_wanted_tells_the_newest_depth_of_all(seen: int, told: int, words: str) -> None:
    """A slayer goes down with its kill: the news of its name tells a deeper level than the last sight of it."""
    scenario = named("#1....k#", Victim(1, "Player1"))
    number = scenario["k"].number
    scenario["k"].ai.sighted = LevelCell(seen, scenario["k"].cell)
    named_now = NamedCreature("Skarn", "kobold", 3, 3, 2, ("Ann",), 1)
    rose = NameRose(number, "Skarn the kobold", "kobold", told, 3, ("Ann",))
    levels = {1: scenario.level, 2: scenario.level, 3: scenario.level}
    depth = max(seen, told)
    news = told_depths((rose,))
    assert f", {words} depth {depth}" in wanted_texts(Fame({number: named_now}), levels, news)[0]
    assert [mark.depth for mark in wanted_marks(Fame({number: named_now}), levels, news)] == [depth]


@pytest.mark.rule("F99")
def test_a_killer_is_seen_where_it_killed() -> None:
    scenario = named("#1k#")
    context = TurnContext(scenario.level, Dice(1, 1, 1))
    scenario["1"].member = 5
    note_victim(context, scenario["k"], scenario["1"])
    assert scenario["k"].victims == [Victim(1, "Player1", 5)]
    assert scenario["k"].ai.sighted == LevelCell(1, scenario["k"].cell)
    assert context.renowned == {scenario["k"].number: True}
    assert "speaks" not in kinds(context.events)


def told(*learned: str, level: int = 4, victims: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return what a player reads of an orc of this level that has learned and killed."""
    scenario = Scenario("#1.o#", campaign=GLOAM, o="orc")
    orc = scenario["o"]
    scenario.view()
    orc.level, orc.born_level, orc.learned = level, 2, list(learned)
    orc.victims = [Victim(9, name) for name in victims]
    orc.victim_count = len(victims)
    return next(one.fame for one in scenario.view().creatures if one.name == "orc")


@pytest.mark.rule("F98")
def test_a_victim_comes_before_deeds_and_numbers() -> None:
    assert told("stout", "hurler", victims=("Ann", "Bert II")) == ("killed Bert II", "learned a throwing arm")
    assert told("hurler", "stout") == ("learned a throwing arm and stout body",)
    assert told("stout", "swift", "strong_arm") == ("learned heavy blows and swift feet",)


@pytest.mark.rule("F98")
def test_nothing_is_told_of_what_has_not_grown() -> None:
    assert told("hurler", level=2, victims=("Ann",)) == ()
    assert told() == ()
