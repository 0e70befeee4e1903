"""Onlookers: players whose view is stale because others acted. They are shown it in slices of a few milliseconds.

In a crowd most of the work is to show each player what all others do. In one piece it would delay the next command by
all of it, so the reactor reads commands between two slices, and a batch goes before the next slice.
"""

from collections.abc import Callable
from typing import Final

from gloam_server.engine.game_clock import GameClock, WakeTimer
from gloam_server.engine.publishing.broadcaster import Broadcaster
from gloam_server.engine.publishing.client_state import ClientState
from gloam_server.engine.publishing.clients import Clients
from gloam_server.engine.timing.gather_time import GatherTime, party_gather_ms

SLICE_S: Final = 0.002
"""The time that one slice takes, to the end of its last update."""


class Onlookers:
    """Sends onlookers their updates, the longest waiting first.

    `may_show` says whether everything applied is durable: else nothing is shown, and the batch calls `show`
    after its append. `report_unshowable` tells of the players whose view has failed.
    """

    def __init__(
        self,
        clients: Clients,
        broadcaster: Broadcaster,
        clock: GameClock,
        may_show: Callable[[], bool],
        report_unshowable: Callable[[], None],
    ) -> None:
        self._clients = clients
        self._broadcaster = broadcaster
        self._clock = clock
        self._gather_time = GatherTime()
        self._may_show = may_show
        self._report_unshowable = report_unshowable
        self._timer = WakeTimer(clock, self.show)
        self._queue: list[ClientState] = []
        """The clients of players to be shown now, the longest waiting last."""

    def show(self, worked_us: int = 0) -> None:
        """Show one slice of what is due, and continue with the rest as soon as the reactor has read its sockets.

        `worked_us` is the time that the turn side has worked since the last call.
        """
        began_s = self._clock.seconds()
        now_ms = int(began_s * 1_000)
        if worked_us:
            self._gather_time.note(worked_us, now_ms)
        if not self._may_show():
            return
        next_ms: int | None = now_ms
        if not self._queue:
            next_ms = self._fill_queue(now_ms)
        while self._queue and self._clock.seconds() < began_s + SLICE_S:
            self._show_next(now_ms)
        self._report_unshowable()
        ended_s = self._clock.seconds()
        self._gather_time.note(int((ended_s - began_s) * 1_000_000), int(ended_s * 1_000))
        self._timer.set(next_ms)

    def cancel(self) -> None:
        """Show nothing more by time."""
        self._timer.cancel()

    def _fill_queue(self, now_ms: int) -> int | None:
        """Queue the players who are due now; return when to look again: now, or when the next one is due."""
        due: list[tuple[int, ClientState]] = []
        next_ms = None
        gather_ms, party_ms = self._gather_time.ms, party_gather_ms(len(self._broadcaster.party.party))
        for client, _, _ in self._clients.shown_here():  # after each batch; few of a crowd are due
            view = client.view
            if view is None or client.connection is None or not client.stale:
                continue
            due_ms = view.sent_ms + gather_ms
            if not client.needs_update and client.party_stale_ms is not None:
                due_ms = max(due_ms, client.party_stale_ms + party_ms)
            if due_ms > now_ms:
                next_ms = due_ms if next_ms is None or due_ms < next_ms else next_ms
                continue
            view.paused = client.connection.paused
            if view.has_credit():  # else an acknowledgement, or room in the connection, wakes the loop
                due.append((due_ms, client))
        due.sort(key=lambda each: (each[0], each[1].account), reverse=True)
        self._queue = [client for _, client in due]
        return now_ms if due else next_ms

    def _show_next(self, now_ms: int) -> None:
        client = self._queue.pop()
        # The player may have left since the queue was filled.
        in_play = self._clients.in_play_of(client.account)
        if in_play is not None and client.stale:
            self._broadcaster.publish_to(in_play, now_ms)
