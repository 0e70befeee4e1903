"""Freezing: what is thawed is what was frozen, and the same inputs lead to the same state, here and elsewhere."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gloam_server.rules.dice import Dice
from gloam_server.world.model.creature import Item, new_creature
from gloam_server.world.model.events import Event
from gloam_server.world.model.ids import REALM_PARTITION
from gloam_server.world.model.inputs import EnterPlay, LevelInput, decode
from gloam_server.world.model.level import Level
from gloam_server.world.transition import serialization
from gloam_server.world.transition.apply import apply
from gloam_server.world.transition.dungeon import new_dungeon, populate
from support.content.campaigns import arena
from support.run.hashing import said_under_each_order
from support.scenarios.scenario import E, Scenario
from support.world.random_level import Step, cave, play, seeds, steps


def thawed(level: Level) -> Level:
    return serialization.deserialize_level(
        serialization.serialize_level(level), level.campaign, level.realm_seed
    )


def replay(level: Level, journal: list[bytes]) -> None:
    for body in journal:
        input_ = decode(body)
        assert isinstance(input_, LevelInput)
        apply(level, input_)


@given(seeds, steps)
def test_what_is_thawed_freezes_to_the_same_bytes(seed: int, course: list[Step]) -> None:
    level = cave(seed)
    play(level, course)
    assert serialization.serialize_level(thawed(level)) == serialization.serialize_level(level)


@pytest.mark.thorough
@given(seeds, steps)
def test_a_journal_leads_to_the_same_state_again(seed: int, course: list[Step]) -> None:
    level, twin = cave(seed), cave(seed)
    replay(twin, play(level, course))
    assert serialization.serialize_level(twin) == serialization.serialize_level(level)


@pytest.mark.thorough
@given(seeds, steps, steps)
def test_snapshot_and_tail_lead_same_state(seed: int, before: list[Step], after: list[Step]) -> None:
    """A snapshot and the tail lead to the same state."""
    level = cave(seed)
    play(level, before)
    woken = thawed(level)
    replay(woken, play(level, after))
    assert serialization.state_hash(serialization.serialize_level(woken)) == serialization.state_hash(
        serialization.serialize_level(level)
    )


@given(seeds, steps, steps)
def test_a_thawed_level_tells_the_same_events(seed: int, before: list[Step], after: list[Step]) -> None:
    level = cave(seed)
    play(level, before)
    woken = thawed(level)
    collected: list[Event] = []
    told_again: list[Event] = []
    journal = play(level, after, lambda _level, _input, result: collected.extend(result.events))
    for body in journal:
        input_ = decode(body)
        assert isinstance(input_, LevelInput)
        told_again.extend(apply(woken, input_).events)
    assert told_again == collected


def test_what_is_derived_is_rebuilt() -> None:
    scenario = Scenario("#1k#", k="kobold")
    woken = thawed(scenario.level)
    assert woken.occupied == scenario.level.occupied
    assert woken.taken_handles == scenario.level.taken_handles
    assert woken.field_of_view(woken.creatures[scenario["1"].number]) == scenario.level.field_of_view(
        scenario["1"]
    )


def test_equal_levels_give_equal_bytes_whatever() -> None:
    """Equal levels give equal bytes in any order of their creation."""
    one, other = (Scenario("#1kk#", k="kobold") for _ in range(2))
    item = Item(number=5, kind="corpse", name="bone", colour="white")
    for scenario, order in ((one, (1, 2)), (other, (2, 1))):
        for number in order:
            scenario["1"].contacts[number] = 3
            scenario.level.state.heard[number] = (1, 1)
            scenario.level.wild_turns[number] = 1
            scenario.level.piles[number] = [item]
    assert serialization.serialize_level(one.level) == serialization.serialize_level(other.level)


@given(st.permutations(range(3)))
def test_creatures_saved_number_whatever_order(order: list[int]) -> None:
    """Creatures are saved by number in any order of arrival."""
    level = Scenario("#....#").level
    kind = level.campaign.creatures["kobold"]
    for number in order:
        level.add(new_creature(kind, 10 + number), 1 + number, Dice(1, 1, number))
    assert list(level.creatures) == [10 + number for number in order]
    assert list(thawed(level).creatures) == [10, 11, 12]
    level.remove(level.creatures[11])
    assert list(thawed(level).creatures) == [10, 12]


def test_one_energy_more_is_another_state() -> None:
    one, other = (Scenario("#1.#") for _ in range(2))
    assert serialization.state_hash(serialization.serialize_level(one.level)) == serialization.state_hash(
        serialization.serialize_level(other.level)
    )
    other["1"].energy += 1
    assert serialization.state_hash(serialization.serialize_level(one.level)) != serialization.state_hash(
        serialization.serialize_level(other.level)
    )


def test_a_thawed_level_is_no_part_of_the_frozen_one() -> None:
    scenario = Scenario("#1.#")
    woken = thawed(scenario.level)
    scenario.go("1", E)
    assert woken.creatures[scenario["1"].number].cell == 1


@given(st.binary(max_size=40))
def test_bytes_that_are_no_level_are_refused(body: bytes) -> None:
    with pytest.raises(msgspec.DecodeError):
        serialization.deserialize_level(body, arena(), 1)


def test_the_realm_is_thawed_as_it_was() -> None:
    dungeon = new_dungeon(arena(), 3)
    for account in (3, 1, 2):
        dungeon.apply_input(REALM_PARTITION, EnterPlay(account, f"Player{account}"))
    frozen = serialization.serialize_realm(dungeon.realm)
    assert serialization.deserialize_realm(frozen) == dungeon.realm
    assert serialization.serialize_realm(serialization.deserialize_realm(frozen)) == frozen


def test_a_dungeons_hash_is_that_of_all_its_places() -> None:
    one, other = new_dungeon(arena(monsters=4), 3), new_dungeon(arena(monsters=4), 3)
    for dungeon in (one, other):
        populate(dungeon)
    assert one.state_hash() == other.state_hash()
    other.levels[2].creatures[min(other.levels[2].creatures)].energy += 1
    assert one.state_hash() != other.state_hash()


_CHILD = """
from gloam_server.world.model.events import Event
from gloam_server.world.transition.serialization import serialize_level, state_hash
from support.world.random_level import cave, play
level = cave(11)
play(level, [(n % 10, n * 7919 % 10_000) for n in range(400)])
print(state_hash(serialize_level(level)).hex(), len(level.creatures))
"""


@pytest.mark.thorough
def test_state_not_depend_hash_seed_process() -> None:
    """The state does not depend on the hash seed of the process."""
    output = said_under_each_order("-c", _CHILD)
    assert len(output) == 1


def test_the_dark_and_the_traps_of_a_level_are_kept() -> None:
    level = Scenario("#1.!^#", dark="...xx.").level
    woken = thawed(level)
    assert (woken.dark, woken.traps) == (bytes((0, 0, 0, 1, 1, 0)), {3: "dart", 4: "dart"})
    assert serialization.serialize_level(woken) == serialization.serialize_level(level)


def test_order_traps_set_makes_no_other_state() -> None:
    """The order in which traps were set makes no other state."""
    one, other = Scenario("#1!!#").level, Scenario("#1!!#").level
    other.traps.update({cell: other.traps.pop(cell) for cell in sorted(other.traps)[:1]})
    assert list(one.traps) != list(other.traps)
    assert serialization.serialize_level(one) == serialization.serialize_level(other)


def test_nothing_reported_light_everything_lit() -> None:
    """A level without a record of light is lit everywhere."""
    level = Scenario("#1..#").level
    assert level.dark == bytes(5)
    assert thawed(level).dark == bytes(5)
