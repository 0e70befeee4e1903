"""Companions of players: freed, going along, named, released; none is lost or doubled (rules F115, F116)."""

import pytest
from msgspec import UNSET

from gloam_lab.invariants import check_invariants
from gloam_server.rules.dice import Dice
from gloam_server.views.texts.news import news_text
from gloam_server.world.ai.idle import FOLLOW_CELLS
from gloam_server.world.ai.retreat import WITHDRAW_CELLS
from gloam_server.world.combat.companions import COMPANION_CELLS, companion_of
from gloam_server.world.growth.experience import gain_experience
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.events import ChangedLevel
from gloam_server.world.model.inputs import (
    Arrive,
    Envelope,
    Leave,
    RecordNamedDeath,
    RecordRenown,
    SetName,
    StoreBody,
)
from gloam_server.world.realm.chronicle import Chronicle
from gloam_server.world.realm.fame import Fame, bury_named, take_renown
from gloam_shared.protocol.commands import Climb, Wait
from support.content.shipped_files import campaign
from support.scenarios.scenario import E, Scenario, W, kinds, read_events

GLOAM = campaign("gloam")


def caged(drawing: str = "#1o...#", partition: int = 1) -> Scenario:
    """Return a scenario in which the orc is a captive."""
    scenario = Scenario(drawing, campaign=GLOAM, partition=partition, o="orc", k="kobold", p="ogre")
    scenario["o"].bond = "captive"
    return scenario


def freed(drawing: str = "#1o...#", partition: int = 1) -> Scenario:
    scenario = caged(drawing, partition)
    scenario.go("1", E)
    return scenario


@pytest.mark.rule("F116")
def test_captive_does_nothing_and_has_no_foe() -> None:
    scenario = caged("#1.o.k#")
    scenario.set_stats("k", sight=0)
    scenario.hunt("o", "1")
    before = scenario.where("o")
    for _ in range(5):
        scenario.turn(("1", Wait()))
    assert (scenario.where("o"), scenario["1"].hp) == (before, scenario["1"].hp_max)
    assert scenario["o"].hp == scenario["o"].hp_max


@pytest.mark.rule("F116")
def test_step_against_a_captive_frees_it() -> None:
    scenario = caged()
    lines = read_events(scenario.go("1", E), scenario["1"])
    assert lines == ["You free the orc, and it goes with you."]
    orc = scenario["o"]
    assert (orc.bond, orc.owner, orc.ally) == ("companion", scenario["1"].number, True)
    assert companion_of(scenario.level, scenario["1"]) is orc


@pytest.mark.rule("F116")
def test_a_player_has_one_companion() -> None:
    scenario = freed("#.1o#\n#.p.#")
    scenario["p"].bond = "captive"
    lines = read_events(scenario.go("1", (0, 1)), scenario["1"])
    assert lines == ["You are on guard: You have a companion already."]
    assert scenario["p"].bond == "captive"


@pytest.mark.rule("F115")
def test_companion_follows_and_fights() -> None:
    scenario = freed("#1o........#\n#.........k#")
    scenario.set_health("k", hp=500, hp_max=500)
    scenario.set_stats("k", attack=0)
    for _ in range(12):
        scenario.turn(("1", Wait()))
    assert scenario["k"].hp < 500
    assert scenario["o"].number in scenario["k"].hurt_by


def hunted(drawing: str, hp: int) -> Scenario:
    """Return a scenario whose companion has this much of 30 health, and an ogre as foe that is too slow to strike."""
    scenario = freed(drawing)
    scenario.set_health("o", hp=hp, hp_max=30)
    scenario.set_stats("p", attack=0, speed=1)
    scenario.set_health("p", hp=500, hp_max=500)
    scenario.hunt("o", "p")
    return scenario


@pytest.mark.rule("F19")
def test_companion_acts_with_its_owner() -> None:
    scenario = freed("#1o2........#\n#...........#")
    scenario.level.move(scenario["1"], scenario["1"].cell + 10)  # the friend is nearer from here
    for _ in range(9):
        scenario.turn(("1", Wait()))
    assert scenario.level.distance(scenario["o"], scenario["1"]) == FOLLOW_CELLS


@pytest.mark.rule("F115")
def test_companion_finds_its_owner_over_a_long_detour() -> None:
    """The way leads around a wall that is longer than what other creatures search."""
    rows = ["#1o" + "." * 42 + "#", *["#" + "." * 44 + "#"] * 7, "#" * 44 + ".#", "#" + "." * 44 + "#"]
    scenario = freed("\n".join(rows))
    owner = scenario["1"]
    scenario.level.move(owner, owner.cell + 9 * len(rows[0]))
    for _ in range(120):
        scenario.turn(("1", Wait()))
    assert scenario.level.distance(scenario["o"], owner) <= FOLLOW_CELLS


@pytest.mark.rule("F115")
@pytest.mark.parametrize(("hp", "flees"), [(10, True), (11, False)])
def test_companion_flees_at_a_third_of_its_health(hp: int, flees: bool) -> None:
    scenario = hunted("#.......#\n#1o.p...#\n#.......#", hp)
    before = scenario.level.distance(scenario["o"], scenario["p"])
    scenario.turn(("1", Wait()))
    after = scenario.level.distance(scenario["o"], scenario["p"])
    assert (after >= before and scenario["p"].hp == 500) is flees


@pytest.mark.rule("F115")
def test_cornered_companion_fights_on() -> None:
    scenario = hunted("#1op#", 3)
    for _ in range(4):
        scenario.turn(("1", Wait()))
    assert scenario["p"].hp < 500


@pytest.mark.rule("F115")
def test_companion_leaves_a_fight_with_its_owner() -> None:
    """The owner walks off; the companion breaks off a fight that it could go on with, and stays near."""
    scenario = hunted("#......1op#", 30)
    for _ in range(6):
        scenario.go("1", W)
        scenario.turn(("1", Wait()))
    assert scenario.level.distance(scenario["o"], scenario["1"]) <= WITHDRAW_CELLS + 1
    assert scenario["p"].hp < 500


def packed(body: Creature) -> object:
    return body.companion


def climb_down(scenario: Scenario) -> list[ChangedLevel]:
    scenario.level.dig(scenario["1"].cell, Scenario(">").level.terrain[0])
    scenario.turn(("1", Climb(down=True)))
    return [output for output in scenario.outputs if isinstance(output, ChangedLevel)]


@pytest.mark.rule("F115")
def test_companion_crosses_in_its_owners_body() -> None:
    scenario = freed("#1o.k..#")
    orc = scenario["o"]
    [moved] = climb_down(scenario)
    assert moved.creature.companion is orc
    assert not scenario.alive("o")
    assert "accompanies" in kinds(scenario.events)
    below = Scenario("#...#", campaign=GLOAM, partition=2)
    arrival = Arrive(moved.creature, 1, (1, 9, 0))
    assert "The orc arrives." not in read_events(below.apply(arrival).events, moved.creature)
    below.apply(arrival)  # delivered twice: nothing is doubled
    assert [body.number for body in below.level.monsters()] == [orc.number]
    assert packed(moved.creature) is UNSET


@pytest.mark.rule("F115")
def test_distant_companion_stays_behind() -> None:
    scenario = freed("#1o............#")
    orc = scenario["o"]
    scenario.level.move(orc, orc.cell + COMPANION_CELLS + 1)
    [moved] = climb_down(scenario)
    assert packed(moved.creature) is UNSET
    assert scenario.alive("o")


@pytest.mark.rule("F115")
def test_companion_leaves_play_with_its_owner() -> None:
    """A companion leaves play with its owner from any distance."""
    scenario = freed("#1o............#")
    orc, player = scenario["o"], scenario["1"]
    scenario.level.move(orc, orc.cell + COMPANION_CELLS + 3)
    scenario.apply(Leave(player.number))
    [stored] = [output.input for output in scenario.outputs if isinstance(output, Envelope)]
    assert isinstance(stored, StoreBody)
    assert stored.body.companion is orc
    assert not scenario.alive("o")
    scenario.apply(Arrive(player, player.cell, (0, 5, 0)))
    assert companion_of(scenario.level, player) is orc


@pytest.mark.rule("F115")
def test_a_level_has_one_companion_of_a_player() -> None:
    """A player who returns with another releases the one that stayed behind: it is a friend without an owner."""
    scenario = freed("#1o............#")
    left, player = scenario["o"], scenario["1"]
    scenario.level.move(left, left.cell + COMPANION_CELLS + 1)
    climb_down(scenario)
    other = Scenario("#1o..#", campaign=GLOAM, partition=2, o="goblin")["o"]
    other.bond, other.owner, other.ally = "companion", player.number, True
    player.companion = other
    scenario.apply(Arrive(player, 1, (2, 1, 0)))
    assert companion_of(scenario.level, player) is other
    assert (left.bond, left.ally) == (UNSET, True)
    check_invariants(scenario.level)


@pytest.mark.rule("F115")
def test_companion_waits_in_the_body_for_room() -> None:
    full = Scenario("#2#", campaign=GLOAM)
    scenario = freed()
    [moved] = climb_down(scenario)
    full.level.remove(full["2"])
    full.apply(Arrive(moved.creature, 1, (1, 9, 0)))
    assert moved.creature.companion is scenario["o"]


@pytest.mark.rule("F115")
def test_companion_outlives_its_owner_as_a_friend() -> None:
    scenario = freed("#k1o..#")
    scenario.set_health("1", hp=1)
    scenario.set_stats("k", attack=9_000)
    for _ in range(10):
        if scenario.alive("1"):
            scenario.turn(("1", Wait()))
    orc = scenario["o"]
    assert not scenario.alive("1")
    assert (orc.bond, orc.owner, orc.ally) == (UNSET, 0, True)


def grown(scenario: Scenario) -> Creature:
    """Return the orc after it has gained a level."""
    orc = scenario["o"]
    context = TurnContext(scenario.level, Dice(3, 1, 999))
    gain_experience(context, orc, 200)
    assert orc.levels_grown
    return orc


@pytest.mark.rule("F115")
def test_grown_companion_is_named_and_mourned() -> None:
    scenario = freed("#1o...#", partition=3)
    orc = grown(scenario)
    scenario["1"].companion = orc
    scenario.level.remove(orc)
    player = scenario["1"]
    scenario.level.remove(player)
    scenario.apply(Arrive(player, player.cell, (9, 1, 0)))
    [renown] = [
        output.input.renown
        for output in scenario.outputs
        if isinstance(output, Envelope) and isinstance(output.input, RecordRenown)
    ]
    assert (renown.friend, renown.number) == ("Player1", orc.number)
    fame, chronicle = Fame(), Chronicle()
    [given] = take_renown(fame, chronicle, GLOAM.named, renown)
    assert isinstance(given, Envelope)
    assert isinstance(given.input, SetName)
    assert not fame.named
    scenario.apply(given.input)
    assert orc.title
    assert take_renown(fame, chronicle, GLOAM.named, renown) == (given,)  # told again: the same name
    bury_named(fame, chronicle, RecordNamedDeath(orc.number, 3, orc.level, "a troll", 0))
    rose, fell = (news_text(event) for event in chronicle.entries)
    assert rose == f"Player1's companion, an orc of level {renown.level}, has a name: {orc.name}."
    assert fell == f"{orc.name}, Player1's companion, was killed by a troll on depth 3, and is mourned."
