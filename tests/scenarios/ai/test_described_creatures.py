"""The flagship's creatures do what their descriptions say (rule F29): one test for each deed."""

import itertools
from collections.abc import Iterator
from typing import Any

import pytest

from gloam_server.rules.dice import Dice
from gloam_server.world.ai.ambush import AMBUSH_CELLS
from gloam_server.world.ai.perception import enemies_in_sight
from gloam_server.world.combat.hostility import make_ally
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import new_creature
from gloam_server.world.model.events import Narration
from gloam_server.world.population.starting_gear import disguise_as_item, give_starting_gear
from gloam_shared.appearance import Terrain
from gloam_shared.protocol.commands import Climb, Wait
from support.content.shipped_files import campaign
from support.scenarios.scenario import E, Scenario, kinds

GLOAM = campaign("gloam")
HALL = "\n".join(["." * 16, "." * 16, ".....1....c.....", "." * 16, "." * 16])


def scene(drawing: str, kind: str, **letters: Any) -> Scenario:
    """Return a map where `c` is a creature of a kind, and player 1 does not die soon."""
    scenario = Scenario(drawing, campaign=GLOAM, c=kind, **letters)
    scenario.set_health("1", hp=5_000, hp_max=5_000)
    return scenario


def turns(scenario: Scenario, count: int) -> Iterator[list[Narration]]:
    """Let player 1 wait this many turns, and yield what each of them brought."""
    for _ in range(count):
        yield scenario.turn(("1", Wait()))


def lines(scenario: Scenario, count: int) -> list[Narration]:
    return [line for turn in turns(scenario, count) for line in turn]


def away(scenario: Scenario, name: str = "c") -> int:
    return scenario.level.distance(scenario["1"], scenario[name])


def count(scenario: Scenario, kind: str) -> int:
    return sum(body.kind == kind for body in scenario.level.creatures.values())


def test_a_newt_notices_no_one() -> None:
    scenario = scene(HALL, "newt")
    for _ in turns(scenario, 20):
        assert enemies_in_sight(scenario.level, scenario["c"]) == []
    assert scenario["c"].ai.prey == 0


@pytest.mark.parametrize(("kind", "actions"), [("bat", 40), ("hornet", 40), ("centaur", 21)])
def test_the_quick_act_more_often_than_a_player(kind: str, actions: int) -> None:
    scenario = scene(HALL, kind)
    lines(scenario, 20)
    assert scenario["c"].actions == actions
    assert scenario["1"].actions == 20


def test_a_bat_flies_where_it_likes() -> None:
    """A bat approaches, and goes away again, in all directions."""
    scenario = scene(HALL, "bat")
    ways = [away(scenario) for _ in turns(scenario, 40)]
    steps = {after - before for before, after in itertools.pairwise(ways)}
    assert min(steps) < 0 < max(steps)


def test_a_fungus_hurts_no_one_and_does_not_stop() -> None:
    """A fungus hurts no one, and its child spreads as well."""
    scenario = scene("#1c..#\n#....#", "fungus")
    for _ in turns(scenario, 5_000):
        if count(scenario, "fungus") >= 3:
            break
    assert count(scenario, "fungus") >= 3
    assert scenario["1"].hp == 5_000


def test_a_kobold_follows_where_it_last_saw_you() -> None:
    scenario = scene("c.....1>", "kobold")
    scenario.go("1", E)
    scenario.turn(("1", Climb(down=True)))
    for _ in range(7):
        scenario.wild()
    assert scenario.where("c")[0] >= 6


@pytest.mark.parametrize("kind", ["jackal", "wolf"])
def test_a_pack_waits_for_its_fellows(kind: str) -> None:
    """One of a pack holds back alone; two attack together. It is found in company."""
    scenario = scene("#1......c....#", kind)
    assert all(away(scenario) >= 5 for _ in turns(scenario, 5))
    scenario = scene("#1......cd...#", kind, d=kind)
    lines(scenario, 8)
    assert away(scenario) == 1
    assert away(scenario, "d") <= 2
    assert GLOAM.creatures[kind].group[0] == 2


@pytest.mark.parametrize("kind", ["slinger", "archer", "skeleton", "centaur"])
def test_shooters_shoot_from_afar(kind: str) -> None:
    reach = GLOAM.creatures[kind].reach
    scenario = scene("#1" + "." * (reach - 1) + "c....#", kind)
    assert "spits" in kinds(lines(scenario, 4))
    assert away(scenario) > 1


def test_a_slinger_is_not_much_up_close() -> None:
    assert GLOAM.creatures["slinger"].attack < GLOAM.creatures["kobold"].attack


@pytest.mark.parametrize("kind", ["archer", "wisp"])
def test_who_comes_near_sees_it_step_back(kind: str) -> None:
    scenario = scene("\n".join(["." * 12] * 2 + ["..1.c......."] + ["." * 12] * 2), kind)
    assert any(away(scenario) > 2 for _ in turns(scenario, 6))


@pytest.mark.parametrize("kind", ["archer", "zombie"])
def test_the_slow_act_less_often_than_a_player(kind: str) -> None:
    scenario = scene(HALL, kind)
    lines(scenario, 20)
    assert scenario["c"].actions < 20


def test_a_zombie_stands_idle_now_and_then() -> None:
    scenario = scene("#1..................c#", "zombie")
    scenario.set_stats("c", sight=20)
    lines(scenario, 20)
    assert 0 < 20 - scenario.where("c")[0] < scenario["c"].actions


@pytest.mark.parametrize(
    ("kind", "called"), [("drummer", "rat"), ("queen", "hornet"), ("necromancer", "skeleton")]
)
def test_callers_are_not_alone_for_long(kind: str, called: str) -> None:
    scenario = scene(HALL, kind)
    for _ in turns(scenario, 60):
        if count(scenario, called):
            return
    pytest.fail(f"no {called} came")


def test_a_bear_sleeps() -> None:
    """A bear that a level is made with sleeps, and sleeps on beside a player for a while."""
    scenario = scene("#1..c#", "bear")
    assert GLOAM.creatures["bear"].sleeps
    scenario["c"].asleep = 1
    lines(scenario, 3)
    assert scenario.where("c") == (4, 0)


@pytest.mark.parametrize("kind", ["crab", "beetle"])
def test_a_hard_shell_takes_most_of_a_blow(kind: str) -> None:
    """The same blows take less from it than from others."""

    def taken(foe: str) -> int:
        scenario = scene("#1c#", foe)
        scenario.set_stats("1", attack=900)
        scenario.set_stats("c", attack=0)
        scenario.set_health("c", hp=5_000, hp_max=5_000)
        scenario.put_to_sleep("c", 0)
        for _ in range(20):
            scenario.go("1", E)
        return 5_000 - scenario["c"].hp

    assert taken(kind) * 5 < taken("bat") * 4


@pytest.mark.parametrize("kind", ["crab", "golem"])
def test_guards_stay_near_their_place(kind: str) -> None:
    """A guard goes for prey that is near its place, and lets it go farther off."""
    within = GLOAM.creatures[kind].guards_within
    scenario = scene("#c" + "." * (within + 2) + "1#", kind)
    scenario.set_stats("c", sight=20)
    lines(scenario, 3 * within)
    assert away(scenario) > 1
    assert scenario.where("c")[0] <= within


def test_a_goblin_wears_and_throws_what_it_finds() -> None:
    """A goblin puts on what it finds, and throws what it cannot wear."""
    scenario = scene("#######\n#c..##1\n#######", "goblin")
    for x, kind in enumerate(("jerkin", "club", "javelin"), 1):
        scenario.lay(kind, x, 1)
    lines(scenario, 12)
    goblin = scenario["c"]
    used = {item.kind for item in goblin.carried if item.number in (goblin.worn, goblin.wielded)}
    assert used == {"jerkin", "club"}
    assert len(list(goblin.carried)) == 3
    scenario.level.dig(scenario.width + 4, Terrain.FLOOR)
    scenario.level.dig(scenario.width + 5, Terrain.FLOOR)
    assert {"throws_at", "throws_short"}.intersection(kinds(lines(scenario, 2)))


@pytest.mark.parametrize(
    ("kind", "floor"), [("snake", "."), ("gargoyle", "."), ("leech", "~"), ("spider", ".")]
)
def test_who_lies_in_wait_is_unseen_until_near(kind: str, floor: str) -> None:
    scenario = scene("#1....c#", kind)
    scenario.level.dig(scenario["c"].cell, Terrain.WATER if floor == "~" else Terrain.FLOOR)
    disguise_as_item(scenario["c"])
    assert [line for line in lines(scenario, 3) if line.actor == scenario["c"].number] == []
    assert scenario["c"].hidden
    for _ in range(4):
        scenario.go("1", E)
    deeds = {line.kind for line in lines(scenario, 4) if line.actor == scenario["c"].number}
    assert not scenario["c"].hidden
    assert deeds & {"strikes", "strikes_lightly", "misses", "casts"}


@pytest.mark.parametrize("kind", ["snake", "hornet", "naga"])
def test_bites_and_stings_are_poison(kind: str) -> None:
    scenario = scene("#1c#", kind)
    lines(scenario, 4)
    assert [state.spell for state in scenario["1"].lasting] == ["venom"]


@pytest.mark.parametrize(
    ("kind", "begins"),
    [
        ("archer", "Fire takes hold, lit by the goblin archer!"),
        ("zombie", "Gas rises"),
        ("ghoul", "Gas rises"),
    ],
)
def test_some_blows_change_the_ground(kind: str, begins: str) -> None:
    """Now and then a wound of theirs lays fire or gas where the player stands, and one line tells it."""
    scenario = scene("#1..c#" if kind == "archer" else "#1c#", kind)
    told = [line for line in lines(scenario, 80) if line.kind in ("hits", "spits", "strikes", "takes_hold")]
    laid = [line for line in told if line.kind == "takes_hold"]
    assert laid
    assert all(line.source.startswith(begins) and line.cell == scenario["1"].cell for line in laid)
    assert len(laid) < len(told) // 2


def test_a_spider_binds_its_prey() -> None:
    scenario = scene("#1....c#", "spider")
    lines(scenario, 1)
    assert [state.spell for state in scenario["1"].lasting] == ["web"]
    assert away(scenario) > 1


@pytest.mark.parametrize("cells", range(1, 7))
def test_a_hidden_spider_binds_within_two_cells(cells: int) -> None:
    """It waits hidden, as its words say: nothing farther than two cells away is bound."""
    scenario = scene(f"#1{'.' * (cells - 1)}c.#", "spider")
    disguise_as_item(scenario["c"])
    told = kinds(lines(scenario, 3))
    assert ("casts" in told, scenario["c"].hidden) == (cells <= AMBUSH_CELLS == 2, cells > 2)


@pytest.mark.parametrize("kind", ["imp", "thug", "harpy"])
def test_thieves_take_one_thing_and_run(kind: str) -> None:
    scenario = scene(HALL.replace("....c", "c...."), kind)
    scenario.give("1", "apple", "rock", "bread")
    lines(scenario, 12)
    assert len(list(scenario["1"].carried)) == 2
    assert len(list(scenario["c"].carried)) == 1
    assert away(scenario) > 2


@pytest.mark.parametrize("kind", ["mole", "wyrm", "titan"])
def test_rock_is_no_wall_to_those_who_feel_you(kind: str) -> None:
    scenario = scene("#######\n#1##c##\n#######", kind)
    lines(scenario, 10)
    assert away(scenario) == 1
    assert scenario["1"].hp < 5_000


@pytest.mark.parametrize(("kind", "wounded"), [("slime", True), ("slime", False)])
def test_a_wounded_slime_splits_and_no_other(kind: str, wounded: bool) -> None:
    scenario = scene("#####\n#...#\n#.c.#\n#...#\n#####\n#1###", kind)
    scenario.set_health("c", hp=1 if wounded else None)
    lines(scenario, 60)
    assert (count(scenario, kind) > 1) == wounded


def test_a_slime_splits_while_it_fights() -> None:
    """A wounded slime beside its foe has a child within ten turns in about half of the fights."""
    split = 0
    for seed in range(20):
        scenario = Scenario(HALL, campaign=GLOAM, seed=seed, c="slime")
        scenario.set_health("1", hp=9_000, hp_max=9_000)
        scenario.set_health("c", hp=scenario["c"].hp_max - 1)
        lines(scenario, 10)
        split += count(scenario, "slime") > 1
    assert split >= 6


@pytest.mark.parametrize("kind", ["eel", "naga", "leech"])
def test_swimmers_wait_in_the_water_beside_the_path(kind: str) -> None:
    scenario = scene("######\n#1...#\n######", kind, e=kind)
    for x in (2, 3, 4):
        scenario.level.dig(scenario.width + x, Terrain.WATER)
    body = new_creature(GLOAM.creatures[kind], scenario.level.new_id())
    scenario.level.add(body, scenario.width + 4, Dice(1, 1, 1))
    lines(scenario, 10)
    assert scenario.level.terrain[body.cell] == Terrain.WATER
    assert scenario["1"].hp < 5_000


@pytest.mark.parametrize("kind", ["orc", "lizardman"])
def test_an_orc_does_not_flee(kind: str) -> None:
    scenario = scene("#1c....#", kind)
    scenario.set_health("c", hp=1)
    lines(scenario, 5)
    assert away(scenario) == 1


@pytest.mark.parametrize("kind", ["crow", "ghoul"])
@pytest.mark.parametrize("weak", ["hurt", "asleep"])
def test_stalkers_come_when_you_are_weak(kind: str, weak: str) -> None:
    """Stalkers follow out of reach until their prey is badly hurt, or lies down."""
    scenario = scene("#1.......c#", kind)
    assert all(away(scenario) >= 4 for _ in turns(scenario, 8))
    if weak == "hurt":
        scenario.set_health("1", hp=200)
    else:
        scenario.put_to_sleep("1", 50)
    lines(scenario, 8)
    assert away(scenario) == 1


@pytest.mark.parametrize("kind", ["wisp", "demon"])
def test_those_of_light_and_fire_light_their_place(kind: str) -> None:
    scenario = Scenario("#1.....c#", campaign=GLOAM, dark=True, c=kind)
    assert scenario.level.field_of_view(scenario["1"])[scenario["c"].cell - 1]


def test_a_lizardman_comes_armed_and_uses_it() -> None:
    scenario = scene("#c#1#", "lizardman")
    lizard = scenario["c"]
    give_starting_gear(TurnContext(scenario.level, Dice(1, 1, 1)), lizard)
    assert lizard.carried
    lines(scenario, 4)
    assert lizard.wielded
    assert lizard.worn


def test_a_shade_strikes_out_of_the_dark() -> None:
    scenario = Scenario("#1.....c....#", campaign=GLOAM, dark=".....xxxxxxxx", c="shade")
    scenario.set_health("1", hp=5_000, hp_max=5_000)
    for _ in turns(scenario, 8):
        assert scenario.level.dark[scenario["c"].cell]
    for _ in range(3):
        scenario.go("1", E)
    lines(scenario, 3)
    assert scenario["1"].hp < 5_000


def test_a_trolls_wounds_close() -> None:
    scenario = scene("#1#c#", "troll")
    scenario.set_health("c", hp=1)
    lines(scenario, 10)
    assert scenario["c"].hp >= 6


def test_a_minotaur_smells_the_trail_around_corners() -> None:
    """A minotaur finds its prey that it does not see, farther than a hunter remembers."""
    drawing = "########\n#c.....#\n######.#\n#......#\n#.######\n#.....1#\n########"
    scenario = scene(drawing, "minotaur")
    scenario.hunt("c", "1")
    assert not scenario.level.field_of_view(scenario["c"])[scenario["1"].cell]
    lines(scenario, 25)
    assert away(scenario) == 1


def test_a_naga_is_at_home_in_water_and_beside_it() -> None:
    scenario = scene("#1..~~c#", "naga")
    scenario.level.dig(scenario["c"].cell, Terrain.WATER)
    assert scenario.level.is_passable(scenario["c"], scenario["c"].cell - 1)
    assert scenario.level.is_passable(scenario["c"], 3)


def test_a_called_wolf_stays_with_its_friend() -> None:
    scenario = Scenario("#c1..........#", campaign=GLOAM, c="tame_wolf")
    make_ally(scenario.level, scenario["c"])
    scenario.set_owner("c", "1")
    for _ in range(8):
        scenario.go("1", E)
    assert away(scenario) <= 2
