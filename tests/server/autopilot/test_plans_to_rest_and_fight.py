"""Plans that stay or strike: rest while it helps, and fight by one command at a time."""

import pytest
from msgspec.structs import replace

from gloam_server.autopilot import plans
from gloam_server.content.campaign_schema import Regeneration
from gloam_shared.protocol.commands import Explore, Fight, Move, Rest, Wait
from gloam_shared.view.danger import danger_together
from gloam_shared.view.view import Hunger, Stat
from support.bots.plan_runs import first, follow
from support.scenarios.scenario import E, Scenario, W

# Rest.


def test_who_is_well_does_not_rest() -> None:
    assert first(Scenario("#1#"), Rest()) == "You are already fully rested."


def test_rest_ends_when_one_is_well() -> None:
    scenario = Scenario("#1#")
    scenario.set_health("1", hp=37)

    def heal(_turn: int) -> None:
        scenario["1"].hp += 1

    assert follow(scenario, Rest(), meanwhile=heal) == ("You are fully rested.", 3)


def test_rest_ends_when_it_does_not_help() -> None:
    scenario = Scenario("#1#")
    scenario.set_health("1", hp=30)
    assert follow(scenario, Rest()) == ("Resting does not heal you here.", plans.RESTS_IN_VAIN_MAX)


@pytest.mark.rule("RG.24")
def test_who_is_well_is_fully_rested_already() -> None:
    assert rest(Scenario("#1#")) == "You are already fully rested."


@pytest.mark.rule("RG.24")
@pytest.mark.parametrize(
    ("hunger", "refused"),
    [
        (Hunger.FULL, False),
        (Hunger.NOT_HUNGRY, False),
        (Hunger.HUNGRY, False),
        (Hunger.VERY_HUNGRY, True),
        (Hunger.FAMISHED, True),
        (Hunger.STARVING, True),
    ],
)
def test_who_is_too_hungry_to_heal_does_not_rest(hunger: Hunger, refused: bool) -> None:
    scenario = Scenario("#1#")
    scenario.set_health("1", hp=30)
    assert rest(scenario, hunger) == ("You are too hungry to rest." if refused else "")
    assert rest(scenario, hunger, "thousandths") == ""


@pytest.mark.rule("RG.23")
def test_no_rest_while_foes_are_near() -> None:
    scenario = Scenario("#1.S#", S="statue")
    assert rest(scenario) == "You cannot rest while foes are near. A statue is deadly."


@pytest.mark.rule("RG.23")
def test_a_rest_goes_on_while_it_heals() -> None:
    """A rest goes on while it heals, however slowly, for 400 turns."""
    scenario = Scenario("#1#")
    scenario.set_health("1", hp=30)
    view = scenario.view()
    course = plans.begin_plan(view, Rest(), 1, regeneration="thousandths")
    for turns in range(1_000):
        assert isinstance(course, plans.RunningPlan)
        following = plans.continue_plan(view, course)
        if isinstance(following, plans.PlanEnded):
            assert (following.text, turns) == ("You stop: that was far enough.", 400)
            return
        course = following[1]
    raise AssertionError("resting never ended")


def rest(scenario: Scenario, hunger: Hunger = Hunger.NOT_HUNGRY, regeneration: Regeneration = "fed") -> str:
    """Return why a rest cannot begin, "" if it can."""
    view = scenario.view()
    sheet = list(view.sheet)
    sheet[Stat.HUNGER] = hunger
    begun = plans.begin_plan(replace(view, sheet=tuple(sheet)), Rest(), 1, regeneration=regeneration)
    return begun.text if isinstance(begun, plans.PlanEnded) else ""


def test_rest_is_waiting() -> None:
    scenario = Scenario("#1#")
    scenario.set_health("1", hp=30)
    assert first(scenario, Rest()) == Wait()


# Fight.


def test_fight_strikes_an_enemy_beside_one() -> None:
    scenario = Scenario("#1S#", S="statue")
    assert first(scenario, Fight()) == Move(*E)


def test_fight_goes_towards_the_nearest_enemy() -> None:
    scenario = Scenario("#S....1..T#", S="statue", T="statue")
    assert first(scenario, Fight()) == Move(*E)


def test_fight_is_one_command() -> None:
    scenario = Scenario("#1...S#", S="statue")
    assert follow(scenario, Fight()) == ("", 1)


def test_fight_goes_enemy_before_harmless() -> None:
    """Fight goes for an enemy before what is harmless."""
    scenario = Scenario("#F1..S#", S="statue", F="fungus")
    assert first(scenario, Fight()) == Move(*E)


def test_fight_takes_harmless_when_no_enemy() -> None:
    """Fight takes what is harmless when there is no enemy."""
    scenario = Scenario("#F1...#", F="fungus")
    assert first(scenario, Fight()) == Move(*W)


def test_fight_among_equally_near_enemies_takes() -> None:
    """Fight among equally near enemies takes the weaker."""
    scenario = Scenario("#S1T#", S="statue", T="statue")
    scenario.set_health("S", hp=5)
    assert first(scenario, Fight()) == Move(*W)


def test_fight_needs_somebody_to_fight() -> None:
    assert first(Scenario("#12#"), Fight()) == "There is no foe in sight."


def test_fight_says_when_there_is_no_way() -> None:
    scenario = Scenario("#1~S#", S="statue")
    assert first(scenario, Fight()) == "You see no way to the statue."


@pytest.mark.parametrize(("hp", "refused"), [(19, True), (20, False), (21, False)])
def test_fight_is_refused_below_half_health(hp: int, refused: bool) -> None:
    scenario = Scenario("#1S#", S="statue")
    scenario.set_health("1", hp=hp)
    assert (first(scenario, Fight()) != Move(*E)) is refused


def test_fight_goes_below_half_health_against() -> None:
    """Fight goes on below half health against what is weak."""
    scenario = Scenario("#1R#", R="rat")
    scenario.set_health("1", hp=19)
    scenario.set_health("R", hp=1)
    assert first(scenario, Fight()) == Move(*E)


def test_healthy_rests_mana_while_comes_back() -> None:
    """A healthy player rests for mana while it returns."""
    scenario = Scenario("#1#")
    scenario.set_mana("1", mana=3, mana_max=8)
    assert follow(scenario, Rest()) == (
        "You are healthy, and resting brings no mana back here.",
        plans.MANA_IN_VAIN_MAX,
    )

    def think(_turn: int) -> None:
        scenario["1"].mana += 1

    assert follow(scenario, Rest(), meanwhile=think) == ("You are fully rested.", 5)
    assert first(scenario, Rest()) == "You are already fully rested."


def test_a_badly_hurt_player_strikes_the_last_blow() -> None:
    """The fighting plan refused at half health for a foe with 2 health, however near its death was."""
    scenario = Scenario("#1O#", O="ogre")
    scenario.set_health("1", hp=10)
    assert first(scenario, Fight()) == (
        "You are too badly hurt to fight automatically; step away, or walk into the foe."
    )
    scenario.set_health("O", hp=2)
    assert first(scenario, Fight()) == Move(*E)


def test_no_last_blow_beside_another_hunter() -> None:
    scenario = Scenario("#1OP#", O="ogre", P="ogre")
    scenario.set_health("1", hp=10)
    scenario.set_health("O", hp=2)
    assert isinstance(first(scenario, Fight()), str)


@pytest.mark.parametrize(
    ("pack", "hp", "words"),
    [("ab", 10, "Together, these foes are dangerous."), ("abcd", 15, "Together, these foes are deadly.")],
)
def test_refusal_judges_the_whole_group(pack: str, hp: int, words: str) -> None:
    """The refusal names the danger of all foes together, as the lists do, if it is worse than the worst of them alone."""
    scenario = Scenario(f"#1..{pack}....#", a="kobold", b="kobold", c="kobold", d="kobold")
    scenario.set_health("1", hp=hp)
    view = scenario.view()
    assert danger_together(view.creatures, view, "excess") in words
    assert first(scenario, Explore()) == f"You cannot explore while foes are near. {words}"
