"""The turn side's answers to the messages of the view side. Built by `build_engine`."""

from collections.abc import Callable

from gloam_server.engine.game_loop import GameLoop
from gloam_server.engine.messages import Proved, Room, Shown, ToTurnSide, Unshowable, WatchEnded
from gloam_server.engine.players import Players


class TurnSide:
    """Takes the messages of the view side. The gateway sets `on_proved` and `on_watch_ended`: it has the resume tokens and the watchers."""

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
