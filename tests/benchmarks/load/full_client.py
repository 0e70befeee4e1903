"""A full client: the bot of gloam_lab.bots, which decides by the view that the real client decodes."""

from collections.abc import Callable
from typing import Final

from benchmarks.load.fleet_client import Board, FleetClient
from benchmarks.load.options import LoadOptions
from gloam_client.net.protocol_client import ProtocolBroken, ProtocolClient
from gloam_lab.bots.adventurer import Adventurer
from gloam_lab.bots.style import draw_style
from gloam_shared.protocol.commands import AnyCommand, Climb, Stop, Wait
from gloam_shared.protocol.messages.lives import Died, NewLife
from gloam_shared.protocol.messages.login import Bye, Joined
from gloam_shared.protocol.messages.play import Answer, Pace, Update
from gloam_shared.protocol.registry import FromServer

_NEVER_S: Final = 1e18


class FullClient(FleetClient):
    """Plays as a bot plays. Without `spread` it stays on the level where it began."""

    def __init__(self, at: int, options: LoadOptions, board: Board, now: Callable[[], float]) -> None:
        super().__init__(at, options, board, now)
        self._spread = options.spread
        self._style = draw_style(options.seed, at, 0)
        self._mind = Adventurer(self._style)
        self._link = ProtocolClient(self.name, self.token, "bench")
        self._number = 0

    def greet(self) -> None:
        """Say hello and log in."""
        self._link.connected(_ms(self.now()))
        self.send(self._link.outgoing())

    def receive(self, data: bytes, now_s: float) -> None:
        """Read the messages in these bytes, with the view."""
        try:
            messages = self._link.receive(data, _ms(now_s))
        except ProtocolBroken as error:
            self.close(error.text)
            return
        for message in messages:
            self._take(message, now_s)
        if self.wait.is_waiting and self._link.unanswered is None:
            self.answered(now_s, turn=False)  # the server dropped it: too many together
        self.send(self._link.outgoing())

    def command(self, _now_s: float) -> bool:
        """Do what the bot decides; while a plan runs there is nothing to decide."""
        if self._link.pace.plan or not self._link.view.place.depth:
            return False
        command = self._wish()
        self._number = self._link.command(command, _ms(_now_s))
        self.send(self._link.outgoing())
        return True

    def begin_again(self) -> None:
        """Ask for the next life, whose bot remembers nothing."""
        self._mind = Adventurer(self._style)
        self._link.send(NewLife(self._link.life))
        self.send(self._link.outgoing())

    def owed_s(self) -> float:
        """Return when an acknowledgement is due."""
        due_ms = self._link.tick_due_ms
        return _NEVER_S if due_ms is None else (due_ms + 1) / 1_000

    def settle(self, now_s: float) -> None:
        """Acknowledge what no command has acknowledged in time."""
        self._link.tick(_ms(now_s))
        self.send(self._link.outgoing())

    def _wish(self) -> AnyCommand:
        command = self._mind.decide(self._link.view)
        return Wait() if isinstance(command, Climb | Stop) and not self._spread else command

    def _take(self, message: FromServer, now_s: float) -> None:
        match message:
            case Update(done=done):
                self.board.tally.updates += 1
                if done >= self._number > 0:
                    self.answered(now_s, turn=True)
            case Answer(number=number):
                self._mind.hear(self._link.view, message)
                if number == self._number:
                    self.answered(now_s, turn=False)
            case Pace(for_names=names, ms=ms):
                self.paced(now_s, names=names, ms=ms)
            case Joined():
                self.joined()
            case Died():
                self.died(now_s)
            case Bye(code=code, text=text):
                self.close(f"{code}: {text}")


def _ms(seconds: float) -> int:
    return int(seconds * 1_000)
