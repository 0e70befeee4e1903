"""The views of watchers: the views that the watched players were sent, some time later. Used by `ViewSide`.

The game loop does not know of watchers. A timer of their own, which runs only while one of them watches, takes the views
that players were sent anyway. So a watcher changes neither what a player is sent nor when. Of a player who is connected to
another view process the same view is made here: their log is here, too.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from gloam_server.engine.faults.fault_reporter import FaultReporter
from gloam_server.engine.game_clock import GameClock
from gloam_server.engine.messages import WatchEnded, Watches
from gloam_server.engine.publishing.batch_results import send_patch
from gloam_server.engine.publishing.broadcaster import Broadcaster
from gloam_server.engine.publishing.client_state import ClientState
from gloam_server.engine.publishing.client_view import ClientView
from gloam_server.engine.publishing.clients import Clients
from gloam_server.net.conversation import Conversation
from gloam_server.net.reactor import DelayedCall
from gloam_server.world.realm.realm import parties_of
from gloam_server.world.transition.dungeon import Dungeon
from gloam_shared import limits
from gloam_shared.protocol.updates import UpdateWriter
from gloam_shared.view.view import NOWHERE, View

_GONE_MS: Final = limits.WATCH_DELAY_S * 1_000
"""The time for which a watched player may be cut off before the watching ends."""
_GONE: Final = "That player has left."
_DIED: Final = "The life that you watched is over."
_FAULT: Final = "A fault in the server has ended this view."


_KEPT_MS = limits.WATCH_DELAY_S * 1_000


class ViewFeed:
    """The player's views with the time at which each was noted, the oldest first.

    They are the views that the player was sent, as objects: nothing is projected for a watcher. The memory is bounded by
    how often a view is noted within the delay.
    """

    def __init__(self) -> None:
        self._views: deque[tuple[int, View]] = deque()

    def __len__(self) -> int:
        """Return the number of kept views."""
        return len(self._views)

    def note(self, view: View, now_ms: int) -> None:
        """Note the view that the player has now; views that no watcher can need any more are dropped."""
        if not self._views or self._views[-1][1] is not view:
            self._views.append((now_ms, view))
        while len(self._views) > 1 and self._views[1][0] <= now_ms - _KEPT_MS:
            self._views.popleft()

    def at(self, at_ms: int) -> View | None:
        """Return the newest view that was noted at that time or before; None without one."""
        return next((view for noted_ms, view in reversed(self._views) if noted_ms <= at_ms), None)


@dataclass(slots=True)
class _Seat:
    """One connection that watches or has watched."""

    account: int
    """0 for a door, whose guests see one life and no other."""
    connection: Conversation
    view: ClientView
    watched: int = 0
    """The account of the watched player; 0 for none."""
    shown: View | None = None


@dataclass(slots=True)
class _Watched:
    """One watched player."""

    feed: ViewFeed = field(default_factory=ViewFeed)
    seen_ms: int = 0
    """The time at which the player was last connected."""
    last: View | None = None
    """The last view of a life that is over; None without one."""


class WatcherViews:
    """The views that each watcher is sent. `tell` ends the watching of a player who is gone, and of a watcher at a fault."""

    def __init__(
        self,
        dungeon: Dungeon,
        clients: Clients,
        broadcaster: Broadcaster,
        clock: GameClock,
        reporter: FaultReporter,
        tell: Callable[[WatchEnded], None],
    ) -> None:
        self._dungeon = dungeon
        self._clients = clients
        self._broadcaster = broadcaster
        self._clock = clock
        self._reporter = reporter
        self._tell = tell
        self._seats: dict[int, _Seat] = {}
        self._watched: dict[int, _Watched] = {}
        self._timer: DelayedCall | None = None

    def watch(self, message: Watches) -> None:
        """Let a connection watch another player, or none; the first message of a connection gives it its view."""
        connection = self._clients.conversations.get(message.connection)
        seat = self._seats.get(message.connection)
        if seat is None:
            if connection is None:
                return
            writer = UpdateWriter(connection.abilities)
            seat = self._seats[message.connection] = _Seat(message.account, connection, ClientView(0, writer))
        former, seat.watched, seat.shown = seat.watched, message.watched, None
        if former and not self._seats_of(former):
            self._watched.pop(former, None)
        if message.watched:
            self._watched.setdefault(message.watched, _Watched())
            seat.view.reset()
            self._tick()

    def close(self, connection: Conversation) -> None:
        """Forget a connection that has closed."""
        seat = self._seats.pop(connection.number, None)
        if seat is not None and seat.watched and not self._seats_of(seat.watched):
            self._watched.pop(seat.watched, None)

    def acknowledge(self, connection: Conversation, patch: int) -> bool:
        """Take a watcher's acknowledgement of an update; an invalid one ends the connection."""
        seat = self._seats.get(connection.number)
        return seat is None or seat.view.acknowledge(patch) or refuse_acknowledgement(connection)

    def refresh(self, connection: Conversation) -> None:
        """Send the whole view again."""
        if connection.number in self._seats:
            self._seats[connection.number].view.reset()

    def _seats_of(self, account: int) -> list[_Seat]:
        return [each for each in self._seats.values() if each.watched == account]

    def _tick(self) -> None:
        """Send each watcher what is due, and do so again soon while there is anything to watch."""
        if self._timer is not None and self._timer.active():
            self._timer.cancel()
        self._timer = None
        now_ms = self._clock.now_ms()
        for account in sorted({each.watched for each in self._seats.values() if each.watched}):
            self._note(account, now_ms)
        for seat in [each for each in self._seats.values() if each.watched]:
            try:
                self._show(seat, now_ms)
            except Exception as error:  # noqa: BLE001  # a fault costs one watcher their view, and no player anything
                self._reporter.report("showing to a watcher", error)
                self._tell(WatchEnded(seat.connection.number, _FAULT))
        if any(each.watched for each in self._seats.values()):
            self._timer = self._clock.reactor.callLater(limits.WATCH_EVERY_MS / 1_000, self._tick)

    def _note(self, account: int, now_ms: int) -> None:
        """Keep the newest view that a watched player was sent; end the watching of a player who is gone."""
        client, state = self._clients.by_account(account), self._watched[account]
        if client is not None and client.is_connected:
            state.seen_ms = now_ms
            if client.elsewhere:
                self._look_elsewhere(client)
        elif now_ms - state.seen_ms >= _GONE_MS:
            for seat in self._seats_of(account):
                self._tell(WatchEnded(seat.connection.number, _GONE))
            return
        if client is not None and client.view is not None and client.view.writer.sent_view is not NOWHERE:
            state.feed.note(client.view.writer.sent_view, now_ms)
            if client.view.over:
                state.last = client.view.writer.sent_view

    def _look_elsewhere(self, client: ClientState) -> None:
        """Make the present view of a player; another view process sends it to them."""
        standing = self._clients.in_play_of(client.account)
        if standing is None:
            return
        body = standing[2].number
        if client.view is None or client.view.body != body:
            client.view = ClientView(body)
        client.view.follow(self._broadcaster.view(standing))

    def _show(self, seat: _Seat, now_ms: int) -> None:
        """Send a watcher the view that is due now, if their client keeps up; a slow one gets the newest later."""
        seat.view.paused = seat.connection.paused
        if not seat.view.has_credit():
            return
        in_party = parties_of(self._dungeon.realm).together(seat.account, seat.watched)
        view = self._watched[seat.watched].feed.at(now_ms - (0 if in_party else _GONE_MS))
        if view is None or (view is seat.shown and not seat.view.whole):
            return
        seat.shown = view
        update = seat.view.update(view, 0, now_ms)
        if update is not None:
            send_patch(seat.connection, seat.view, update, now_ms)
        if not seat.account and view is self._watched[seat.watched].last:
            self._tell(WatchEnded(seat.connection.number, _DIED))


def refuse_acknowledgement(connection: Conversation) -> bool:
    """End a connection whose client acknowledged an update that it was never sent; return False."""
    connection.end("ack", "A patch was acknowledged that was never sent.")
    return False
