"""The commit queue: writes one batch at a time, and retries until it is durable.

No input is applied during an append. Callbacks that wait for it are queued here and called in order.
"""

import logging
from collections.abc import Callable
from typing import Final

from twisted.internet.defer import Deferred, succeed
from twisted.python.failure import Failure

from gloam_server.engine.archive.archived_lives import archive_change
from gloam_server.engine.daily_check import DailyCheck
from gloam_server.engine.faults.fault_reporter import FaultReporter
from gloam_server.engine.game_clock import GameClock
from gloam_server.engine.journal_budget import journal_size
from gloam_server.engine.ladder.ended_lives import ended_lives
from gloam_server.engine.ladder.ladder import RealmLadder
from gloam_server.engine.loop_state import Event, LoopState, State
from gloam_server.engine.recovery.replay import batch_records, initial_snapshots
from gloam_server.engine.recovery.snapshot_schedule import SnapshotSchedule
from gloam_server.engine.server_statistics import ServerStatistics
from gloam_server.storage.archive import ArchiveChange
from gloam_server.storage.journal import Death, Record, Snapshot, WrongSequence
from gloam_server.storage.writer import Writer
from gloam_server.world.transition.dungeon import Batch, Dungeon

RETRY_S: Final = 1.0
"""The delay before a failed append is retried."""

_DISK_BANNER: Final = (
    "The server cannot write to its disk. The dungeon stands still until it can; nothing is lost."
)
_log: Final = logging.getLogger(__name__)


class CommitQueue:
    """Makes batches durable, then takes snapshots and deletes old records.

    `banner` shows players a text until an empty one removes it. `fatal` is called when another server has
    opened the world.
    """

    def __init__(
        self,
        dungeon: Dungeon,
        writer: Writer,
        clock: GameClock,
        statistics: ServerStatistics,
        reporter: FaultReporter,
        ladder: RealmLadder,
        *,
        banner: Callable[[str], None],
        fatal: Callable[[str], None],
    ) -> None:
        self.state = LoopState()
        self._dungeon = dungeon
        self._writer = writer
        self._clock = clock
        self._statistics = statistics
        self._reporter = reporter
        self._ladder = ladder
        self._banner = banner
        self._fatal = fatal
        self._snapshots = SnapshotSchedule(
            dungeon,
            writer.journal,
            lambda place, error: reporter.report(f"a snapshot of place {place}", error),
        )
        self._check = DailyCheck(writer, statistics)
        self._waiting: list[Callable[[], None]] = []
        self._stopping: list[Deferred[None]] = []

    def commit(self, batch: Batch) -> Deferred[None]:
        """Append a batch. Fires when it is durable; never if that has become impossible."""
        self.state.change(Event.APPEND)
        snapshots = [*self._snapshots.due(), *initial_snapshots(batch)]
        deaths = ended_lives(batch, self._clock.wall_s())
        archive = archive_change(batch)
        size = journal_size(batch.applied)
        self._statistics.journal_bytes += size
        self._statistics.journal_hour.add(size, self._clock.seconds())
        appended = self._append(batch_records(self._dungeon, batch.applied), snapshots, deaths, archive)
        return appended.addCallback(lambda _: self._keep_house(snapshots, deaths))

    def when_durable(self, call: Callable[[], None]) -> None:
        """Call a function when everything applied is durable: now, or after the present batch."""
        if self.state.is_durable:
            call()
        else:
            self._waiting.append(call)

    def after_next(self, call: Callable[[], None]) -> None:
        """Call a function after the next append, even if none is under way yet."""
        self._waiting.append(call)

    def run_waiting(self) -> None:
        """Call the functions that waited for the batch, which is durable now."""
        calls, self._waiting = self._waiting, []
        for call in calls:
            try:
                call()
            except Exception as error:  # noqa: BLE001  # one answer that fails must not cost the others theirs
                self._reporter.report("what follows a batch", error)

    def finish(self) -> None:
        """End the present batch, which is published; continue a stop that waits for it."""
        self.state.change(Event.PUBLISHED)
        self._release()

    def halt(self) -> None:
        """Take no more batches and no snapshots: the state in memory is permanently ahead of the journal."""
        self.state.change(Event.HALT)
        self._release()

    def stop(self) -> Deferred[None]:
        """Take no more batches, finish the present one, snapshot each changed partition.

        Fires when that is durable.

        A batch that the disk refuses is dropped: no player has seen it.
        """
        self.state.change(Event.STOP)
        done: Deferred[None] = Deferred()
        self._stopping.append(done)
        self._release()
        return done.addCallback(lambda _: self._final_snapshots())

    def _release(self) -> None:
        """Continue the stops that wait, if the last batch has ended."""
        if not self.state.has_ended:
            return
        waiting, self._stopping = self._stopping, []
        for each in waiting:
            each.callback(None)

    def _append(
        self, batch: list[Record], snapshots: list[Snapshot], deaths: list[Death], archive: ArchiveChange
    ) -> Deferred[None]:
        """Append a batch; if the disk refuses it, keep it and retry each second."""
        self._statistics.asked_s = began_s = self._clock.seconds()
        return self._writer.append(batch, snapshots, deaths, archive).addCallbacks(
            lambda _: self._accepted(began_s),
            lambda failure: self._refused(
                failure, len(batch), lambda: self._append(batch, snapshots, deaths, archive)
            ),
        )

    def _accepted(self, began_s: float) -> None:
        self.state.change(Event.DURABLE)
        self._statistics.appended(began_s, self._clock.seconds())
        self._banner("")

    def _refused(
        self, failure: Failure, inputs: int, append_again: Callable[[], Deferred[None]]
    ) -> Deferred[None]:
        if isinstance(failure.value, WrongSequence):
            self.halt()
            self._fatal(failure.getErrorMessage())
            return Deferred()
        self._statistics.refused()
        _log.error("the journal refuses a batch of %d inputs: %s", inputs, failure.getErrorMessage())
        if self.state.is_ending:
            self.halt()
            return Deferred()
        self._banner(_DISK_BANNER)
        again: Deferred[None] = Deferred()
        self._clock.reactor.callLater(RETRY_S, again.callback, None)
        return again.addCallback(lambda _: append_again())

    def _keep_house(self, snapshots: list[Snapshot], deaths: list[Death]) -> None:
        self._ladder.add(deaths)
        if deaths and (gone := self._ladder.drop_excess()):
            self._writer.call(self._writer.journal.drop_deaths, gone).addErrback(
                lambda failure: _log.error("old lives stay in the ladder: %s", failure.getErrorMessage())
            )
        self._snapshots.mark_durable(snapshots)
        self._statistics.snapshots += len(snapshots)
        if snapshots:
            self._retain()
        self._check.go_on(self._clock.wall_s())

    def _final_snapshots(self) -> Deferred[None]:
        if self.state.now is State.HALTED:
            return succeed(None)
        return (
            self._writer.append((), self._snapshots.all_moved())
            .addCallback(lambda _: self._retain())
            .addErrback(
                lambda failure: _log.error(
                    "the last snapshots were not written (%s); the journal has everything",
                    failure.getErrorMessage(),
                )
            )
        )

    def _retain(self) -> Deferred[None]:
        """Delete old records, some at a time, until none is old enough.

        Batches may start meanwhile, and wait a few milliseconds at most.
        """
        return self._writer.call(self._writer.journal.retain, self._clock.wall_s()).addCallbacks(
            lambda dropped: self._retain() if dropped and not self.state.is_ending else None,
            lambda failure: _log.error(
                "old records of the journal were not let go: %s; play goes on", failure.getErrorMessage()
            ),
        )
