"""The players of a level whose command or plan waits, found without a look at all of them before each turn."""

from gloam_server.engine.player import Player


class WaitingPlayers:
    """Those who wait, by level, as of the last look in this batch.

    Commands come between batches only. So after the first look of a batch, a level's players who wait are among those
    who waited before, until one comes or leaves.
    """

    def __init__(self) -> None:
        self._known: dict[int, tuple[dict[int, Player], list[int]]] = {}

    def begin_batch(self) -> None:
        """Look at all players again: commands may have come."""
        self._known.clear()

    def on_level(self, place: int, players: dict[int, Player]) -> list[int]:
        """Return the numbers of the players of a level who wait. `players` is the same object until one comes or leaves."""
        known = self._known.get(place)
        candidates = known[1] if known is not None and known[0] is players else players
        waiting = [
            number for number in candidates if players[number].turns.clock.waiting_since_ms is not None
        ]
        self._known[place] = players, waiting
        return waiting
