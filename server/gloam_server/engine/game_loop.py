"""Beats: THE MAIN LOOP. Take the inbox, run every due turn, append all inputs as one transaction, show; again.

Nothing is applied while a commit is under way, and nothing is shown before it is durable. Under load the beat grows
by itself. With nobody connected and no body in play no timer runs at all.
"""

import logging
import time
from collections.abc import Callable
from typing import Final

from twisted.internet.defer import Deferred
from twisted.python.failure import Failure

from gloam_server.engine.broadcaster import Broadcaster
from gloam_server.engine.crash_reports import CrashReports
from gloam_server.engine.daily_check import DailyCheck
from gloam_server.engine.fault_isolation import (
    FaultIsolation,
    FaultReport,
    describe_positions,
    describe_state,
)
from gloam_server.engine.players import Player, Players
from gloam_server.engine.recovery.level_rebuild import RebuildFailed
from gloam_server.engine.recovery.replay import batch_records, initial_snapshots
from gloam_server.engine.recovery.snapshot_schedule import SnapshotSchedule
from gloam_server.engine.server_statistics import ServerStatistics
from gloam_server.engine.turns.idle_players import IdlePlayers
from gloam_server.engine.turns.turn_scheduler import LevelStatus, TurnScheduler
from gloam_server.net.reactor import DelayedCall, ReactorClock
from gloam_server.storage.journal import Death, Record, Snapshot, WrongSequence
from gloam_server.storage.writer import Writer
from gloam_server.world.engine.dungeon import Batch, Dungeon
from gloam_server.world.model.fault import RuleFault
from gloam_server.world.model.inputs import Input, Turn
from gloam_shared.protocol.messages import Answer, ChatLine, Notice

RETRY_S: Final = 1.0
LATE_BATCH_MS: Final = 100
"""A beat that took longer makes the server late: what others did is gathered for longer."""

_DISK_BANNER: Final = (
    "The server cannot write to its disk. The dungeon stands still until it can; nothing is lost."
)
_VIEW_FAILED: Final = (
    "A fault in the server keeps it from showing you the dungeon. Your body is looked after as after a cut: "
    "join again. The host has a report."
)
_log: Final = logging.getLogger(__name__)


class GameLoop:
    """The heart of a running realm. `fatal` is called when it cannot go on; what was durable is whole.

    `clock` never goes back; `wall_s` is the time of day, for what people read. `cast_out` is called for a player whose
    line a fault of ours ends, with a sentence for him.
    """

    def __init__(
        self,
        dungeon: Dungeon,
        roster: Players,
        writer: Writer,
        clock: ReactorClock,
        *,
        patience_ms: int,
        fatal: Callable[[str], None],
        wall_s: Callable[[], int] = lambda: int(time.time()),
        reports: CrashReports | None = None,
    ) -> None:
        self.dungeon = dungeon
        self.roster = roster
        self.statistics = ServerStatistics()
        self.clock = clock
        self.reports = reports or CrashReports(wall_s=wall_s)
        self.fault_isolation = FaultIsolation(dungeon, writer.journal, self._report)
        self.scheduler = TurnScheduler(dungeon, roster, patience_ms, self._carry_out)
        self.broadcaster = Broadcaster(dungeon, roster, self.scheduler, self.statistics, self._view_failed)
        self.late = False
        self.blocked = False
        self._idle_players = IdlePlayers(dungeon, roster, self.scheduler)
        self._writer = writer
        self._fatal = fatal
        self.wall_s = wall_s
        self._inbox: list[tuple[int, Input]] = []
        self._after_inbox: list[Callable[[], None]] = []
        self._after_commit: list[Callable[[], None]] = []
        self._check = DailyCheck(writer, self.statistics)
        self._snapshots = SnapshotSchedule(dungeon, writer.journal, self._not_frozen)
        self._committing = False
        self._running = False
        self._began_s = 0.0
        self._timer: DelayedCall | None = None
        self._idle: list[Deferred[None]] = []
        self._stopping = False
        self._halted = False
        self.on_idle: Callable[[], None] | None = None
        self.expel_player: Callable[[Player, str], None] = lambda player, _: player.drop_pending()
        self._unshowable: list[Player] = []

    def now_ms(self) -> int:
        """Return the clock's reading in whole milliseconds."""
        return int(self.clock.seconds() * 1_000)

    def submit(self, place: int, input_: Input, after: Callable[[], None] | None = None) -> None:
        """Put an input into the inbox; `after` is called when it is durable."""
        self._inbox.append((place, input_))
        if after is not None:
            self._after_inbox.append(after)
        self.wake()

    def when_durable(self, call: Callable[[], None]) -> None:
        """Call once nothing is under way to the disk: now, or after the present beat."""
        if self._committing:
            self._after_commit.append(call)
        else:
            call()

    def wake(self) -> None:
        """Something came: run a beat now, unless one is being written; then it comes right after."""
        if self._committing or self._stopping or self._running:
            return
        self._running = True
        try:
            self._run_batch()
        except Exception as error:  # noqa: BLE001  # no rule's: those are isolated; what is on disk stays whole
            _log.exception("a fault in a beat: %s", describe_positions(self.dungeon))
            self._halt()
            self._fatal(f"{type(error).__name__} in a beat; the journal is whole, start the server again.")
        finally:
            self._running = False

    def answer_refusals(self) -> None:
        """Send at once what ended without a beat."""
        refusals, self.scheduler.refusals = self.scheduler.refusals, []
        self._answer(refusals)

    def stop(self) -> Deferred[None]:
        """Finish the beat under way, then snapshot every place that has moved. Fires when all is durable.

        A beat that the disk refuses is let go: nobody was told of it.
        """
        self._stopping = True
        self._cancel_timer()
        done: Deferred[None] = Deferred()
        if self._committing and not self._halted:
            self._idle.append(done)
        else:
            done.callback(None)
        return done.addCallback(lambda _: self._final_snapshots())

    def _run_batch(self) -> None:
        self._cancel_timer()
        self._began_s = self.clock.seconds()
        now_ms = self.now_ms()
        inbox, self._inbox = self._inbox, []
        for place, input_ in inbox:
            self.fault_isolation.run(place, input_)
        self._after_commit += self._after_inbox
        self._after_inbox = []
        self._apply_housekeeping(self._idle_players.departures)
        stills = self._run_turns(now_ms)
        self._apply_housekeeping(lambda: self._idle_players.default_choices(now_ms))
        refusals, self.scheduler.refusals = self.scheduler.refusals, []
        toll = self.fault_isolation.take_report()
        harvest = self.dungeon.take_batch()
        if not harvest.applied:
            self._answer(refusals)
            self._report_faults(toll)
            self._wait_for_work(stills)
        else:  # a refusal may follow from what is not durable yet
            self._after_commit.append(lambda: self._answer(refusals))
            self._after_commit.append(lambda: self._report_faults(toll))
            self._commit(harvest, [*self._snapshots.due(), *initial_snapshots(harvest)], stills)

    def _answer(self, refusals: list[tuple[Player, Answer]]) -> None:
        for player, answer in refusals:
            self.broadcaster.answer(player, answer)

    def _run_turns(self, now_ms: int) -> dict[int, LevelStatus]:
        """Run what is due on every level where a body stands; other levels sleep."""
        stills = {}
        self.scheduler.plan_budget.begin(now_ms)
        for place in sorted({level.place for _, level, _ in self.roster.in_play()}):
            stills[place] = self._run_level(place, now_ms)
        return stills

    def _carry_out(self, place: int, input_: Input) -> bool:
        began_s = self.clock.seconds()
        done = self.fault_isolation.run(place, input_)
        if isinstance(input_, Turn):
            self.statistics.turns.observe(self.clock.seconds() - began_s)
        return done

    def _run_level(self, place: int, now_ms: int) -> LevelStatus:
        while True:  # each fault takes somebody out or closes the level
            try:
                return self.scheduler.run_due(place, now_ms)
            except RuleFault as fault:
                self.fault_isolation.quarantine(fault)
            except RebuildFailed:
                raise
            except Exception as error:  # noqa: BLE001  # nobody can be named: it is the level's
                nobodys = RuleFault(0, place)
                nobodys.__cause__ = error
                self.fault_isolation.quarantine(nobodys)

    def _apply_housekeeping(self, ask: Callable[[], list[tuple[int, Input]]]) -> None:
        try:
            asked = ask()
        except RuleFault as fault:
            self.fault_isolation.quarantine(fault)
            return
        except Exception as error:  # noqa: BLE001  # nobody is cared for until the next time
            self.report("looking after players", error)
            return
        for place, input_ in asked:
            self.fault_isolation.run(place, input_)

    def _report_faults(self, toll: FaultReport) -> None:
        """Tell those whom a fault took out of play, and everybody of levels that it closed."""
        for line in toll.lines:
            self.broadcaster.broadcast(ChatLine("", line))
        for casualty in toll.casualties:
            player = self.roster.by_account(casualty.account)
            if player is not None:
                self.expel_player(player, casualty.words)

    def report(self, what: str, error: Exception) -> None:
        """Write a report of a fault of ours that no input was under way for."""
        self._report(what, error, lambda: describe_state(self.dungeon))

    def _report(self, what: str, error: Exception, told: Callable[[], list[str]]) -> None:
        self.statistics.faults += 1
        self.reports.write(what, error, told)

    def _not_frozen(self, place: int, error: Exception) -> None:
        self.report(f"a snapshot of place {place}", error)

    def _expel_unshowable(self) -> None:
        """End the lines of those whose views cannot be made; their bodies stand where they stood."""
        blind, self._unshowable = self._unshowable, []
        for player in blind:
            self.expel_player(player, _VIEW_FAILED)

    def _view_failed(self, player: Player | None, error: Exception) -> None:
        """Take note that a view could not be made; its player is sent away once all others have theirs."""
        self.report("showing" if player is None else f"showing to {player.name}", error)
        if player is not None:
            self._unshowable.append(player)

    def _commit(self, harvest: Batch, snapshots: list[Snapshot], stills: dict[int, LevelStatus]) -> None:
        self._committing = True
        at_s = self.wall_s()
        deaths = [
            Death(d.account, d.name, d.by, d.place, d.level, d.experience, d.turns, at_s)
            for d in harvest.deaths
        ]
        self._append(batch_records(self.dungeon, harvest.applied), snapshots, deaths).addCallback(
            lambda _: self._after_append(harvest, snapshots, stills)
        ).addErrback(self._broken)

    def _append(self, batch: list[Record], snapshots: list[Snapshot], deaths: list[Death]) -> Deferred[None]:
        """Append a beat; when the disk refuses, keep it and try the same again every second."""
        self.statistics.asked_s = began_s = self.clock.seconds()
        appended = self._writer.append(batch, snapshots, deaths)
        return appended.addCallbacks(
            lambda _: self._appended(began_s),
            lambda failure: self._blocked(failure, batch, snapshots, deaths),
        )

    def _blocked(
        self, failure: Failure, batch: list[Record], snapshots: list[Snapshot], deaths: list[Death]
    ) -> Deferred[None]:
        if isinstance(failure.value, WrongSequence):
            self._halt()
            self._fatal(failure.getErrorMessage())
            return Deferred()
        self.statistics.asked_s = None
        self.statistics.journal_refusals += 1
        _log.error("the journal refuses a beat of %d inputs: %s", len(batch), failure.getErrorMessage())
        if self._stopping:
            self._halt()
            return Deferred()
        self.blocked = True
        self.broadcaster.notice(Notice(_DISK_BANNER))
        again: Deferred[None] = Deferred()
        self.clock.callLater(RETRY_S, again.callback, None)
        return again.addCallback(lambda _: self._append(batch, snapshots, deaths))

    def _appended(self, began_s: float) -> None:
        self.statistics.appended(began_s, self.clock.seconds())
        self.blocked = False
        self.broadcaster.notice(Notice(""))

    def _after_append(
        self, harvest: Batch, snapshots: list[Snapshot], stills: dict[int, LevelStatus]
    ) -> None:
        """The beat is on disk: show what it led to, then begin the next."""
        self._committing = False
        now_ms = self.now_ms()
        self.late = now_ms - int(self._began_s * 1_000) > LATE_BATCH_MS
        self._snapshots.mark_durable(snapshots)
        self.statistics.snapshots += len(snapshots)
        if snapshots:
            self._retain()
        self._check.go_on(self.wall_s())
        self.broadcaster.collect_events(harvest, now_ms)
        self._run_callbacks()
        self.broadcaster.publish_turn_status(stills, now_ms)
        self.broadcaster.publish(now_ms, late=self.late)
        took_s = self.clock.seconds() - self._began_s
        self.statistics.beats.observe(took_s)
        self.scheduler.plan_budget.end(int(took_s * 1_000), self.now_ms())
        self._release()
        self._expel_unshowable()
        self.wake()

    def _run_callbacks(self) -> None:
        """Tell those who waited for the beat; what they ask for comes into the next."""
        calls, self._after_commit = self._after_commit, []
        self._running = True
        try:
            for call in calls:
                try:
                    call()
                except Exception as error:  # noqa: BLE001  # one answer that fails must not cost the others theirs
                    self.report("what follows a beat", error)
        finally:
            self._running = False

    def _wait_for_work(self, stills: dict[int, LevelStatus]) -> None:
        """Show what is to be shown, and set the one timer for when something becomes due by itself."""
        now_ms = self.now_ms()
        looks = [still.look_at_ms for still in stills.values()]
        looks.append(self.broadcaster.publish_turn_status(stills, now_ms))
        looks += [self.broadcaster.publish(now_ms, late=self.late), self._idle_players.next_due_ms(now_ms)]
        self._expel_unshowable()
        due = [at for at in looks if at is not None]
        if due and not self._stopping:
            self._cancel_timer()
            self._timer = self.clock.callLater(max(0, min(due) - now_ms) / 1_000, self._timer_fired)
        if self.on_idle is not None and self.roster.is_idle():
            self.on_idle()

    def _timer_fired(self) -> None:
        self._timer = None
        self.wake()

    def _cancel_timer(self) -> None:
        if self._timer is not None and self._timer.active():
            self._timer.cancel()
        self._timer = None

    def _final_snapshots(self) -> Deferred[None]:
        if self._halted:
            nothing: Deferred[None] = Deferred()
            nothing.callback(None)
            return nothing
        written = self._writer.append((), self._snapshots.all_moved())
        return written.addCallback(lambda _: self._retain()).addErrback(
            lambda failure: _log.error(
                "the last snapshots were not written (%s); the journal has everything",
                failure.getErrorMessage(),
            )
        )

    def _retain(self) -> Deferred[None]:
        """Let some old records go; the next beat may begin meanwhile, and waits a few milliseconds at most."""
        return self._writer.call(self._writer.journal.retain, self.wall_s()).addCallbacks(
            lambda _: None,
            lambda failure: _log.error(
                "old records of the journal were not let go: %s; play goes on", failure.getErrorMessage()
            ),
        )

    def _broken(self, failure: Failure) -> None:
        """A fault of ours in showing or in what follows a beat: reported, and the beat goes on."""
        error = failure.value
        self.report(
            "what follows a beat", error if isinstance(error, Exception) else RuntimeError(str(error))
        )
        self._committing = False
        self._release()
        self.wake()

    def _release(self) -> None:
        """Let those go on who wait for the beat under way."""
        waiting, self._idle = self._idle, []
        for each in waiting:
            each.callback(None)

    def _halt(self) -> None:
        """What is in memory is ahead of the journal, for good: run no more beats and snapshot nothing."""
        self._halted = self._stopping = True
        self._cancel_timer()
        self._release()
