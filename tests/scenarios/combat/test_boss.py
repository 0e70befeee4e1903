"""The boss of jsrogue: another arm, slimes at its side, and victory for all who had a part in its death."""

import pytest
from msgspec.structs import replace

from gloam_server.content.campaign_schema import FriendRules
from gloam_server.rules.dice import Dice
from gloam_server.world.combat.bosses import RETURNS_AFTER
from gloam_server.world.combat.damage import apply_damage
from gloam_server.world.growth.experience import raise_levels
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.events import PlayerDied
from gloam_server.world.model.inputs import Envelope, PlayerAction, Respawn, Turn
from gloam_shared.appearance import Terrain
from gloam_shared.protocol.commands import Climb, Give, Move, Wait
from support.content.campaigns import shipped
from support.scenarios.scenario import E, Scenario, W, kinds, read_events


def lair(drawing: str, seed: int = 1, partition: int = 1) -> Scenario:
    return Scenario(drawing, campaign=shipped("jsrogue"), seed=seed, partition=partition, Z="giant_zombie")


def bosses(scenario: Scenario) -> int:
    return sum(body.kind == "giant_zombie" for body in scenario.level.creatures.values())


def beaten(scenario: Scenario, *hurt_by: str) -> list[PlayerDied]:
    """Let player 1 deal the last blow to a boss that these have hurt; return the lives that ended."""
    boss = scenario["Z"]
    boss.hp, boss.defence = 1, 0
    boss.hurt_by.update((scenario[name].number, 5) for name in hurt_by)
    boss.attackers = 1 + len(hurt_by)
    result = scenario.apply(Turn((PlayerAction(scenario["1"].number, 3, Move(*E)),)))
    return [output for output in result.outputs if isinstance(output, PlayerDied)]


@pytest.mark.rule("JG.10")
def test_the_giant_zombie_has_its_exact_numbers() -> None:
    kind = shipped("jsrogue").creatures["giant_zombie"]
    assert (kind.name, kind.glyph, kind.colour) == ("giant zombie", "Z", "teal")
    assert (kind.hp, kind.attack, kind.defence, kind.level, kind.sight) == (30, 8, 5, 5, 6)
    assert (kind.tasks, kind.spawns) == (("grow_limb", "call", "hunt", "wander"), False)


@pytest.mark.rule("JG.9")
def test_slime_exact_numbers_and_spawns_random() -> None:
    """The slime has its exact numbers and spawns at random."""
    kind = shipped("jsrogue").creatures["slime"]
    assert (kind.glyph, kind.colour, kind.hp, kind.attack, kind.sight) == ("s", "lightgreen", 10, 5, 3)
    assert kind.tasks == ("hunt", "wander")
    assert kind in shipped("jsrogue").spawnable


@pytest.mark.rule("JG.10")
def test_20_health_extra_arm_grows_once_instead() -> None:
    """At 20 health an extra arm grows once instead of a blow."""
    scenario = lair("#1.......Z#")
    scenario.set_health("Z", hp=21)
    scenario.turn(("1", Wait()))
    assert scenario["Z"].attack == 8
    scenario.set_health("Z", hp=20)
    events = scenario.turn(("1", Wait()))
    assert "grows_limb" in kinds(events)
    assert scenario["Z"].attack == 13
    assert "grows_limb" not in kinds(scenario.turn(("1", Wait())))
    assert scenario["Z"].attack == 13


@pytest.mark.rule("JG.10")
def test_the_arm_is_reported_in_its_own_words() -> None:
    scenario = lair("#1..Z#")
    scenario.set_health("Z", hp=20)
    events = scenario.turn(("1", Wait()))
    assert read_events(events, scenario["1"])[-1] == "An extra arm appears on the giant zombie!"


@pytest.mark.rule("JG.10")
def test_calls_slimes_tenth_actions() -> None:
    """It calls slimes in about a tenth of its actions."""
    tried = called = 0
    for seed in range(400):
        scenario = lair("...\n.Z.\n...\n###\n##1", seed)
        tried += 1
        called += "calls" in kinds(scenario.turn(("1", Wait())))
    assert 0.05 * tried < called < 0.13 * tried  # a tenth, less the ninth of them onto its own tile


@pytest.mark.rule("JG.10")
def test_calling_needs_room() -> None:
    """Calling fails on the caller's own cell and where there is no room."""
    for seed in range(200):
        scenario = lair("####\n#Z##\n####\n##1#", seed)
        scenario.turn(("1", Wait()))
        assert len(scenario.level.creatures) == 2


@pytest.mark.rule("JG.10")
def test_it_calls_no_more_than_a_level_holds() -> None:
    scenario = lair("...\n.Z.\n...\n###\n##1")
    for _ in range(300):
        scenario.turn(("1", Wait()))
    assert len(scenario.level.creatures) <= scenario.level.level_kind.creatures_max


@pytest.mark.rule("JG.10")
def test_it_gains_levels_that_bring_it_nothing() -> None:
    scenario = lair("#1..Z#")
    boss = scenario["Z"]
    boss.experience = 300
    raise_levels(TurnContext(scenario.level, Dice(1, 1, 1)), boss)
    assert (boss.level, boss.points) == (6, 0)
    assert (boss.hp_max, boss.attack, boss.defence, boss.sight) == (30, 8, 5, 6)


@pytest.mark.rule("J14.15", "JG.24")
def test_who_slays_the_giant_zombie_has_won() -> None:
    scenario = lair("#1Z.#")
    [life] = beaten(scenario)
    assert (life.won, life.by, life.kills) == (True, "slaying the giant zombie", 1)
    assert not scenario.alive("1")


@pytest.mark.rule("JG.24")
def test_experience_last_blow_story() -> None:
    """The experience for the last blow is in the story."""
    scenario = lair("#1Z.#")
    [life] = beaten(scenario)
    assert life.experience == 30 + 8 - (1 - 5) * 3
    assert life.foe == "giant zombie"


@pytest.mark.rule("F32")
def test_all_participants_win_and_no_one_else() -> None:
    scenario = lair("#1Z2.3#")
    lives = beaten(scenario, "2")
    assert [life.name for life in lives] == ["Player1", "Player2"]
    assert scenario.alive("3")


@pytest.mark.rule("F32")
def test_what_an_ally_did_is_the_part_of_who_called_it() -> None:
    scenario = Scenario("#1Zk2#", campaign=shipped("jsrogue"), Z="giant_zombie", k="kobold")
    scenario.set_owner("k", "2")
    scenario.owe("Z", "k", 9)
    scenario.set_health("Z", hp=1)
    scenario.set_stats("Z", defence=0)
    result = scenario.apply(Turn((PlayerAction(scenario["1"].number, 3, Move(*E)),)))
    lives = [output for output in result.outputs if isinstance(output, PlayerDied)]
    assert [life.name for life in lives] == ["Player1", "Player2"]


@pytest.mark.rule("F32")
def test_a_boss_grows_once_for_each_player() -> None:
    """A boss grows once for each further player who hurts it."""
    scenario = lair("#1Z2.3#")
    boss = scenario["Z"]
    context = TurnContext(scenario.level, Dice(1, 1, 1))
    seen = []
    for name in ("1", "1", "2", "2", "1", "3"):
        apply_damage(context, boss, 1, scenario[name], "a blow")
        seen.append((boss.hp, boss.hp_max))
    assert seen == [(29, 30), (28, 30), (42, 45), (41, 45), (40, 45), (54, 60)]


@pytest.mark.rule("F32")
def test_a_boss_grows_more_for_a_crowd() -> None:
    """For each attacker after the fourth it gains the campaign's `crowd_percent` of its health beside its own half."""
    campaign = replace(shipped("jsrogue"), friends=FriendRules(crowd_percent=50))
    scenario = Scenario("#1Z23456#", campaign=campaign, Z="giant_zombie")
    context = TurnContext(scenario.level, Dice(1, 1, 1))
    seen = []
    for name in "123456":
        apply_damage(context, scenario["Z"], 1, scenario[name], "a blow")
        seen.append(scenario["Z"].hp_max)
    assert seen == [30, 45, 60, 75, 105, 135]


@pytest.mark.rule("F32")
def test_neither_allies_nor_who_is_no_boss_count() -> None:
    scenario = Scenario("#1Zk2#", campaign=shipped("jsrogue"), Z="giant_zombie", k="kobold")
    context = TurnContext(scenario.level, Dice(1, 1, 1))
    for name in ("1", "k"):
        apply_damage(context, scenario["Z"], 1, scenario[name], "a blow")
    for name in ("1", "2"):
        apply_damage(context, scenario["k"], 1, scenario[name], "a blow")
    assert (scenario["Z"].hp_max, scenario["k"].attackers) == (30, 1)


@pytest.mark.rule("F32")
def test_against_two_it_calls_twice_as_often() -> None:
    called = 0
    for seed in range(400):
        scenario = lair("...\n.Z.\n...\n###\n##1", seed)
        scenario.count_attackers("Z", 2)
        called += "calls" in kinds(scenario.turn(("1", Wait())))
    assert 0.12 * 400 < called < 0.25 * 400


@pytest.mark.rule("F32")
def test_a_boss_returns_once_for_late_players() -> None:
    """A player who had no part in the fight finds the boss again after a while, and only one."""
    scenario = lair("#Z12.........#", partition=7)
    scenario.level.state.kind = "cavern"
    scenario.set_health("Z", hp=1)
    scenario.set_stats("Z", defence=0)
    scenario.turn(("1", Move(*W)), ("2", Wait()))
    assert (scenario.alive("1"), scenario.alive("Z")) == (False, False)

    for _ in range(RETURNS_AFTER - 2):  # the turn in which it died is the first
        scenario.turn(("2", Wait()))
    assert bosses(scenario) == 0
    for turns in (1, RETURNS_AFTER):
        for _ in range(turns):
            scenario.set_health("2", hp=scenario["2"].hp_max)
            scenario.turn(("2", Wait()))
        assert bosses(scenario) == 1
    scenario.apply(Respawn("giant_zombie", (0, 1, 0)))
    assert bosses(scenario) == 1


@pytest.mark.rule("F32")
def test_an_unslain_boss_comes_back_at_once() -> None:
    scenario = lair("#1..#.Z#")
    context = TurnContext(scenario.level, Dice(1, 1, 1))
    apply_damage(context, scenario["Z"], 99, None, "poison")
    assert context.outputs == [Envelope(1, Respawn("giant_zombie"))]


@pytest.mark.rule("F32")
def test_other_deaths_win_nothing() -> None:
    scenario = Scenario("#1k.#", campaign=shipped("jsrogue"), k="kobold")
    scenario.set_health("k", hp=1)
    assert scenario.apply(Turn((PlayerAction(scenario["1"].number, 1, Move(*E)),))).outputs == ()


@pytest.mark.rule("JG.24")
def test_winner_leaves_things() -> None:
    """A winner leaves their things and neither corpse nor grave."""
    scenario = lair("#1Z.#")
    scenario.give("1", "apple")
    beaten(scenario)
    assert [item.name for item in scenario.level.piles[1]] == ["apple"]


@pytest.mark.rule("F32")
def test_the_boss_never_follows_over_the_stairs() -> None:
    scenario = lair("1Z.\n...")
    scenario.level.dig(0, Terrain.STAIRS_UP)
    result = scenario.apply(Turn((PlayerAction(scenario["1"].number, 1, Climb(down=False)),)))
    assert len(result.outputs) == 1
    assert scenario.alive("Z")


@pytest.mark.rule("F32")
def test_a_slain_boss_comes_back_out_of_sight() -> None:
    scenario = lair("1....#....", partition=7)
    scenario.apply(Respawn("giant_zombie", (0, 5, 1)))
    [boss] = [each for each in scenario.level.creatures.values() if not each.account]
    assert (boss.kind, boss.level) == ("giant_zombie", 5)
    assert boss.cell > 5
    scenario.apply(Respawn("giant_zombie", (0, 5, 1)))  # heard already
    assert len(scenario.level.creatures) == 2


@pytest.mark.rule("JG.24", "F32")
def test_giving_an_item_is_no_victory() -> None:
    """A player who only gave an item to a friend in the fight has not won."""
    scenario = lair("#21Z#")
    scenario.give("2", "rock")
    scenario.set_health("Z", hp=1)
    scenario.set_stats("Z", defence=0)
    handle = scenario.level.handles[scenario["1"].number]
    acts = (
        PlayerAction(scenario["2"].number, 1, Give(0, handle)),
        PlayerAction(scenario["1"].number, 3, Move(*E)),
    )
    result = scenario.apply(Turn(acts))
    assert "gives" in kinds(result.events)
    assert [life.name for life in result.outputs if isinstance(life, PlayerDied)] == ["Player1"]
    assert scenario.alive("2")
