"""Players of one turn group, and when its turns are due."""

from dataclasses import dataclass, field

from gloam_server.engine.timing import turn_timing

LONG_AGO = -1_000_000
CHOOSING_MS = 8_000
CHOOSING_HURT_MS = 12_000


@dataclass
class Table:
    """Players around one turn group, and a clock that a test moves."""

    count: int = 2
    held: bool = True
    patience_ms: int = turn_timing.PATIENCE_MS
    now_ms: int = 0
    clocks: dict[int, turn_timing.TurnClock] = field(default_factory=dict)
    unable: set[int] = field(default_factory=set)
    hurt: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.clocks = {number: turn_timing.TurnClock() for number in range(1, self.count + 1)}

    def judge(self) -> turn_timing.TurnStatus:
        return turn_timing.turn_status(
            tuple(self.clocks),
            self.clocks,
            lambda number: number not in self.unable,
            self.now_ms,
            held=self.held,
            patience_ms=self.patience_ms,
            hurt=lambda number: number in self.hurt,
        )

    def command(self, *players: int) -> None:
        for player in players:
            self.clocks[player].command_arrived(self.now_ms)

    def run(self) -> None:
        """Run the turn: who has a command and is able acts, the others guard."""
        since_ms = turn_timing.waited_since_ms(self.clocks.values())
        for number, clock in self.clocks.items():
            able = number not in self.unable
            acted = able and clock.waiting_since_ms is not None
            waited_for = self.held and able and not acted and clock.connected
            clock.turn_ran(self.now_ms, acted=acted, waited_since_ms=since_ms if waited_for else None)

    def next_due(self) -> int | None:
        """Return when the turn becomes due if nothing more arrives; looks only on request."""
        for _ in range(20):
            status = self.judge()
            if status.due:
                return self.now_ms
            if status.look_at_ms is None:
                return None
            assert status.look_at_ms > self.now_ms
            self.now_ms = status.look_at_ms
        raise AssertionError("it looks again and again and nothing is ever due")
