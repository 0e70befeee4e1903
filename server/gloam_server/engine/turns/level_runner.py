"""Levels as the game loop runs them: the due turns of each, one after another, each applied atomically."""

from gloam_server.engine.faults.fault_isolation import FaultIsolation
from gloam_server.engine.game_clock import GameClock
from gloam_server.engine.players import Players
from gloam_server.engine.recovery.level_rebuild import RebuildFailed
from gloam_server.engine.server_statistics import ServerStatistics
from gloam_server.engine.turns.level_status import LevelStatus
from gloam_server.engine.turns.turn_scheduler import TurnScheduler
from gloam_server.world.model.context import RuleFault
from gloam_server.world.model.inputs import Input, Turn, UnattendedTurn
from gloam_shared.level_numbers import PartitionId


class LevelRunner:
    """Runs the turns of one level. The loop knows a level only through this object, so a level may live in another place later."""

    def __init__(
        self,
        partition: PartitionId,
        scheduler: TurnScheduler,
        isolation: FaultIsolation,
        clock: GameClock,
        statistics: ServerStatistics,
    ) -> None:
        self._partition = partition
        self._scheduler = scheduler
        self._isolation = isolation
        self._clock = clock
        self._statistics = statistics

    def run_due(self, now_ms: int) -> LevelStatus:
        """Run every due turn; return the level's status then.

        Each fault removes a creature or closes the level, so this ends.
        """
        while True:
            try:
                return self._run_turns(now_ms)
            except RuleFault as fault:
                self._isolation.quarantine(fault)
            except RebuildFailed:
                raise
            except Exception as error:  # noqa: BLE001  # no creature can be named: the level is at fault
                unnamed = RuleFault(0, self._partition)
                unnamed.__cause__ = error
                self._isolation.quarantine(unnamed)

    def _run_turns(self, now_ms: int) -> LevelStatus:
        while True:
            due = self._scheduler.due(self._partition, now_ms)
            if isinstance(due, LevelStatus):
                return due
            if not self._apply(due.turn):
                continue  # a creature at fault is removed: the turn is filled again without it
            self._scheduler.turn_ran(due, now_ms)
            if self._scheduler.unattended_due(due.level):
                self._apply(UnattendedTurn())

    def _apply(self, input_: Input) -> bool:
        began_s = self._clock.seconds()
        done = self._isolation.run(self._partition, input_)
        if isinstance(input_, Turn):
            self._statistics.turns.observe(self._clock.seconds() - began_s)
        return done


class LevelRunners:
    """The levels of the dungeon, one runner each."""

    def __init__(
        self,
        players: Players,
        scheduler: TurnScheduler,
        isolation: FaultIsolation,
        clock: GameClock,
        statistics: ServerStatistics,
    ) -> None:
        self._players = players
        self._scheduler = scheduler
        self._parts = scheduler, isolation, clock, statistics
        self._runners: dict[int, LevelRunner] = {}

    def run_due(self, now_ms: int) -> dict[int, LevelStatus]:
        """Run the due turns of each level with a body; other levels sleep.

        Return the status of each level then.
        """
        self._scheduler.begin_batch(now_ms)
        partitions = sorted({level.partition for _, level, _ in self._players.in_play()})
        return {partition: self._runner(partition).run_due(now_ms) for partition in partitions}

    def _runner(self, partition: PartitionId) -> LevelRunner:
        if partition not in self._runners:
            self._runners[partition] = LevelRunner(partition, *self._parts)
        return self._runners[partition]
