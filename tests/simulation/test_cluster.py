"""The simulation of a turn process with view processes and standbys: nothing breaks, and each of these planted faults is found.

`make simulate CLUSTER=1 HOURS=n` lives through more of it.
"""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from msgspec import MsgspecError
from twisted.internet.defer import Deferred, succeed
from twisted.python.failure import Failure

from gloam_server.engine.commit_queue import CommitQueue
from gloam_server.link.link_messages import DurableRecord
from gloam_server.link.replica import Replica
from gloam_server.storage.errors import WrongSequence
from gloam_server.storage.journal import Record
from gloam_server.world.model.context import RuleFault
from gloam_server.world.model.inputs import decode
from support.link.sim_cluster import KINDS, ClusterSimulation
from support.run.effort import effort
from support.run.fault_seam import FaultSeam
from support.simulation.simulate import Broken
from support.storage.memory_journal import MemoryJournal

pytestmark = pytest.mark.unchecked  # the replicas check each other, and the other simulations what is kept
SEEDS = effort(2, 16)
STEPS = effort(150, 300)
SEEDS_MAX = 100
"""The most seeds until a planted fault is found."""


@pytest.mark.parametrize("seed", range(SEEDS))
def test_nothing_that_must_hold_is_broken(seed: int) -> None:
    """Replicas are never ahead and never differ, each command is done once, and at the end all play on."""
    simulation = ClusterSimulation(seed, STEPS).run()
    assert simulation.shadow.inputs > STEPS / 4


@pytest.mark.thorough
def test_each_fault_happens() -> None:
    happened = [ClusterSimulation(seed, STEPS).run().faults for seed in range(3)]
    assert {kind for faults in happened for kind in faults} == {*KINDS}


def test_a_seed_is_one_run() -> None:
    first, again = (ClusterSimulation(3, 60).run() for _ in range(2))
    assert (first.faults, first.hours) == (again.faults, again.hours)
    assert first.server.dungeon.state_hash() == again.server.dungeon.state_hash()


def has_no_fence(seam: FaultSeam) -> None:
    """A former owner may append."""
    seam.plant(MemoryJournal.require_claim, lambda _: None)


def shows_before_the_append(seam: FaultSeam) -> None:
    """A batch counts as durable as soon as its append begins."""

    def append(queue: CommitQueue, records: Sequence[Record], rows: Sequence[Callable[[], None]]) -> Any:
        queue._writer.append(records, rows).addErrback(lambda _: None)
        queue._accepted(queue._clock.seconds())
        return succeed(None)

    seam.plant(CommitQueue._append, append)


def goes_on_after_an_unknown_append(seam: FaultSeam) -> None:
    """An append without an answer counts as done, and the next one follows it."""
    refused = CommitQueue._refused

    def go_on(queue: CommitQueue, failure: Failure, *given: Any) -> Deferred[None]:
        if isinstance(failure.value, WrongSequence):
            return refused(queue, failure, *given)
        queue._accepted(queue._clock.seconds())
        return succeed(None)

    seam.plant(CommitQueue._refused, go_on)


def ignores_a_gap(seam: FaultSeam) -> None:
    """A replica applies a record that does not follow, and compares nothing after it."""
    look_away(seam, at_gaps=True)


def ignores_a_digest(seam: FaultSeam) -> None:
    """A replica compares no digest."""
    look_away(seam, at_gaps=False)


def look_away(seam: FaultSeam, *, at_gaps: bool) -> None:
    """Let replicas apply without a look the records that follow, or those that do not."""
    apply = Replica._apply

    def applied(replica: Replica, record: DurableRecord) -> None:
        is_gap = record.sequence != replica.dungeon.sequence(record.partition) + 1
        (applied_without_a_look if is_gap == at_gaps else apply)(replica, record)

    seam.plant(Replica._apply, applied)


def applied_without_a_look(replica: Replica, record: DurableRecord) -> None:
    try:
        replica.dungeon.follow_input(record.partition, decode(record.body), record.body)
    except (RuleFault, MsgspecError) as error:
        raise replica._differs(record, f"it cannot be applied: {error}") from error


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("plant", "words"),
    [
        (
            has_no_fence,
            "stopped that did not hang|did command|is not the journal's|got no answer|not in play",
        ),
        (shows_before_the_append, "are durable"),
        (goes_on_after_an_unknown_append, "stopped that did not hang|are durable|got no answer|not in play"),
        (ignores_a_gap, "are durable|differs|is not the journal's"),
        (ignores_a_digest, "differs|is not the journal's"),
    ],
)
def test_a_planted_fault_is_found(plant: Callable[[FaultSeam], None], words: str, seam: FaultSeam) -> None:
    plant(seam)
    with pytest.raises(Broken, match=words):
        live_through(range(SEEDS_MAX))


def live_through(seeds: Sequence[int]) -> None:
    for seed in seeds:
        ClusterSimulation(seed, STEPS).run()
