"""Gaining experience: one record, one award and one threshold for players and monsters alike (rules J14.1-J14.14)."""

import pytest

from gloam_server.content.field_types import SIGHT_MAX
from gloam_server.rules.dice import Dice
from gloam_server.world.growth.experience import gain_choices, gain_experience
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.events import ExperienceGained, Narration
from gloam_server.world.model.inputs import FreeAction
from gloam_server.world.population.spawning import raise_to_level
from gloam_shared.protocol.commands import Choose
from support.content.campaigns import arena_with, shipped
from support.scenarios.scenario import E, Scenario, experience_gained, facts, kinds, narrations


def duel(
    *, killer_level: int = 1, victim_level: int = 1, hp_max: int = 6, attack: int = 4, defence: int = 0
) -> tuple[Scenario, list[Narration]]:
    """Let a player kill a kobold of these numbers in one blow."""
    scenario = Scenario("#1k#", k="kobold")
    killer, victim = scenario["1"], scenario["k"]
    killer.level, killer.experience = killer_level, (killer_level - 1) ** 2 * 10
    victim.level, victim.experience = victim_level, (victim_level - 1) ** 2 * 10
    victim.hp, victim.hp_max, victim.attack, victim.defence = 1, hp_max, attack, defence
    return scenario, scenario.go("1", E)


def choose(scenario: Scenario, option: int) -> list[Narration]:
    return narrations(scenario.apply(FreeAction(scenario["1"].number, 1, Choose(option))).events)


def numbers(creature: Creature) -> tuple[int, int, int, int, int]:
    return creature.attack, creature.defence, creature.hp_max, creature.hp, creature.sight


@pytest.mark.rule("J14.1", "J14.2", "J14.3", "J14.4")
@pytest.mark.parametrize(
    ("option", "expected", "expected_text"),
    [
        (0, (12, 0, 40, 30, 6), "stronger"),
        (1, (10, 2, 40, 30, 6), "tougher"),
        (2, (10, 0, 50, 40, 6), "healthier"),
        (3, (10, 0, 40, 30, 7), "aware"),
    ],
)
def test_what_a_point_brings(
    option: int, expected: tuple[int, int, int, int, int], expected_text: str
) -> None:
    scenario = Scenario("#1.#", campaign=shipped("jsrogue"))
    scenario.set_progress("1", points=1)
    scenario.set_health("1", hp=30)
    events = choose(scenario, option)
    assert numbers(scenario["1"]) == expected
    assert kinds(events) == [expected_text]
    assert scenario["1"].points == 0


def test_a_choice_spends_no_time() -> None:
    scenario = Scenario("#1k#", k="kobold")
    scenario.set_progress("1", points=1)
    choose(scenario, 0)
    assert scenario["1"].actions == 0
    assert scenario["1"].hp == 40


@pytest.mark.rule("A46")
def test_a_choice_without_a_point_changes_nothing() -> None:
    scenario = Scenario("#1.#")
    scenario.set_progress("1", points=1)
    choose(scenario, 0)
    before = numbers(scenario["1"])
    assert choose(scenario, 0) == []
    assert numbers(scenario["1"]) == before
    assert scenario["1"].points == 0


@pytest.mark.rule("A46")
def test_a_choice_that_is_not_offered_spends_no_point() -> None:
    scenario = Scenario("#1.#")
    scenario.set_progress("1", points=1)
    before = numbers(scenario["1"])
    assert choose(scenario, 4) == []
    assert numbers(scenario["1"]) == before
    assert scenario["1"].points == 1


@pytest.mark.rule("J14.5")
@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("human", ("attack", "defence", "health", "sight")),
        ("kobold", ("attack", "defence", "health", "sight")),
        ("bat", ("attack", "defence", "health")),
        ("newt", ("attack", "defence", "health")),
        ("fungus", ("defence", "health")),
    ],
)
def test_only_what_one_can_do_may_grow(kind: str, options: tuple[str, ...]) -> None:
    scenario = Scenario("#1k#", campaign=shipped("jsrogue"), k=kind)
    assert gain_choices(scenario.level, scenario["k"]) == options


@pytest.mark.rule("J14.5")
def test_begins_level_no_experience() -> None:
    """Everybody begins at level one with no experience."""
    scenario = Scenario("#1k#", campaign=shipped("jsrogue"), k="kobold")
    for name in ("1", "k"):
        assert (scenario[name].level, scenario[name].experience, scenario[name].points) == (1, 0, 0)


ELDER = """
[elder]
name = "elder"
glyph = "e"
colour = "white"
hp = 6
attack = 4
sight = 5
experience = 30
points_per_level = 2
tasks = ["hunt"]
"""


@pytest.mark.rule("J14.5")
def test_a_kind_may_start_with_experience() -> None:
    """It has the points of its kind for each level, and others have the campaign's; a kind may have none."""
    scenario = Scenario("#1e.k#", campaign=arena_with(creatures=ELDER), e="elder", k="kobold")
    elder = scenario["e"]
    assert (elder.level, elder.experience) == (1, 30)
    context = TurnContext(scenario.level, Dice(1, 1, 1))
    gain_experience(context, elder, 10)
    assert (elder.level, elder.experience, elder.points) == (3, 40, 0)
    growths = [
        kind for kind in kinds(context.events) if kind in ("stronger", "tougher", "healthier", "aware")
    ]
    assert len(growths) == 4
    gain_experience(context, scenario["1"], 10)
    assert scenario["1"].points == 1


@pytest.mark.rule("J14.5")
def test_kind_gains_no_points_gains_levels_same() -> None:
    """A kind that gains no points gains levels all the same."""
    campaign = arena_with(creatures=ELDER.replace("points_per_level = 2", "points_per_level = 0"))
    scenario = Scenario("#1e.#", campaign=campaign, e="elder")
    before = numbers(scenario["e"])
    gain_experience(TurnContext(scenario.level, Dice(1, 1, 1)), scenario["e"], 10)
    assert scenario["e"].level == 3
    assert numbers(scenario["e"]) == before


@pytest.mark.rule("J14.5", "J14.14")
def test_starting_experience_grows_with_depth() -> None:
    """Experience to begin with is never less on a deeper level."""
    scenario = Scenario("#1e.#", campaign=arena_with(creatures=ELDER), e="elder")
    raise_to_level(TurnContext(scenario.level, Dice(1, 1, 1)), scenario["e"], 2)
    assert (scenario["e"].level, scenario["e"].born_level, scenario["e"].experience) == (2, 2, 30)


def test_no_point_lost_bound_not_offered() -> None:
    """No point is lost what is at its bound is not offered."""
    scenario = Scenario("#1.#", campaign=shipped("jsrogue"))
    player = scenario["1"]
    player.points, player.sight = 2, SIGHT_MAX - 1
    assert kinds(choose(scenario, 3)) == ["aware"]
    assert (player.sight, player.points) == (SIGHT_MAX, 1)
    assert gain_choices(scenario.level, player) == ("attack", "defence", "health")
    assert len(scenario.view().choices) == 3
    assert choose(scenario, 3) == []
    assert player.points == 1
    choose(scenario, 0)
    assert (player.points, player.attack) == (0, 12)


def test_no_point_lost_monster_chooses_among_grow() -> None:
    """No point is lost a monster chooses among what can still grow."""
    for seed in range(8):
        scenario = Scenario("#1k.#", campaign=shipped("jsrogue"), k="kobold", seed=seed)
        kobold = scenario["k"]
        kobold.sight = SIGHT_MAX - 1
        before = sum(numbers(kobold)[:3]) - kobold.hp_max
        context = TurnContext(scenario.level, Dice(seed, 1, 1))
        gain_experience(context, kobold, 360)
        aware = kinds(context.events).count("aware")
        assert aware <= 1
        assert kobold.sight == SIGHT_MAX - 1 + aware
        grown = sum(numbers(kobold)[:2]) - before
        assert grown // 2 + (kobold.hp_max - 6) // 10 + aware == kobold.level - 1 == 6


@pytest.mark.rule("J14.6")
@pytest.mark.parametrize("level", [1, 2, 3, 7])
@pytest.mark.parametrize(("short", "rises"), [(1, False), (0, True), (-1, True)])
def test_level_left_square_times_ten(level: int, short: int, rises: bool) -> None:
    """A level is left at its square times ten and not before."""
    scenario = Scenario("#1k#", k="kobold")
    killer = scenario["1"]
    threshold = level * level * 10
    scenario.set_health("k", hp=1)
    scenario.set_progress("k", level=level)
    killer.level, killer.experience = level, threshold - short - 10  # the kobold is worth 10
    events = scenario.go("1", E)
    assert experience_gained(scenario) == 10
    assert killer.experience == threshold - short
    assert killer.level == (level + 1 if rises else level)
    assert ("advances" in kinds(events)) is rises


@pytest.mark.rule("J14.6")
def test_experience_is_never_taken_back_by_a_level() -> None:
    scenario, _ = duel(hp_max=7)
    assert scenario["1"].level == 2
    assert scenario["1"].experience == 11


@pytest.mark.rule("J14.7")
def test_several_levels_bring_a_point_each() -> None:
    """Several levels together bring one message, one heal and a point each."""
    scenario = Scenario("#1k#", k="kobold")
    killer, victim = scenario["1"], scenario["k"]
    killer.hp = 3
    victim.hp, victim.hp_max, victim.attack = 1, 86, 4  # worth 90: the thresholds 10, 40 and 90
    events = scenario.go("1", E)
    advances = [event for event in events if event.kind == "advances"]
    assert [event.amount for event in advances] == [4]
    assert killer.level == 4
    assert killer.hp == killer.hp_max == 40
    assert killer.points == 3


@pytest.mark.rule("J14.7")
def test_health_raised_heal_leaves_health_most() -> None:
    """Health raised after the heal leaves health at its most."""
    scenario, _ = duel()
    choose(scenario, 2)
    assert scenario["1"].hp == scenario["1"].hp_max == 50


@pytest.mark.rule("J14.8")
def test_a_player_is_never_chosen_for() -> None:
    scenario, _ = duel()
    assert scenario["1"].points == 1
    assert numbers(scenario["1"])[:3] == (10, 0, 40)


@pytest.mark.rule("J14.10")
@pytest.mark.parametrize(
    ("killer_level", "victim_level", "expected"),
    [
        (1, 1, 10),
        (1, 3, 16),
        (3, 1, 4),
        (4, 1, 1),
        (5, 1, 0),
        (20, 1, 0),
    ],
)
def test_a_kill_is_worth_the_victims_numbers(killer_level: int, victim_level: int, expected: int) -> None:
    """A kill is worth the victim's numbers less three a level, and never negative."""
    scenario, _ = duel(killer_level=killer_level, victim_level=victim_level)
    assert experience_gained(scenario) == expected
    assert scenario["1"].experience == (killer_level - 1) ** 2 * 10 + expected
    assert bool(facts(scenario.events, ExperienceGained)) is (expected > 0)


@pytest.mark.rule("J14.10")
def test_attack_and_defence_of_the_victim_count() -> None:
    scenario, _ = duel(hp_max=10, attack=7, defence=5)
    assert experience_gained(scenario) == 22


@pytest.mark.rule("J14.10")
def test_fungus_cannot_attack_worth_health() -> None:
    """A fungus that cannot attack is worth its health."""
    scenario = Scenario("#1F#", F="fungus")
    scenario.set_health("F", hp=1)
    scenario.go("1", E)
    assert experience_gained(scenario) == 10


def test_experience_changes_only_by_awards() -> None:
    scenario = Scenario(
        """
        ##########
        #1..k.r.B#
        #.2...F..#
        ##########
        """,
        k="kobold",
        r="rat",
        B="bat",
        F="fungus",
    )
    awarded: dict[int, int] = {}
    for turn in range(60):
        acts = [name for name in ("1", "2") if scenario.alive(name)]
        step = E if turn % 3 else (-1, 1)
        for name in acts:
            if not scenario.alive(name):
                continue
            scenario.go(name, step)
            for gain in facts(scenario.events, ExperienceGained):
                awarded[gain.creature] = awarded.get(gain.creature, 0) + gain.amount
    for creature in scenario.level.creatures.values():
        assert creature.experience == awarded.get(creature.number, 0)
    assert awarded
