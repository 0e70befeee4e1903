"""The minds of rltut's creatures as played (rules TG.8-TG.13), and what monsters learn from each other (T14.5, TG.32)."""

from collections import Counter

import pytest

from gloam_server.rules.dice import Dice
from gloam_server.rules.search import first_step
from gloam_server.world.ai.steering import PATH_CELLS
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.population.starting_gear import give_starting_gear
from gloam_server.world.transition.dungeon import new_dungeon, populate
from gloam_shared.geometry import Grid
from gloam_shared.protocol.commands import Wait
from support.content.behavior_campaigns import caves
from support.scenarios.scenario import Scenario, kinds, read_events

HALL = "\n".join(["." * 15] * 11)
MIDDLE = 5 * 15 + 7


def hall(drawing: str, *, seed: int = 1, **letters: str) -> Scenario:
    return Scenario(drawing, campaign=caves(), seed=seed, partition=1, dark=False, **letters)


def with_one(sign: str, kind: str, seed: int) -> Scenario:
    """Return a hall with one creature in its middle."""
    drawing = "".join(sign if at == MIDDLE + 5 else each for at, each in enumerate(HALL))
    return Scenario(drawing, campaign=caves(), seed=seed, partition=1, dark=False, **{sign: kind})


def others(scenario: Scenario, kind: str) -> list[Creature]:
    return [creature for creature in scenario.level.creatures.values() if creature.kind == kind]


@pytest.mark.rule("TG.8")
def test_a_fungus_spreads_up_to_five_cells() -> None:
    """A fungus puts its children up to five cells away, in both directions."""
    away = set()
    for seed in range(400):
        scenario = with_one("f", "fungus", seed)
        middle = scenario["f"].cell
        for _ in range(8):
            events = scenario.wild()
            if "spawns" in kinds(events):
                [child] = [each for each in others(scenario, "fungus") if each is not scenario["f"]]
                away.add(scenario.grid.distance(middle, child.cell))
                assert scenario["f"].children == 4
                break
    assert max(away) == 5
    assert len(away) > 2


@pytest.mark.rule("TG.8")
def test_a_player_sees_that_a_child_spawns() -> None:
    for seed in range(400):
        scenario = hall("..........\n" * 4 + "1....f....\n" + "..........\n" * 4, seed=seed, f="fungus")
        lines = read_events(scenario.turn(("1", Wait())), scenario["1"])
        if lines:
            assert lines == ["The fungus spawns a child."]
            return
    raise AssertionError("no fungus ever spawned")


@pytest.mark.rule("TG.9")
def test_a_bat_goes_eight_ways_or_stays_twice_a_turn() -> None:
    steps = set()
    for seed in range(300):
        scenario = with_one("b", "bat", seed)
        before = scenario["b"].cell
        scenario.wild()
        steps.add(scenario.grid.distance(before, scenario["b"].cell))
    assert steps == {0, 1, 2}


@pytest.mark.rule("TG.9")
def test_a_bat_never_bumps_another_bat() -> None:
    for seed in range(100):
        scenario = hall("bc", seed=seed, b="bat", c="bat")
        for _ in range(5):
            assert kinds(scenario.wild()) == []


@pytest.mark.rule("TG.9")
@pytest.mark.parametrize(("sign", "kind"), [("1", "human"), ("z", "zombie"), ("f", "fungus")])
def test_a_bat_attacks_whatever_else_it_bumps(sign: str, kind: str) -> None:
    struck = set()
    for seed in range(100):
        scenario = hall(f"b{sign}", seed=seed, b="bat", **({} if sign == "1" else {sign: kind}))
        events = scenario.turn(("1", Wait())) if sign == "1" else scenario.wild()
        struck |= {
            event.target
            for event in events
            if event.kind == "strikes" and event.actor == scenario["b"].number
        }
        if struck:
            assert struck == {scenario[sign].number}
            return
    raise AssertionError("no bat ever bumped it")


@pytest.mark.rule("TG.10")
def test_a_zombie_idles_in_one_turn_of_five() -> None:
    """A zombie idles in one of five turns, and else hunts the foe that it sees."""
    moved = 0
    for seed in range(400):
        scenario = hall("1.......z", seed=seed, z="zombie")
        scenario.turn(("1", Wait()))
        moved += scenario.where("z") == (7, 0)
    assert 290 <= moved <= 350


@pytest.mark.rule("TG.10")
def test_a_zombie_without_a_target_roams() -> None:
    cells = set()
    for seed in range(60):
        scenario = with_one("z", "zombie", seed)
        scenario.wild()
        cells.add(scenario["z"].cell)
    assert len(cells) > 5


@pytest.mark.rule("TG.11")
def test_a_goblin_wields_the_better_item_first() -> None:
    """A goblin first wields and wears the better of what it carries."""
    scenario = hall("1.......g", g="goblin")
    bow, sword, tunic, mail = scenario.give("g", "bow", "sword", "tunic", "chainmail")
    goblin = scenario["g"]
    goblin.wielded, goblin.worn = bow.number, tunic.number
    told_of = kinds(scenario.turn(("1", Wait())))
    told_of += kinds(scenario.turn(("1", Wait())))
    assert told_of == ["wields", "wears"]
    assert (goblin.wielded, goblin.worn) == (sword.number, mail.number)


@pytest.mark.rule("TG.11")
def test_goblin_bow_shoots_before_comes_nearer() -> None:
    """A goblin with a bow shoots before it gets nearer."""
    scenario = hall("1.......g", g="goblin")
    [bow] = scenario.give("g", "bow")
    scenario.wield("g", bow.number)
    [event] = scenario.turn(("1", Wait()))
    assert (event.kind, event.target, event.source) == ("shoots", 1_024, "bow")
    assert read_events([event], scenario["1"]) == [
        f"The goblin shoots you with a bow for {event.amount} damage!"
    ]
    assert scenario.where("g") == (8, 0)


@pytest.mark.rule("TG.11")
def test_a_goblin_throws_before_it_comes() -> None:
    """A goblin throws what hurts more than a stone, and then approaches."""
    scenario = hall("1.......g", g="goblin")
    sword, mail, *_ = scenario.give("g", "sword", "chainmail", "rock", "dagger")
    scenario.wield("g", sword.number)
    scenario.wear("g", mail.number)
    [event] = scenario.turn(("1", Wait()))
    assert (event.kind, event.source) == ("throws_at", "dagger")
    assert read_events([event], scenario["1"]) == [
        f"The goblin throws a dagger at you for {event.amount} damage!"
    ]
    scenario.turn(("1", Wait()))
    assert scenario.where("g") == (7, 0)


@pytest.mark.rule("TG.11")
def test_goblin_hunts_sees_before_picks() -> None:
    """A goblin hunts who it sees before it picks anything up."""
    scenario = hall("1.......g", g="goblin")
    scenario.lay("sword", 8)
    scenario.turn(("1", Wait()))
    assert scenario.where("g") == (7, 0)
    assert scenario["g"].carried == []


@pytest.mark.rule("TG.11")
def test_goblin_without_a_target_loots_underfoot() -> None:
    """A goblin that sees no one picks up what lies underfoot."""
    scenario = hall("g", g="goblin")
    sword = scenario.lay("sword", 0)
    assert kinds(scenario.wild()) == ["picks_up"]
    assert scenario["g"].carried == [sword]
    assert kinds(scenario.wild()) == ["wields"]


@pytest.mark.rule("F30")
def test_a_goblin_lets_lie_what_a_player_laid_down() -> None:
    scenario = hall("g", g="goblin")
    scenario.lay("sword", 0).owner = 1
    assert kinds(scenario.wild()) == []
    assert scenario["g"].carried == []


@pytest.mark.rule("TG.11")
def test_goblin_starts_random_weapon() -> None:
    """A goblin starts with a random weapon and armor in use."""
    weapons, armour = set(), set()
    for seed in range(80):
        scenario = hall("g", seed=seed, g="goblin")
        goblin = scenario["g"]
        give_starting_gear(TurnContext(scenario.level, Dice(seed, 1, 1)), goblin)
        weapon, worn = goblin.carried
        assert (goblin.wielded, goblin.worn) == (weapon.number, worn.number)
        weapons.add(weapon.kind)
        armour.add(worn.kind)
    assert weapons == {"dagger", "sword", "staff", "bow"}
    assert armour == {"tunic", "chainmail", "platemail"}


@pytest.mark.rule("TG.13")
def test_new_level_holds_counts_and_goblins_armed() -> None:
    """A new level holds its counts and its goblins are armed."""
    dungeon = new_dungeon(caves(), 5)
    populate(dungeon)
    for partition, level in dungeon.levels.items():
        counts = Counter(creature.kind for creature in level.creatures.values())
        several = 2 * partition - 1
        assert counts == {"fungus": 4, "bat": 10, "zombie": several, "goblin": several}
        for creature in level.creatures.values():
            assert (len(creature.carried) == 2) == (creature.kind == "goblin")
        assert all(len(pile) == 1 for pile in level.piles.values())


@pytest.mark.rule("TG.12")
def test_search_way_looks_around_300_cells() -> None:
    """A search for a way looks around from 300 cells at most."""
    asked: set[int] = set()

    def walkable(cell: int) -> bool:
        asked.add(cell)
        return cell % 100 != 50

    assert PATH_CELLS == 300
    assert first_step(walkable, 40 * 100 + 10, 40 * 100 + 90, Grid(100, 80), limit=PATH_CELLS) is None
    assert len(asked) < 300 * 8


@pytest.mark.rule("T14.5", "TG.32")
@pytest.mark.parametrize(("sign", "kind"), [("f", "fungus"), ("z", "zombie")])
def test_a_monster_that_kills_a_monster_levels(sign: str, kind: str) -> None:
    """A monster that kills a monster gains experience and levels."""
    for seed in range(200):
        scenario = hall(f"b{sign}", seed=seed, b="bat", **{sign: kind})
        scenario.set_progress("b", experience=20)
        scenario.set_health(sign, hp=1)
        events = scenario.wild()
        if "kills" in kinds(events):
            assert kinds(events)[:2] == ["strikes", "kills"]
            assert scenario["b"].level >= 2
            return
    raise AssertionError("the bat never killed it")


@pytest.mark.rule("T14.5", "T14.10")
def test_learning_is_shown_to_who_sees_it() -> None:
    for seed in range(300):
        scenario = hall("bf......1", seed=seed, b="bat", f="fungus")
        scenario.set_progress("b", experience=20)
        scenario.set_health("f", hp=1)
        lines = read_events(scenario.turn(("1", Wait())), scenario["1"])
        if "The bat kills the fungus!" in lines:
            assert "The bat advances to level 2." in lines
            assert lines[-1].startswith("The bat looks") or lines[-1].startswith("The bat is")
            return
    raise AssertionError("the bat never killed it")


@pytest.mark.rule("F31")
def test_a_struck_player_strikes_back_at_a_bat() -> None:
    for seed in range(200):
        scenario = hall("bz", seed=seed, b="bat", z="zombie")
        for _ in range(6):
            events = scenario.wild()
            if any(event.kind == "strikes" and event.actor == scenario["z"].number for event in events):
                return
    raise AssertionError("no zombie ever struck back")
