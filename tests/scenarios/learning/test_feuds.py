"""Peoples at odds: they fight where they meet, also away from players, and now and then a level belongs to two (rule F67)."""

from collections import Counter

import pytest

from gloam_server.content.campaign import Campaign
from gloam_server.content.growth.learning import at_depth
from gloam_server.world.combat.hostility import is_hostile
from gloam_server.world.generation import generate_round
from support.content.campaigns import shipped, with_rules
from support.scenarios.scenario import Scenario, blows

GLOAM = shipped("gloam")


@pytest.mark.rule("F67")
def test_peoples_at_odds_attack_each_other_no_others() -> None:
    """Peoples at odds attack each other and no others."""
    scenario = Scenario("#kgojw#", campaign=GLOAM, k="kobold", g="goblin", o="orc", j="jackal", w="wolf")
    hostile = {
        one + other
        for one in "kgojw"
        for other in "kgojw"
        if one != other and is_hostile(scenario.level, scenario[one], scenario[other])
    }
    assert hostile == {"kg", "gk", "go", "og", "oj", "jo", "ow", "wo"}


@pytest.mark.rule("F67", "F19")
def test_fight_in_wild_away_from_players_learn_from() -> None:
    """They fight in the wild away from players and learn from it."""
    far = "." * 30
    scenario = Scenario(f"#1{far}k..r#", campaign=GLOAM, partition=2, k="kobold", r="rat")
    scenario.set_health("r", hp=6)
    struck: list[str] = []
    for _ in range(80):
        struck += blows(scenario.wild())
    assert "kobold" in struck
    assert not scenario.alive("r")
    assert scenario["k"].experience > 0
    assert scenario.level.distance(scenario["k"], scenario["1"]) > 24


@pytest.mark.thorough
@pytest.mark.rule("F67")
def test_share_of_levels_belongs_two_peoples_at_odds() -> None:
    """A share of the levels belongs to two peoples at odds."""
    always = with_rules(GLOAM, "learning", feud_percent=100)
    never = with_rules(GLOAM, "learning", feud_percent=0)
    pairs = [set(pair) for pair in GLOAM.feuds]

    def largest(level_creatures: Counter[str]) -> set[str]:
        return {people for people, _ in level_creatures.most_common(2)}

    def at_odds(campaign: Campaign) -> int:
        found = 0
        for floor in generate_round(campaign, 3)[:12]:
            counted: Counter[str] = Counter()
            for each in floor.creatures:
                people = GLOAM.creatures[each.kind].people
                if people:
                    counted[people] += each.count
            found += largest(counted) in pairs
        return found

    assert at_odds(always) >= 6
    assert at_odds(always) > at_odds(never)  # a temper may still bring two peoples at odds


@pytest.mark.thorough
@pytest.mark.rule("F67", "F07")
def test_the_same_seed_gives_the_same_feuds() -> None:
    assert generate_round(GLOAM, 7)[:6] == generate_round(GLOAM, 7)[:6]


@pytest.mark.thorough
@pytest.mark.rule("F66")
@pytest.mark.parametrize("seed", range(1, 7))
def test_no_level_is_made_with_creature_would_leave(seed: int) -> None:
    """The law over seeds: none is further above the depth's own level than stays there."""
    for floor in generate_round(GLOAM, seed):
        own = max(1, floor.difficulty // 100)
        for each in floor.creatures:
            kind = GLOAM.creatures[each.kind]
            if (
                not kind.boss and not kind.speech
            ):  # a unique creature has a level of its own, and goes down with it
                assert kind.level + each.levels <= own + at_depth(GLOAM.learning.leaves_above, floor.depth)
