"""A monster that has outgrown its depth goes down by the stairs, and lives there on (rule F66)."""

import pytest

from gloam_server.rules.growth import least_experience_beyond
from gloam_server.world.growth.learning import earned_level
from gloam_server.world.model.creature import Creature, Victim, new_creature
from gloam_server.world.model.events import ChangedLevel, DamageDealt
from gloam_server.world.model.ids import REALM_PARTITION
from gloam_server.world.model.inputs import Arrive, EnterPlay, Leave, PlayerAction, Turn
from gloam_server.world.transition.apply import Result
from gloam_server.world.transition.dungeon import Dungeon, new_dungeon, populate
from gloam_shared.appearance import Terrain
from gloam_shared.protocol.commands import Wait
from support.content.campaigns import shipped, with_rules
from support.scenarios.scenario import Scenario, kinds, read_events

GLOAM = with_rules(shipped("gloam"), "named", max=0)
"""The campaign without names of monsters, so that a level sends what leaves it and nothing else."""


def grow(creature: Creature, level: int) -> None:
    creature.level = level
    creature.experience = least_experience_beyond(GLOAM.experience, level - 1) if level > 1 else 0


def wait(scenario: Scenario) -> Result:
    return scenario.apply(Turn((PlayerAction(scenario["1"].number, 0, Wait()),)))


def grown(drawing: str, level: int = 3, kind: str = "kobold", seed: int = 1) -> Scenario:
    scenario = Scenario(drawing, campaign=GLOAM, seed=seed, k=kind)
    scenario.set_health("1", hp=500, hp_max=500)
    grow(scenario["k"], level)
    return scenario


@pytest.mark.rule("F66")
def test_walks_to_stairs_and_those_who_see_read_why() -> None:
    """It walks to the stairs and players who see it read why."""
    scenario = grown("#1...k..>#")
    told = []
    for _ in range(3):
        result = wait(scenario)
        assert result.outputs == ()
        told.append(read_events(result.events, scenario["1"]))
    assert told == [["The kobold goes down to look for worthier prey."], [], []]
    result = wait(scenario)
    [output] = result.outputs
    assert isinstance(output, ChangedLevel)
    assert (output.creature, output.partition, output.cell) == (scenario["k"], 2, 8)
    assert read_events(result.events, scenario["1"]) == ["The kobold goes down the stairs."]
    assert not scenario.alive("k")


@pytest.mark.rule("F66")
def test_unseen_it_waits_on_the_stairs() -> None:
    """It is there for some 100 turns, and goes when a player has seen it."""
    waits = []
    for seed in range(1, 41):
        scenario = grown("#1.#k>#", seed=seed)
        turns = 0
        while scenario.alive("k"):
            turns += 1
            assert read_events(wait(scenario).events, scenario["1"]) == []
        waits.append(turns)
    assert 50 <= sum(waits) // len(waits) <= 180, waits


@pytest.mark.rule("F66")
def test_who_comes_to_the_stairs_sees_it_go() -> None:
    scenario = grown("#1.#k>#")
    for _ in range(3):
        assert wait(scenario).outputs == ()
    scenario.level.dig(3, Terrain.FLOOR)
    result = wait(scenario)
    assert [type(output) for output in result.outputs] == [ChangedLevel]
    assert "The kobold goes down to look for worthier prey." in read_events(result.events, scenario["1"])


@pytest.mark.rule("F66")
def test_on_the_stairs_it_fights_a_foe_meanwhile() -> None:
    scenario = Scenario("#1.#k>r#", campaign=GLOAM, k="kobold", r="rat")
    grow(scenario["k"], 3)
    scenario.set_health("r", hp=500, hp_max=500)
    scenario.put_to_sleep("r", 900)
    events = [event for _ in range(4) for event in wait(scenario).events]
    assert scenario.where("k") == (5, 0)
    assert scenario["k"].number in [event.attacker for event in events if isinstance(event, DamageDealt)]


@pytest.mark.rule("F66")
def test_a_level_that_its_depth_has_stays_and_hunts() -> None:
    scenario = grown("#1.....k..>#", level=2)
    wait(scenario)
    assert scenario.where("k") == (6, 0)


@pytest.mark.rule("F66")
def test_killer_of_a_player_leaves_a_level_sooner() -> None:
    """A killer goes down from where it is above the depth's own level, and stays where it is not."""
    for level, outputs in ((2, ["ChangedLevel"]), (1, [])):
        scenario = grown("#1..#k#>#", level=level, kind="jackal")
        scenario["k"].victims.append(Victim(7, "Ann"))
        scenario["k"].victim_count = 1
        assert [type(output).__name__ for output in wait(scenario).outputs] == outputs


@pytest.mark.rule("F66")
def test_it_never_turns_its_back_on_a_player_beside_it() -> None:
    scenario = grown("#1k>#")
    for _ in range(8):
        assert wait(scenario).outputs == ()
    assert scenario["1"].hp < 500


@pytest.mark.rule("F66")
def test_on_the_stairs_beside_a_player_it_fights_too() -> None:
    scenario = grown("#1k.#")
    scenario.level.dig(scenario["k"].cell, Terrain.STAIRS_DOWN)
    assert wait(scenario).outputs == ()


@pytest.mark.rule("F66")
def test_a_creature_in_its_way_is_passed() -> None:
    scenario = Scenario("#1.....kK.>#", campaign=GLOAM, k="kobold", K="kobold")
    grow(scenario["k"], 3)
    scenario.put_to_sleep("K", 900)
    wait(scenario)
    assert scenario.where("k") == (8, 0)
    assert scenario.where("K") == (7, 0)


@pytest.mark.rule("F66")
def test_where_no_way_leads_stairs_leaves_once() -> None:
    """A monster that no way leads to stairs leaves once no player sees it."""
    scenario = grown("#1..#k#>#", kind="jackal")
    result = wait(scenario)
    assert [type(output) for output in result.outputs] == [ChangedLevel]
    assert read_events(result.events, scenario["1"]) == []


@pytest.mark.rule("F66")
@pytest.mark.parametrize("sign", ["<", "."])
def test_without_stairs_down_it_stays(sign: str) -> None:
    scenario = grown(f"#1.....k..{sign}#")
    for _ in range(8):
        assert wait(scenario).outputs == ()


@pytest.mark.rule("F66")
@pytest.mark.parametrize(("killed", "outputs"), [(1, ["Envelope", "ChangedLevel"]), (0, ["Envelope"])])
def test_player_leaves_level_leaves_no_killer_behind(killed: int, outputs: list[str]) -> None:
    """Time stands still without players: a killer leaves with the last of them; others stay, so that they are seen to go."""
    scenario = grown("#1k...................>#")
    scenario["k"].victims += [Victim(7, "Ann")] * killed
    result = scenario.apply(Leave(scenario["1"].number))
    assert [type(output).__name__ for output in result.outputs] == outputs
    assert bool(scenario.level.creatures) == (not killed)


@pytest.mark.rule("F66", "F40")
def test_killer_of_lone_player_does_not_wait_for_heir() -> None:
    """The killer of a lone player does not wait for the heir."""
    scenario = Scenario("#1k....>#", campaign=GLOAM, k="kobold")
    scenario.set_health("1", hp=1)
    scenario.set_stats("k", attack=90_000)
    outputs: list[str] = []
    for _ in range(20):
        if scenario.alive("1"):
            outputs += [type(output).__name__ for output in wait(scenario).outputs]
    assert outputs == ["PlayerDied", "ChangedLevel"]
    assert (scenario["k"].level, earned_level(scenario.level, scenario["k"])) == (1, 3)


@pytest.mark.rule("F66")
def test_a_classic_keeps_its_grown_ones() -> None:
    scenario = Scenario("#1..........k.>#", campaign=shipped("jsrogue"), k="kobold")
    scenario["k"].level, scenario["k"].experience = 6, 300
    outputs = [wait(scenario).outputs for _ in range(3)]
    assert outputs == [(), (), ()]


def realm() -> Dungeon:
    dungeon = new_dungeon(with_rules(GLOAM, "learning", feud_percent=0), 5)
    populate(dungeon)
    return dungeon


def kobold(level: int) -> Creature:
    creature = new_creature(GLOAM.creatures["kobold"], 99_999)
    grow(creature, level)
    return creature


def where_is(dungeon: Dungeon, number: int) -> int:
    [partition] = [partition for partition, each in dungeon.levels.items() if number in each.creatures]
    return partition


@pytest.mark.thorough
@pytest.mark.rule("F66", "F97")
def test_a_killer_goes_one_depth_at_a_time() -> None:
    """It stays where no player is, until the last one has left the level again; below, it is not where players arrive."""
    dungeon = realm()
    level = dungeon.levels[1]
    stairs = level.terrain.index(Terrain.STAIRS_DOWN)
    killer = kobold(6)
    killer.victims.append(Victim(7, "Ann"))
    dungeon.apply_input(1, Arrive(killer, stairs, (9, 1, 0)))
    assert where_is(dungeon, 99_999) == 1
    dungeon.apply_input(REALM_PARTITION, EnterPlay(1, "Ann"))
    assert where_is(dungeon, 99_999) == 1
    dungeon.apply_input(1, Leave(dungeon.realm.lives[1].number))
    assert where_is(dungeon, 99_999) == 2
    there = dungeon.levels[2]
    found = there.creatures[99_999]
    up = [cell for cell, terrain in enumerate(there.terrain) if terrain == Terrain.STAIRS_UP]
    assert min(there.grid.distance(cell, found.cell) for cell in up) >= 12


@pytest.mark.rule("F97")
def test_who_sees_it_arrive_reads_why() -> None:
    """A follower arrives without that word."""
    scenario = Scenario("#1..<....#", campaign=GLOAM, partition=2)
    stairs = scenario.level.terrain.index(Terrain.STAIRS_UP)
    for leaves, told in (
        (True, "The kobold arrives from above to look for worthier prey."),
        (False, "The kobold arrives."),
    ):
        arriving = kobold(2)
        arriving.number += leaves
        arriving.ai.leaves = leaves
        events = scenario.apply(Arrive(arriving, stairs, (1, 2 - leaves, 0))).events
        assert read_events(events, scenario["1"])[:1] == [told]
        assert not arriving.ai.leaves


@pytest.mark.rule("F97")
@pytest.mark.parametrize(
    ("partition", "above", "goes"), [(1, 1, False), (2, 2, True), (3, 2, False), (4, 2, False), (4, 3, True)]
)
def test_deeper_depths_keep_those_further_above(partition: int, above: int, goes: bool) -> None:
    scenario = Scenario("#1...k..>#", campaign=GLOAM, partition=partition, k="kobold")
    scenario.level.state.difficulty = 100 * partition
    scenario["k"].born_level = partition
    grow(scenario["k"], partition + above)
    events = wait(scenario).events
    assert ("The kobold goes down to look for worthier prey." in read_events(events, scenario["1"])) == goes


@pytest.mark.thorough
@pytest.mark.rule("F66")
def test_before_a_closed_level_it_stays_where_it_is() -> None:
    dungeon = realm()
    dungeon.closed.add(2)
    dungeon.apply_input(1, Arrive(kobold(9), -1, (9, 1, 0)))
    assert 99_999 in dungeon.levels[1].creatures


@pytest.mark.rule("F66")
def test_players_there_see_it_come() -> None:
    dungeon = realm()
    level = dungeon.levels[2]
    up = level.terrain.index(Terrain.STAIRS_UP)
    dungeon.apply_input(REALM_PARTITION, EnterPlay(1, "Ann"))
    ann = dungeon.realm.lives[1].number
    body = dungeon.levels[1].creatures[ann]
    dungeon.levels[1].remove(body)
    dungeon.apply_input(2, Arrive(body, up, (1, 9_999, 0)))
    dungeon.take_batch()
    dungeon.apply_input(2, Arrive(kobold(2), up, (1, 9_999, 1)))
    events = [event for _, event in dungeon.take_batch().events]
    assert "arrives" in kinds(events)
    assert read_events(events, level.creatures[ann]) == ["The kobold arrives."]
