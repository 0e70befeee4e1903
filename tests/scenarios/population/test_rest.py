"""Healing of creatures, following over stairs, and what hears a rest (rules F119, F120, F121)."""

import pytest
from msgspec.structs import replace

from gloam_server.content.campaign import Campaign
from gloam_server.content.campaign_schema import VictoryRules
from gloam_server.world.combat.bosses import RETURNS_AFTER
from gloam_server.world.model.creature_state import LevelCell
from gloam_server.world.model.events import ChangedLevel
from gloam_server.world.model.inputs import Arrive, Envelope, Leave, Respawn
from gloam_shared.appearance import Terrain
from gloam_shared.protocol.commands import Climb, Wait
from support.content.campaigns import arena, shipped, with_rules
from support.scenarios.scenario import E, Scenario, kinds, read_events


def healing() -> Campaign:
    """Return the arena, where creatures are whole in ten turns, bosses in five, and the boss and the guard follow."""
    campaign = with_rules(
        arena(), "regeneration", rule="fed", creature_turns=10, boss_turns=5, follows_once=True
    )
    ogre = replace(campaign.creatures["ogre"], boss=True, attack=1)
    guard = replace(campaign.creatures["goblin"], tasks=("guard", "hunt"), attack=1)
    return replace(campaign, creatures={**campaign.creatures, "ogre": ogre, "goblin": guard})


def noisy(**rules: int) -> Campaign:
    """Return the arena, where each third turn of rest draws a creature for sure."""
    return with_rules(
        arena(), "hearing", **{"rest_every": 3, "rest_percent": 100, "spared_turns": 0, **rules}
    )


def rest(scenario: Scenario, turns: int) -> list[str]:
    """Let player 1 wait, and return what they read of it."""
    read = []
    for _ in range(turns):
        read += read_events(scenario.turn(("1", Wait())), scenario["1"])
    return read


@pytest.mark.rule("F119")
def test_unseen_creature_heals() -> None:
    """A goblin behind a wall is whole after ten of its turns; one in sight heals nothing."""
    scenario = Scenario("#1.S###T#", campaign=healing(), S="statue", T="statue")
    scenario.set_health("S", hp=500)
    scenario.set_health("T", hp=500)
    rest(scenario, 3)
    assert (scenario["S"].hp, scenario["T"].hp) == (500, 800)
    rest(scenario, 2)
    assert scenario["T"].hp == 1_000


@pytest.mark.rule("F119")
def test_creature_in_a_fight_does_not_heal() -> None:
    """A contact in its last 20 actions keeps its wounds, also out of sight."""
    scenario = Scenario("#1###S#", campaign=healing(), S="statue")
    scenario.set_health("S", hp=500)
    scenario.remember_contact("S", "1", at=0)
    rest(scenario, 19)
    assert scenario["S"].hp == 500
    rest(scenario, 1)
    assert scenario["S"].hp == 600


@pytest.mark.rule("F119")
def test_creatures_heal_while_the_level_is_empty() -> None:
    """A player who returns after four own turns finds four tenths healed, a boss four fifths."""
    scenario = Scenario("#1.S###O#", campaign=healing(), S="statue", O="ogre")
    scenario.set_health("S", hp=500)
    scenario.set_health("O", hp=10)
    player = scenario["1"]
    scenario.apply(Leave(player.number))
    player.actions += 4
    scenario.apply(Arrive(player, player.cell, (0, 1, 0)))
    assert (scenario["S"].hp, scenario["O"].hp) == (900, 170)


@pytest.mark.rule("F119")
def test_stranger_finds_everything_whole() -> None:
    """A player who was not there lately finds the creatures of an empty level whole."""
    scenario = Scenario("#1.S.2#", campaign=healing(), S="statue")
    scenario.set_health("S", hp=5)
    for name in "12":
        scenario.apply(Leave(scenario[name].number))
    scenario.level.state.left = {scenario["1"].number: 0}
    scenario.apply(Arrive(scenario["2"], scenario["2"].cell, (0, 1, 0)))
    assert scenario["S"].hp == 1_000


@pytest.mark.rule("F120")
def test_boss_and_guard_follow_once() -> None:
    """Both follow a player up and keep their place in mind; from there they follow no further."""
    scenario = Scenario("#O1g#", campaign=healing(), O="ogre", g="goblin", partition=2)
    scenario.level.dig(scenario["1"].cell, Terrain.STAIRS_UP)
    scenario.turn(("1", Climb(down=False)))
    moved = [output.creature for output in scenario.outputs if isinstance(output, ChangedLevel)]
    assert moved == [scenario["1"], scenario["O"], scenario["g"]]
    assert [creature.ai.home for creature in moved[1:]] == [LevelCell(2, 1), LevelCell(2, 3)]
    above = Scenario("#...<#", campaign=healing(), partition=1)
    for index, creature in enumerate(moved):
        above.apply(Arrive(creature, 4, (2, 1, index)))
    above.named["1"] = scenario["1"]
    above.level.swap(scenario["1"], above.level.at(4) or scenario["1"])
    above.turn(("1", Climb(down=False)))
    assert next(each.creature for each in above.outputs if isinstance(each, ChangedLevel)) is scenario["1"]
    assert "follows" not in kinds(above.events)
    assert kinds(above.events).count("goes_home") == 2


@pytest.mark.rule("F120")
def test_follower_goes_home_when_unwatched() -> None:
    """The player who sees it keeps it; once none does, it leaves for its own cell."""
    scenario = Scenario("#1.O#", campaign=healing(), O="ogre")
    scenario.set_home("O", level=2, cell=7)
    rest(scenario, 1)
    assert scenario.alive("O")
    scenario.apply(Leave(scenario["1"].number))
    [output] = [each for each in scenario.outputs if isinstance(each, ChangedLevel)]
    assert (output.creature, output.partition, output.cell) == (scenario["O"], 2, 7)


@pytest.mark.rule("F120")
def test_boss_that_dies_elsewhere_is_back_at_home() -> None:
    """A boss that falls to no player away from its level is created again on its own."""
    campaign = replace(healing(), victory=VictoryRules(rule="slay", creature="ogre"))
    scenario = Scenario("#1Ok#", campaign=campaign, O="ogre", k="kobold")
    scenario.set_home("O", level=2, cell=7)
    scenario.set_health("O", hp=1)
    scenario.set_stats("O", attack=0)
    scenario.set_stats("k", attack=500)
    scenario.remember_contact("k", "O", at=0)
    rest(scenario, 1)
    assert [each for each in scenario.outputs if isinstance(each, Envelope)] == [Envelope(2, Respawn("ogre"))]


@pytest.mark.rule("F32")
@pytest.mark.rule("F120")
def test_a_boss_that_is_away_exists_once() -> None:
    """While it is away its level makes no other, however long that takes; back home, it may be missed again."""
    giant = replace(shipped("jsrogue"), regeneration=healing().regeneration)
    scenario = Scenario("#1Z....2#", campaign=giant, Z="giant_zombie", partition=7)
    scenario.level.state.kind = "cavern"
    scenario.level.dig(scenario["1"].cell, Terrain.STAIRS_UP)
    scenario.turn(("1", Climb(down=False)), ("2", Wait()))
    boss = next(
        each.creature
        for each in scenario.outputs
        if isinstance(each, ChangedLevel) and not each.creature.account
    )
    assert boss.ai.home == LevelCell(7, 2)
    for _ in range(RETURNS_AFTER + 5):
        scenario.turn(("2", Wait()))
    assert [body.kind for body in scenario.level.monsters()] == []
    scenario.apply(Respawn("giant_zombie", (0, 1, 0)))
    assert len(list(scenario.level.monsters())) == 1

    returned = Scenario("#..2#", campaign=giant, partition=7)
    returned.level.state.kind, returned.level.state.roaming = "cavern", True
    returned.apply(Arrive(boss, 2, (6, 1, 0)))
    returned.level.remove(boss)
    for _ in range(RETURNS_AFTER):
        returned.turn(("2", Wait()))
    assert len(list(returned.level.monsters())) == 1


@pytest.mark.rule("F32")
def test_no_boss_is_made_where_it_does_not_belong() -> None:
    """A win away from its level sends it home; the depth where it fell makes none for the next life."""
    above = Scenario("#1..#", campaign=shipped("jsrogue"), partition=6)
    above.apply(Respawn("giant_zombie", (0, 1, 0)))
    assert list(above.level.monsters()) == []
    campaign = replace(healing(), victory=VictoryRules(rule="slay", creature="ogre"))
    scenario = Scenario("#1O.#", campaign=campaign, O="ogre")
    scenario.set_home("O", level=2, cell=7)
    scenario.set_health("O", hp=1)
    scenario.set_stats("O", defence=0)
    scenario.go("1", E)
    assert Envelope(2, Respawn("ogre")) in scenario.outputs


@pytest.mark.rule("F120")
@pytest.mark.parametrize("campaign", ["jsrogue", "rltut", "ruggrogue"])
def test_classics_have_none_of_it(campaign: str) -> None:
    rules = shipped(campaign)
    assert rules.regeneration.creature_turns == rules.hearing.rest_every == 0
    assert not rules.regeneration.follows_once


@pytest.mark.rule("F121")
def test_rest_draws_the_nearest_hunter() -> None:
    """The nearest awake hunter that no player sees goes to look; the player reads from where."""
    scenario = Scenario(
        """
        ##########
        #1##.k..k#
        #........#
        ##########
        """,
        campaign=noisy(),
        k="kobold",
        dark=True,
    )
    scenario.set_health("1", hp=5)
    assert rest(scenario, 2) == []
    [line] = rest(scenario, 1)
    assert line.startswith("You hear something coming: ")
    called = [each.number for each in scenario.level.monsters() if each.ai.last_seen]
    assert called == [scenario["k"].number]


@pytest.mark.rule("F121")
def test_whole_players_draw_nothing() -> None:
    scenario = Scenario("#1###k#", campaign=noisy(), k="kobold")
    assert rest(scenario, 6) == []


@pytest.mark.rule("F121")
def test_one_rest_draws_so_many_and_no_more() -> None:
    """At most `rest_draws` go to look before the player is whole; then the count begins again."""
    scenario = Scenario("#1###k#", campaign=noisy(rest_draws=2), k="kobold")
    scenario.set_health("1", hp=5)
    assert len(rest(scenario, 12)) == 2
    scenario.set_health("1", hp=40)
    rest(scenario, 1)
    scenario.set_health("1", hp=5)
    assert len(rest(scenario, 3)) == 1


@pytest.mark.rule("F121")
def test_first_turns_on_depth_one_are_spared() -> None:
    scenario = Scenario("#1###k#", campaign=noisy(spared_turns=100), k="kobold")
    scenario.set_health("1", hp=5)
    assert rest(scenario, 99) == []
    assert len(rest(scenario, 3)) == 1
    deeper = Scenario("#1###k#", campaign=noisy(spared_turns=100), k="kobold", partition=2)
    deeper.set_health("1", hp=5)
    assert len(rest(deeper, 3)) == 1


@pytest.mark.rule("F121")
def test_without_hunters_a_new_one_comes_if_any_lacks() -> None:
    """A level with all its creatures sends none; one that lacks some sends a new one, worth less."""
    scenario = Scenario("#1#..........#", campaign=noisy())
    scenario.set_health("1", hp=5)
    assert rest(scenario, 3) == []
    scenario.level.state.share = 1
    assert rest(scenario, 3) == ["You hear something coming: east."]
    [newcomer] = scenario.level.monsters()
    assert newcomer.respawned
    assert newcomer.generation == 1
