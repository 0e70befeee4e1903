"""One level by itself: handles, numbers, memory, piles and the invariants that watch over them."""

from collections.abc import Callable

import pytest

from gloam_lab.invariants import check_invariants
from gloam_server.rules.dice import Dice
from gloam_server.world.effects.map_memory import update_map_memory
from gloam_server.world.model.creature import Item, new_creature
from gloam_server.world.model.ids import new_id
from gloam_server.world.model.level import Level
from gloam_shared.appearance import Terrain
from support.scenarios.scenario import E, Scenario, W


class LoadedDice(Dice):
    """Dice that show what a test says, and then again."""

    def __init__(self, *shown: int) -> None:
        super().__init__(1, 1, 1)
        self.shown = list(shown)

    def roll(self, purpose: str, who: int, sides: int) -> int:  # noqa: ARG002  # as the real dice
        assert (purpose, sides) == ("handle", 65_535)
        return self.shown.pop(0)


def test_a_handle_that_is_taken_is_drawn_again() -> None:
    scenario = Scenario("#1..#")
    taken = scenario.level.handles[scenario["1"].number]
    kobold = new_creature(scenario.level.campaign.creatures["kobold"], 99)
    scenario.level.add(kobold, 2, LoadedDice(taken - 1, taken - 1, 41))
    assert scenario.level.handles[99] == 42


def test_a_handle_is_never_nought_and_fits_in_16_bits() -> None:
    scenario = Scenario("#...#")
    for number, shown in ((1, 0), (2, 65_534)):
        scenario.level.give_handle(number, LoadedDice(shown))
    assert sorted(scenario.level.handles.values()) == [1, 65_535]


def test_a_handle_that_is_dropped_is_free_again() -> None:
    scenario = Scenario("#1#")
    number = scenario["1"].number
    scenario.level.remove(scenario["1"])
    assert number not in scenario.level.handles
    assert scenario.level.taken_handles == {}


def test_players_body_comes_back_handle_unless() -> None:
    """A player's body that returns has its handle unless that was given away."""
    scenario = Scenario("#1..#")
    level, body = scenario.level, scenario["1"]
    body.account = 1
    before = level.handles[body.number]
    level.remove(body)
    level.add(body, 1, LoadedDice())
    assert level.handles[body.number] == before
    level.remove(body)
    level.add(new_creature(level.campaign.creatures["kobold"], 99), 2, LoadedDice(before - 1))
    level.add(body, 1, LoadedDice(41))
    assert (level.handles[99], level.handles[body.number]) == (before, 42)


def test_handles_tell_nothing_numbers() -> None:
    """Handles tell nothing of numbers and are drawn again on each level."""
    one, other = Scenario("#1.#", partition=1), Scenario("#1.#", partition=2)
    assert one.level.handles != other.level.handles


def test_numbers_are_minted_realm_wide_and_in_order() -> None:
    one, other = Scenario("#..#", partition=1).level, Scenario("#..#", partition=2).level
    minted = [level.new_id() for level in (one, other) for _ in range(50)]
    assert len(set(minted)) == 100
    assert new_id(3, 1) == 1_027


def test_two_bodies_never_share_a_cell() -> None:
    scenario = Scenario("#1.#")
    kobold = new_creature(scenario.level.campaign.creatures["kobold"], 99)
    with pytest.raises(ValueError, match="not free"):
        scenario.level.add(kobold, scenario["1"].cell, Dice(1, 1, 1))
    with pytest.raises(ValueError, match="not free"):
        scenario.level.add(kobold, 0, Dice(1, 1, 1))


def test_stairs_are_free_but_never_bare() -> None:
    level = Scenario("#>.1#").level
    assert [level.is_free(cell) for cell in range(5)] == [False, True, True, False, False]
    assert [level.is_empty_floor(cell) for cell in range(5)] == [False, False, True, False, False]


def test_memory_keeps_what_was_seen_and_nothing_else() -> None:
    scenario = Scenario("#1.......>#")
    known = scenario.level.memory[scenario["1"].number]
    assert known[7] == Terrain.FLOOR
    assert known[8] == known[9] == Terrain.UNKNOWN
    for _ in range(2):
        scenario.go("1", E)
    assert known[9] == Terrain.STAIRS_DOWN
    for _ in range(2):
        scenario.go("1", W)
    assert not scenario.level.field_of_view(scenario["1"])[9]
    assert known[9] == Terrain.STAIRS_DOWN


def test_changes_sight_remembered() -> None:
    """A change out of sight leaves the memory as it was."""
    scenario = Scenario("#######\n#1#2#.#\n#######")
    scenario.go("2", E)
    assert scenario.level.terrain[11] == Terrain.FLOOR
    assert scenario.level.memory[scenario["1"].number][11] == Terrain.UNKNOWN
    scenario = Scenario("##########\n#1.....#2#\n##########")
    known = scenario.level.memory[scenario["1"].number]
    assert known[17] == Terrain.WALL
    for _ in range(3):
        scenario.level.move(scenario["1"], 11)
    scenario.set_stats("1", sight=2)
    scenario.go("2", W)
    assert scenario.level.terrain[17] == Terrain.FLOOR
    assert known[17] == Terrain.WALL


def test_every_life_has_a_memory_of_its_own() -> None:
    scenario = Scenario("#1#2#")
    one, other = (scenario.level.memory[scenario[sign].number] for sign in "12")
    assert one[1] == other[3] == Terrain.FLOOR
    assert one[3] == other[1] == Terrain.UNKNOWN


def test_monsters_remember_nothing() -> None:
    scenario = Scenario("#1k#", k="kobold")
    update_map_memory(scenario.level)
    assert list(scenario.level.memory) == [scenario["1"].number]


def test_things_are_laid_on_top() -> None:
    level = Scenario("#..#").level
    for number in (5, 6):
        level.put_item(
            Item(number=number, kind="corpse", name=f"thing {number}", colour="white"), 1, Dice(1, 1, 1)
        )
    assert [item.number for item in level.piles[1]] == [5, 6]
    assert sorted(level.handles) == [5, 6]


def _lost(level: Level) -> None:
    level.occupied.clear()


def _dead(level: Level) -> None:
    next(iter(level.creatures.values())).hp = 0


def _too_healthy(level: Level) -> None:
    body = next(iter(level.creatures.values()))
    body.hp = body.hp_max + 1


def _in_rock(level: Level) -> None:
    level.terrain[next(iter(level.creatures.values())).cell] = Terrain.WALL


def _owing(level: Level) -> None:
    next(iter(level.creatures.values())).energy = -1_001


def _not_raised(level: Level) -> None:
    next(iter(level.creatures.values())).experience = 10


def _nameless(level: Level) -> None:
    level.handles.clear()


def _one_handle(level: Level) -> None:
    level.handles.update(dict.fromkeys(level.handles, 7))


def _not_saved(level: Level) -> None:
    level.state.bodies.pop()


def _twice(level: Level) -> None:
    item = Item(number=5, kind="corpse", name="bone", colour="white")
    level.put_item(item, 1, Dice(1, 1, 1))
    level.piles[2] = [item]


@pytest.mark.parametrize(
    "harm",
    [_lost, _dead, _too_healthy, _in_rock, _owing, _not_raised, _not_saved, _nameless, _one_handle, _twice],
)
def test_the_invariants_notice(harm: Callable[[Level], None]) -> None:
    level = Scenario("#1.k#", k="kobold").level
    check_invariants(level)
    harm(level)
    with pytest.raises(AssertionError):
        check_invariants(level)
