"""A monster's learned traits are seen in what it is and in what it does (rule F65)."""

import pytest
from msgspec.structs import replace

from gloam_server.content.campaign import Campaign
from gloam_server.rules.dice import Dice
from gloam_server.rules.growth import least_experience_beyond
from gloam_server.world.growth.experience import gain_experience
from gloam_server.world.growth.learning import learn_traits
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.modifiers import tasks_of
from gloam_shared.protocol.commands import Wait
from support.content.campaigns import shipped, with_rules
from support.scenarios.scenario import E, Scenario, read_events

GLOAM = shipped("gloam")


def teaching(kind: str, *traits: str) -> Campaign:
    """Return gloam where each level of a kind brings one of these traits, as long as one is left."""
    campaign = with_rules(GLOAM, "learning", trait_percent=100, leaves_above=0)
    taught = replace(campaign.creatures[kind], learns=traits)
    return replace(campaign, creatures={**campaign.creatures, kind: taught})


def learn(scenario: Scenario, name: str, levels: int = 1) -> TurnContext:
    level = scenario[name].level + levels
    scenario.set_progress(name, level=level, experience=least_experience_beyond(GLOAM.experience, level - 1))
    context = TurnContext(scenario.level, Dice(1, 1, 1))
    learn_traits(context, scenario[name], levels)
    return context


@pytest.mark.rule("F65")
@pytest.mark.parametrize(
    ("trait", "number"),
    [
        ("thick_hide", "defence"),
        ("strong_arm", "attack"),
        ("stout", "hp_max"),
        ("swift", "speed"),
        ("keen", "sight attack"),
        ("mending", "regeneration"),
    ],
)
def test_trait_of_body_raises_its_number(trait: str, number: str) -> None:
    """A trait of the body raises its numbers and no others."""
    scenario = Scenario("#1..k#", campaign=teaching("kobold", trait), k="kobold")
    numbers = ("defence", "attack", "hp_max", "speed", "sight", "regeneration")
    before = {each: getattr(scenario["k"], each) for each in numbers}
    learn(scenario, "k")
    after = {each: getattr(scenario["k"], each) for each in numbers}
    assert scenario["k"].learned == [trait]
    assert {each for each in numbers if after[each] > before[each]} == set(number.split())
    assert {each for each in numbers if after[each] < before[each]} == set()


@pytest.mark.rule("F65")
def test_who_sees_it_reads_it_and_it_comes_with_level() -> None:
    """A player who sees it reads it and it is gained with a level."""
    scenario = Scenario("#1..k#.2#", campaign=teaching("kobold", "thick_hide"), partition=2, k="kobold")
    context = TurnContext(scenario.level, Dice(1, 1, 1))
    gain_experience(context, scenario["k"], 60)
    assert read_events(context.events, scenario["1"])[-1] == "The kobold grows a thick hide."
    assert read_events(context.events, scenario["2"]) == ["You hear a cry of triumph: west."]


@pytest.mark.rule("F65")
def test_no_trait_comes_twice_and_none_kind_has_anyway() -> None:
    """No trait is gained twice and none that its kind has anyway."""
    campaign = teaching("goblin", "latches", "thick_hide", "keen")
    scenario = Scenario("#1..g#", campaign=campaign, g="goblin")
    learn(scenario, "g", 5)
    assert sorted(scenario["g"].learned) == ["keen", "thick_hide"], "a goblin opens doors already"


@pytest.mark.rule("F65")
def test_chance_decides_whether_a_level_teaches() -> None:
    campaign = with_rules(teaching("kobold", "keen"), "learning", trait_percent=0)
    scenario = Scenario("#1..k#", campaign=campaign, k="kobold")
    learn(scenario, "k", 5)
    assert scenario["k"].learned == []


@pytest.mark.rule("F65")
def test_one_without_fear_flees_no_more() -> None:
    campaign = teaching("goblin", "fearless")
    scenario = Scenario("#1g...#", campaign=campaign, g="goblin")
    assert "flee" in tasks_of(campaign, scenario["g"])
    learn(scenario, "g")
    scenario.set_health("g", hp=1)
    scenario.turn(("1", Wait()))
    assert "flee" not in tasks_of(campaign, scenario["g"])
    assert scenario.where("g") == (2, 0)


@pytest.mark.rule("F65")
def test_one_keeps_its_distance_strikes_and_steps_back() -> None:
    """One that keeps its distance strikes and steps back."""
    scenario = Scenario("#1k...#", campaign=teaching("kobold", "wary"), k="kobold")
    scenario.set_health("1", hp=900, hp_max=900)
    learn(scenario, "k")
    places, blows = [], 0
    for _ in range(12):
        blows += any(event.kind in BLOWS for event in scenario.turn(("1", Wait())))
        places.append(scenario.where("k")[0])
    assert places == [3, 2, 2] * 4, "it steps back, comes again, and strikes"
    assert blows == 4


ROOM = "\n".join(
    ["#" * 13, *["#" + "." * 11 + "#"] * 4, "#.....1..m..#", *["#" + "." * 11 + "#"] * 4, "#" * 13]
)
BLOWS = frozenset(
    {"strikes", "strikes_hard", "strikes_lightly", "strikes_vainly", "misses", "throws_at", "shoots", "spits"}
)


def acts_against_one_who_waits(kind: str, trait: str = "", turns: int = 60) -> int:
    """Return how often a creature strikes, shoots, casts or calls while a player stands and waits."""
    scenario = Scenario(ROOM, campaign=GLOAM, m=kind)
    scenario.set_health("1", hp=30_000, hp_max=30_000)
    monster = scenario["m"]
    monster.level += 1
    monster.learned += [trait] if trait else []
    acts = 0
    for _ in range(turns):
        scenario["1"].food = GLOAM.hunger.max
        acts += sum(
            event.actor == monster.number and event.kind in BLOWS | {"casts", "zaps", "calls"}
            for event in scenario.turn(("1", Wait()))
        )
    return acts


@pytest.mark.rule("F65")
@pytest.mark.parametrize("kind", sorted(kind.key for kind in GLOAM.creatures.values() if kind.learns))
def test_no_trait_makes_a_kind_harmless(kind: str) -> None:
    """With any trait, a kind does at least a quarter of what it did against a player who waits."""
    plain = acts_against_one_who_waits(kind)
    assert {
        trait: acts
        for trait in GLOAM.creatures[kind].learns
        if 4 * (acts := acts_against_one_who_waits(kind, trait)) < plain
    } == {}


@pytest.mark.rule("F29")
@pytest.mark.parametrize(
    "kind", sorted(kind.key for kind in GLOAM.creatures.values() if "hunt" in kind.tasks and not kind.boss)
)
def test_every_hunter_strikes_one_who_waits(kind: str) -> None:
    """A kind that hunts acts against a player who waits at least every fourth turn, also without mana or missiles."""
    assert acts_against_one_who_waits(kind) >= 15


@pytest.mark.rule("F65")
@pytest.mark.parametrize(("trait", "barrier"), [("latches", "+"), ("swimmer", "~")])
def test_doors_and_water_stop_those_no_more_learned(trait: str, barrier: str) -> None:
    """Doors and water stop those no more who learned."""
    campaign = teaching("jackal", trait)
    scenario = Scenario(f"#k{barrier}1#", campaign=campaign, k="jackal")
    level, jackal = scenario.level, scenario["k"]
    assert not level.is_passable(jackal, jackal.cell + 1)
    learn(scenario, "k")
    assert level.is_passable(jackal, jackal.cell + 1)


@pytest.mark.rule("F65")
def test_a_digger_comes_through_the_rock() -> None:
    scenario = Scenario("####\n#g##\n##1#\n####", campaign=teaching("ghoul", "digger"), g="ghoul")
    learn(scenario, "g")
    assert tasks_of(scenario.level.campaign, scenario["g"])[0] == "tunnel"
    assert scenario.level.campaign.creatures["ghoul"].digs is False


@pytest.mark.rule("F65")
@pytest.mark.parametrize("learns", [False, True])
def test_by_scent_it_finds_a_prey_that_it_does_not_see(learns: bool) -> None:
    scenario = Scenario(
        """
        #########
        #r.....##
        ######.##
        #1.....##
        #########
        """,
        campaign=teaching("rat", "scent"),
        r="rat",
    )
    scenario.hunt("r", "1")
    assert not scenario.level.field_of_view(scenario["r"])[scenario["1"].cell]
    if learns:
        learn(scenario, "r")
    start = scenario.where("r")
    for _ in range(3):
        scenario.turn(("1", Wait()))

    assert (scenario.where("r") == (start[0] + 3, start[1])) == learns


@pytest.mark.rule("F65")
def test_a_cry_brings_the_kin_that_see_nothing_once() -> None:
    scenario = Scenario(
        """
        ############
        #1...k.....#
        #..........#
        #######.####
        #######.####
        #######.K..#
        ############
        """,
        campaign=teaching("kobold", "rallier"),
        k="kobold",
        K="kobold",
    )
    other = scenario["K"]
    assert not scenario.level.field_of_view(other)[scenario["1"].cell]
    learn(scenario, "k")
    scenario.protect("1", 9)
    events = scenario.turn(("1", Wait()))
    assert "The kobold calls its kin!" in read_events(events, scenario["1"])
    assert other.ai.last_seen is not None

    events = scenario.turn(("1", Wait()))
    assert "rallies" not in [event.kind for event in events]
    for _ in range(6):
        scenario.turn(("1", Wait()))
    assert scenario.level.distance(other, scenario["1"]) < 7


@pytest.mark.rule("F65")
def test_a_bold_one_waits_for_no_pack() -> None:
    scenario = Scenario("#1.....j#", campaign=teaching("jackal", "bold"), j="jackal")
    scenario.protect("1", 9)
    learn(scenario, "j")
    scenario.turn(("1", Wait()))
    assert scenario.where("j")[0] < 7


@pytest.mark.rule("F65")
def test_players_learn_no_traits() -> None:
    scenario = Scenario("#1..#", campaign=teaching("human", "keen"))
    gain_experience(TurnContext(scenario.level, Dice(1, 1, 1)), scenario["1"], 500)
    scenario.go("1", E)
    assert scenario["1"].level > 1
    assert scenario["1"].learned == []


@pytest.mark.rule("F65")
def test_one_takes_weapons_and_armor_and_uses_them() -> None:
    scenario = Scenario("#k..##1#", campaign=teaching("kobold", "armed"), k="kobold")
    learn(scenario, "k")
    scenario.lay("jerkin", 2)
    scenario.lay("club", 3)
    for _ in range(10):
        scenario.turn(("1", Wait()))
    kobold = scenario["k"]
    used = {item.kind for item in kobold.carried if item.number in (kobold.worn, kobold.wielded)}
    assert used == {"jerkin", "club"}


@pytest.mark.rule("F65")
@pytest.mark.parametrize("weak", [False, True])
def test_a_patient_one_follows_out_of_reach(weak: bool) -> None:
    """It keeps out of reach until its prey is weak."""
    scenario = Scenario("#1....m.....#", campaign=teaching("minotaur", "stalker"), m="minotaur")
    learn(scenario, "m")
    for _ in range(8):
        scenario.set_health("1", hp=300 if weak else 900, hp_max=900)
        scenario.turn(("1", Wait()))
    assert (scenario.level.distance(scenario["1"], scenario["m"]) == 1) == weak
