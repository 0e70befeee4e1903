"""Attacks and deaths: damage, attacker, order of the messages, and remains (rules JG.5, J14.11)."""

import pytest

from gloam_server.world.model.creature import Item
from gloam_server.world.model.events import PlayerDied
from gloam_server.world.model.inputs import PlayerAction, Turn
from gloam_shared.protocol.commands import Move, Wait
from support.content.campaigns import arena
from support.scenarios.scenario import E, Scenario, kinds, narrations


def blows(attack: int, defence: int, count: int = 60) -> set[int]:
    """Return the amounts of many blows against a statue."""
    scenario = Scenario("#1S#", S="statue")
    scenario.set_stats("1", attack=attack)
    scenario.set_stats("S", defence=defence)
    amounts: set[int] = set()
    for _ in range(count):
        scenario.set_health("S", hp=1_000)
        amounts.update(event.amount for event in scenario.go("1", E) if event.kind == "strikes")
    return amounts


@pytest.mark.rule("JG.5")
@pytest.mark.parametrize(
    ("attack", "defence", "expected"),
    [
        (4, 0, {1, 2, 3, 4}),
        (4, 2, {1, 2}),
        (4, 3, {1}),
        (4, 4, {1}),
        (4, 40, {1}),
    ],
)
def test_damage_is_one_to_the_excess(attack: int, defence: int, expected: set[int]) -> None:
    """Damage is one to the excess of the attack, and at least one."""
    assert blows(attack, defence) == expected


@pytest.mark.rule("JG.5")
def test_a_blow_never_misses_and_takes_what_it_tells() -> None:
    scenario = Scenario("#1S#", S="statue")
    for _ in range(20):
        before = scenario["S"].hp
        [event] = scenario.go("1", E)
        assert event.kind == "strikes"
        assert before - scenario["S"].hp == event.amount >= 1


@pytest.mark.rule("J14.11")
def test_kill_reported_order_blow_death_experience() -> None:
    """The log shows a kill in this order: blow, death, experience, level."""
    scenario = Scenario("#1k#", k="kobold")
    scenario.set_health("k", hp=1)
    events = scenario.go("1", E)
    assert kinds(scenario.events) == [
        "strikes",
        "DamageDealt",
        "kills",
        "CreatureDied",
        "ItemCreated",
        "ExperienceGained",
        "advances",
        "LevelGained",
    ]
    assert [event.cell for event in events] == [2, 2, 1]
    assert {event.actor_name for event in events} == {"Player1"}
    assert events[1].target_name == "kobold"
    assert not scenario.alive("k")


@pytest.mark.rule("J14.11")
def test_a_corpse_has_the_color_and_name_of_the_dead() -> None:
    """The corpse lies there in the color and by the name of the dead creature."""
    scenario = Scenario("#1r#", r="rat")
    scenario.set_health("r", hp=1)
    cell = scenario["r"].cell
    scenario.go("1", E)
    [corpse] = scenario.level.piles[cell]
    assert (corpse.name, corpse.colour, corpse.kind) == ("rat corpse", "brown", "corpse")


@pytest.mark.rule("JG.12")
def test_a_fungus_leaves_no_corpse() -> None:
    scenario = Scenario("#1F#", F="fungus")
    scenario.set_health("F", hp=1)
    scenario.go("1", E)
    assert not scenario.alive("F")
    assert scenario.level.piles == {}


def test_dead_monster_not_act_any_more_turn() -> None:
    """A dead monster does not act any more that turn."""
    scenario = Scenario("#1O#", O="ogre")
    scenario.set_health("O", hp=1)
    events = scenario.go("1", E)
    assert all(event.actor == scenario["1"].number for event in events)
    assert scenario["1"].hp == 40


@pytest.mark.rule("JG.14")
def test_monsters_attack_players() -> None:
    scenario = Scenario("#1k#", k="kobold")
    [event] = scenario.turn(("1", Wait()))
    assert (event.kind, event.actor, event.target) == ("strikes", scenario["k"].number, scenario["1"].number)
    assert 1 <= event.amount <= 4


@pytest.mark.rule("JG.14")
def test_a_monster_leaves_other_monsters_alone() -> None:
    scenario = Scenario(
        """
        ###########
        #Ok.......#
        ###########
        """,
        O="ogre",
        k="kobold",
    )
    for _ in range(20):
        assert scenario.wild() == []


def test_kind_strikes_kind_hates_and_struck_back() -> None:
    """A kind strikes what its kind hates and is struck back by no bystander."""
    scenario = Scenario("#krO#", k="kobold", r="rat", O="ogre")
    [event] = [event for event in scenario.wild() if event.kind == "strikes"]
    assert (event.actor_name, event.target_name) == ("kobold", "rat")


def test_a_monster_turns_against_its_attacker() -> None:
    scenario = Scenario("#kr#", k="kobold", r="rat")
    scenario.set_health("r", hp=1_000, hp_max=1_000)
    scenario.set_health("k", hp=1_000, hp_max=1_000)
    struck_by: set[str] = set()
    for _ in range(40):
        struck_by.update(event.actor_name for event in scenario.wild() if event.kind == "strikes")
    assert struck_by == {"kobold", "rat"}


def test_a_player_without_attack_is_informed() -> None:
    """A player without an attack reads so, and stays on guard."""
    scenario = Scenario("#1S#", S="statue")
    scenario.set_stats("1", attack=0)
    [event] = scenario.go("1", E)
    assert (event.kind, event.source) == ("guards", "You have nothing to strike with.")


def test_things_dead_player_lie_fell_under_corpse() -> None:
    """The things of a dead player lie where they fell under their corpse."""
    scenario = Scenario("#1O#", O="ogre")
    apple = Item(number=9_001, kind="corpse", name="apple", colour="red")
    scenario["1"].slots[3] = apple
    scenario.set_health("1", hp=1)
    cell = scenario["1"].cell
    scenario.turn(("1", Wait()))
    assert [item.name for item in scenario.level.piles[cell]] == [
        "grave of Player1",
        "apple",
        "Player1 corpse",
    ]
    assert scenario["1"].carried == []


def test_players_death_leaves_level_output() -> None:
    """A players death leaves the level as an output with its whole story."""
    scenario = Scenario("#1O#", O="ogre", partition=3)
    player = scenario["1"]
    player.hp, player.experience, player.kills, player.level = 1, 17, 2, 2
    result = scenario.apply(Turn((PlayerAction(player.number, 1, Wait()),)))
    [perished] = result.outputs
    assert perished == PlayerDied(
        account=1,
        number=player.number,
        name="Player1",
        by="ogre",
        partition=3,
        cell=1,
        level=2,
        experience=17,
        turns=1,
        kills=2,
        command=1,
        deepest=3,
        hp_max=40,
        attack=10,
        taken=narrations(result.events)[0].amount,
        killer=scenario["O"].number,
        killer_level=scenario["O"].level,
        killer_grown=scenario["O"].level - 1,
        worst="ogre",
        worst_damage=1,
        worst_total=1,
    )
    assert player.number not in scenario.level.memory


def test_a_monsters_death_is_no_output() -> None:
    scenario = Scenario("#1r#", r="rat")
    scenario.set_health("r", hp=1)
    result = scenario.apply(Turn((PlayerAction(scenario["1"].number, 1, Move(*E)),)))
    assert result.outputs == ()


def test_the_killer_counts_the_kill() -> None:
    scenario = Scenario("#1k#", k="kobold")
    scenario.set_health("k", hp=1)
    scenario.go("1", E)
    assert scenario["1"].kills == 1


def test_the_dead_leave_no_grudge_behind() -> None:
    scenario = Scenario("#1k2#", k="kobold")
    scenario.turn(("1", None), ("2", None))
    scenario.set_health("k", hp=1)
    scenario.turn(("1", Move(*E)), ("2", None))
    assert scenario["1"].contacts == {}
    assert scenario["2"].contacts == {}


def test_bat_bumps_players_chance_and_bites() -> None:
    """A bat bumps into players only by chance and then bites."""
    scenario = Scenario("#1B#", campaign=arena(movement="four"), B="bat")
    bitten = 0
    for _ in range(40):
        scenario.set_health("1", hp=40)
        bitten += sum(event.actor_name == "bat" for event in scenario.turn(("1", Wait())))
    # Two acts a turn, each of four directions: a quarter of 80 acts hits the player.
    assert 5 <= bitten <= 40
