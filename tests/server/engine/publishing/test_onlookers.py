"""Onlookers are shown in slices, the longest waiting first, and only what is durable."""

from typing import Any
from unittest.mock import Mock

from twisted.internet.task import Clock

from gloam_server.engine.game_clock import GameClock
from gloam_server.engine.publishing.client_state import ClientState
from gloam_server.engine.publishing.client_view import ClientView
from gloam_server.engine.publishing.onlookers import SLICE_S, Onlookers
from gloam_shared.limits import GATHER_MS
from gloam_shared.protocol.commands import Move
from support.server.parties import company, updates

UPDATE_S = SLICE_S * 0.6


class Crowd:
    """Players with stale views, and a broadcaster that takes more than half a slice for each update."""

    def __init__(self, *sent_ms: int) -> None:
        self.reactor = Clock()
        self.reactor.advance(10)
        self.durable = True
        self.shown: list[tuple[int, int]] = []
        self.players = []
        for account, sent in enumerate(sent_ms):
            view = ClientView(account, sent_ms=sent)
            client = ClientState(account, f"P{account}", Mock(paused=False), view=view, needs_update=True)
            self.players.append(client)
        clients: Any = Mock()
        clients.shown_here = lambda: [(player, None, None) for player in self.players]
        clients.in_play_of = lambda account: next(
            ((player, None, None) for player in self.players if player.account == account), None
        )
        broadcaster: Any = Mock()
        broadcaster.party.party = ()
        broadcaster.publish_to = self._publish_to
        clock = GameClock(self.reactor)
        self.onlookers = Onlookers(clients, broadcaster, clock, lambda: self.durable, lambda: None)

    def _publish_to(self, in_play: tuple[ClientState, None, None], now_ms: int) -> None:
        player = in_play[0]
        self.reactor.rightNow += UPDATE_S
        player.needs_update = False
        assert player.view is not None
        player.view.sent_ms = now_ms
        self.shown.append((player.account, now_ms))


def test_a_slice_ends_and_the_next_continues() -> None:
    crowd = Crowd(0, 0, 0, 0, 0)
    crowd.onlookers.show()
    assert len(crowd.shown) == 2
    crowd.reactor.advance(0)
    assert [account for account, _ in crowd.shown] == [0, 1, 2, 3, 4]
    assert len({began_ms for _, began_ms in crowd.shown}) == 3, "three slices"


def test_the_longest_waiting_is_first() -> None:
    crowd = Crowd(900, 100, 500)
    crowd.onlookers.show()
    crowd.reactor.advance(0)
    assert [account for account, _ in crowd.shown] == [1, 2, 0]


def test_one_shown_just_now_waits() -> None:
    crowd = Crowd(9_990)
    crowd.onlookers.show()
    assert crowd.shown == []
    crowd.reactor.advance((GATHER_MS - 11) / 1_000)
    assert crowd.shown == []
    crowd.reactor.advance(0.002)
    assert [account for account, _ in crowd.shown] == [0]


def test_nothing_is_shown_during_an_append() -> None:
    crowd = Crowd(0)
    crowd.durable = False
    crowd.onlookers.show()
    assert crowd.shown == []
    assert crowd.reactor.getDelayedCalls() == [], "the batch shows it after its append"


def test_one_who_has_left_is_shown_nothing() -> None:
    crowd = Crowd(0, 1, 2)
    crowd.onlookers.show()
    gone = crowd.players.pop()
    crowd.reactor.advance(0)
    crowd.reactor.advance(0)
    assert gone.account not in [account for account, _ in crowd.shown]
    assert len(crowd.shown) == 2


def test_a_slow_client_is_not_looked_at_again() -> None:
    crowd = Crowd(0)
    crowd.players[0].connection.paused = True  # type: ignore[union-attr]
    crowd.onlookers.show()
    assert crowd.shown == []
    assert crowd.reactor.getDelayedCalls() == []


def test_with_time_enough_all_see_a_step_together() -> None:
    server, (anna, bert, carl, dora) = company("Anna", "Bert", "Carl", "Dora")
    server.advance(200)
    for each in (carl, dora):
        each.hear()
    anna.command(Move(*anna.view.place.grid.towards(anna.view.cell, bert.view.cell)))
    server.advance(GATHER_MS)
    assert [len(updates(each)) for each in (carl, dora)] == [1, 1]
