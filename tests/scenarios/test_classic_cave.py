"""The rules of jsrogue's articles that no other test names: places, bodies, who hears of what, and who grows."""

import pytest

from gloam_server.rules.dice import Dice
from gloam_server.views.narration import appended
from gloam_server.world.engine.dungeon import new_dungeon, populate
from gloam_server.world.generation import arrival_cell, generate_round
from gloam_server.world.model.creature import new_creature
from gloam_server.world.model.ids import REALM_PARTITION
from gloam_shared.appearance import TERRAIN_LOOKS, WALKABLE, Terrain
from gloam_shared.geometry import DIRECTIONS, ORTHOGONAL, chebyshev, neighbours
from gloam_shared.limits import LOG_LINES
from gloam_shared.protocol.commands import Climb, Wait
from gloam_shared.view.view import Line, Log
from support.campaigns import arena, shipped
from support.scenario import E, N, S, Scenario, kinds, told

JSROGUE = shipped("jsrogue")

HALL = """
    .....
    ..F..
    .....
    """


@pytest.mark.parametrize(("terrain", "glyph"), [(Terrain.STAIRS_UP, "<"), (Terrain.STAIRS_DOWN, ">")])
def test_j7_1_stairs_are_white_and_can_be_walked_on(terrain: Terrain, glyph: str) -> None:
    look = TERRAIN_LOOKS[terrain]

    assert (look.ascii, look.colour) == (glyph, "white")
    assert terrain in WALKABLE


def test_j7_2_the_neighbours_of_a_cell_are_eight_without_itself_and_chance_prefers_none() -> None:
    around = neighbours(12, 5, 5)
    dice = Dice(1, 1, 1)
    picks = [dice.pick("way", 1, around) for _ in range(4_000)]

    assert sorted(around) == [6, 7, 8, 11, 13, 16, 17, 18]
    assert all(400 <= picks.count(cell) <= 600 for cell in around)


def test_j7_8_a_body_has_its_place_and_cell_and_takes_both_along() -> None:
    scenario = Scenario("#1.#", place=3)
    scenario.go("1", E)

    assert scenario.where("1") == (2, 0)
    assert scenario.level.place == 3
    assert scenario.level.at(2) is scenario["1"]
    assert scenario.level.at(1) is None


def test_j7_10_what_is_within_a_radius_is_a_square_box_on_the_same_level() -> None:
    width = 11
    box = [cell for cell in range(width * width) if chebyshev(60, cell, width) <= 2]

    assert len(box) == 25
    assert {divmod(cell, width) for cell in box} == {(y, x) for y in range(3, 8) for x in range(3, 8)}


def test_j7_11_nothing_is_put_where_it_cannot_stand_and_what_is_put_acts() -> None:
    scenario = Scenario("#1.k.#", k="kobold")
    kobold = new_creature(scenario.level.campaign.creatures["kobold"], scenario.level.new_id())

    for cell in (0, scenario["1"].cell):
        with pytest.raises(ValueError, match=r"is not free"):
            scenario.level.add(kobold, cell, Dice(1, 1, 1))
    scenario.turn(("1", Wait()))
    assert scenario["k"].actions == 1


def test_j7_13_a_life_begins_on_random_floor_of_the_first_level() -> None:
    cells = set()
    for seed in range(5):
        first = generate_round(JSROGUE, seed)[0]
        cells.add(arrival_cell(JSROGUE, seed, first))
        assert first.terrain[arrival_cell(JSROGUE, seed, first)] == Terrain.FLOOR

    assert len(cells) == 5


def test_j7_16_all_within_the_box_of_five_are_told_walls_or_not_and_nobody_beyond() -> None:
    """In jsrogue who is five cells off hears of it through rock, and who sees it from six cells does not."""
    scenario = Scenario("#########4\n1.....3#2#\n##########", campaign=JSROGUE)
    dug = "Player3 digs through the rock."
    assert scenario.level.field_of_view(scenario["1"])[16]
    assert not scenario.level.field_of_view(scenario["2"])[16]
    events = scenario.go("3", S)

    assert told(events, scenario["1"]) == []
    assert [told(events, scenario[name]) for name in "24"] == [[dug], [dug]]
    scenario.go("1", E)
    assert told(scenario.go("3", N), scenario["1"]) == [dug]


def test_f61_without_a_radius_who_sees_a_place_is_told_what_happens_there_and_nobody_else() -> None:
    scenario = Scenario("...#.\n1F.#2\n...#.", F="fungus")
    for _ in range(16):
        events = scenario.turn(("1", Wait()), ("2", Wait()))
        if "spreads" in kinds(events):
            break

    assert told(events, scenario["1"]) == ["The fungus is spreading!"]
    assert told(events, scenario["2"]) == []


def test_j7_17_a_growth_is_told_and_the_parents_count_goes_down() -> None:
    scenario = Scenario(HALL, F="fungus")
    events = [event for _ in range(4) for event in scenario.wild()]

    assert kinds(events).count("spreads") == 1
    assert scenario["F"].children == 4


@pytest.mark.parametrize("directions", [DIRECTIONS, ORTHOGONAL])
def test_j7_18_four_ways_or_eight_are_the_campaigns_and_other_steps_take_no_turn(
    directions: tuple[tuple[int, int], ...],
) -> None:
    campaign = arena(movement="four" if directions is ORTHOGONAL else "eight")
    scenario = Scenario("...\n.1.\n...", campaign=campaign)
    for direction in DIRECTIONS:
        scenario.level.move(scenario["1"], 4)
        scenario.go("1", direction)
        moved = scenario["1"].cell != 4
        assert moved is (direction in directions)


def test_j10_1_a_child_is_made_of_the_whole_kind() -> None:
    scenario = Scenario(HALL, F="fungus")
    for _ in range(4):
        scenario.wild()
    [child] = [one for one in scenario.level.creatures.values() if one is not scenario["F"]]
    fresh = new_creature(scenario.level.campaign.creatures["fungus"], child.number)

    assert (child.name, child.hp, child.hp_max, child.children) == (fresh.name, 10, 10, fresh.children)


def test_j10_5_a_thing_goes_into_the_first_empty_slot_and_leaves_it_empty_again() -> None:
    scenario = Scenario("#1.#")
    scenario.give("1", "rock", "apple")

    assert scenario.names("1") == ["a rock", "b apple"]
    scenario["1"].slots[0] = None
    scenario.give("1", "sword")
    assert scenario.names("1") == ["a sword", "b apple"]


def test_j14_12_every_kind_gains_experience_and_only_the_players_kind_chooses() -> None:
    choosing = [key for key, kind in JSROGUE.creatures.items() if kind.picks_points]

    assert choosing == ["human"]
    assert all(JSROGUE.gains_of(key) for key, kind in JSROGUE.creatures.items() if kind.grows)


def test_j7_3_the_whole_world_is_made_at_once_and_stairs_lead_through_it() -> None:
    dungeon = new_dungeon(JSROGUE, 4)
    populate(dungeon)

    assert [place for place in dungeon.partitions() if place != REALM_PARTITION] == sorted(dungeon.levels)
    assert all(level.creatures for level in list(dungeon.levels.values())[:6])
    assert all(Terrain.STAIRS_DOWN in level.terrain for level in list(dungeon.levels.values())[:5])


def test_j7_14_a_stairs_move_that_fails_costs_no_turn_when_it_is_asked_for() -> None:
    scenario = Scenario("#1.#")
    before = scenario["1"].actions
    [event] = scenario.turn(("1", Climb(down=True)))

    assert event.kind == "guards"
    assert scenario["1"].actions == before + 1  # taken up in vain, it is one action of guarding


def test_jg11_a_kobold_hunts_who_is_in_its_sight_strikes_who_is_beside_it_and_else_wanders() -> None:
    scenario = Scenario("1......k", campaign=JSROGUE, k="kobold")
    assert JSROGUE.creatures["kobold"].tasks == ("hunt", "wander")
    assert not scenario.level.field_of_view(scenario["k"])[scenario["1"].cell], "five cells are its sight"
    scenario.level.move(scenario["k"], 5)
    for expected in (4, 3, 2, 1):
        scenario.turn(("1", Wait()))
        assert scenario["k"].cell == expected
    assert "strikes" in kinds(scenario.turn(("1", Wait())))


def test_jg13_a_kill_is_told_before_the_experience_and_the_level_that_it_brings() -> None:
    scenario = Scenario("1k", campaign=JSROGUE, k="kobold")
    scenario["k"].hp = 1
    scenario.go("1", E)
    told = [
        kind for kind in kinds(scenario.events) if kind not in ("DamageDealt", "CreatureDied", "ItemCreated")
    ]
    assert told[:4] == ["strikes", "kills", "ExperienceGained", "advances"]
    assert scenario["1"].experience == 6 + 4


def test_jg25_the_log_has_an_end_but_is_not_cleared_by_a_turn() -> None:
    log = Log()
    for at in range(LOG_LINES + 5):
        log = appended(log, [Line("finds", "you", amount=at)])

    assert (log.first, len(log.lines)) == (5, LOG_LINES)
    assert log.lines[-1].amount == LOG_LINES + 4
