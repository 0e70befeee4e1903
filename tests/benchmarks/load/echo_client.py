"""A client of the bare echo server: as many bytes as a light client, at the same pace, without a protocol."""

from collections.abc import Callable

from benchmarks.load.fleet_client import Board, FleetClient
from benchmarks.load.options import LoadOptions

_NUMBER_SIZE = 4
_NEVER_S = 1e18


class EchoClient(FleetClient):
    """Sends frames of one size, and waits for the answer with its number."""

    def __init__(self, at: int, options: LoadOptions, board: Board, now: Callable[[], float]) -> None:
        super().__init__(at, options, board, now)
        self._filling = bytes(options.command_bytes - _NUMBER_SIZE)
        self._size = options.update_bytes
        self._held = bytearray()
        self._number = 0

    def greet(self) -> None:
        """Begin immediately: there is no login."""
        self.joined()

    def receive(self, data: bytes, now_s: float) -> None:
        """Count the updates, and look for the answer."""
        self._held += data
        while len(self._held) >= self._size:
            number = int.from_bytes(self._held[:_NUMBER_SIZE], "big")
            del self._held[: self._size]
            self.board.tally.updates += 1
            if number and number == self._number:
                self.answered(now_s, turn=True)

    def command(self, _now_s: float) -> bool:
        """Send the next frame."""
        self._number += 1
        self.send(self._number.to_bytes(_NUMBER_SIZE, "big") + self._filling)
        return True

    def begin_again(self) -> None:
        """There are no lives here."""

    def owed_s(self) -> float:
        """Nothing is acknowledged here."""
        return _NEVER_S

    def settle(self, _now_s: float) -> None:
        """Nothing is acknowledged here."""
