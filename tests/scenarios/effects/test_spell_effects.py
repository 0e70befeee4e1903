"""Further effects of spells: move, drain, hasten, weaken, cure, dig, show, light, feed and frighten."""

from gloam_lab.invariants import check_invariants
from gloam_server.rules.dice import Dice
from gloam_server.world.actions import plan
from gloam_server.world.effects.spells import cast_spell
from gloam_server.world.items.equipment import total_attack, total_defense
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.outcome import Impossible
from gloam_shared.appearance import Terrain
from gloam_shared.protocol.commands import ActionCommand, Move, Quaff
from support.content.magic_campaign import academy
from support.scenarios.scenario import Scenario, kinds, read_events
from support.scenarios.spellcasting import cast, refused, scene, wait


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


def test_no_swap_onto_an_unfit_cell() -> None:
    """No one changes places where they could not stand."""
    scenario = scene("#1.~e~.#", e="eel")
    scenario.level.dig(scenario["e"].cell, Terrain.WATER)
    assert refused(scenario, "swap", scenario["e"].cell) == "You cannot stand in each other's places."
    cast(scenario, "swap", "e")
    assert (scenario.where("1"), scenario["1"].mana) == ((1, 0), 20)


def test_a_swimmer_ashore_changes_places() -> None:
    scenario = scene("#1.~e.#", e="eel")
    scenario.put_to_sleep("e", 9)
    here, there = scenario["1"].cell, scenario["e"].cell
    cast(scenario, "swap", "e")
    assert (scenario["1"].cell, scenario["e"].cell) == (there, here)


def test_come_water_meanwhile_changes_no_places() -> None:
    """A player who has entered the water meanwhile changes no places."""
    scenario = scene("#1.~e~.#", e="eel")
    level = scenario.level
    level.dig(scenario["e"].cell, Terrain.WATER)
    assert not cast_spell(TurnContext(level, Dice(1, 1, 1)), "swap", scenario["1"], scenario["e"].cell)
    check_invariants(level)


def test_push_throws_only_swimmers_into_water() -> None:
    scenario = scene("#1k~e~.#", k="statue", e="eel")
    scenario.put_to_sleep("e", 9)
    cast(scenario, "push", scenario["k"].cell)
    assert (scenario.where("k"), scenario.where("e")) == ((2, 0), (6, 0))


def test_push_throws_back_until_stands_way() -> None:
    """Push throws back until something stands in the way."""
    scenario = scene("#1.a...b.#", a="statue", b="statue")
    cast(scenario, "push", scenario["a"].cell - 1)
    assert (scenario.where("a"), scenario.where("b")) == ((5, 0), (7, 0))
    cast(scenario, "push", scenario["b"].cell - 1)
    assert scenario.where("b") == (8, 0)


def test_drain_gives_what_it_takes() -> None:
    scenario = scene("#1..k#", k="statue")
    scenario.set_health("1", hp=10)
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
    assert (total_attack(scenario.level, scenario["k"]), total_defense(scenario.level, scenario["k"])) == (
        0,
        0,
    )


def test_cure_ends_sleep_and_what_does_harm_alone() -> None:
    scenario = scene("#1.2#")
    for potion in ("poison", "warrior"):
        scenario.give("2", f"{potion}_potion")
    scenario.turn(("2", Quaff(0)))
    scenario.turn(("2", Quaff(1)))
    scenario.put_to_sleep("2", 30)
    events = cast(scenario, "cure", "2")
    assert "You wake up." in read_events(events, scenario["2"])
    assert [state.word for state in scenario.view("2").states] == ["mighty"]


def test_bore_digs_tunnel_and_quake_room() -> None:
    """Bore digs a tunnel and quake a room but never the edge."""
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


def test_a_map_shows_ground_without_creatures() -> None:
    scenario = scene("#1#.....k#", k="kobold")
    cast(scenario, "glance")
    assert list(scenario.view().terrain) == [2, 1, 2, 1, 1, 1, 0, 0, 0, 0]
    cast(scenario, "chart")
    shown = scenario.view()
    assert list(shown.terrain) == [2, 1, 2, 1, 1, 1, 1, 1, 1, 2]
    assert [creature.name for creature in shown.creatures] == ["Player1"]


def test_light_falls_dark_and_traps_revealed() -> None:
    """Light falls on what was dark and traps are revealed."""
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


def test_a_command_is_no_attack_on_the_afraid() -> None:
    scenario = scene("#1k....#", k="kobold")
    cast(scenario, "fear", "k")
    assert scenario.where("k") == (3, 0)
    wait(scenario, 3)
    assert scenario.where("k") == (6, 0)
    assert scenario["1"].hp == 40
    outcome: ActionCommand = Move(1, 0)
    scenario["1"].lasting, scenario["k"].lasting = scenario["k"].lasting, []
    scenario.level.move(scenario["k"], 2)
    refusal = plan(scenario.level, scenario["1"], outcome)
    assert refusal == Impossible("You are too afraid to fight.", "afraid")
    before = scenario["k"].hp
    scenario.turn(("1", None))
    assert scenario["k"].hp == before


def test_a_silenced_body_cannot_cast_until_it_passes() -> None:
    scenario = scene()
    cast(scenario, "hush", "1")
    assert refused(scenario, "light") == "You cannot utter a word, so you cannot cast."
    wait(scenario, 3)
    assert "casts" in kinds(cast(scenario, "light"))


def test_silence_is_harmful_and_never_reaches_a_friend() -> None:
    scenario = scene("#12#")
    assert "friend" in refused(scenario, "hush", scenario["2"].cell)
