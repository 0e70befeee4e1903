"""Stairs: who takes them, who follows, where one arrives, and how long an arrival cannot be hurt (rule J7.14)."""

import pytest

from gloam_server.world.combat.hostility import make_ally
from gloam_server.world.model.creature import Creature, new_creature
from gloam_server.world.model.events import ChangedLevel
from gloam_server.world.model.inputs import Arrive, PlayerAction, Turn
from gloam_server.world.transition.apply import Result
from gloam_shared.protocol.commands import Climb, Move, Wait
from support.content.campaigns import shipped
from support.scenarios.scenario import Scenario, kinds, narrations

DOWN = Climb(down=True)
UP = Climb(down=False)


def climb(scenario: Scenario, command: Climb) -> Result:
    return scenario.apply(Turn((PlayerAction(scenario["1"].number, 1, command),)))


def on_stairs(scenario: Scenario, sign: str = ">") -> Scenario:
    """Return a scenario with stairs under its first player."""
    terrain = Scenario(sign).level.terrain[0]
    scenario.level.dig(scenario["1"].cell, terrain)
    return scenario


def arrive(scenario: Scenario, creature: Creature, cell: int, index: int = 0) -> None:
    """Bring a creature onto the level as if another level had sent it."""
    scenario.apply(Arrive(creature, cell, (9, 1, index)))


def stranger(scenario: Scenario, digit: int = 7) -> Creature:
    return new_creature(
        scenario.level.campaign.player_kind, digit * 1_024, name=f"Player{digit}", account=digit
    )


@pytest.mark.rule("J7.14")
@pytest.mark.parametrize(
    ("command", "reason"),
    [(DOWN, "You can't go down here!"), (UP, "You can't go up here!")],
)
def test_without_stairs_underfoot_refusal_names(command: Climb, reason: str) -> None:
    """Without stairs underfoot the refusal names the way."""
    scenario = Scenario("#1.#")
    [event] = narrations(climb(scenario, command).events)
    assert (event.kind, event.source) == ("guards", reason)
    assert scenario.alive("1")


@pytest.mark.rule("RG.33")
@pytest.mark.parametrize(
    ("command", "reason"), [(DOWN, "There is no way down here."), (UP, "There is no way up here.")]
)
def test_ruggrogue_refuses_in_its_own_words(command: Climb, reason: str) -> None:
    scenario = Scenario("#1.#", campaign=shipped("ruggrogue"))
    [event] = narrations(climb(scenario, command).events)
    assert (event.kind, event.source) == ("guards", reason)


@pytest.mark.rule("J7.14")
@pytest.mark.parametrize(("sign", "command"), [(">", UP), ("<", DOWN)])
def test_stairs_lead_only_their_own_way(sign: str, command: Climb) -> None:
    scenario = on_stairs(Scenario("#1.#", partition=2), sign)
    assert climb(scenario, command).outputs == ()
    assert scenario.alive("1")


@pytest.mark.rule("J7.14")
@pytest.mark.parametrize(
    ("sign", "command", "kind", "partition"), [(">", DOWN, "descends", 3), ("<", UP, "ascends", 1)]
)
def test_who_climbs_leaves_as_an_output(sign: str, command: Climb, kind: str, partition: int) -> None:
    scenario = on_stairs(Scenario("#1.#", partition=2), sign)
    result = climb(scenario, command)
    [event] = narrations(result.events)
    assert (event.kind, event.amount) == (kind, partition)
    assert result.outputs == (ChangedLevel(scenario["1"], partition, 1),)
    assert not scenario.alive("1")
    assert scenario["1"].number not in scenario.level.handles


def test_terrain_leaves_behind_stays_remembered() -> None:
    """The terrain that one leaves behind stays remembered."""
    scenario = on_stairs(Scenario("#1.#"))
    climb(scenario, DOWN)
    assert scenario["1"].number in scenario.level.memory


def test_hunter_beside_stairs_follows_same_turn() -> None:
    """A hunter beside the stairs follows in the same turn."""
    scenario = on_stairs(Scenario("#1k#", k="kobold"))
    result = climb(scenario, DOWN)
    assert kinds(result.events) == ["descends", "follows"]
    assert [output.creature.number for output in result.outputs if isinstance(output, ChangedLevel)] == [
        scenario["1"].number,
        scenario["k"].number,
    ]
    assert all(isinstance(output, ChangedLevel) and output.cell == 1 for output in result.outputs)
    assert not scenario.alive("k")


def test_several_hunters_follow_order_numbers() -> None:
    """Several hunters follow in the order of their numbers."""
    scenario = on_stairs(
        Scenario(
            """
            #####
            #kOk#
            #.1.#
            #####
            """,
            k="kobold",
            O="ogre",
        )
    )
    result = climb(scenario, DOWN)
    followers = [output.creature.number for output in result.outputs[1:] if isinstance(output, ChangedLevel)]
    assert len(followers) == 3
    assert followers == sorted(followers)


@pytest.mark.parametrize("kind", ["bat", "rat", "fungus", "statue"])
def test_who_does_not_hunt_does_not_follow(kind: str) -> None:
    scenario = on_stairs(Scenario("#1k#", k=kind))
    assert len(climb(scenario, DOWN).outputs) == 1
    assert scenario.alive("k")


@pytest.mark.parametrize("kind", ["jackal", "mole", "crow", "harpy"])
def test_who_waits_for_prey_hunts_over_stairs_too(kind: str) -> None:
    scenario = on_stairs(Scenario("#1m#", campaign=shipped("gloam"), m=kind))
    assert "follows" in kinds(list(climb(scenario, DOWN).events))


def test_creature_follows_owner_comes_along() -> None:
    """A creature that follows its owner takes the stairs with it and no other does."""
    scenario = on_stairs(Scenario("a1b", campaign=shipped("gloam"), a="tame_wolf", b="tame_wolf"))
    for name, owner in (("a", scenario["1"].number), ("b", 99)):
        scenario[name].owner = owner
        make_ally(scenario.level, scenario[name])
    result = climb(scenario, DOWN)
    assert [output.creature.number for output in result.outputs if isinstance(output, ChangedLevel)] == [
        scenario["1"].number,
        scenario["a"].number,
    ]


def test_a_hunter_two_steps_away_does_not_follow() -> None:
    scenario = on_stairs(Scenario("#1.k#", k="kobold"))
    assert len(climb(scenario, DOWN).outputs) == 1
    assert scenario.alive("k")


def test_a_sleeping_hunter_does_not_follow() -> None:
    scenario = on_stairs(Scenario("#1k#", k="kobold"))
    scenario.put_to_sleep("k", 5)
    assert len(climb(scenario, DOWN).outputs) == 1


def test_a_friend_beside_the_stairs_is_not_taken_along() -> None:
    scenario = on_stairs(Scenario("#12#"))
    assert len(climb(scenario, DOWN).outputs) == 1
    assert scenario.alive("2")


def test_arrival_stands_meant_when_free() -> None:
    """An arrival stands where it meant to when that is free."""
    scenario = Scenario("#.<.#")
    arrive(scenario, stranger(scenario), 2)
    assert scenario.level.occupied == {2: 7 * 1_024}


def test_arrival_occupied_stairs_stands_beside() -> None:
    """An arrival on occupied stairs stands beside them."""
    scenario = Scenario(
        """
        #######
        #..1..#
        #######
        """
    )
    arrive(scenario, stranger(scenario), scenario["1"].cell)
    assert scenario.where("1") == (3, 1)
    [cell] = [cell for cell, number in scenario.level.occupied.items() if number == 7 * 1_024]
    assert abs(cell - scenario["1"].cell) == 1


def test_nearest_free_cell_counted_steps() -> None:
    """The nearest free cell is counted in steps and not as the crow flies."""
    scenario = Scenario(
        """
        #######
        #1#.#.#
        #2###.#
        #3...##
        #######
        """
    )
    assert scenario.level.nearest_free_cell(scenario["1"].cell) == 3 * 7 + 2


def test_a_full_level_has_no_place_for_an_arrival() -> None:
    scenario = Scenario("#1#")
    assert scenario.level.nearest_free_cell(1) is None


def test_an_arrival_begins_with_no_energy_saved_up() -> None:
    scenario = Scenario("#..#")
    newcomer = stranger(scenario)
    newcomer.energy = 5_000
    arrive(scenario, newcomer, 1)
    assert newcomer.energy == 0


def beside_an_ogre() -> tuple[Scenario, Creature]:
    """Return a scenario which a newcomer has just entered, beside an ogre."""
    scenario = Scenario("#.O#", O="ogre")
    newcomer = stranger(scenario)
    arrive(scenario, newcomer, 1)
    scenario.named["7"] = newcomer
    return scenario, newcomer


def test_arrival_guard_cannot_hurt_three_turns() -> None:
    """An arrival on guard cannot be hurt for three turns and then can."""
    scenario, newcomer = beside_an_ogre()
    newcomer.hp = newcomer.hp_max = 1_000
    struck = [any(event.target == newcomer.number for event in scenario.turn(("7", None))) for _ in range(5)]
    assert struck == [False, False, False, True, True]


def test_arrival_hurt_first_action() -> None:
    """An arrival can be hurt from its first own action on."""
    scenario, newcomer = beside_an_ogre()
    newcomer.hp = newcomer.hp_max = 1_000
    assert kinds(scenario.turn(("7", Wait()))) == ["strikes"]
    assert newcomer.grace == 0


def test_an_arrival_may_strike_first() -> None:
    scenario, newcomer = beside_an_ogre()
    newcomer.hp = newcomer.hp_max = 1_000
    events = scenario.turn(("7", Move(1, 0)))
    assert [event.actor for event in events] == [newcomer.number, scenario["O"].number]


def test_cannot_hurt_yet_not_strike_behind_shield() -> None:
    """A player who cannot be hurt yet does not strike from behind that shield."""
    scenario, newcomer = beside_an_ogre()
    newcomer.contacts[scenario["O"].number] = 0
    assert scenario.turn(("7", None)) == []


def test_grace_arrival_not_worn_off_turns_others() -> None:
    """The grace of an arrival is not worn off by turns of others."""
    scenario = Scenario(
        """
        ##########
        #.O####1.#
        ##########
        """,
        O="ogre",
    )
    newcomer = stranger(scenario)
    arrive(scenario, newcomer, 11)
    for _ in range(5):
        scenario.turn(("1", Wait()))
    assert newcomer.grace == 3


def test_monsters_arrive_without_grace() -> None:
    scenario = Scenario("#..#")
    kobold = new_creature(scenario.level.campaign.creatures["kobold"], 77)
    arrive(scenario, kobold, 1)
    assert kobold.grace == 0


def test_an_arrival_is_reported_to_who_sees_it() -> None:
    scenario = Scenario("#1..#")
    result = scenario.apply(Arrive(stranger(scenario), 3, (9, 1, 0)))
    [event] = narrations(result.events)
    assert event.kind == "arrives"
    assert scenario["1"].number in event.witnesses
