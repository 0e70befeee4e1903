"""Any fault at any place in random play: the journal leads to what stands in memory, and nothing is lost or doubled."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gloam_lab.invariants import check_invariants
from gloam_server.engine.faults.fault_isolation import FaultIsolation
from gloam_server.engine.recovery.journal_tail import JournalTail
from gloam_server.engine.recovery.level_rebuild import LevelRebuilder
from gloam_server.engine.recovery.replay import create_world, load_realm, records, verify
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.events import ExperienceGained, ItemCreated, ItemDestroyed
from gloam_server.world.model.ids import REALM_PARTITION
from gloam_server.world.model.inputs import EnterPlay, FreeAction, Leave, PlayerAction, Turn, UnattendedTurn
from gloam_server.world.transition.dungeon import Dungeon
from gloam_server.world.transition.turn_groups import compute_turn_groups
from gloam_shared.protocol.commands import Choose
from support.content.campaigns import arena
from support.run.fault_seam import FaultSeam
from support.server.failing_rules import Broken
from support.server.journal_checks import bodies, things
from support.storage.memory_store import MemoryStore
from support.world.random_level import choose_command, seeds

RECORDERS = (
    TurnContext.record,
    TurnContext.emit,
    TurnContext.emit_item_event,
    TurnContext.emit_private,
)

Step = tuple[int, int, list[int]]
courses = st.lists(
    st.tuples(st.integers(0, 9), st.integers(0, 10_000), st.lists(st.integers(1, 6), max_size=3)),
    min_size=1,
    max_size=40,
)


class Trips:
    """Lets an input fail where it tells of its n-th event, what is left of it at the next n, and so on."""

    def __init__(self, seam: FaultSeam) -> None:
        self.left: list[int] = []
        self.fell = 0
        for recorder in RECORDERS:
            seam.plant(recorder, self._stumbling(recorder))
        rebuild = LevelRebuilder.rebuild

        def steady(rebuilder: LevelRebuilder, partition: int) -> None:
            left, self.left = self.left, []  # what has been carried out once does not fail
            rebuild(rebuilder, partition)
            self.left = left

        seam.plant(rebuild, steady)

    def _stumbling(self, emit: Any) -> Any:
        def emit_or_break(context: TurnContext, *more: Any, **named: Any) -> None:
            emit(context, *more, **named)
            if self.left:
                self.left[0] -= 1
                if not self.left[0]:
                    self.left.pop(0)
                    self.fell += 1
                    raise Broken("telling")

        return emit_or_break


@contextmanager
def stumbling() -> Iterator[Trips]:
    with pytest.MonkeyPatch.context() as patch:
        yield Trips(FaultSeam(patch))


def take_step(dungeon: Dungeon, isolation: FaultIsolation, kind: int, number: int) -> None:
    """Let something happen to one of three players."""
    account = 1 + number % 3
    life = dungeon.realm.lives.get(account)
    if life is None or life.kept is not None:
        isolation.run(REALM_PARTITION, EnterPlay(account, f"Player{account}"))
        return
    level = dungeon.levels[life.partition]
    if life.partition in dungeon.closed:
        return
    if kind == 7:
        isolation.run(level.partition, FreeAction(life.number, 0, Choose(number % 4)))
    elif kind == 6:
        isolation.run(level.partition, UnattendedTurn())
    elif kind == 9 and number % 4 == 0:
        isolation.run(level.partition, Leave(life.number))
    else:
        players = compute_turn_groups(level).of(life.number).players
        acts = [
            PlayerAction(who, 0, choose_command(level, who, number // (at + 2)))
            for at, who in enumerate(players)
        ]
        isolation.run(level.partition, Turn(tuple(acts)))


class Ledger:
    """The state that the events imply: all items, and the experience of all creatures."""

    def __init__(self, dungeon: Dungeon) -> None:
        self._dungeon = dungeon
        self._things = things(dungeon)
        self._learnt = {body.number: body.experience for body in bodies(dungeon)}

    def follow(self, first: int) -> None:
        """Take in the events that were collected from the `first` on, and compare."""
        for _, event in self._dungeon.batch.events[first:]:
            if isinstance(event, ItemCreated):
                self._things.append(event.item)
            elif isinstance(event, ItemDestroyed):
                self._things.remove(event.item)
            elif isinstance(event, ExperienceGained):
                self._learnt[event.creature] = self._learnt.get(event.creature, 0) + event.amount
        assert sorted(self._things) == things(self._dungeon)
        for body in bodies(self._dungeon):
            assert body.experience == self._learnt.setdefault(body.number, 0)


def commit(store: MemoryStore, dungeon: Dungeon, tail: JournalTail) -> None:
    """Append what was applied, as the server does."""
    batch = records(dungeon.take_batch().applied)
    store.journal.append(batch)
    tail.add(batch)


def play(seed: int, course: list[Step]) -> tuple[int, FaultIsolation]:
    """Play a course with its faults, committing now and then; prove that all is whole; return how often something fell."""
    campaign, store = arena(monsters=6), MemoryStore()
    dungeon = create_world(store, campaign, seed, 0)
    tail = JournalTail(dungeon)
    isolation = FaultIsolation(dungeon, tail, lambda *_: None)
    ledger = Ledger(dungeon)
    with stumbling() as trips:
        for kind, number, falls in course:
            first = len(dungeon.batch.events)
            trips.left = list(falls)
            take_step(dungeon, isolation, kind, number)
            trips.left = []
            ledger.follow(first)
            for level in dungeon.levels.values():
                check_invariants(level)
            if number % 3 == 0:
                commit(store, dungeon, tail)
    commit(store, dungeon, tail)
    state = dungeon.state_hash()
    assert verify(store, campaign)[1] == state
    identity = store.directory.identity()
    assert identity is not None
    assert load_realm(store, campaign, identity).state_hash() == state
    return trips.fell, isolation


@given(seeds, courses)
def test_nothing_lost_or_doubled(seed: int, course: list[Step]) -> None:
    """Nothing is lost or doubled and a replay agrees."""
    play(seed, course)


@pytest.mark.thorough
def test_random_faults_are_many_and_of_all_outcomes() -> None:
    fell, toll, closed = 0, 0, 0
    for seed in range(6):
        course = [
            (n % 10, (n * n * 37 + n) % 10_007, [1 + (n + seed) % 4, 2 - (seed > 3)][: n % 3])
            for n in range(120)
        ]
        falls, isolation = play(seed, course)
        fell += falls
        toll += len(isolation.take_report().casualties)
        closed += len(isolation._dungeon.closed)
    assert fell > 50
    assert toll > 20
    assert closed > 0
