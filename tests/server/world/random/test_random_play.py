"""Laws that hold after any event: invariants, handles, numbers, memory, things and experience over random play."""

import pytest
from hypothesis import given

from gloam_lab.invariants import check_invariants
from gloam_server.world.model.events import (
    ChangedLevel,
    DamageDealt,
    ExperienceGained,
    ItemCreated,
    ItemDestroyed,
)
from gloam_server.world.model.inputs import Arrive, LevelInput
from gloam_server.world.model.level import Level
from gloam_server.world.transition.apply import Result
from gloam_shared.appearance import Terrain
from support.content.campaigns import arena
from support.scenarios.scenario import facts, kinds, narrations
from support.world.outputs import departed, stored_bodies
from support.world.random_level import Step, cave, play, seeds, steps


def things(level: Level) -> list[int]:
    """Return the numbers of all things on a level, lying or carried."""
    carried = [item.number for body in level.creatures.values() for item in body.carried]
    return [*carried, *(item.number for _, item in level.items_at())]


@given(seeds, steps)
def test_the_invariants_hold_after_every_input(seed: int, course: list[Step]) -> None:
    play(cave(seed), course, lambda level, _input, _result: check_invariants(level))


@given(seeds, steps)
def test_handles_are_16_bit_and_no_ones_twice(seed: int, course: list[Step]) -> None:
    def look(level: Level, _input: LevelInput, _result: Result) -> None:
        handles = list(level.handles.values())
        assert all(1 <= handle <= 65_535 for handle in handles)
        assert len(handles) == len(set(handles))
        assert level.taken_handles == {handle: number for number, handle in level.handles.items()}

    play(cave(seed), course, look)


@given(seeds, steps)
def test_a_handle_stays_while_one_stays(seed: int, course: list[Step]) -> None:
    known: dict[int, int] = {}

    def look(level: Level, _input: LevelInput, _result: Result) -> None:
        for number in [number for number in known if number not in level.handles]:
            del known[number]
        for number, handle in level.handles.items():
            assert known.setdefault(number, handle) == handle

    play(cave(seed), course, look)


@given(seeds, steps)
def test_numbers_are_never_used_again(seed: int, course: list[Step]) -> None:
    gone: set[int] = set()
    present: set[int] = set()

    def look(level: Level, _input: LevelInput, _result: Result) -> None:
        now = {*level.creatures, *things(level)}
        gone.update(present - now)
        assert not gone & now
        present.clear()
        present.update(now)

    play(cave(seed), course, look)


@given(seeds, steps)
def test_only_seen_cells_are_remembered(seed: int, course: list[Step]) -> None:
    saw: dict[int, set[int]] = {}

    def look(level: Level, _input: LevelInput, _result: Result) -> None:
        for body in level.players():
            sight = level.field_of_view(body)
            cells = saw.setdefault(body.number, set())
            cells.update(cell for cell, seen in enumerate(sight) if seen)
            known = level.memory[body.number]
            assert {cell for cell, what in enumerate(known) if what != Terrain.UNKNOWN} == cells
            assert all(known[cell] == level.terrain[cell] for cell, seen in enumerate(sight) if seen)

    play(cave(seed), course, look)


@given(seeds, steps)
def test_experience_changes_only_by_awards(seed: int, course: list[Step]) -> None:
    level = cave(seed)
    known = {number: body.experience for number, body in level.creatures.items()}

    def look(level: Level, input_: LevelInput, result: Result) -> None:
        if isinstance(input_, Arrive):
            known[input_.creature.number] = input_.creature.experience
        for gain in facts(result.events, ExperienceGained):
            known[gain.creature] += gain.amount
        for number, body in level.creatures.items():
            assert body.experience == known.setdefault(number, 0)

    play(level, course, look)


@given(seeds, steps)
def test_no_creature_vanishes_without_death(seed: int, course: list[Step]) -> None:
    """No one vanishes without a death or a departure."""
    level = cave(seed)
    present = set(level.creatures)

    def look(level: Level, _input: LevelInput, result: Result) -> None:
        assert present - set(level.creatures) <= departed(result)
        present.clear()
        present.update(level.creatures)

    play(level, course, look)


@given(seeds, steps)
def test_things_made_and_unmade_events_name(seed: int, course: list[Step]) -> None:
    """Things are made and unmade only by events that name them."""
    level = cave(seed, campaign=arena(hunger="starve_or_choke"))
    known = set(things(level))

    def look(level: Level, _input: LevelInput, result: Result) -> None:
        known.update(event.item for event in facts(result.events, ItemCreated))
        known.difference_update(event.item for event in facts(result.events, ItemDestroyed))
        climbed = [output.creature for output in result.outputs if isinstance(output, ChangedLevel)]
        for body in (*climbed, *stored_bodies(result.outputs)):  # it leaves with everything that it carries
            known.difference_update(item.number for item in body.carried)
        assert known == set(things(level))
        check_invariants(level)

    play(level, course, look)


@given(seeds, steps)
def test_a_thing_is_unmade_only_by_its_last_bite(seed: int, course: list[Step]) -> None:
    def look(_level: Level, _input: LevelInput, result: Result) -> None:
        last = [
            event.target for event in narrations(result.events) if event.kind == "eats" and not event.amount
        ]
        assert last == [event.item for event in facts(result.events, ItemDestroyed)]

    play(cave(seed, campaign=arena(hunger="starve_or_choke")), course, look)


@given(seeds, steps)
def test_food_changes_only_by_actions_and_bites(seed: int, course: list[Step]) -> None:
    level = cave(seed, campaign=arena(hunger="starve_or_choke"))
    known: dict[int, int] = {}

    def look(level: Level, _input: LevelInput, result: Result) -> None:
        eaters = {event.actor for event in narrations(result.events) if event.kind == "eats"}
        for body in level.players():
            before = known.get(body.number, 30 + body.actions) - body.actions
            if body.number in known and body.number not in eaters:
                assert body.food == before
            known[body.number] = body.food + body.actions
        assert all(not body.food for body in level.creatures.values() if not body.account)

    play(level, course, look)


@given(seeds, steps)
def test_players_never_hurt_each_other(seed: int, course: list[Step]) -> None:
    players: set[int] = set()

    def look(level: Level, _input: LevelInput, result: Result) -> None:
        players.update(body.number for body in level.players())
        for damage in facts(result.events, DamageDealt):
            assert not (damage.attacker in players and damage.victim in players)

    play(cave(seed), course, look)


@pytest.mark.thorough
def test_random_play_is_not_idle() -> None:
    names: set[str] = set()
    for seed in range(15):
        play(
            cave(seed, campaign=arena(hunger="starve_or_choke")),
            [(n % 10, (n * n * 37 + n) % 10_007) for n in range(200)],
            lambda _level, _input, result: names.update(kinds(result.events)),
        )
    assert names >= {"strikes", "kills", "ExperienceGained", "advances", "spreads", "digs", "arrives"}
    assert names >= {"picks_up", "drops", "eats", "wields", "wears", "finds", "hunger", "starves"}
