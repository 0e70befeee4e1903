"""The commit queue: writes one batch at a time, and retries until it is durable.

No input is applied during an append. Callbacks that wait for it are queued here and called in order.
"""

import logging
from collections.abc import Callable
from functools import partial
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
from gloam_server.engine.messages import Banner, Views
from gloam_server.engine.recovery.journal_tail import JournalTail
from gloam_server.engine.recovery.replay import batch_records, initial_snapshots
from gloam_server.engine.recovery.snapshot_schedule import SnapshotSchedule
from gloam_server.engine.server_statistics import ServerStatistics
from gloam_server.storage.archive import NO_CHANGE, ArchiveChange
from gloam_server.storage.directory import Death
from gloam_server.storage.errors import WrongSequence
from gloam_server.storage.journal import Record
from gloam_server.storage.snapshots import Snapshot
from gloam_server.storage.writer import Writer
from gloam_server.world.transition.dungeon import Batch, Dungeon

RETRY_S: Final = 1.0
"""The time from the beginning of a failed append to the next attempt; one that took longer is followed without a pause."""

_DISK_BANNER: Final = (
    "The server cannot write to its disk. The dungeon stands still until it can; nothing is lost."
)
_log: Final = logging.getLogger(__name__)


class CommitQueue:
    """Makes batches durable, then takes snapshots and deletes old records.

    While the disk refuses a batch, players see a banner. `fatal` is called when another server has
    opened the world.
    """

    def __init__(
        self,
        state: LoopState,
        dungeon: Dungeon,
        writer: Writer,
        clock: GameClock,
        statistics: ServerStatistics,
        reporter: FaultReporter,
        ladder: RealmLadder,
        tail: JournalTail,
        views: Views,
        fatal: Callable[[str], None],
    ) -> None:
        self.state = state
        self._dungeon = dungeon
        self._writer = writer
        self._clock = clock
        self._statistics = statistics
        self._reporter = reporter
        self._ladder = ladder
        self._tail = tail
        self._views = views
        self._fatal = fatal
        self._snapshots = SnapshotSchedule(
            dungeon,
            writer.store.snapshots,
            lambda partition, error: reporter.report(f"a snapshot of partition {partition}", error),
        )
        self._check = DailyCheck(writer, statistics)
        self._has_banner = False
        self._waiting: list[Callable[[], None]] = []
        self._stopping: list[Deferred[None]] = []

    def commit(self, batch: Batch) -> Deferred[list[Record]]:
        """Append a batch. Fires with its records when it is durable; never if that has become impossible."""
        self.state.change(Event.APPEND)
        snapshots, opened = self._snapshots.due(), initial_snapshots(batch)
        deaths = ended_lives(batch, self._clock.wall_s())
        rows = self._rows(opened, deaths, archive_change(batch))
        records = batch_records(self._dungeon, batch.applied)
        size = journal_size(batch.applied)
        self._statistics.journal_bytes += size
        self._statistics.journal_hour.add(size, self._clock.seconds())
        return self._append(records, rows).addCallback(
            lambda _: self._keep_house(records, opened, snapshots, deaths)
        )

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

    def _rows(
        self, opened: list[Snapshot], deaths: list[Death], archive: ArchiveChange
    ) -> list[Callable[[], None]]:
        """Return what must be durable with a batch's records, because a replay of them could not write it again.

        No record has the time of a death; a life that goes out of memory is nowhere else; and the first state of a level
        of a later round depends on the states of the others at that moment.
        """
        store = self._writer.store
        rows: list[Callable[[], None]] = []
        if opened:
            rows.append(partial(store.snapshots.put, opened))
        if deaths:
            rows.append(partial(store.directory.write_deaths, deaths))
        if archive != NO_CHANGE:
            rows.append(partial(store.directory.write_archive, archive))
        return rows

    def _append(self, records: list[Record], rows: list[Callable[[], None]]) -> Deferred[None]:
        """Append a batch; if the disk refuses it, keep it and try again each second."""
        self._statistics.asked_s = began_s = self._clock.seconds()
        return self._writer.append(records, rows).addCallbacks(
            lambda _: self._accepted(began_s),
            lambda failure: self._refused(
                failure, len(records), began_s + RETRY_S, lambda: self._append(records, rows)
            ),
        )

    def _accepted(self, began_s: float) -> None:
        self.state.change(Event.DURABLE)
        self._statistics.appended(began_s, self._clock.seconds())
        if self._has_banner:
            self._has_banner = False
            self._views.take(Banner(""))

    def _refused(
        self, failure: Failure, inputs: int, again_s: float, append_again: Callable[[], Deferred[None]]
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
        self._has_banner = True
        self._views.take(Banner(_DISK_BANNER))
        again: Deferred[None] = Deferred()
        self._clock.reactor.callLater(max(0.0, again_s - self._clock.seconds()), again.callback, None)
        return again.addCallback(lambda _: append_again())

    def _keep_house(
        self, records: list[Record], opened: list[Snapshot], snapshots: list[Snapshot], deaths: list[Death]
    ) -> list[Record]:
        self._tail.add(records)
        self._tail.rebase([*opened, *snapshots])
        self._ladder.add(deaths)
        if deaths and (gone := self._ladder.drop_excess()):
            self._writer.call(self._writer.directory.drop_deaths, gone).addErrback(
                lambda failure: _log.error("old lives stay in the ladder: %s", failure.getErrorMessage())
            )
        self._statistics.snapshots += len(opened)
        if snapshots:
            self._put(snapshots)
        self._check.go_on(self._clock.wall_s())
        return records

    def _put(self, snapshots: list[Snapshot]) -> None:
        """Write snapshots behind their batch, which does not wait for them: a replay needs none of them."""

        def written(_: None) -> None:
            self._snapshots.mark_durable(snapshots)
            self._statistics.snapshots += len(snapshots)
            self._retain()

        def refused(failure: Failure) -> None:
            self._snapshots.mark_failed()
            _log.error(
                "a snapshot was not written (%s); the journal has everything", failure.getErrorMessage()
            )

        self._writer.call(self._writer.store.snapshots.put, snapshots).addCallbacks(written, refused)

    def _final_snapshots(self) -> Deferred[None]:
        if self.state.now is State.HALTED:
            return succeed(None)
        return (
            self._writer.call(self._writer.store.snapshots.put, self._snapshots.all_moved())
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
        return self._writer.call(self._writer.store.journal.retain, self._clock.wall_s()).addCallbacks(
            lambda dropped: self._retain() if dropped and not self.state.is_ending else None,
            lambda failure: _log.error(
                "old records of the journal were not let go: %s; play goes on", failure.getErrorMessage()
            ),
        )
