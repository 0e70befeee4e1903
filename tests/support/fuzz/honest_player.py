"""The honest player: they must be answered while others send anything, and their view must stay consistent."""

from gloam_shared.protocol.commands import Move, Wait
from gloam_shared.protocol.messages.lives import Died
from gloam_shared.view.view import Stat
from support.server.sim_server import SimServer

ANSWERED_WITHIN_MS = 20_000
"""Of the server's time: turns that wait for others take their patience, two seconds at first and less each time."""


class Honest:
    """A real client's link that waits and walks, and begins again when it dies."""

    def __init__(self, server: SimServer) -> None:
        self._server = server
        self._client = server.join("Honest")
        self._steps = 0

    def live(self) -> None:
        """Take what arrived, and want something once the last command is answered."""
        client, now_ms = self._client, self._server.now_ms
        client.link.tick(now_ms)
        self._server.pump()
        assert client.up, f"the honest player was sent away; last came {client.got[-3:]}"
        if any(isinstance(message, Died) for message in client.hear()):
            client.begin_again()
            return
        waiting = client.link.unanswered
        if waiting is None:
            self._steps += 1
            client.command(Wait() if self._steps % 3 else Move(*((1, 0), (-1, 0))[self._steps // 3 % 2]))
        elif client.view.fact(Stat.HP) > 0:
            assert now_ms - waiting.since_ms < ANSWERED_WITHIN_MS, (
                "the honest player was left without an answer"
            )

    def must_be_served(self) -> None:
        """Give the server its time; raise AssertionError when the player is not answered within it."""
        for _ in range(ANSWERED_WITHIN_MS // 1_000):
            self._server.advance(1_000)
            self.live()
            if self._client.link.unanswered is None:
                return
        raise AssertionError("the honest player was left without an answer")
