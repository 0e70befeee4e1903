"""Experience from a death: by the last blow, the last harm, the share or in full (rules F35, R6, T14.1)."""

from collections.abc import Iterable

import pytest
from msgspec.structs import replace

from gloam_server.content.campaign import Campaign
from gloam_server.rules import growth
from gloam_server.rules.dice import Dice
from gloam_server.world.actions.giving import Give
from gloam_server.world.combat.damage import apply_damage
from gloam_server.world.combat.experience_credit import inherit_generation, mark_summoned
from gloam_server.world.combat.hostility import holds
from gloam_server.world.effects.spells import cast_spell
from gloam_server.world.effects.status_effects import add_status, tick_statuses
from gloam_server.world.growth.experience import gain_experience
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import new_creature
from gloam_server.world.model.events import Event, ExperienceGained
from support.content.campaigns import arena, with_rules
from support.content.magic_campaign import academy
from support.scenarios.scenario import E, Scenario, facts, kinds, read_events


def credited(credit: str, **rules: int) -> Campaign:
    return with_rules(arena(), "experience", credit=credit, **rules)


def slay(scenario: Scenario, victim: str, *blows: tuple[str, int], poison: str = "") -> dict[str, int]:
    """Let these take this much health each, in order, then the poisoner the rest; return the gain of each."""
    context = TurnContext(scenario.level, Dice(1, 1, 1))
    body = scenario[victim]
    body.hp = sum(amount for _, amount in blows) + (1 if poison else 0)
    for name, amount in blows:
        apply_damage(context, body, amount, scenario[name] if name else None, "a trap")
    if poison:
        apply_damage(context, body, 1, scenario[poison], "poison", source="gradual")
    assert not scenario.alive(victim)
    return gained(scenario, context.events)


def gained(scenario: Scenario, events: Iterable[Event]) -> dict[str, int]:
    names = {body.number: name for name, body in scenario.named.items()}
    return {names[gain.creature]: gain.amount for gain in facts(events, ExperienceGained)}


def brawl(credit: str, **rules: int) -> Scenario:
    """Three players around an ogre that is worth 260 to a first level."""
    return Scenario("#12O3#", campaign=credited(credit, **rules), O="ogre")


@pytest.mark.rule("T14.1")
def test_the_killer_takes_all() -> None:
    assert slay(brawl("killer"), "O", ("1", 50), ("2", 1)) == {"2": 260}


@pytest.mark.rule("T14.1")
def test_poison_credits_the_last_blow() -> None:
    """Poison gives the experience to the last blow, not to the poisoner."""
    assert slay(brawl("killer"), "O", ("1", 50), poison="2") == {"1": 260}
    assert slay(brawl("killer"), "O", poison="2") == {}


@pytest.mark.rule("T14.1")
def test_a_trap_that_ends_a_life_teaches_no_killer() -> None:
    assert slay(brawl("killer"), "O", ("1", 50), ("", 5)) == {}


@pytest.mark.rule("R6")
def test_the_last_to_hurt_it_takes_all_be_it_by_poison() -> None:
    assert slay(brawl("last_hit"), "O", ("1", 50), ("2", 1)) == {"2": 260}
    assert slay(brawl("last_hit"), "O", ("1", 50), poison="2") == {"2": 260}
    assert slay(brawl("last_hit"), "O", ("1", 50), ("", 5)) == {}


@pytest.mark.rule("F35")
def test_shares_go_damage_and_left_largest() -> None:
    """Shares go by damage and what is left to the largest."""
    assert slay(brawl("share"), "O", ("1", 50), ("2", 25), ("3", 24)) == {"1": 132, "2": 65, "3": 63}
    assert slay(brawl("share"), "O", ("1", 1), ("2", 1), ("3", 1)) == {"1": 88, "2": 86, "3": 86}


@pytest.mark.rule("F35")
def test_trap_takes_no_share_and_sum_formulas() -> None:
    """A trap takes no share and the sum is the formulas."""
    found = slay(brawl("share"), "O", ("1", 30), ("2", 70), ("", 100))
    assert found == {"1": 78, "2": 182}
    assert sum(found.values()) == 260


@pytest.mark.rule("F35")
def test_gone_gets_nothing_and_others_share() -> None:
    """A player who is gone gets nothing and the others share it."""
    scenario = brawl("share")
    context = TurnContext(scenario.level, Dice(1, 1, 1))
    apply_damage(context, scenario["O"], 90, scenario["1"], "")
    apply_damage(context, scenario["O"], 10, scenario["2"], "")
    scenario.level.remove(scenario["1"])
    apply_damage(context, scenario["O"], 500, scenario["3"], "")
    assert gained(scenario, context.events) == {"2": 23, "3": 237}


def walled(credit: str) -> Scenario:
    """One player beside an ogre that is worth 260 to a first level, and two others out of its sight."""
    return Scenario("#1O#2#3#", campaign=credited(credit), O="ogre")


@pytest.mark.rule("F35")
def test_in_full_everybody_who_had_a_part_gets_all() -> None:
    found = slay(walled("full"), "O", ("1", 50), ("2", 1), ("", 9))
    assert found == {"1": 260, "2": 260}


@pytest.mark.rule("F35")
def test_full_credit_needs_hold_and_reach() -> None:
    """In full credit a player held by the victim had a part, and one out of its reach had none."""
    assert slay(brawl("full"), "O", ("1", 50)) == {"1": 260, "2": 260, "3": 260}
    assert slay(walled("full"), "O", ("1", 50)) == {"1": 260}


@pytest.mark.rule("F35")
def test_a_sleepers_death_teaches_its_killer_alone() -> None:
    """In full credit the death of a sleeper teaches its killer alone."""
    scenario = brawl("full")
    scenario.put_to_sleep("O", 9)
    assert slay(scenario, "O", ("1", 50)) == {"1": 260}


@pytest.mark.rule("F35", "A61")
def test_full_credit_ends_seven_levels_below() -> None:
    """The third is seven below and learns; the second, eight below, does not, however much they did."""
    scenario = brawl("full", gap_max=7)
    scenario.set_progress("1", level=9, experience=640)
    scenario.set_progress("3", level=2, experience=10)
    assert slay(scenario, "O", ("1", 5), ("2", 400), ("3", 1)) == {"1": 236, "3": 257}


@pytest.mark.rule("F35", "A61")
def test_healed_friend_fight_part() -> None:
    """A player who healed a friend in the fight has a part in it."""
    scenario = walled("full")
    scenario.owe("O", "3", 0)
    assert slay(scenario, "O", ("1", 50)) == {"1": 260, "3": 260}


@pytest.mark.rule("F35")
@pytest.mark.parametrize(
    ("spell", "target"), [("slow", "O"), ("sleep_ray", "O"), ("push", "O"), ("haste", "1")]
)
def test_spells_on_foe_or_friend_are_a_part(spell: str, target: str) -> None:
    """In full credit a player who hinders the enemy or protects a friend has a part, for as long as reach counts."""
    for turns, part in ((0, {"2": 260}), (20, {})):
        campaign = with_rules(academy(), "experience", credit="full")
        scenario = Scenario("#1O#2#", campaign=campaign, O="ogre")
        scenario.hunt("O", "1")
        context = TurnContext(scenario.level, Dice(1, 1, 1))
        cast_spell(context, spell, scenario["2"], scenario[target].cell)
        scenario["2"].actions += turns
        assert slay(scenario, "O", ("1", 50)) == {"1": 260, **part}


@pytest.mark.rule("F35")
@pytest.mark.parametrize("credit", ["share", "full"])
def test_gave_thing_held_and_learns_nothing(credit: str) -> None:
    """A player who only gave a thing is held and learns nothing."""
    scenario = Scenario("##1..O#\n#2######", campaign=credited(credit), O="ogre")
    level, ogre = scenario.level, scenario["O"]
    scenario.give("2", "rock")
    Give(0, scenario["1"].number).execute(TurnContext(level, Dice(1, 1, 1)), scenario["2"])
    assert not level.field_of_view(scenario["2"])[ogre.cell]
    assert holds(level, ogre, scenario["2"])
    assert slay(scenario, "O", ("1", 50)) == {"1": 260}


@pytest.mark.rule("F35", "A61")
def test_what_heals_slowly_is_noted_as_it_heals() -> None:
    scenario = Scenario("#1#2O#", campaign=academy(), O="ogre")
    healer, healed, ogre = scenario["1"], scenario["2"], scenario["O"]
    context = TurnContext(scenario.level, Dice(1, 1, 1))
    add_status(context, healed, academy().spells["slow_heal"], 0, healer.number)
    assert ogre.hurt_by == {}
    healed.hp -= 3
    tick_statuses(context, healed)
    assert ogre.hurt_by == {healer.number: 2}
    tick_statuses(context, healed)
    tick_statuses(context, healed)
    assert ogre.hurt_by == {healer.number: 3}
    assert healer.contacts == {}


@pytest.mark.rule("F35")
def test_a_blow_that_takes_nothing_is_no_part() -> None:
    assert slay(walled("full"), "O", ("1", 50), ("2", 0), ("1", 1)) == {"1": 260}


@pytest.mark.rule("F40")
def test_monster_learns_player_same_ledger() -> None:
    """A monster learns from a player by the same ledger."""
    scenario = Scenario("#1Ok#", campaign=credited("full"), O="ogre", k="kobold")
    assert slay(scenario, "1", ("O", 5), ("k", 5)) == {"O": 50, "k": 50}


@pytest.mark.rule("F35")
def test_no_player_learns_from_a_player() -> None:
    for credit in ("killer", "last_hit", "share", "full"):
        assert slay(brawl(credit), "1", ("2", 40)) == {}


@pytest.mark.rule("F35")
def test_the_dead_owe_no_experience_credit() -> None:
    scenario = brawl("full")
    scenario.owe("O", "1", 5)
    slay(scenario, "1", ("O", 40))
    assert scenario["O"].hurt_by == {}


@pytest.mark.rule("F35")
def test_generation_children_teaches_half_much() -> None:
    """Each generation of children teaches half as much."""
    awards = []
    for generation in range(4):
        scenario = Scenario("#1F#", campaign=credited("killer"), F="fungus")
        for _ in range(generation):
            inherit_generation(scenario["F"], replace(scenario["F"]))
        awards.append(slay(scenario, "F", ("1", 10)).get("1", 0))
    assert awards == [10, 5, 2, 1]


@pytest.mark.rule("F35")
def test_a_fungus_has_children_of_the_next_generation() -> None:
    """A fungus that spreads has children of the next generation."""
    scenario = Scenario("#..F..#\n#1....#", F="fungus")
    for _ in range(60):
        scenario.wild()
        if len(scenario.level.creatures) > 4:
            break
        scenario.turn(("1", None))
    generations = sorted({body.generation for body in scenario.level.creatures.values() if not body.account})
    assert generations[:2] == [0, 1]


@pytest.mark.rule("F35")
def test_each_further_call_teaches_half() -> None:
    """Each further creature that is called teaches half as much."""
    scenario = Scenario("#O.#", O="ogre")
    kind = scenario.level.campaign.creatures["rat"]
    called = [new_creature(kind, 100 + nth) for nth in range(3)]
    for rat in called:
        mark_summoned(rat, scenario["O"])
    assert [rat.generation for rat in called] == [1, 2, 3]
    by_nobody = new_creature(kind, 200)
    mark_summoned(by_nobody, None)
    assert by_nobody.generation == 1


@pytest.mark.rule("F39")
@pytest.mark.parametrize(("rise", "level"), [(0, 10), (1, 2), (3, 4)])
def test_monster_rises_at_most_many_levels_above(rise: int, level: int) -> None:
    """A monster rises at most this many levels above its own."""
    campaign = credited("killer", monster_levels_max=rise)
    scenario = Scenario("#1k#", campaign=campaign, k="kobold")
    context = TurnContext(scenario.level, Dice(1, 1, 1))
    for _ in range(9):
        gain_experience(context, scenario["k"], 91)
    gain_experience(context, scenario["1"], 819)
    assert scenario["k"].level == level
    assert scenario["1"].level == 10
    assert scenario["k"].experience == sum(
        gain.amount
        for gain in facts(context.events, ExperienceGained)
        if gain.creature == scenario["k"].number
    )
    assert not growth.level_reached(campaign.experience, scenario["k"].level, scenario["k"].experience)


@pytest.mark.rule("JG.10")
def test_kind_not_grow_rises_but_gains_nothing() -> None:
    """A kind that does not grow rises but gains nothing."""
    campaign = arena()
    still = replace(campaign.creatures["kobold"], grows=False)
    campaign = replace(campaign, creatures={**campaign.creatures, "kobold": still})
    scenario = Scenario("#1k#", campaign=with_rules(campaign, "experience", factor_percent=10), k="kobold")
    kobold = scenario["k"]
    gain_experience(TurnContext(scenario.level, Dice(1, 1, 1)), kobold, 100)
    assert (kobold.level, kobold.points) == (4, 0)
    assert (kobold.attack, kobold.defence, kobold.hp_max, kobold.sight) == (4, 0, 6, 5)


@pytest.mark.rule("T14.3")
def test_lost_experience_keeps_the_level() -> None:
    """Experience may be lost; the player gets a message and keeps the level."""
    scenario = Scenario("#1.2#")
    context = TurnContext(scenario.level, Dice(1, 1, 1))
    gain_experience(context, scenario["1"], 15)
    gain_experience(context, scenario["1"], -9)
    gain_experience(context, scenario["1"], -100)
    assert (scenario["1"].experience, scenario["1"].level) == (0, 2)
    assert read_events(context.events, scenario["1"]) == [
        "You advance to level 2.",
        "You lose 9 xp.",
        "You lose 6 xp.",
    ]
    assert read_events(context.events, scenario["2"]) == ["Player1 advances to level 2."]


@pytest.mark.rule("T14.3")
def test_a_campaign_may_tell_what_one_gains() -> None:
    for shows_gain in (False, True):
        campaign = with_rules(arena(), "experience", told=shows_gain)
        scenario = Scenario("#1k#", campaign=campaign, k="kobold")
        scenario.set_health("k", hp=1)
        events = scenario.go("1", E)
        assert ("You gain 10 xp." in read_events(events, scenario["1"])) is shows_gain
        assert kinds(events)[-1] == "advances"
