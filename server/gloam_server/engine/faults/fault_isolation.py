"""Fault isolation: a failing rule costs the acting creature, at worst its level, never the server.

An input and all its effects on other partitions are carried out completely or not at all. If a rule fails,
every changed partition is restored, a separate input removes the creature that acted, and the rest continues
without it. Without a fault, this costs only one comparison of the number of outputs.
"""

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from gloam_server.engine.journal_budget import JournalBudget
from gloam_server.engine.recovery.journal_tail import JournalTail
from gloam_server.engine.recovery.level_rebuild import LevelRebuilder
from gloam_server.world.growth.beacons import is_warden
from gloam_server.world.model import inputs
from gloam_server.world.model.context import RuleFault
from gloam_server.world.model.ids import REALM_PARTITION
from gloam_server.world.model.level import Level
from gloam_server.world.transition.dungeon import Dungeon, Savepoint
from gloam_shared.level_numbers import PartitionId

WHY: Final = "a fault of the rules"
"""The reason for a removal, as stored in the journal."""

TAKEN_OUT: Final = (
    "A fault in the server's rules stopped your last action. You were taken out unhurt, with all that you carry: "
    "join again to go on. The host has a report."
)
ENTRY_CLOSED: Final = (
    "A fault in the server's rules keeps you from coming in. Nothing of yours is lost: try again later. "
    "The host has a report."
)
LEVEL_CLOSED: Final = (
    "You stand on a level that a fault in the server's rules has closed. Nothing of yours is lost: "
    "join again when the host has mended it and started the server again."
)
_TRIES_MAX: Final = 1_000
_log: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RemovedPlayer:
    """A player removed by a fault, by account, and the message to them."""

    account: int
    words: str


@dataclass(slots=True)
class FaultReport:
    """The consequences of faults since the last call: messages to removed players, and messages to all players."""

    casualties: list[RemovedPlayer]
    lines: list[str]


class FaultIsolation:
    """Carries out inputs on a dungeon. `report` is called for each fault with the activity, `budget` is charged."""

    def __init__(
        self,
        dungeon: Dungeon,
        tail: JournalTail,
        report: Callable[[str, Exception], None],
        budget: JournalBudget | None = None,
    ) -> None:
        self._dungeon = dungeon
        self._budget = budget
        self._report = report
        self._rebuilder = LevelRebuilder(dungeon, tail)
        self._consequences = FaultReport([], [])
        self._restored: set[int] = set()

    def run(self, partition: PartitionId, input_: inputs.Input) -> bool:
        """Carry out an input with all its effects; return whether nothing failed.

        After a fault, its part of the dungeon is as before, without the creature at fault. All inputs except a turn
        have then been carried out again; for a turn, the turn group must decide again who plays in it.
        """
        if self._budget is not None:
            self._budget.begin(partition, input_)
        for tries in range(_TRIES_MAX):
            mark = self._dungeon.savepoint()
            try:
                self._dungeon.apply_input(partition, input_)
            except RuleFault as fault:
                self._undo(mark, fault, f"{type(input_).__name__} of partition {partition}")
                left = self._without(partition, input_, fault)
            else:
                if self._budget is not None:
                    self._budget.charge(self._dungeon.batch.applied[mark.applied :])
                return tries == 0
            if left is None or partition in self._dungeon.closed:
                return False
            input_ = left
        self._close_level(partition)
        return False

    def run_all(self, find: Callable[[], Iterable[tuple[int, inputs.Input]]]) -> None:
        """Carry out the inputs that a function returns. A fault in that function skips only this call."""
        try:
            found = list(find())
        except RuleFault as fault:
            self.quarantine(fault)
        except Exception as error:  # noqa: BLE001  # the next batch looks again
            self._report("looking after players", error)
        else:
            for partition, input_ in found:
                self.run(partition, input_)

    def quarantine(self, fault: RuleFault) -> None:
        """Remove the creature at fault after a fault outside of an input, or else close the level."""
        self._report("a look at a level", fault)
        if not self._remove_creature(fault.creature):
            self._close_level(fault.partition)

    def take_report(self) -> FaultReport:
        """Return the consequences of faults since the last call."""
        consequences, self._consequences = self._consequences, FaultReport([], [])
        return consequences

    def _undo(self, mark: Savepoint, fault: RuleFault, what: str) -> None:
        """Restore every partition that an input changed, and report the fault."""
        try:
            for partition in sorted({*self._dungeon.rollback(mark), fault.partition}):
                if partition in self._dungeon.partitions():
                    self._rebuilder.rebuild(partition)
        finally:
            self._report(what, fault)

    def _without(self, partition: PartitionId, input_: inputs.Input, fault: RuleFault) -> inputs.Input | None:
        """Remove the creature at fault; return the input that remains to be carried out, if any."""
        if self._remove_creature(fault.creature):
            mine = (
                isinstance(input_, inputs.FreeAction | inputs.Leave | inputs.TakeKit)
                and input_.player == fault.creature
            )
            return None if mine or isinstance(input_, inputs.Turn | inputs.Arrive) else input_
        match input_:
            case inputs.EnterPlay(account, name, keepsake, beside, beacon):
                if keepsake or beside is not None or beacon:
                    return inputs.EnterPlay(account, name)
                self._consequences.casualties.append(RemovedPlayer(account, ENTRY_CLOSED))
                return None
            case inputs.RestoreLife(account):
                self._consequences.casualties.append(RemovedPlayer(account, ENTRY_CLOSED))
                return None
            case inputs.Arrive() | inputs.ArchiveLife():
                return None
            case _:
                self._close_level(fault.partition if fault.partition in self._dungeon.levels else partition)
                own = partition == REALM_PARTITION  # no level is at fault: the same input would fail again
                return None if own or isinstance(input_, inputs.Turn) else input_

    def _remove_creature(self, number: int) -> bool:
        """Remove a creature from its level, and close that level if this fails, too.

        Return False if the creature is on no level.
        """
        for partition, level in self._dungeon.levels.items():
            creature = level.creatures.get(number)
            if creature is not None and partition not in self._dungeon.closed:
                is_boss = level.campaign.creatures[creature.kind].boss or is_warden(level, creature)
                if not self._remove(partition, number, TAKEN_OUT):
                    self._close_level(partition)
                elif is_boss:
                    self._restore_once(partition, creature.kind)
                return True
        return False

    def _remove(self, partition: PartitionId, number: int, words: str) -> bool:
        level = self._dungeon.levels[partition]
        account = level.creatures[number].account
        if not self._once(partition, inputs.Remove(number, WHY, _source(level)), "a removal"):
            return False
        if account:
            self._consequences.casualties.append(RemovedPlayer(account, words))
        return True

    def _restore_once(self, partition: PartitionId, kind: str) -> None:
        """Create a removed boss again, because no player could win without it. If that fails too, the level has no boss."""
        if partition not in self._restored:
            self._restored.add(partition)
            self._once(
                partition, inputs.Respawn(kind, _source(self._dungeon.levels[partition])), "a boss's return"
            )

    def _once(self, partition: PartitionId, input_: inputs.Input, what: str) -> bool:
        """Carry out an input of the server's own, or change nothing."""
        mark = self._dungeon.savepoint()
        try:
            self._dungeon.apply_input(partition, input_)
        except RuleFault as fault:
            self._undo(mark, fault, what)
            return False
        return True

    def _close_level(self, partition: PartitionId) -> None:
        """Remove every player from a level, and allow no arrivals and no turns there until the server restarts."""
        level = self._dungeon.levels.get(partition)
        if level is None or partition in self._dungeon.closed:
            return
        self._dungeon.close(partition)
        words = (
            f"Level {level.depth} is closed by a fault in the server's rules. You were taken out unhurt, with all that "
            "you carry: join again to go on elsewhere. The host has a report."
        )
        for body in level.players():
            if not self._remove(partition, body.number, words):
                self._consequences.casualties.append(RemovedPlayer(body.account, LEVEL_CLOSED))
        self._consequences.lines.append(
            f"Level {level.depth} is closed until the server starts again: a fault in its rules. The host has a report."
        )
        _log.error("partition %d is closed until the server starts again", partition)


def _source(level: Level) -> tuple[int, int, int]:
    """Return the origin of an input that a level gives itself: its next sequence number, used only once."""
    return level.partition, level.state.sequence + 1, 0
