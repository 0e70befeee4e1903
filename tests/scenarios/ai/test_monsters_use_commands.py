"""Everyone alike: every verb does for a monster what it does for a player, by the same command (rules F31, F47)."""

from functools import cache

import pytest
from msgspec.structs import replace

from gloam_lab.invariants import check_invariants
from gloam_server.content.campaign import Campaign
from gloam_server.rules.dice import Dice
from gloam_server.world.actions import try_execute
from gloam_server.world.items.equipment import total_attack, total_defense
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.events import ChangedLevel
from gloam_shared.appearance import Terrain
from gloam_shared.protocol import commands
from support.content.magic_campaign import academy
from support.scenarios.scenario import E, Scenario

either = pytest.mark.parametrize("who", ["1", "m"], ids=["player", "monster"])


@cache
def equals() -> Campaign:
    """Return a campaign where mages can do with their hands what players can, and both of them spit."""
    campaign = academy(hunger="starve_or_choke")
    human, mage = (replace(campaign.creatures[key], ranged=6, reach=6) for key in ("human", "mage"))
    mage = replace(mage, digs=True, opens=True)
    return replace(campaign, creatures={**campaign.creatures, "human": human, "mage": mage})


def scene(who: str, drawing: str = "#A...B#") -> Scenario:
    """Draw an actor, A, and their foe, B: a player and a mage, or the other way round."""
    foe = {"1": "m", "m": "1"}[who]
    scenario = Scenario(drawing.replace("A", who).replace("B", foe), campaign=equals(), m="mage")
    for body in scenario.named.values():
        body.hp_max = 60
    return scenario


def does(scenario: Scenario, who: str, command: commands.ActionCommand) -> TurnContext:
    context = TurnContext(scenario.level, Dice(1, 1, 1))
    refusal = try_execute(context, scenario[who], command)
    assert refusal is None, refusal
    check_invariants(scenario.level)
    return context


def foe_of(scenario: Scenario, who: str) -> Creature:
    return next(body for name, body in scenario.named.items() if name != who)


@pytest.mark.rule("F47")
@either
def test_what_lies_underfoot_is_picked_up_and_dropped(who: str) -> None:
    scenario = scene(who)
    sword = scenario.lay("sword", 1)
    does(scenario, who, commands.PickUp())
    assert (scenario[who].carried, scenario.level.piles) == ([sword], {})
    does(scenario, who, commands.Drop(0))
    assert (scenario[who].carried, scenario.level.piles) == ([], {1: [sword]})


@pytest.mark.rule("F47")
@either
def test_a_weapon_is_wielded_and_armour_is_worn(who: str) -> None:
    scenario = scene(who)
    level, body = scenario.level, scenario[who]
    attack, defence = total_attack(level, body), total_defense(level, body)
    scenario.give(who, "sword", "tunic")
    does(scenario, who, commands.Wield(0))
    does(scenario, who, commands.Wear(1))
    assert (total_attack(level, body), total_defense(level, body)) == (attack + 10, defence + 2)
    does(scenario, who, commands.Wield(None))
    does(scenario, who, commands.Wear(None))
    assert (total_attack(level, body), total_defense(level, body)) == (attack, defence)


@pytest.mark.rule("JG.16")
def test_a_player_eats() -> None:
    scenario = scene("1")
    scenario.give("1", "apple")
    food = scenario["1"].food
    does(scenario, "1", commands.Eat(0))
    assert (scenario["1"].food, scenario["1"].carried) == (food + 50, [])


@pytest.mark.rule("JG.16")
def test_who_knows_no_hunger_wastes_no_food() -> None:
    scenario = scene("m")
    [apple] = scenario.give("m", "apple")
    refusal = try_execute(TurnContext(scenario.level, Dice(1, 1, 1)), scenario["m"], commands.Eat(0))
    assert refusal is not None
    assert refusal.text == "You know no hunger."
    assert (scenario["m"].carried, apple.bites) == ([apple], 1)


@pytest.mark.rule("TG.22")
@either
def test_a_potion_is_quaffed(who: str) -> None:
    scenario = scene(who)
    scenario.give(who, "health_potion")
    scenario.set_health(who, hp=5)
    does(scenario, who, commands.Quaff(0))
    assert (scenario[who].hp, scenario[who].carried) == (20, [])


@pytest.mark.rule("RG.16")
@either
def test_a_scroll_is_read(who: str) -> None:
    scenario = scene(who)
    foe = foe_of(scenario, who)
    scenario.give(who, "missile_scroll")
    health = foe.hp
    does(scenario, who, commands.Read(0, foe.cell))
    assert (foe.hp, scenario[who].carried) == (health - 8, [])


@pytest.mark.rule("TG.19")
@either
def test_a_thing_is_thrown(who: str) -> None:
    scenario = scene(who)
    foe = foe_of(scenario, who)
    [rock] = scenario.give(who, "rock")
    health = foe.hp
    does(scenario, who, commands.Throw(0, foe.cell))
    assert foe.hp < health
    assert scenario[who].carried == []
    assert [item for _, item in scenario.level.items_at()] == [rock]


@pytest.mark.rule("TG.19")
@either
def test_who_can_shoot_fires(who: str) -> None:
    scenario = scene(who)
    foe = foe_of(scenario, who)
    health = foe.hp
    does(scenario, who, commands.Fire(foe.cell))
    assert foe.hp < health
    assert foe.struck_by == scenario[who].number


@pytest.mark.rule("TG.24")
@either
def test_a_spell_is_cast_for_mana(who: str) -> None:
    scenario = scene(who)
    foe = foe_of(scenario, who)
    scenario.give(who, "white_book")
    health, mana = foe.hp, scenario[who].mana
    does(scenario, who, commands.Cast("missile", foe.cell))
    assert (foe.hp, scenario[who].mana) == (health - 8, mana - 3)


@pytest.mark.rule("J7.15")
@either
def test_a_step_leads_on_or_becomes_a_blow_or_a_hole(who: str) -> None:
    scenario = scene(who, "######\n#A.B##\n######")
    foe = foe_of(scenario, who)
    does(scenario, who, commands.Move(*E))
    assert scenario.where(who) == (2, 1)
    health = foe.hp
    does(scenario, who, commands.Move(*E))
    assert foe.hp < health
    scenario.level.remove(foe)
    for _ in range(2):
        does(scenario, who, commands.Move(*E))
    assert scenario.level.terrain[6 + 4] == Terrain.FLOOR
    assert scenario.where(who) == (3, 1)


@pytest.mark.rule("A59")
@either
def test_a_door_is_opened_and_closed(who: str) -> None:
    scenario = scene(who, "#A+.B#")
    does(scenario, who, commands.Move(*E))
    assert scenario.level.terrain[2] == Terrain.DOOR_OPEN
    does(scenario, who, commands.Close(*E))
    assert scenario.level.terrain[2] == Terrain.DOOR_CLOSED


@pytest.mark.rule("J7.14")
@either
@pytest.mark.parametrize(
    ("sign", "down", "partition"), [(Terrain.STAIRS_DOWN, True, 2), (Terrain.STAIRS_UP, False, 0)]
)
def test_stairs_are_taken(who: str, sign: Terrain, partition: int, *, down: bool) -> None:
    scenario = scene(who)
    body = scenario[who]
    scenario.level.dig(body.cell, sign)
    context = does(scenario, who, commands.Climb(down=down))
    assert context.outputs == [ChangedLevel(body, partition, 1)]
    assert not scenario.alive(who)
