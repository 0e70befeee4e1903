"""The behavior of creatures to their prey: one scenario for each task, and more where it has an edge (F29-F31)."""

from typing import get_args

import pytest

from gloam_server.content.creatures import Behavior, in_order
from gloam_server.world.actions import plan
from gloam_server.world.ai.behaviors import TASKS
from gloam_server.world.ai.hunting import TRAIL_STEPS
from gloam_server.world.ai.retreat import PACK_PATIENCE
from gloam_server.world.combat.hostility import holds, remember_contact
from gloam_server.world.model.creature_state import LevelCell
from gloam_server.world.model.outcome import Impossible
from gloam_server.world.population.starting_gear import disguise_as_item
from gloam_shared.appearance import Terrain
from gloam_shared.protocol.commands import Cast, Climb, Fire, Move, Wait
from support.content.behavior_campaigns import bestiary
from support.content.campaigns import shipped
from support.scenarios.scenario import E, Scenario, W, kinds, read_events

WAIT = ("1", Wait())


def hall(drawing: str, *, dark: str | bool = False, **letters: str) -> Scenario:
    return Scenario(drawing, campaign=bestiary(), seed=1, partition=1, dark=dark, **letters)


def x_of(scenario: Scenario, name: str) -> int:
    return scenario.where(name)[0]


@pytest.mark.rule("F29")
def test_every_task_of_campaigns_is_implemented() -> None:
    """Every behavior that a campaign may name is implemented."""
    assert set(TASKS) == set(get_args(Behavior))


@pytest.mark.rule("F21")
def test_a_hunter_keeps_its_prey() -> None:
    """A hunter keeps its prey when another foe gets nearer."""
    scenario = hall("1........h..2", h="hound")
    scenario.hunt("h", "1")
    scenario.turn(("2", Wait()))
    assert x_of(scenario, "h") == 8


@pytest.mark.rule("F21")
def test_a_hunter_chooses_the_nearest_at_first() -> None:
    scenario = hall("1.....h..2", h="hound")
    scenario.turn(WAIT)
    assert x_of(scenario, "h") == 7


@pytest.mark.rule("F21")
def test_a_hunter_turns_on_an_attacker_beside_it() -> None:
    """A hunter turns on a foe that strikes it from beside while its prey is far."""
    scenario = hall("1........h2", h="hound")
    scenario.hunt("h", "1")
    events = scenario.turn(("2", Move(*W)))
    assert [event.target for event in events if event.kind == "strikes"] == [
        scenario["h"].number,
        scenario["2"].number,
    ]


@pytest.mark.rule("F30")
def test_prowl_ends_where_the_prey_was_last_seen() -> None:
    """A prowling creature goes to where it last saw its prey, and gives up there."""
    scenario = hall("h......1>", h="hound")
    scenario.go("1", E)
    scenario.turn(("1", Climb(down=True)))
    assert not scenario.alive("1")
    for _ in range(12):
        scenario.wild()
    assert x_of(scenario, "h") == 8
    assert scenario["h"].ai.last_seen is None


@pytest.mark.rule("F30", "A60")
def test_prowl_gives_up_after_so_many_steps() -> None:
    scenario = hall("h" + "." * 200, h="hound")
    scenario.remember_sighting("h", level=1, cell=200)
    for _ in range(TRAIL_STEPS + 10):
        scenario.wild()
    assert x_of(scenario, "h") == TRAIL_STEPS


@pytest.mark.rule("F30")
def test_what_was_seen_on_another_level_is_forgotten() -> None:
    scenario = hall("h.....", h="hound")
    scenario.remember_sighting("h", level=2, cell=5)
    scenario.wild()
    assert x_of(scenario, "h") == 0


def test_stalk_keeps_behind_prey_until_badly_hurt() -> None:
    """Stalk keeps behind its prey until it is badly hurt."""
    scenario = hall("1................s", s="stalker")
    scenario.set_stats("s", sight=20)
    for _ in range(20):
        scenario.turn(WAIT)
    assert 4 <= x_of(scenario, "s") <= 6
    assert scenario["1"].hp == scenario["1"].hp_max
    scenario.set_health("1", hp=20)
    for _ in range(6):
        scenario.turn(WAIT)
    assert scenario["1"].hp < 20


def test_stalk_strikes_sleeps_and_steps_back() -> None:
    """Stalk strikes a sleeper and steps back from a foe that approaches."""
    scenario = hall("1...s......", s="stalker")
    scenario.turn(("1", Move(*E)))
    assert x_of(scenario, "s") == 5
    scenario.put_to_sleep("1", 50)
    for _ in range(8):
        scenario.turn(WAIT)
    assert scenario["1"].hp < scenario["1"].hp_max


def test_tunneller_digs_to_what_it_feels() -> None:
    scenario = hall(
        """
        ########
        #1.###m#
        ########
        """,
        m="mole",
    )
    events = [scenario.turn(WAIT) for _ in range(10)]
    assert [kind for turn in events for kind in kinds(turn)].count("digs") == 3
    assert scenario["1"].hp < scenario["1"].hp_max


def test_tunneller_ignores_what_it_does_not_feel() -> None:
    scenario = hall(
        """
        ##################
        #1..........###m##
        ##################
        """,
        m="mole",
    )
    scenario.turn(WAIT)
    assert scenario.level.terrain[18 + 14] == Terrain.WALL


def test_hidden_ambusher_holds_no_one() -> None:
    """Ambush is not seen and holds no one until someone is close."""
    scenario = hall("1....m", m="mimic")
    disguise_as_item(scenario["m"])
    view = scenario.view()
    assert [creature.name for creature in view.creatures] == ["Player1"]
    assert not holds(scenario.level, scenario["m"], scenario["1"])
    scenario.turn(WAIT)
    assert x_of(scenario, "m") == 5


def test_ambush_shows_and_acts_first() -> None:
    """Ambush shows itself and acts first when someone is within two cells."""
    scenario = hall("1...m", m="mimic")
    disguise_as_item(scenario["m"])
    scenario.go("1", E)
    events = scenario.go("1", E)
    assert read_events(events, scenario["1"])[0] == "The mimic was lying in wait!"
    assert kinds(events) == ["emerges"]
    assert (x_of(scenario, "m"), scenario["m"].hidden) == (3, False)
    assert kinds(scenario.turn(WAIT)) == ["strikes"]


def test_ambush_hides_again_when_no_one_is_in_sight() -> None:
    scenario = hall("m", m="mimic")
    scenario.wild()
    assert scenario["m"].hidden


def test_ambush_who_is_bumped_shows_itself() -> None:
    scenario = hall("1m", m="mimic")
    disguise_as_item(scenario["m"])
    scenario.go("1", E)
    assert scenario["m"].hp < scenario["m"].hp_max
    assert not scenario["m"].hidden


def test_ambush_run_shows_though_cannot_strike() -> None:
    """Ambush who is run into shows itself though one cannot strike."""
    scenario = hall("1m", m="mimic")
    disguise_as_item(scenario["m"])
    scenario.set_stats("1", attack=0)
    assert not isinstance(plan(scenario.level, scenario["1"], Move(*E)), Impossible)
    events = scenario.go("1", E)
    assert read_events(events, scenario["1"])[0] == "The mimic was lying in wait!"
    assert (scenario["1"].actions, scenario["m"].hidden) == (1, False)
    assert isinstance(plan(scenario.level, scenario["1"], Move(*E)), Impossible)


def test_ambusher_without_a_target_hides() -> None:
    """Ambush no one can fire or mumble at what hides."""
    scenario = hall("1...m", m="mimic")
    disguise_as_item(scenario["m"])
    scenario["1"].kind = "slinger"
    outcome = plan(scenario.level, scenario["1"], Fire(4))
    assert isinstance(outcome, Impossible)
    assert outcome.text == "There's no one there to fire at."
    scenario["1"].kind = "mage"
    outcome = plan(scenario.level, scenario["1"], Cast("bolt", 4))
    assert isinstance(outcome, Impossible)
    assert outcome.text == "You point and mumble at nothing."


def test_guard_lets_go_far_born_and_goes_back() -> None:
    """Guard lets go a player who is too far from where it was born and goes back."""
    scenario = hall("........w.....1", w="warden")
    scenario.set_home("w", level=1, cell=8)
    for _ in range(6):
        scenario.turn(WAIT)
    assert abs(x_of(scenario, "w") - 8) <= 3
    for _ in range(3):
        scenario.go("1", W)
    for _ in range(4):
        scenario.turn(WAIT)
    assert scenario["1"].hp < scenario["1"].hp_max
    for _ in range(4):
        scenario.go("1", E)
    for _ in range(6):
        scenario.turn(WAIT)
        assert abs(x_of(scenario, "w") - 8) <= 3


def test_guard_takes_place_first_action_home() -> None:
    """Guard takes the place of its first action for home."""
    scenario = hall("...w...", w="warden")
    scenario.wild()
    assert scenario["w"].ai.home == LevelCell(1, 3)


def test_a_guard_never_follows_over_stairs() -> None:
    scenario = hall(".w1>.", w="warden")
    scenario.go("1", E)
    scenario.turn(("1", Climb(down=True)))
    assert (scenario.alive("1"), scenario.alive("w")) == (False, True)


def test_pack_holds_back_while_alone_but_not_for_ever() -> None:
    scenario = hall("1.....w......", w="wolf")
    for _ in range(PACK_PATIENCE):
        scenario.turn(WAIT)
    assert (x_of(scenario, "w"), scenario["1"].hp) == (6, 40)
    for _ in range(15):
        scenario.turn(WAIT)
    assert scenario["1"].hp < scenario["1"].hp_max


def test_pack_fights_when_it_is_cornered() -> None:
    scenario = hall("1..w", w="wolf")
    for _ in range(2):
        scenario.go("1", E)
    scenario.turn(WAIT)
    assert scenario["1"].hp < scenario["1"].hp_max


def test_pack_hunts_when_many_together() -> None:
    """Pack hunts when as many are together as appear together."""
    drawing = """
        ..........
        1.......a.
        ........b.
        """
    pair = Scenario(drawing, campaign=shipped("gloam"), a="wolf", b="wolf")
    for _ in range(PACK_PATIENCE - 1):
        pair.turn(WAIT)
    assert max(x_of(pair, name) for name in "ab") <= 3


def test_pack_hunts_when_three_are_together() -> None:
    scenario = hall(
        """
        ..........
        1.......a.
        ........b.
        ........c.
        """,
        a="wolf",
        b="wolf",
        c="wolf",
    )
    for _ in range(10):
        scenario.turn(WAIT)
    assert scenario["1"].hp < scenario["1"].hp_max
    assert max(x_of(scenario, name) for name in "abc") <= 3


@pytest.mark.parametrize(("hp", "x"), [(6, 7), (7, 5)])
def test_flee_runs_when_badly_hurt_and_only_then(hp: int, x: int) -> None:
    scenario = hall("1.....c....", c="coward")
    scenario.set_health("c", hp=hp)
    scenario.turn(WAIT)
    assert x_of(scenario, "c") == x


def test_flee_cornered_it_fights_on() -> None:
    scenario = hall("1c", c="coward")
    scenario.set_health("c", hp=1)
    assert "strikes" in kinds(scenario.turn(WAIT))


def test_rest_stays_badly_hurt_without_foe_sight() -> None:
    """A veteran that is badly hurt stays; one that is not, or that sees a foe, does what comes next."""
    scenario = hall("1#.......\n##...v...\n##.......", v="veteran")
    scenario.set_health("v", hp=6)
    cells = []
    for _ in range(8):
        scenario.turn(WAIT)
        cells.append(x_of(scenario, "v"))
    assert cells == [5] * 8
    scenario.set_health("v", hp=7)
    for _ in range(8):
        scenario.turn(WAIT)
        cells.append(x_of(scenario, "v"))
    assert set(cells[8:]) != {5}


def test_rest_ends_when_a_foe_is_in_sight() -> None:
    scenario = hall("1v", v="veteran")
    scenario.set_health("v", hp=1)
    assert "strikes" in kinds(scenario.turn(WAIT))


def test_keep_distance_steps_back() -> None:
    """Keep distance steps back but never twice in a row and shoots."""
    scenario = hall("1..s......", s="slinger")
    assert kinds(scenario.go("1", E)) == []
    assert x_of(scenario, "s") == 4
    assert kinds(scenario.go("1", E)) == ["spits"]
    assert kinds(scenario.go("1", E)) == []
    assert x_of(scenario, "s") == 5
    assert read_events(scenario.turn(WAIT), scenario["1"])[0].startswith("The slinger shoots you for ")


def test_swim_waits_water_and_strikes() -> None:
    """Swim waits in the water and strikes who stands on the shore."""
    scenario = hall("1..~~e", e="pike")
    scenario.level.dig(5, Terrain.WATER)
    for _ in range(4):
        scenario.turn(WAIT)
    assert x_of(scenario, "e") == 3
    scenario.go("1", E)
    scenario.go("1", E)
    assert scenario["1"].hp < scenario["1"].hp_max
    scenario.go("1", W)
    scenario.go("1", W)
    assert x_of(scenario, "e") == 3


def test_swim_goes_back_to_the_water_from_land() -> None:
    scenario = hall("p..~~", p="pike")
    for _ in range(4):
        scenario.wild()
    assert x_of(scenario, "p") >= 3


def test_waits_prey_hunts_before_roams() -> None:
    """A creature that only waits for prey hunts before it roams, and an ambush comes first."""
    assert in_order(("pack", "wander")) == ("pack", "hunt", "wander")
    assert in_order(("cast", "ambush")) == ("ambush", "cast", "hunt")
    assert in_order(("swim", "ambush")) == ("ambush", "swim")
    assert in_order(("hunt", "wander")) == ("hunt", "wander")
    assert in_order(("steal", "flutter")) == ("steal", "hunt", "flutter")
    assert in_order(("keep_distance", "flutter")) == ("keep_distance", "flutter")


def test_lurk_goes_dark_and_comes_close() -> None:
    """Lurk goes into the dark and attacks a foe that is close."""
    scenario = hall("1.........s...", dark="........xx....", s="shade")
    for name in ("1", "s"):
        scenario.set_stats(name, sight=4)
    for _ in range(4):
        scenario.turn(WAIT)
    assert x_of(scenario, "s") == 9
    for _ in range(7):
        scenario.go("1", E)
    assert scenario["1"].hp < scenario["1"].hp_max


def test_grudge_makes_hunter_monster_against() -> None:
    """A grudge makes a hunter of a monster against a monster."""
    scenario = hall("h..r", h="hound", r="rat")
    scenario.wild()
    assert x_of(scenario, "h") == 0
    remember_contact(scenario["h"], scenario["r"])
    scenario.set_stats("r", speed=50)
    scenario.wild()
    assert x_of(scenario, "h") == 1
