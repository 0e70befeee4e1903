"""The end of a life names the last blow, and also what took the most health since the player was last unhurt."""

import pytest

from gloam_server.rules.dice import Dice
from gloam_server.views.texts.life_recap import life_recap
from gloam_server.views.texts.life_summaries import describe_life
from gloam_server.views.texts.news import news_text
from gloam_server.world.combat.damage import apply_damage
from gloam_server.world.combat.party.downed import get_up
from gloam_server.world.combat.run_statistics import worst_source
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.events import DamageDealt, PlayerDied
from gloam_server.world.realm.chronicle import LifeEnded
from gloam_server.world.realm.realm import Realm
from gloam_server.world.transition.serialization import deserialize_level, serialize_level
from gloam_shared.protocol.messages.lives import DamageTaken
from support.scenarios.scenario import Scenario, facts


def wounded(*blows: tuple[str, int], names: tuple[str, str] = ("ogre", "kobold")) -> Scenario:
    """Return a player of 50 health after these blows of `o`, `k`, the player `1` or a cause of that name."""
    scenario = Scenario("#1o.k#", o="ogre", k="kobold")
    scenario.set_health("1", hp=50, hp_max=50)
    scenario["o"].name, scenario["k"].name = names
    for who, amount in blows:
        strike(scenario, who, amount)
    return scenario


def strike(scenario: Scenario, who: str, amount: int) -> None:
    """Strike the player as one input of its own would: by a creature of the map, or by a cause of this name."""
    by: Creature | None = scenario.named.get(who)
    context = TurnContext(scenario.level, Dice(1, 1, 1))
    apply_damage(context, scenario["1"], amount, by, who)
    scenario.outputs = tuple(context.outputs)


def died(scenario: Scenario) -> PlayerDied:
    [fallen] = [output for output in scenario.outputs if isinstance(output, PlayerDied)]
    return fallen


def end_of(fallen: PlayerDied) -> str:
    """Return the last line of a life, without the level that its killer has now."""
    line = describe_life(Scenario("#1#").level.campaign, fallen)[-1]
    return line.partition(" What killed you")[0]


@pytest.mark.rule("F56")
def test_story_names_the_most_damage_and_the_last_blow() -> None:
    fallen = died(wounded(("o", 40), ("k", 10)))
    assert (fallen.by, fallen.worst) == ("kobold", "ogre")
    assert (
        end_of(fallen)
        == "Died on depth 1. Since you were last unhurt, the most damage was by the ogre: 40 of 50 points."
    )


@pytest.mark.rule("F56")
@pytest.mark.parametrize(
    ("blows", "words"),
    [
        ([("k", 10), ("o", 40)], ""),
        ([("o", 20), ("poison", 30)], ""),
        (
            [("o", 30), ("poison", 20)],
            " Since you were last unhurt, the most damage was by the ogre: 30 of 50 points.",
        ),
        (
            [("poison", 30), ("o", 20)],
            " Since you were last unhurt, the most damage was by poison: 30 of 50 points.",
        ),
        (
            [("1", 30), ("o", 20)],
            " Since you were last unhurt, the most damage was by their own acts: 30 of 50 points.",
        ),
        (
            [("o", 26), ("k", 900)],
            " Since you were last unhurt, the most damage was by the ogre: 26 of 50 points.",
        ),
    ],
)
def test_shares_count_the_health_that_was_lost(blows: list[tuple[str, int]], words: str) -> None:
    """Nothing is added where the last blow did the most; a blow beyond the last health counts for what was left."""
    assert end_of(died(wounded(*blows))) == f"Died on depth 1.{words}"


@pytest.mark.rule("F56")
def test_a_dead_foe_keeps_its_share() -> None:
    scenario = wounded(("o", 40))
    scenario.level.remove(scenario["o"])
    strike(scenario, "k", 10)
    assert died(scenario).worst == "ogre"


@pytest.mark.rule("F56")
def test_who_was_unhurt_begins_a_new_count() -> None:
    scenario = wounded(("o", 40))
    scenario.set_health("1", hp=50)
    strike(scenario, "k", 30)
    scenario.set_health("1", hp=25)
    strike(scenario, "poison", 25)
    assert (died(scenario).worst, died(scenario).worst_total) == ("kobold", 55)


@pytest.mark.rule("F56")
def test_who_gets_up_begins_a_new_count() -> None:
    """A player who was down and stands again has as much health as friends gave; the wounds before do not count."""
    scenario = wounded(("o", 40))
    get_up(TurnContext(scenario.level, Dice(1, 1, 1)), scenario["1"])
    scenario.set_health("1", hp=20)
    strike(scenario, "k", 15)
    strike(scenario, "poison", 5)
    assert (died(scenario).worst, died(scenario).worst_damage, died(scenario).worst_total) == (
        "kobold",
        15,
        20,
    )


@pytest.mark.rule("F56")
def test_fire_and_poison_are_no_blows() -> None:
    """Fire and poison have their own names in the story and on the page, as in the messages, also if a creature lit the fire."""
    scenario = wounded(("o", 10))
    context = TurnContext(scenario.level, Dice(1, 1, 1))
    for amount in (12, 15):
        apply_damage(context, scenario["1"], amount, scenario["o"], "fire that ogre lit", source="surface")
    apply_damage(context, scenario["1"], 13, scenario["o"], "poison", source="gradual")
    scenario.outputs = tuple(context.outputs)
    fallen = died(scenario)
    assert (fallen.worst, fallen.worst_damage) == ("fire that ogre lit", 27)
    words = "Since you were last unhurt, the most damage was by the fire that ogre lit: 27 of 50 points."
    assert end_of(fallen) == f"Died on depth 1. {words}"
    wounds = tuple(facts(context.events, DamageDealt))
    damage = life_recap(scenario.level.campaign, Realm(0), None, fallen, wounds).damage
    assert damage == (DamageTaken("fire that ogre lit", 27, 0), DamageTaken("poison", 13, 0))


@pytest.mark.rule("F56")
def test_count_is_the_same_after_a_restart_and_bounded() -> None:
    scenario = wounded(*((f"cause {number:02}", 1 + number % 2) for number in range(30)))
    level = scenario.level
    again = deserialize_level(serialize_level(level), level.campaign, level.realm_seed)
    body = again.creatures[scenario["1"].number]
    assert len(body.statistics.wounds) == 12
    assert worst_source(body) == worst_source(scenario["1"])
    body.statistics.wounds = dict(reversed(body.statistics.wounds.items()))
    assert serialize_level(again) == serialize_level(level)


@pytest.mark.rule("F56")
@pytest.mark.parametrize(
    ("by", "killer", "words"),
    [
        ("kobold", 5, "Ann was killed by a kobold on depth 1. Most of the last damage was by the ogre."),
        (
            "Skarn",
            5,
            "Skarn slew Ann on depth 1 and is level 2 now. Most of the last damage was by the ogre.",
        ),
    ],
)
def test_chronicle_names_both(by: str, killer: int, words: str) -> None:
    event = LifeEnded("Ann", 1, False, by, 1, 1, 9, killer, killer_level=2, worst="ogre")
    assert news_text(event) == words
