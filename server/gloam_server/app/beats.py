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

from gloam_server.app.archive import firsts, records
from gloam_server.app.care import Care
from gloam_server.app.measures import Measures
from gloam_server.app.roster import Player, Roster
from gloam_server.app.showing import Showing
from gloam_server.app.snapshots import Snapshots
from gloam_server.app.turns import Standstill, Turns
from gloam_server.net.reactor import Call, Clock
from gloam_server.storage.journal import Death, Record, Snapshot, WrongSequence
from gloam_server.storage.writer import Writer
from gloam_server.world.dungeon import Dungeon, Harvest
from gloam_server.world.inputs import Input
from gloam_shared.messages import Answer, Notice

RETRY_S: Final = 1.0
LATE_MS: Final = 100
"""A beat that took longer makes the server late: what others did is gathered for longer."""

_DISK_BANNER: Final = (
    "The server cannot write to its disk. The dungeon stands still until it can; nothing is lost."
)
_log: Final = logging.getLogger(__name__)


class Beats:
    """The heart of a running realm. `fatal` is called when it cannot go on; what was durable is whole.

    `clock` never goes back; `wall_s` is the time of day, for what people read.
    """

    def __init__(
        self,
        dungeon: Dungeon,
        roster: Roster,
        writer: Writer,
        clock: Clock,
        *,
        patience_ms: int,
        fatal: Callable[[str], None],
        wall_s: Callable[[], int] = lambda: int(time.time()),
    ) -> None:
        self.dungeon = dungeon
        self.roster = roster
        self.measures = Measures()
        self.clock = clock
        self.turns = Turns(dungeon, roster, patience_ms, self.measures.turns, clock)
        self.showing = Showing(dungeon, roster, self.turns, self.measures)
        self.late = False
        self.blocked = False
        self._care = Care(dungeon, roster, self.turns)
        self._writer = writer
        self._fatal = fatal
        self.wall_s = wall_s
        self._inbox: list[tuple[int, Input]] = []
        self._after_inbox: list[Callable[[], None]] = []
        self._after_commit: list[Callable[[], None]] = []
        self._snapshots = Snapshots(dungeon, writer.journal)
        self._committing = False
        self._beating = False
        self._began_s = 0.0
        self._timer: Call | None = None
        self._idle: list[Deferred[None]] = []
        self._stopping = False
        self._halted = False
        self.on_idle: Callable[[], None] | None = None

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
        if self._committing or self._stopping or self._beating:
            return
        self._beating = True
        try:
            self._beat()
        except Exception as error:  # noqa: BLE001  # a rule's bug; what is on disk stays whole
            _log.exception("a fault in a beat: %s", positions(self.dungeon))
            self._halt()
            self._fatal(f"{type(error).__name__} in a beat; the journal is whole, start the server again.")
        finally:
            self._beating = False

    def answer_refusals(self) -> None:
        """Send at once what ended without a beat."""
        refusals, self.turns.refusals = self.turns.refusals, []
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

    def _beat(self) -> None:
        self._cancel_timer()
        self._began_s = self.clock.seconds()
        now_ms = self.now_ms()
        inbox, self._inbox = self._inbox, []
        for place, input_ in inbox:
            self.dungeon.run(place, input_)
        self._after_commit += self._after_inbox
        self._after_inbox = []
        for place, input_ in self._care.leavers():
            self.dungeon.run(place, input_)
        stills = self._run_turns(now_ms)
        for place, input_ in self._care.defaults(now_ms):
            self.dungeon.run(place, input_)
        refusals, self.turns.refusals = self.turns.refusals, []
        harvest = self.dungeon.reap()
        if not harvest.applied:
            self._answer(refusals)
            self._rest(stills)
        else:  # a refusal may follow from what is not durable yet
            self._after_commit.append(lambda: self._answer(refusals))
            self._commit(harvest, [*self._snapshots.due(), *firsts(harvest)], stills)

    def _answer(self, refusals: list[tuple[Player, Answer]]) -> None:
        for player, answer in refusals:
            self.showing.answer(player, answer)

    def _run_turns(self, now_ms: int) -> dict[int, Standstill]:
        """Run what is due on every level where a body stands; other levels sleep."""
        stills = {}
        for place in sorted({level.place for _, level, _ in self.roster.in_play()}):
            stills[place] = self.turns.run_due(self.dungeon.levels[place], now_ms)
        return stills

    def _commit(self, harvest: Harvest, snapshots: list[Snapshot], stills: dict[int, Standstill]) -> None:
        self._committing = True
        at_s = self.wall_s()
        deaths = [
            Death(d.account, d.name, d.by, d.place, d.level, d.experience, d.turns, at_s)
            for d in harvest.deaths
        ]
        self._append(records(harvest.applied), snapshots, deaths).addCallback(
            lambda _: self._durable(harvest, snapshots, stills)
        ).addErrback(self._broken)

    def _append(self, batch: list[Record], snapshots: list[Snapshot], deaths: list[Death]) -> Deferred[None]:
        """Append a beat; when the disk refuses, keep it and try the same again every second."""
        self.measures.asked_s = began_s = self.clock.seconds()
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
        self.measures.asked_s = None
        self.measures.journal_refusals += 1
        _log.error("the journal refuses a beat of %d inputs: %s", len(batch), failure.getErrorMessage())
        if self._stopping:
            self._halt()
            return Deferred()
        self.blocked = True
        self.showing.notice(Notice(_DISK_BANNER))
        again: Deferred[None] = Deferred()
        self.clock.callLater(RETRY_S, again.callback, None)
        return again.addCallback(lambda _: self._append(batch, snapshots, deaths))

    def _appended(self, began_s: float) -> None:
        self.measures.asked_s = None
        self.measures.journal.observe(self.clock.seconds() - began_s)
        self.blocked = False
        self.showing.notice(Notice(""))

    def _durable(self, harvest: Harvest, snapshots: list[Snapshot], stills: dict[int, Standstill]) -> None:
        """The beat is on disk: show what it led to, then begin the next."""
        self._committing = False
        now_ms = self.now_ms()
        self.late = now_ms - int(self._began_s * 1_000) > LATE_MS
        self._snapshots.durable(snapshots)
        self.measures.snapshots += len(snapshots)
        if snapshots:
            self._retain()
        self.showing.take_in(harvest, now_ms)
        self._call_back()
        self.showing.tell_paces(stills, now_ms)
        self.showing.show(now_ms, late=self.late)
        self.measures.beats.observe(self.clock.seconds() - self._began_s)
        self._release()
        self.wake()

    def _call_back(self) -> None:
        """Tell those who waited for the beat; what they ask for comes into the next."""
        calls, self._after_commit = self._after_commit, []
        self._beating = True
        try:
            for call in calls:
                try:
                    call()
                except Exception:  # noqa: BLE001  # one answer that fails must not cost the others theirs
                    self.measures.faults += 1
                    _log.exception("a fault in what follows a beat: %s", positions(self.dungeon))
        finally:
            self._beating = False

    def _rest(self, stills: dict[int, Standstill]) -> None:
        """Show what is to be shown, and set the one timer for when something becomes due by itself."""
        now_ms = self.now_ms()
        self.showing.tell_paces(stills, now_ms)
        looks = [still.look_at_ms for still in stills.values()]
        looks += [self.showing.show(now_ms, late=self.late), self._care.look_at_ms(now_ms)]
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
        written = self._writer.append((), self._snapshots.of_all())
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
        """A fault of ours in showing or in what follows a beat: told whole, and the beat goes on."""
        self.measures.faults += 1
        _log.error("a beat failed after it was written\n%s", failure.getTraceback())
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


def positions(dungeon: Dungeon) -> str:
    """Return the seed and the journal position of every place, for a report of a fault of ours."""
    return f"seed {dungeon.seed}, " + ", ".join(
        f"place {place} at input {dungeon.sequence(place)}" for place in dungeon.places()
    )
