"""Spells: rule TG.24 as played, and what else a spell may do."""

from typing import Any

import pytest

from gloam_server.rules.dice import Dice
from gloam_server.views.projection import project
from gloam_server.world.actions import attempt, resolve
from gloam_server.world.events import Event
from gloam_server.world.gear import (
    attack_of,
    defence_of,
    mana_regeneration_of,
    regeneration_of,
    sight_of,
)
from gloam_server.world.hostility import hostile
from gloam_server.world.invariants import check
from gloam_server.world.magic import work
from gloam_server.world.outcome import Impossible
from gloam_server.world.stage import Stage
from gloam_shared.appearance import Terrain
from gloam_shared.commands import Action, Cast, Move, Quaff, Wait
from gloam_shared.geometry import chebyshev
from gloam_shared.view import Fact, Log, Mark, View
from support.campaigns import with_rules
from support.magic import academy
from support.scenario import Scenario, kinds, told


def scene(drawing: str = "#1..2#", **letters: Any) -> Scenario:
    """Everybody has 20 mana, and player 1 a book of everything."""
    scenario = Scenario(drawing, campaign=academy(), **letters)
    scenario.give("1", "white_book")
    return scenario


def cast(scenario: Scenario, spell: str, at: str | int | None = None) -> list[Event]:
    cell = scenario[at].cell if isinstance(at, str) else at
    return scenario.turn(("1", Cast(spell, cell)))


def refused(scenario: Scenario, spell: str, cell: int | None = None) -> str:
    outcome = resolve(scenario.level, scenario["1"], Cast(spell, cell))
    assert isinstance(outcome, Impossible)
    return outcome.reason


def wait(scenario: Scenario, turns: int) -> list[Event]:
    return [event for _ in range(turns) for event in scenario.turn(("1", Wait()))]


def view_of(scenario: Scenario, name: str = "1") -> View:
    return project(scenario.level, scenario[name], marks={}, party=(), log=Log())


@pytest.mark.parametrize(("spell", "cost", "health"), [("minor_heal", 4, 20), ("major_heal", 8, 50)])
def test_tg24_healing_costs_its_mana_and_may_be_aimed_at_a_friend(spell: str, cost: int, health: int) -> None:
    scenario = scene()
    scenario["2"].hp_max, scenario["2"].hp = 100, 10
    events = cast(scenario, spell, "2")
    assert (scenario["1"].mana, scenario["2"].hp) == (20 - cost, 10 + health)
    assert told(events, scenario["2"])[-1] == "You feel better."


def test_tg24_slow_heal_gives_two_for_50_turns_of_the_healed() -> None:
    scenario = scene("#1#")
    scenario["1"].hp_max, scenario["1"].hp = 300, 1
    cast(scenario, "slow_heal", "1")
    wait(scenario, 60)
    assert (scenario["1"].mana, scenario["1"].hp) == (8, 101)


def test_tg24_inner_strength() -> None:
    scenario = scene("#1#")
    level, body = scenario.level, scenario["1"]
    body.hp_max = 300
    cast(scenario, "inner_strength", "1")
    assert body.mana == 4
    assert (attack_of(level, body), defence_of(level, body), sight_of(level, body)) == (12, 2, 7)
    assert (regeneration_of(level, body), mana_regeneration_of(level, body)) == (10, -10)
    wait(scenario, 49)
    assert (attack_of(level, body), defence_of(level, body), sight_of(level, body)) == (10, 0, 6)
    assert (regeneration_of(level, body), mana_regeneration_of(level, body)) == (0, 0)
    assert 4 <= body.hp - 40 <= 22  # a chance of 25 in 100, fifty times


def test_tg24_blood_to_mana() -> None:
    scenario = scene("#1#")
    scenario["1"].mana = 1
    cast(scenario, "blood_to_mana")
    assert (scenario["1"].mana, scenario["1"].hp) == (20, 20)
    scenario["1"].hp, scenario["1"].mana = 3, 10
    cast(scenario, "blood_to_mana")
    assert (scenario["1"].mana, scenario["1"].hp) == (9 + 2, 1)


def test_tg24_blink_moves_up_to_five_cells() -> None:
    scenario = scene("#............1............#")
    before = scenario["1"].cell
    events = cast(scenario, "blink")
    assert scenario["1"].mana == 14
    assert 0 < chebyshev(before, scenario["1"].cell, scenario.width) <= 5
    assert kinds(events) == ["casts", "fades_out", "fades_in"]


def test_tg24_summon_bats_calls_eight_around_one() -> None:
    scenario = scene(
        """
        #######
        #.....#
        #..1..#
        #.....#
        #######
        """
    )
    events = cast(scenario, "call_bats")
    called = [body for body in scenario.level.creatures.values() if body.kind == "bat"]
    assert len(called) == kinds(events).count("appears") == 8
    assert scenario["1"].mana == 9
    assert {body.owner for body in called} == {scenario["1"].number}


def test_tg24_no_more_than_eight_belong_to_one_caller_and_none_stands_on_another() -> None:
    scenario = scene("#.1.........#")
    cast(scenario, "call_bats")
    assert len(scenario.level.creatures) == 3
    scenario = scene(
        """
        ########
        #......#
        #..1...#
        #......#
        #......#
        ########
        """
    )
    scenario["1"].mana = scenario["1"].mana_max = 99
    for _ in range(4):
        cast(scenario, "call_bats")
    assert sum(body.owner == scenario["1"].number for body in scenario.level.creatures.values()) <= 8


def test_tg24_detect_creatures_shows_all_of_the_level_for_75_turns() -> None:
    scenario = scene("#1.######.b#", b="statue")
    assert len(view_of(scenario).creatures) == 1
    cast(scenario, "detect")
    shown = view_of(scenario)
    assert [creature.name for creature in shown.creatures if creature.cell == scenario["b"].cell] == [
        "statue"
    ]
    assert not shown.sight[scenario["b"].cell]
    assert [state.word for state in shown.states] == ["sensing"]
    wait(scenario, 73)
    assert len(view_of(scenario).creatures) == 2
    wait(scenario, 1)
    assert len(view_of(scenario).creatures) == 1


def test_tg24_at_nothing_and_without_mana_nothing_happens_and_costs_nothing() -> None:
    scenario = scene("#1..2#")
    assert refused(scenario, "minor_heal", 2) == "You point and mumble at nothing."
    scenario["1"].mana = 3
    assert refused(scenario, "minor_heal", 4).startswith("You point and mumble but nothing happens")
    assert scenario["1"].mana == 3


def test_tg24_only_what_one_has_a_book_of_can_be_cast() -> None:
    scenario = Scenario("#1#", campaign=academy())
    assert refused(scenario, "blink") == refused(scenario, "no_such_spell") == "You know no such spell."
    scenario.give("1", "white_book")
    told_spells = {spell.key: spell for spell in view_of(scenario).spells}
    assert (told_spells["fireball"].range, told_spells["fireball"].radius) == (6, 3)
    assert (told_spells["blink"].cost, told_spells["blink"].target) == (6, "self")


def test_tg24_the_sheet_tells_mana() -> None:
    scenario = scene("#1#")
    cast(scenario, "blink")
    sheet = view_of(scenario).sheet
    assert (sheet[Fact.MANA], sheet[Fact.MANA_MAX]) == (scenario["1"].mana, 20)


def test_monsters_cast_by_the_same_command_what_their_kind_knows() -> None:
    scenario = scene("#1..m#", m="mage")
    stage = Stage(scenario.level, Dice(1, 1, 1))
    assert attempt(stage, scenario["m"], Cast("missile", scenario["1"].cell)) is None
    assert (scenario["1"].hp, scenario["m"].mana) == (32, 17)
    assert told(stage.events, scenario["1"]) == [
        "The mage casts missile.",
        "The missile hits you for 8 damage!",
    ]
    assert isinstance(attempt(stage, scenario["m"], Cast("blink", None)), Impossible)


def test_who_heals_a_friend_in_a_fight_is_in_that_fight_too() -> None:
    scenario = scene("#1..2k#", k="ogre")
    scenario["2"].hp = 10
    stage = Stage(scenario.level, Dice(1, 1, 1))
    attempt(stage, scenario["1"], Cast("minor_heal", scenario["2"].cell))
    assert scenario["k"].number in scenario["1"].contacts
    assert scenario["k"].hurt_by == {scenario["1"].number: 20}


def test_what_a_player_calls_is_on_the_players_side_and_fights_for_them() -> None:
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
        assert not any(hostile(level, *pair) for pair in ((imp, scenario["1"]), (scenario["2"], imp)))
        assert hostile(level, imp, scenario["k"])
        assert hostile(level, scenario["k"], imp)
    shown = {creature.name: creature.marks for creature in view_of(scenario, "2").creatures}
    assert (shown["imp"] & Mark.HOSTILE, shown["statue"] & Mark.HOSTILE) == (0, Mark.HOSTILE)
    wait(scenario, 4)
    assert scenario["k"].hp < 1_000
    wait(scenario, 2)
    assert not [body for body in level.creatures.values() if body.kind == "imp"]


def test_who_bumps_what_was_called_changes_places_with_it_whatever_it_fights() -> None:
    scenario = scene("#.1#")
    cast(scenario, "call_imps")
    [imp] = [body for body in scenario.level.creatures.values() if body.kind == "imp"]
    imp.lasting = []
    imp.asleep = 9
    here, there = scenario["1"].cell, imp.cell
    events = scenario.turn(("1", Move(-1, 0)))
    assert "swaps" in kinds(events)
    assert (scenario["1"].cell, imp.cell) == (there, here)


def test_what_a_monster_calls_is_hostile_to_players_and_not_to_its_caller() -> None:
    scenario = scene("#1....m..#", m="mage")
    stage = Stage(scenario.level, Dice(1, 1, 1))
    assert attempt(stage, scenario["m"], Cast("call_imps", None)) is None
    imp = next(body for body in scenario.level.creatures.values() if body.kind == "imp")
    assert hostile(scenario.level, imp, scenario["1"])
    assert not hostile(scenario.level, imp, scenario["m"])


def test_teleport_leads_to_bare_floor() -> None:
    scenario = scene("#1>......................#")
    before = scenario["1"].cell
    cast(scenario, "teleport")
    assert scenario["1"].cell != before
    assert scenario.level.terrain[scenario["1"].cell] == Terrain.FLOOR


def test_swap_changes_places() -> None:
    scenario = scene("#1...k#", k="statue")
    here, there = scenario["1"].cell, scenario["k"].cell
    cast(scenario, "swap", "k")
    assert (scenario["1"].cell, scenario["k"].cell) == (there, here)


def test_nobody_changes_places_where_he_could_not_stand() -> None:
    scenario = scene("#1.~e~.#", e="eel")
    scenario.level.terrain[scenario["e"].cell] = Terrain.WATER
    assert refused(scenario, "swap", scenario["e"].cell) == "You cannot stand in each other's places."
    cast(scenario, "swap", "e")
    assert (scenario.where("1"), scenario["1"].mana) == ((1, 0), 20)


def test_a_swimmer_ashore_changes_places() -> None:
    scenario = scene("#1.~e.#", e="eel")
    scenario["e"].asleep = 9
    here, there = scenario["1"].cell, scenario["e"].cell
    cast(scenario, "swap", "e")
    assert (scenario["1"].cell, scenario["e"].cell) == (there, here)


def test_who_has_come_into_the_water_meanwhile_changes_no_places() -> None:
    scenario = scene("#1.~e~.#", e="eel")
    level = scenario.level
    level.terrain[scenario["e"].cell] = Terrain.WATER
    assert not work(Stage(level, Dice(1, 1, 1)), "swap", scenario["1"], scenario["e"].cell)
    check(level)


def test_push_throws_nobody_into_water_but_who_swims() -> None:
    scenario = scene("#1k~e~.#", k="statue", e="eel")
    scenario["e"].asleep = 9
    cast(scenario, "push", scenario["k"].cell)
    assert (scenario.where("k"), scenario.where("e")) == ((2, 0), (6, 0))


def test_push_throws_back_until_something_stands_in_the_way() -> None:
    scenario = scene("#1.a...b.#", a="statue", b="statue")
    cast(scenario, "push", scenario["a"].cell - 1)
    assert (scenario.where("a"), scenario.where("b")) == ((5, 0), (7, 0))
    cast(scenario, "push", scenario["b"].cell - 1)
    assert scenario.where("b") == (8, 0)


def test_drain_gives_what_it_takes() -> None:
    scenario = scene("#1..k#", k="statue")
    scenario["1"].hp = 10
    cast(scenario, "drain", "k")
    assert (scenario["1"].hp, scenario["k"].hp) == (16, 994)


def test_haste_and_slowness_change_how_often_one_acts() -> None:
    scenario = scene("#1..k#", k="statue")
    cast(scenario, "slow", "k")
    before = scenario["k"].actions
    wait(scenario, 4)
    assert scenario["k"].actions - before == 2
    cast(scenario, "haste", "1")
    before = scenario["k"].actions
    wait(scenario, 8)
    assert scenario["k"].actions - before == 2


def test_weakness_takes_no_number_below_nothing() -> None:
    scenario = scene("#1..k#", k="statue")
    cast(scenario, "weaken", "k")
    assert (attack_of(scenario.level, scenario["k"]), defence_of(scenario.level, scenario["k"])) == (0, 0)


def test_cure_ends_sleep_and_what_does_harm_alone() -> None:
    scenario = scene("#1.2#")
    for potion in ("poison", "warrior"):
        scenario.give("2", f"{potion}_potion")
    scenario.turn(("2", Quaff(0)))
    scenario.turn(("2", Quaff(1)))
    scenario["2"].asleep = 30
    events = cast(scenario, "cure", "2")
    assert "You wake up." in told(events, scenario["2"])
    assert [state.word for state in view_of(scenario, "2").states] == ["mighty"]


def test_bore_digs_a_tunnel_and_quake_a_room_but_never_the_edge() -> None:
    scenario = scene(
        """
        ##########
        ##########
        #1########
        ##########
        ##########
        """
    )
    floor = scenario.level.terrain.count(Terrain.FLOOR)
    cast(scenario, "bore", scenario["1"].cell + 1)
    assert bytes(scenario.level.terrain[20:30]) == bytes([2, *[1] * 5, *[2] * 4])
    cast(scenario, "quake")
    assert scenario.level.terrain.count(Terrain.FLOOR) > floor + 4
    assert not any(scenario.level.terrain[cell] == Terrain.FLOOR for cell in range(10))


def test_a_map_shows_the_ground_and_nobody_on_it() -> None:
    scenario = scene("#1#.....k#", k="kobold")
    cast(scenario, "glance")
    assert list(view_of(scenario).terrain) == [2, 1, 2, 1, 1, 1, 0, 0, 0, 0]
    cast(scenario, "chart")
    shown = view_of(scenario)
    assert list(shown.terrain) == [2, 1, 2, 1, 1, 1, 1, 1, 1, 2]
    assert [creature.name for creature in shown.creatures] == ["Player1"]


def test_light_falls_on_what_was_dark_and_traps_are_revealed() -> None:
    scenario = Scenario("#1.!..!..#", campaign=academy(), dark=True)
    scenario.give("1", "white_book")
    cast(scenario, "light")
    assert list(scenario.level.dark[:8]) == [0, 0, 0, 0, 0, 0, 1, 1]
    cast(scenario, "reveal")
    assert [cell for cell in range(10) if scenario.level.terrain[cell] == Terrain.TRAP] == [3]


def test_know_tells_the_names_of_what_one_carries() -> None:
    scenario = scene("#1#")
    scenario.give("1", "poison_potion", "health_potion")
    events = cast(scenario, "know")
    assert scenario["1"].known == ["poison_potion", "health_potion"]
    assert kinds(events).count("turns_out") == 2


def test_feed_fills_the_stomach() -> None:
    scenario = Scenario("#1#", campaign=academy(hunger="starve_or_choke"))
    scenario.give("1", "white_book")
    cast(scenario, "feed")
    assert scenario["1"].food == 30 + 30 - 1


def test_a_blessing_with_a_radius_reaches_friends_alone() -> None:
    scenario = scene("#1.2.k#", k="ogre")
    for name in "12k":
        scenario[name].hp = 20
    stage = Stage(scenario.level, Dice(1, 1, 1))
    attempt(stage, scenario["1"], Cast("blessing", None))
    assert [scenario[name].hp for name in "12k"] == [30, 30, 20]


def test_nobody_does_to_a_friend_what_harms() -> None:
    scenario = scene("#1.2#")
    for spell in ("swap", "drain", "fear", "slow", "venom"):
        assert refused(scenario, spell, scenario["2"].cell) == "You will not do that to a friend."


def test_f13_in_a_duel_magic_harms_and_still_spares_who_only_watches() -> None:
    scenario = scene("#1..23#")
    one, two = scenario["1"], scenario["2"]
    one.consents, two.consents = [two.number], [one.number]
    cast(scenario, "missile", "2")
    assert two.hp == 32
    cast(scenario, "fireball", "3")
    assert [scenario[name].hp for name in "123"] == [40, 12, 40]


def test_tg25_states_add_to_how_fast_health_and_mana_grow_back() -> None:
    scenario = scene("#1#")
    level, body = scenario.level, scenario["1"]
    body.regeneration, body.mana_regeneration = 10, 20
    cast(scenario, "inner_strength", "1")
    assert (regeneration_of(level, body), mana_regeneration_of(level, body)) == (20, 10)


@pytest.mark.parametrize(("credit", "learns"), [("killer", False), ("last_hit", True), ("full", True)])
def test_t14_1_r6_a_venom_that_kills_teaches_its_caster_unless_the_last_blow_counts(
    credit: str, *, learns: bool
) -> None:
    campaign = with_rules(academy(), "experience", credit=credit)
    scenario = Scenario("#1..k#", campaign=campaign, k="statue")
    scenario.give("1", "white_book")
    scenario["k"].hp = 5
    cast(scenario, "venom", "k")
    events = wait(scenario, 2)
    assert "You kill the statue!" in told(events, scenario["1"])
    assert (scenario["1"].experience > 0) is learns


def test_what_cannot_be_cast_any_more_in_its_turn_becomes_guarding() -> None:
    scenario = scene("#1..k#", k="kobold")
    scenario["1"].mana = 0
    events = cast(scenario, "missile", "k")
    assert "guards" in kinds(events)


def test_a_command_is_no_attack_on_the_afraid() -> None:
    scenario = scene("#1k....#", k="kobold")
    cast(scenario, "fear", "k")
    assert scenario.where("k") == (3, 0)
    wait(scenario, 3)
    assert scenario.where("k") == (6, 0)
    assert scenario["1"].hp == 40
    outcome: Action = Move(1, 0)
    scenario["1"].lasting, scenario["k"].lasting = scenario["k"].lasting, []
    scenario.level.move(scenario["k"], 2)
    refusal = resolve(scenario.level, scenario["1"], outcome)
    assert refusal == Impossible("You are too afraid to fight.")
    before = scenario["k"].hp
    scenario.turn(("1", None))
    assert scenario["k"].hp == before
