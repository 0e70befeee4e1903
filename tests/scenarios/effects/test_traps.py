"""Traps: found by looking, triggered by the first body that enters, and then gone (issue: traps found by looking)."""

from gloam_server.content.campaign import Campaign
from gloam_server.content.loader import load
from gloam_server.world.model.events import Narration, PlayerDied
from gloam_server.world.model.inputs import PlayerAction, Turn
from gloam_shared.appearance import Terrain
from gloam_shared.narration.rendering import end_of_life
from gloam_shared.protocol.commands import Move, Wait
from support.content.campaigns import SPELLS, arena_files
from support.scenarios.scenario import E, Scenario, W, kinds, read_events

SHOVE = """
[shove]
name = "gust"
words = "A gust that throws one about."
target = "creature"
range = 5
harms = true
[[shove.effects]]
does = "blink"
amount = 3
"""


def shoving() -> Campaign:
    """Return the arena with a trap that teleports its victim."""
    return load({**arena_files(), "spells.toml": (SPELLS + SHOVE).encode()})


def test_a_hidden_trap_looks_like_floor() -> None:
    scenario = Scenario("#1..!.#")
    view = scenario.view()
    assert view.terrain[4] == Terrain.FLOOR


def test_stepping_onto_hidden_trap_springs() -> None:
    """Stepping onto a hidden trap springs it and it is spent."""
    scenario = Scenario("#1!.#")
    events = scenario.go("1", E)
    assert read_events(events, scenario["1"])[:2] == [
        "You step into a trap: dart!",
        "You take 5 damage from the dart!",
    ]
    assert scenario["1"].hp == scenario["1"].hp_max - 5
    assert scenario.level.traps == {}
    assert scenario.level.terrain[2] == Terrain.FLOOR
    scenario.go("1", W)
    assert kinds(scenario.go("1", E)) == []


def test_known_trap_sprung_steps_onto() -> None:
    """A known trap is sprung too by who steps onto it."""
    scenario = Scenario("#1^.#")
    assert "springs" in kinds(scenario.go("1", E))
    assert scenario["1"].hp == scenario["1"].hp_max - 5
    assert scenario.level.terrain[2] == Terrain.FLOOR


def test_monsters_spring_traps_players() -> None:
    """Monsters spring traps as players do and no one learns from it."""
    scenario = Scenario("#1.!k#", k="kobold")
    scenario.set_health("k", hp=5)
    events = [event for _ in range(2) for event in scenario.turn(("1", Wait()))]
    assert not scenario.alive("k")
    assert "The kobold steps into a trap: dart!" in read_events(events, scenario["1"])
    assert "kills" not in kinds(events)
    assert scenario["1"].experience == 0


def test_trap_damage_is_shown_to_who_sees_it() -> None:
    """A player who does not see a trap go off reads nothing about it."""
    scenario = Scenario("#######\n#1!#.2#\n#.....#\n#######")
    scenario.set_stats("2", sight=1)
    events = scenario.go("1", E)
    assert read_events(events, scenario["2"]) == []


def test_change_places_over_trap_springs() -> None:
    """To change places over a trap springs it for the creature that enters it."""
    scenario = Scenario("#12..#")
    scenario.level.traps[1] = "dart"
    assert "springs" in kinds(scenario.go("1", E))
    assert scenario["2"].hp == scenario["2"].hp_max - 5
    assert scenario["1"].hp == scenario["1"].hp_max


def test_thrown_onto_another_trap_springs() -> None:
    """A player who is thrown onto another trap springs that too and it ends."""
    scenario = Scenario("#!!!1!!!#", trap="shove", campaign=shoving())
    events = scenario.go("1", E)
    assert 1 <= kinds(events).count("springs") == 6 - len(scenario.level.traps)


def test_a_trap_that_kills_ends_a_life_with_its_name() -> None:
    scenario = Scenario("#1!.#")
    scenario.set_health("1", hp=5)
    result = scenario.apply(Turn((PlayerAction(scenario["1"].number, 1, Move(*E)),)))
    [death] = result.outputs
    assert isinstance(death, PlayerDied)
    assert end_of_life(death.by) == "was killed by a dart"
    assert "You have died of dart!" in read_events(result.events, scenario["1"])
    assert not scenario.alive("1")


def test_waiting_purpose_finds_trap_sight_within() -> None:
    """Waiting on purpose finds every trap in sight within two cells."""
    scenario = Scenario(
        """
        #########
        #.!.!#!.#
        #.!.1.!!#
        #.......#
        #########
        """
    )
    events = scenario.turn(("1", Wait()))
    found = {cell for cell, terrain in enumerate(scenario.level.terrain) if terrain == Terrain.TRAP}
    assert found == {9 + 2, 9 + 4, 9 + 6, 18 + 2, 18 + 6}
    assert read_events(events, scenario["1"]) == ["You find a trap: dart."] * 5


def test_waiting_not_find_lies_behind_wall() -> None:
    """Waiting does not find what lies behind a wall or in the dark."""
    scenario = Scenario("#1#!.#")
    assert kinds(scenario.turn(("1", Wait()))) == []
    scenario = Scenario("#1.!.#", dark="..xx..")
    assert kinds(scenario.turn(("1", Wait()))) == []
    scenario = Scenario("#1!..#", dark="..xx..")
    assert kinds(scenario.turn(("1", Wait()))) == ["finds_trap"]


def test_whatever_finds_traps_beside_now() -> None:
    """After any action one finds the traps beside one now and then."""
    beside = ["finds_trap" in kinds(Scenario("#1.!#\n#...#", seed=seed).go("1", E)) for seed in range(400)]
    assert 60 <= sum(beside) <= 140


def test_guard_looks_and_farther_away() -> None:
    """On guard one looks too and farther away one does not."""
    guarding = ["finds_trap" in kinds(Scenario("#1!#", seed=seed).turn(("1", None))) for seed in range(200)]
    assert 25 <= sum(guarding) <= 75
    assert not any(
        "finds_trap" in kinds(Scenario("#1.!#", seed=seed).turn(("1", None))) for seed in range(100)
    )


def test_found_trap_shown_sees_and_remembered() -> None:
    """All players who see a found trap read about it, and remember it."""
    scenario = Scenario("#1!.2#")
    events = scenario.turn(("1", Wait()))
    assert read_events(events, scenario["2"]) == ["Player1 points out a trap: dart."]
    for name in "12":
        assert scenario.level.memory[scenario[name].number][2] == Terrain.TRAP


def test_monsters_find_no_traps() -> None:
    scenario = Scenario("#1......!S#", S="statue")
    for _ in range(30):
        scenario.turn(("1", None))
    assert scenario.level.terrain[8] == Terrain.FLOOR


def test_no_arrival_springs_a_trap() -> None:
    """No one springs a trap by being born or arriving on it."""
    scenario = Scenario("#1..#")
    scenario.level.traps[1] = "dart"
    events: list[Narration] = scenario.turn(("1", None))
    assert "springs" not in kinds(events)
