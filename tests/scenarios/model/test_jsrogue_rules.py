"""The rules of jsrogue's articles that no other test names: places, bodies, who hears of what, and who grows."""

import pytest

from gloam_server.rules.dice import Dice
from gloam_server.views.texts.narration import append_lines
from gloam_server.world.generation import arrival_cell, generate_round
from gloam_server.world.model.creature import new_creature
from gloam_server.world.model.ids import REALM_PARTITION
from gloam_server.world.transition.dungeon import new_dungeon, populate
from gloam_shared.appearance import TERRAIN_LOOKS, WALKABLE, Terrain
from gloam_shared.geometry import DIRECTIONS, ORTHOGONAL, Grid
from gloam_shared.limits import LOG_LINES
from gloam_shared.protocol.commands import Climb, Wait
from gloam_shared.view.view import Log, LogLine
from support.content.campaigns import arena, shipped
from support.scenarios.scenario import E, N, S, Scenario, kinds, read_events

JSROGUE = shipped("jsrogue")

HALL = """
    .....
    ..F..
    .....
    """


@pytest.mark.rule("J7.1")
@pytest.mark.parametrize(("terrain", "glyph"), [(Terrain.STAIRS_UP, "<"), (Terrain.STAIRS_DOWN, ">")])
def test_stairs_are_white_and_can_be_walked_on(terrain: Terrain, glyph: str) -> None:
    look = TERRAIN_LOOKS[terrain]
    assert (look.ascii, look.colour) == (glyph, "white")
    assert terrain in WALKABLE


@pytest.mark.rule("J7.2")
def test_eight_neighbors_are_equally_likely() -> None:
    """A cell has eight neighbors without itself, and chance prefers none."""
    around = Grid(5, 5).neighbors(12)
    dice = Dice(1, 1, 1)
    picks = [dice.pick("way", 1, around) for _ in range(4_000)]
    assert sorted(around) == [6, 7, 8, 11, 13, 16, 17, 18]
    assert all(400 <= picks.count(cell) <= 600 for cell in around)


@pytest.mark.rule("J7.8")
def test_body_place_and_cell_and_takes_both_along() -> None:
    """A body has its place and cell and takes both along."""
    scenario = Scenario("#1.#", partition=3)
    scenario.go("1", E)
    assert scenario.where("1") == (2, 0)
    assert scenario.level.partition == 3
    assert scenario.level.at(2) is scenario["1"]
    assert scenario.level.at(1) is None


@pytest.mark.rule("J7.10")
def test_a_radius_is_a_square_box() -> None:
    """The area within a radius is a square box on the same level."""
    width = 11
    box = [cell for cell in range(width * width) if Grid(width, width).distance(60, cell) <= 2]
    assert len(box) == 25
    assert {divmod(cell, width) for cell in box} == {(y, x) for y in range(3, 8) for x in range(3, 8)}


@pytest.mark.rule("J7.11")
def test_creatures_are_placed_where_they_can_stand() -> None:
    """A creature is placed only where it can stand, and then acts."""
    scenario = Scenario("#1.k.#", k="kobold")
    kobold = new_creature(scenario.level.campaign.creatures["kobold"], scenario.level.new_id())
    for cell in (0, scenario["1"].cell):
        with pytest.raises(ValueError, match=r"is not free"):
            scenario.level.add(kobold, cell, Dice(1, 1, 1))
    scenario.turn(("1", Wait()))
    assert scenario["k"].actions == 1


@pytest.mark.rule("J7.13")
def test_life_begins_random_floor_first_level() -> None:
    """A life begins on random floor of the first level."""
    cells = set()
    for seed in range(5):
        first = generate_round(JSROGUE, seed)[0]
        cells.add(arrival_cell(JSROGUE, seed, first))
        assert first.terrain[arrival_cell(JSROGUE, seed, first)] == Terrain.FLOOR
    assert len(cells) == 5


@pytest.mark.rule("J7.16")
def test_all_within_the_box_of_five_hear_it() -> None:
    """In jsrogue who is five cells off hears of it through rock, and who sees it from six cells does not."""
    scenario = Scenario("#########4\n1.....3#2#\n##########", campaign=JSROGUE)
    dug = "Player3 digs through the rock."
    assert scenario.level.field_of_view(scenario["1"])[16]
    assert not scenario.level.field_of_view(scenario["2"])[16]
    events = scenario.go("3", S)
    assert read_events(events, scenario["1"]) == []
    assert [read_events(events, scenario[name]) for name in "24"] == [[dug], [dug]]
    scenario.go("1", E)
    assert read_events(scenario.go("3", N), scenario["1"]) == [dug]


@pytest.mark.rule("F61")
def test_without_a_radius_viewers_of_the_cell_see_it() -> None:
    """Without a radius exactly the players who see a cell get its messages."""
    scenario = Scenario("...#.\n1F.#2\n...#.", F="fungus")
    for _ in range(16):
        events = scenario.turn(("1", Wait()), ("2", Wait()))
        if "spreads" in kinds(events):
            break
    assert read_events(events, scenario["1"]) == ["The fungus is spreading!"]
    assert read_events(events, scenario["2"]) == []


@pytest.mark.rule("J7.17")
def test_growth_reported_and_parents_count_goes_down() -> None:
    """Players read that a fungus grows, and the count of its parent decreases."""
    scenario = Scenario(HALL, F="fungus")
    events = [event for _ in range(4) for event in scenario.wild()]
    assert kinds(events).count("spreads") == 1
    assert scenario["F"].children == 4


@pytest.mark.rule("J7.18")
@pytest.mark.parametrize("directions", [DIRECTIONS, ORTHOGONAL])
def test_the_campaign_sets_four_or_eight_directions(
    directions: tuple[tuple[int, int], ...],
) -> None:
    """The campaign allows four or eight directions, and other steps take no turn."""
    campaign = arena(movement="four" if directions is ORTHOGONAL else "eight")
    scenario = Scenario("...\n.1.\n...", campaign=campaign)
    for direction in DIRECTIONS:
        scenario.level.move(scenario["1"], 4)
        scenario.go("1", direction)
        moved = scenario["1"].cell != 4
        assert moved is (direction in directions)


@pytest.mark.rule("J10.1")
def test_a_child_is_made_of_the_whole_kind() -> None:
    scenario = Scenario(HALL, F="fungus")
    for _ in range(4):
        scenario.wild()
    [child] = [one for one in scenario.level.creatures.values() if one is not scenario["F"]]
    fresh = new_creature(scenario.level.campaign.creatures["fungus"], child.number)
    assert (child.name, child.hp, child.hp_max, child.children) == (fresh.name, 10, 10, fresh.children)


@pytest.mark.rule("J10.5")
def test_an_item_takes_the_first_empty_slot() -> None:
    """An item goes into the first empty slot, and leaves it empty again."""
    scenario = Scenario("#1.#")
    scenario.give("1", "rock", "apple")
    assert scenario.names("1") == ["a rock", "b apple"]
    scenario["1"].slots[0] = None
    scenario.give("1", "sword")
    assert scenario.names("1") == ["a sword", "b apple"]


@pytest.mark.rule("J14.12")
def test_only_the_players_kind_chooses_abilities() -> None:
    """Every kind gains experience, and only the players' kind chooses."""
    choosing = [key for key, kind in JSROGUE.creatures.items() if kind.picks_points]
    assert choosing == ["human"]
    assert all(JSROGUE.gains_of(key) for key, kind in JSROGUE.creatures.items() if kind.grows)


@pytest.mark.rule("J7.3")
def test_the_whole_dungeon_is_made_at_once() -> None:
    """The whole dungeon is made in one go, and stairs lead through it."""
    dungeon = new_dungeon(JSROGUE, 4)
    populate(dungeon)
    assert [partition for partition in dungeon.partitions() if partition != REALM_PARTITION] == sorted(
        dungeon.levels
    )
    assert all(level.creatures for level in list(dungeon.levels.values())[:6])
    assert all(Terrain.STAIRS_DOWN in level.terrain for level in list(dungeon.levels.values())[:5])


@pytest.mark.rule("J7.14")
def test_failed_stairs_cost_no_turn() -> None:
    """A move on stairs that fails costs no turn when a player asks for it."""
    scenario = Scenario("#1.#")
    before = scenario["1"].actions
    [event] = scenario.turn(("1", Climb(down=True)))
    assert event.kind == "guards"
    assert scenario["1"].actions == before + 1  # taken up without effect, it is one action of guarding


@pytest.mark.rule("JG.11")
def test_a_kobold_hunts_strikes_or_wanders() -> None:
    """A kobold hunts the foe in its sight, strikes the one beside it, and else wanders."""
    scenario = Scenario("1......k", campaign=JSROGUE, k="kobold")
    assert JSROGUE.creatures["kobold"].tasks == ("hunt", "wander")
    assert not scenario.level.field_of_view(scenario["k"])[scenario["1"].cell], "five cells are its sight"
    scenario.level.move(scenario["k"], 5)
    for expected in (4, 3, 2, 1):
        scenario.turn(("1", Wait()))
        assert scenario["k"].cell == expected
    assert "strikes" in kinds(scenario.turn(("1", Wait())))


@pytest.mark.rule("JG.13")
def test_a_kill_precedes_its_experience() -> None:
    """The log shows a kill before its experience and its level."""
    scenario = Scenario("1k", campaign=JSROGUE, k="kobold")
    scenario.set_health("k", hp=1)
    scenario.go("1", E)
    read_events = [
        kind for kind in kinds(scenario.events) if kind not in ("DamageDealt", "CreatureDied", "ItemCreated")
    ]
    assert read_events[:4] == ["strikes", "kills", "ExperienceGained", "advances"]
    assert scenario["1"].experience == 6 + 4


@pytest.mark.rule("JG.25")
def test_log_end_but_not_cleared_turn() -> None:
    """The log has an end but is not cleared by a turn."""
    log = Log()
    for at in range(LOG_LINES + 5):
        log = append_lines(log, [LogLine("finds", "you", amount=at)])
    assert (log.first, len(log.lines)) == (5, LOG_LINES)
    assert log.lines[-1].amount == LOG_LINES + 4
