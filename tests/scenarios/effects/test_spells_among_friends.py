"""Spells among friends and foes: on whose side the called are, who is spared, and who learns."""

import pytest

from gloam_server.rules.dice import Dice
from gloam_server.world.actions import try_execute
from gloam_server.world.combat.hostility import is_hostile
from gloam_server.world.model.context import TurnContext
from gloam_shared.protocol.commands import Cast, Move
from gloam_shared.view.view import CreatureFlag
from support.content.campaigns import with_rules
from support.content.magic_campaign import academy
from support.scenarios.scenario import Scenario, kinds, read_events
from support.scenarios.spellcasting import cast, refused, scene, wait


def test_heals_friend_fight_fight() -> None:
    """A player who heals a friend in a fight is in that fight too."""
    scenario = scene("#1..2k#", k="ogre")
    scenario.set_health("2", hp=10)
    context = TurnContext(scenario.level, Dice(1, 1, 1))
    try_execute(context, scenario["1"], Cast("minor_heal", scenario["2"].cell))
    assert scenario["k"].number in scenario["1"].contacts
    assert scenario["k"].hurt_by == {scenario["1"].number: 20}


def test_player_calls_players_side_and_fights() -> None:
    """A creature that a player calls is on the player's side and fights for them."""
    scenario = scene(
        """
        ########
        #......#
        #.1....#
        #2...k.#
        ########
        """,
        k="statue",
    )
    cast(scenario, "call_imps")
    level = scenario.level
    imps = [body for body in level.creatures.values() if body.kind == "imp"]
    assert len(imps) == 3
    for imp in imps:
        assert not any(is_hostile(level, *pair) for pair in ((imp, scenario["1"]), (scenario["2"], imp)))
        assert is_hostile(level, imp, scenario["k"])
        assert is_hostile(level, scenario["k"], imp)
    shown = {creature.name: creature.marks for creature in scenario.view("2").creatures}
    assert (shown["imp"] & CreatureFlag.HOSTILE, shown["statue"] & CreatureFlag.HOSTILE) == (
        0,
        CreatureFlag.HOSTILE,
    )
    wait(scenario, 4)
    assert scenario["k"].hp < 1_000
    wait(scenario, 2)
    assert not [body for body in level.creatures.values() if body.kind == "imp"]


def test_bumps_called_changes_places() -> None:
    """A player who bumps a called creature changes places with it, with any enemy."""
    scenario = scene("#.1#")
    cast(scenario, "call_imps")
    [imp] = [body for body in scenario.level.creatures.values() if body.kind == "imp"]
    imp.lasting = []
    imp.asleep = 9
    here, there = scenario["1"].cell, imp.cell
    events = scenario.turn(("1", Move(-1, 0)))
    assert "swaps" in kinds(events)
    assert (scenario["1"].cell, imp.cell) == (there, here)


def test_monster_calls_hostile_players() -> None:
    """A creature that a monster calls is hostile to players and not to its caller."""
    scenario = scene("#1....m..#", m="mage")
    context = TurnContext(scenario.level, Dice(1, 1, 1))
    assert try_execute(context, scenario["m"], Cast("call_imps", None)) is None
    imp = next(body for body in scenario.level.creatures.values() if body.kind == "imp")
    assert is_hostile(scenario.level, imp, scenario["1"])
    assert not is_hostile(scenario.level, imp, scenario["m"])


def test_blessing_radius_reaches_friends_alone() -> None:
    """A blessing with a radius reaches friends alone."""
    scenario = scene("#1.2.k#", k="ogre")
    for name in "12k":
        scenario.set_health(name, hp=20)
    context = TurnContext(scenario.level, Dice(1, 1, 1))
    try_execute(context, scenario["1"], Cast("blessing", None))
    assert [scenario[name].hp for name in "12k"] == [30, 30, 20]


def test_no_monster_harms_a_friend() -> None:
    scenario = scene("#1.2#")
    for spell in ("swap", "drain", "fear", "slow", "venom"):
        assert refused(scenario, spell, scenario["2"].cell) == "You will not do that to a friend."


@pytest.mark.rule("F13")
def test_duel_magic_harms_and_spares_watches() -> None:
    """In a duel magic harms and still spares who only watches."""
    scenario = scene("#1..23#")
    one, two = scenario["1"], scenario["2"]
    one.consents, two.consents = [two.number], [one.number]
    cast(scenario, "missile", "2")
    assert two.hp == 32
    cast(scenario, "fireball", "3")
    assert [scenario[name].hp for name in "123"] == [40, 12, 40]


@pytest.mark.rule("T14.1", "R6")
@pytest.mark.parametrize(("credit", "learns"), [("killer", False), ("last_hit", True), ("full", True)])
def test_a_venom_that_kills_teaches_its_caster(credit: str, *, learns: bool) -> None:
    """A venom that kills teaches its caster, unless the last blow counts."""
    campaign = with_rules(academy(), "experience", credit=credit)
    scenario = Scenario("#1..k#", campaign=campaign, k="statue")
    scenario.give("1", "white_book")
    scenario.set_health("k", hp=5)
    cast(scenario, "venom", "k")
    events = wait(scenario, 2)
    assert "You kill the statue!" in read_events(events, scenario["1"])
    assert (scenario["1"].experience > 0) is learns
