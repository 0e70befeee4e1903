"""Experience as rltut has it: for every creature, from every kill (rules T14.1-T14.10, TG.26, TG.32)."""

import pytest
from msgspec.structs import asdict, replace

from gloam_server.content.campaign import Campaign
from gloam_server.content.creatures import Gain
from gloam_server.rules.dice import Dice
from gloam_server.world.growth.experience import gain_choices, gain_experience
from gloam_server.world.items.equipment import total_attack
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.events import Narration
from gloam_server.world.model.inputs import FreeAction
from gloam_shared.protocol.commands import Choose
from support.content.campaigns import arena, shipped, with_rules
from support.scenarios.scenario import E, Scenario, kinds, narrations, read_events

SEVEN: tuple[Gain, ...] = (
    "health", "mana", "attack", "defence", "sight", "regeneration", "mana_regeneration"
)  # fmt: skip


def caves(award: str = "worth_minus_twice_killer", threshold: str = "power_3_2") -> Campaign:
    """Return the arena by rltut's formulas, in which everybody has mana."""
    campaign = with_rules(
        arena(), "experience", award=award, threshold=threshold, heal="twice_level", offers=SEVEN
    )
    gains = replace(campaign.experience.gains, mana=5, regeneration=5, mana_regeneration=5)
    campaign = with_rules(campaign, "experience", gains=gains)
    kinds_ = {key: replace(kind, mana=5) for key, kind in campaign.creatures.items()}
    return replace(campaign, creatures=kinds_)


def slay(scenario: Scenario, hp_max: int) -> list[Narration]:
    """Let player 1 kill the kobold beside them in one blow; it is worth its health and 4."""
    scenario.set_health("k", hp=1, hp_max=hp_max)
    return scenario.go("1", E)


@pytest.mark.rule("T14.1")
def test_all_start_at_zero_and_the_killer_learns() -> None:
    """All begin with nothing, and the killer alone learns."""
    scenario = Scenario("#1k2#", campaign=caves(), k="kobold")
    assert [(scenario[name].experience, scenario[name].level) for name in "1k2"] == [(0, 1)] * 3
    scenario.turn(("2", None))
    slay(scenario, 6)
    assert [scenario[name].experience for name in "12"] == [8, 0]


@pytest.mark.rule("T14.2")
@pytest.mark.parametrize(("level", "expected"), [(1, 8), (4, 2), (5, 0), (9, 0)])
def test_twice_the_killers_level_is_taken_off(level: int, expected: int) -> None:
    """Twice the killer's level is taken off, and the victim's does not count."""
    scenario = Scenario("#1k#", campaign=caves(), k="kobold")
    scenario.set_progress("1", level=level)
    scenario.set_progress("k", level=9)
    slay(scenario, 6)
    assert scenario["1"].experience == expected


@pytest.mark.rule("TG.26", "F34")
@pytest.mark.parametrize(("level", "expected"), [(1, 9), (4, 6), (9, 1), (10, 0)])
def test_final_game_killers_level_taken_off_once(level: int, expected: int) -> None:
    """In the final game the killers level is taken off once."""
    scenario = Scenario("#1k#", campaign=caves("worth_minus_killer", "power_7_4"), k="kobold")
    scenario.set_progress("1", level=level, experience=0)
    slay(scenario, 6)
    assert scenario["1"].experience == expected


@pytest.mark.rule("T14.4", "F36")
@pytest.mark.parametrize(("short", "rises"), [(1, False), (0, False), (-1, True)])
def test_a_level_is_left_only_beyond_its_threshold(short: int, *, rises: bool) -> None:
    scenario = Scenario("#1k#", campaign=caves(), k="kobold")
    scenario.set_progress("1", experience=20 - 8 - short)
    events = slay(scenario, 6)
    assert (scenario["1"].level == 2) is rises
    assert ("You advance to level 2." in read_events(events, scenario["1"])) is rises


@pytest.mark.rule("T14.4")
def test_each_level_heals_twice_its_number() -> None:
    """Each level heals twice its number, and never beyond the maximum."""
    scenario = Scenario("#1.#", campaign=caves())
    player = scenario["1"]
    player.hp = 10
    gain_experience(TurnContext(scenario.level, Dice(1, 1, 1)), player, 57)
    assert (player.level, player.hp, player.points) == (3, 10 + 4 + 6, 2)
    player.hp = 39
    gain_experience(TurnContext(scenario.level, Dice(1, 1, 1)), player, 100)
    assert player.hp == 40


@pytest.mark.rule("T14.4")
def test_rltut_level_gained_at_once_line() -> None:
    """In rltut each level of several has its own line."""
    scenario = Scenario("#12#", campaign=shipped("rltut"))
    player, context = scenario["1"], TurnContext(scenario.level, Dice(1, 1, 1))
    gain_experience(context, player, 57)
    assert read_events(context.events, player) == [
        "You gain 57 xp.",
        "You advance to level 2.",
        "You advance to level 3.",
    ]
    assert read_events(context.events, scenario["2"]) == [
        "Player1 advances to level 2.",
        "Player1 advances to level 3.",
    ]
    assert (player.level, player.points) == (3, 2)


@pytest.mark.rule("T14.3")
def test_experience_may_be_taken_and_that_is_reported() -> None:
    scenario = Scenario("#1.#", campaign=shipped("rltut"))
    player, context = scenario["1"], TurnContext(scenario.level, Dice(1, 1, 1))
    player.experience = 12
    gain_experience(context, player, -5)
    assert read_events(context.events, player) == ["You lose 5 xp."]
    assert player.experience == 7


@pytest.mark.rule("T14.5", "TG.32", "F31")
def test_a_monster_that_kills_a_monster_learns_from_it() -> None:
    scenario = Scenario("#kr#", campaign=caves(), k="kobold", r="rat")
    scenario.set_progress("k", experience=19)
    scenario.set_health("r", hp=1)
    scenario.wild()
    assert scenario["k"].level == 2
    assert {"ExperienceGained", "advances"} <= set(kinds(scenario.events))
    assert scenario["k"].points == 0


@pytest.mark.rule("T14.6", "TG.26")
@pytest.mark.parametrize(
    ("option", "stat", "more"),
    [
        (0, "hp_max", 10),
        (1, "mana_max", 5),
        (2, "attack", 2),
        (3, "defence", 2),
        (4, "sight", 1),
        (5, "regeneration", 5),
        (6, "mana_regeneration", 5),
    ],
)
def test_the_seven_options_and_what_they_bring(option: int, stat: str, more: int) -> None:
    scenario = Scenario("#1.#", campaign=caves())
    player = scenario["1"]
    player.points, player.hp, player.mana = 1, 30, 2
    before = getattr(player, stat)
    scenario.apply(FreeAction(player.number, 1, Choose(option)))
    assert getattr(player, stat) - before == more
    assert (player.hp, player.mana) == (30 + 10 * (option == 0), 2 + 5 * (option == 1))
    assert player.points == 0


@pytest.mark.rule("T14.6")
def test_options_stand_campaigns_order_and_words() -> None:
    """Options stand in the campaigns order and words."""
    campaign = caves()
    words = replace(campaign.experience.words, health="Increased hit points", sight="Increased vision")
    scenario = Scenario("#1.#", campaign=with_rules(campaign, "experience", words=words))
    assert gain_choices(scenario.level, scenario["1"]) == SEVEN
    scenario.set_progress("1", points=1)
    view = scenario.view()
    assert (view.choices[0], view.choices[4]) == ("Increased hit points (+10)", "Increased vision (+1)")


@pytest.mark.rule("T14.7", "F38")
def test_monster_chooses_at_once_and_player() -> None:
    """A monster chooses immediately, and a player at will."""
    scenario = Scenario("#1k#", campaign=caves(), k="kobold")
    context = TurnContext(scenario.level, Dice(1, 1, 1))
    before = asdict(scenario["k"])
    gain_experience(context, scenario["1"], 57)
    gain_experience(context, scenario["k"], 57)
    assert (scenario["1"].points, scenario["k"].points) == (2, 0)
    assert asdict(scenario["1"])["attack"] == 10
    stats = ("hp_max", "mana_max", "attack", "defence", "sight", "regeneration", "mana_regeneration")
    worth = (10, 5, 2, 2, 1, 5, 5)
    after = asdict(scenario["k"])
    assert sum((after[stat] - before[stat]) // each for stat, each in zip(stats, worth, strict=True)) == 2


@pytest.mark.rule("T14.10", "F40")
def test_growth_is_shown_to_who_sees_it() -> None:
    scenario = Scenario("#1.k#", campaign=caves(), k="kobold")
    context = TurnContext(scenario.level, Dice(1, 1, 1))
    gain_experience(context, scenario["k"], 21)
    [advance, gain] = narrations(context.events)
    assert read_events([advance], scenario["1"]) == ["The kobold advances to level 2."]
    assert read_events([gain], scenario["1"])[0].startswith("The kobold looks ")


@pytest.mark.rule("F34")
def test_wielded_items_count_in_points() -> None:
    """A victim's wielded items count in points, at any scale."""
    for scale in (1, 100):
        campaign = with_rules(caves(), "combat", scale=scale)
        scenario = Scenario("#1k#", campaign=campaign, k="kobold")
        scenario.set_stats("k", attack=4 * scale)
        scenario.set_stats("1", attack=10 * scale)
        slay(scenario, 6)
        assert total_attack(scenario.level, scenario["1"]) == 10 * scale
        assert scenario["1"].experience == 8
