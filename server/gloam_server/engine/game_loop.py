"""The game loop: receive inputs, run the due turns, append, publish, again.

    inbox -> departures -> due turns -> default choices -> ONE append -> publish -> the next batch

No input is applied during an append, and no result is shown before it is durable. Batches grow with the load.
Without connections and bodies in play no timer runs.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from twisted.internet.defer import Deferred
from twisted.python.failure import Failure

from gloam_server.engine.archive.archiver import Archiver
from gloam_server.engine.commit_queue import CommitQueue
from gloam_server.engine.faults.fault_isolation import FaultIsolation
from gloam_server.engine.faults.fault_notices import FaultNotices
from gloam_server.engine.faults.fault_reporter import FaultReporter, describe_positions
from gloam_server.engine.game_clock import GameClock, WakeTimer
from gloam_server.engine.loop_state import Event
from gloam_server.engine.messages import (
    Durable,
    Proved,
    Room,
    Shown,
    ToTurnSide,
    Unshowable,
    Views,
    WatchEnded,
)
from gloam_server.engine.parties.party_news import PartyNewsFeed
from gloam_server.engine.players import Players
from gloam_server.engine.presence.presence_feed import PresenceFeed
from gloam_server.engine.server_statistics import ServerStatistics
from gloam_server.engine.timing.gather_time import RestTime
from gloam_server.engine.turns.answers import Answers
from gloam_server.engine.turns.beacon_days import day_due
from gloam_server.engine.turns.idle_players import IdlePlayers
from gloam_server.engine.turns.level_runner import LevelRunners
from gloam_server.engine.turns.level_status import LevelStatus
from gloam_server.engine.turns.turn_scheduler import TurnScheduler
from gloam_server.engine.turns.turn_status_feed import TurnStatusFeed
from gloam_server.storage.journal import Record
from gloam_server.world.model.events import Narration
from gloam_server.world.model.inputs import Input
from gloam_server.world.transition.dungeon import Batch, Dungeon
from gloam_shared.level_numbers import PartitionId

_log: Final = logging.getLogger(__name__)


class GameLoop:
    """The order of work of a running realm.

    `fatal` is called when the loop cannot continue; durable data is complete. `on_idle` is called when no player is
    connected and no body in play.
    """

    def __init__(
        self,
        dungeon: Dungeon,
        players: Players,
        clock: GameClock,
        statistics: ServerStatistics,
        reporter: FaultReporter,
        isolation: FaultIsolation,
        scheduler: TurnScheduler,
        commits: CommitQueue,
        views: Views,
        archiver: Archiver,
        *,
        fatal: Callable[[str], None],
        on_idle: Callable[[], None] | None = None,
    ) -> None:
        self._dungeon = dungeon
        self._players = players
        self._clock = clock
        self._statistics = statistics
        self._reporter = reporter
        self._isolation = isolation
        self._scheduler = scheduler
        self._commits = commits
        self._views = views
        self.answers: Final = Answers(views)
        self.presence: Final = PresenceFeed(dungeon, players, views, reporter)
        self.notices: Final = FaultNotices(players, views)
        self._party_news = PartyNewsFeed(dungeon, players, scheduler, views)
        self._archiver = archiver
        self._fatal = fatal
        self._on_idle = on_idle
        self._turn_status = TurnStatusFeed(players, views)
        self._idle_players = IdlePlayers(players, scheduler, self.presence)
        self._timer = WakeTimer(clock, self._run)
        self._levels = LevelRunners(players, scheduler, isolation, clock, statistics)
        self._inbox: list[tuple[int, Input, Callable[[], None] | None]] = []
        self._state = commits.state
        self._woken = False
        """Whether work is known for the next batch."""
        self._rest_time = RestTime(views.rests)
        self._next_ms: int | None = None

    def submit(self, partition: PartitionId, input_: Input, after: Callable[[], None] | None = None) -> None:
        """Put an input into the inbox; `after` is called once it is durable."""
        self._inbox.append((partition, input_, after))
        self.wake()

    def wake(self) -> None:
        """Run a batch soon: after all bytes that have arrived are read, or after the batch that is being written.

        Many commands arrive at the same time where many play. One batch for all of them costs little more than one for
        each, so a busy loop rests after each.
        """
        self._woken = True
        if self._state.may_begin:
            self._timer.set(max(self._clock.now_ms(), self._rest_time.earliest_ms))

    def _run(self) -> None:
        if not self._state.may_begin:
            return
        self._state.change(Event.BEGIN)
        began_s = self._clock.seconds()
        try:
            self._run_batch(began_s)
        except Exception as error:  # noqa: BLE001  # no rule's: those are isolated; what is on disk stays whole
            _log.exception("a fault in a batch: %s", describe_positions(self._dungeon))
            self._timer.cancel()
            self._views.stop()
            self._commits.halt()
            self._fatal(f"{type(error).__name__} in a batch; the journal is whole, start the server again.")
        self._end_work(began_s)

    def check_idle(self) -> None:
        """Call `on_idle` if no player is connected and no body in play, after a connection closed."""
        if self._on_idle is not None and self._players.is_idle():
            self._on_idle()

    def wait_for_returns(self, until_ms: int) -> None:
        """Let bodies wait until then for the players of a turn process that died."""
        self._idle_players.returns_until_ms = until_ms

    def stop(self) -> Deferred[None]:
        """Finish the present batch, then snapshot each changed partition. Fires when all is durable."""
        self._timer.cancel()
        self._views.stop()
        return self._commits.stop()

    def _run_batch(self, began_s: float) -> None:
        self._timer.cancel()
        self._woken = False
        now_ms = self._clock.now_ms()
        self._apply_inbox()
        self._isolation.run_all(lambda: self._idle_players.departures(now_ms))
        self._isolation.run_all(self._archiver.due)
        self._isolation.run_all(lambda: day_due(self._dungeon, self._clock))
        self._dungeon.batch.crossed = False  # who has reached a level by now is in its status
        statuses = self._levels.run_due(now_ms)
        self._isolation.run_all(lambda: self._idle_players.take_default_choices(now_ms))
        refusals, faults = self._scheduler.take_refusals(), self._isolation.take_report()
        batch = self._dungeon.take_batch()
        if batch.crossed or faults.lines or faults.casualties or self._idle_players.departures(now_ms):
            self._woken = True  # what is due after this batch is not known yet
        if not batch.applied:
            self._state.change(Event.EMPTY)
            self.answers.send(refusals)
            self.notices.publish(faults)
            for each in self._scheduler.take_results()[1]:
                self._views.take(each)
            self._wait_for_work(statuses)
            return
        # A refusal may result from this batch: it is sent only after the batch is durable.
        if refusals:
            self._commits.after_next(lambda: self.answers.send(refusals))
        if faults.lines or faults.casualties:
            self._commits.after_next(lambda: self.notices.publish(faults))
        committed = self._commits.commit(batch).addCallback(
            lambda records: self._publish_durable(batch, records, statuses, began_s)
        )
        committed.addErrback(self._publishing_failed).addCallback(lambda _: self._begin_next())

    def _apply_inbox(self) -> None:
        inbox, self._inbox = self._inbox, []
        for partition, input_, after in inbox:
            self._isolation.run(partition, input_)
            if after is not None:
                self._commits.after_next(after)

    def _end_work(self, began_s: float) -> None:
        """Note the time since `began_s` as work, and let the view side show others' actions."""
        ended_s = self._clock.seconds()
        worked_us = int((ended_s - began_s) * 1_000_000)
        self._rest_time.note(worked_us, int(ended_s * 1_000))
        self._views.show_onlookers(worked_us)

    def _publish_durable(
        self,
        batch: Batch,
        records: Sequence[Record],
        statuses: Mapping[int, LevelStatus],
        batch_began_s: float,
    ) -> None:
        began_s = self._clock.seconds()
        self._publish(batch, records, statuses, int(began_s * 1_000))
        took_s = self._clock.seconds() - batch_began_s
        self._statistics.batches.observe(took_s)
        self._scheduler.end_batch(int(took_s * 1_000), self._clock.now_ms())
        self._views.report_unshowable()
        self._end_work(began_s)

    def _publish(
        self, batch: Batch, records: Sequence[Record], statuses: Mapping[int, LevelStatus], now_ms: int
    ) -> None:
        """Publish the results of the durable batch."""
        for death in batch.deaths:
            player = self._players.by_account(death.account)
            if player is not None:
                player.turns.end_life()
                self.answers.note(player)
        hidden = _hidden_challenges(batch, self._players)
        self._views.show(Durable(batch, *self._scheduler.take_results(), hidden, records), now_ms)
        for event in batch.news:
            self.presence.announce(event, now_ms)
        self._commits.run_waiting()
        self._next_ms = self._show(statuses, now_ms)

    def _begin_next(self) -> None:
        """Continue after a batch: immediately if something arrived in the meantime, else at the next due time."""
        self._commits.finish()
        self._rest_time.begin(self._clock.now_ms())
        self._rest()

    def _wait_for_work(self, statuses: Mapping[int, LevelStatus]) -> None:
        """Publish pending updates, and wait for the next due time."""
        now_ms = self._clock.now_ms()
        self._woken = False
        self._idle_players.mark_away(now_ms)
        self._next_ms = self._show(statuses, now_ms)
        self._views.report_unshowable()
        self._rest()

    def _show(self, statuses: Mapping[int, LevelStatus], now_ms: int) -> int | None:
        """Send the players what is due now; return when the loop has to look again, None for never."""
        looks = [status.look_at_ms for status in statuses.values()]
        looks.append(self._turn_status.publish(statuses, now_ms))
        looks.append(self.presence.publish(now_ms))
        if self.answers.overtaken:  # rarely: a call is saved
            self.answers.settle()
        self._views.publish(now_ms)
        looks.append(self._party_news.publish(now_ms))
        looks.append(self._idle_players.next_due_ms())
        return min((at for at in looks if at is not None), default=None)

    def _rest(self) -> None:
        """Run the next batch: soon if work is known, else at the next due time."""
        if self._woken:
            self.wake()
            return
        if self._state.may_begin:
            self._timer.set(self._next_ms)
        self.check_idle()

    def _publishing_failed(self, failure: Failure) -> None:
        """Report an internal error after a batch; the loop continues."""
        error = failure.value
        self._woken = True  # look again: what was due next is not known
        self._reporter.report(
            "what follows a batch", error if isinstance(error, Exception) else RuntimeError(str(error))
        )


class TurnSide:
    """The turn side's answers to the messages of the view side. The gateway sets `on_proved` and `on_watch_ended`: it has the resume tokens and the watchers."""

    def __init__(self, players: Players, loop: GameLoop) -> None:
        self._players = players
        self._loop = loop
        self.on_proved: Callable[[int], None] = lambda _: None
        self.on_watch_ended: Callable[[int, str], None] = lambda *_: None

    def take(self, message: ToTurnSide) -> None:
        """Carry out a message."""
        match message:
            case Shown():
                player = self._players.by_account(message.account)
                if player is not None:
                    player.turns.points_of_interest.update(message.points)
            case Room():
                self._loop.wake()
            case Proved():
                self.on_proved(message.account)
            case WatchEnded():
                self.on_watch_ended(message.connection, message.words)
            case Unshowable():
                self._loop.notices.expel_unshowable(message)


def _hidden_challenges(batch: Batch, players: Players) -> frozenset[tuple[int, int]]:
    """Return the numbers of the challengers to duels in a batch, with the witnesses who block them and must not read it."""
    challenges = [
        event for _, event in batch.events if isinstance(event, Narration) and event.kind == "challenges"
    ]
    if not challenges:
        return frozenset()
    by_body = {body.number: player for player, _, body in players.in_play()}
    return frozenset(
        (event.actor, witness)
        for event in challenges
        for witness in event.witnesses
        if event.actor in by_body
        and witness in by_body
        and by_body[witness].audience.blocks(by_body[event.actor].account)
    )
