"""The engine of one running realm: its parts, built and connected in one place.

Each part gets only what it needs.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from gloam_server.engine.archive.archiver import AFTER_DAYS, Archiver
from gloam_server.engine.command_queue import CommandQueue
from gloam_server.engine.commit_queue import CommitQueue
from gloam_server.engine.consents import Consents
from gloam_server.engine.faults.crash_reports import CrashReports
from gloam_server.engine.faults.fault_isolation import FaultIsolation
from gloam_server.engine.faults.fault_reporter import FaultReporter
from gloam_server.engine.game_clock import GameClock
from gloam_server.engine.game_loop import GameLoop, TurnSide
from gloam_server.engine.journal_budget import JournalBudget
from gloam_server.engine.ladder.boards import LadderBoards
from gloam_server.engine.ladder.ladder import RealmLadder
from gloam_server.engine.loop_state import LoopState
from gloam_server.engine.messages import Views
from gloam_server.engine.players import Players
from gloam_server.engine.recovery.journal_tail import JournalTail
from gloam_server.engine.server_statistics import ServerStatistics
from gloam_server.engine.timing.party_patience import PARTY_PATIENCE_MAX_MS
from gloam_server.engine.turns.turn_scheduler import TurnScheduler
from gloam_server.storage.writer import Writer
from gloam_server.world.transition.dungeon import Dungeon

V = TypeVar("V", bound=Views)


@dataclass(frozen=True, slots=True)
class Engine:
    """The parts of a running realm. Its users take the parts they need, and do not keep the engine."""

    dungeon: Dungeon
    players: Players
    clock: GameClock
    statistics: ServerStatistics
    reporter: FaultReporter
    scheduler: TurnScheduler
    commits: CommitQueue
    views: Views
    turn_side: TurnSide
    loop: GameLoop
    writer: Writer
    commands: CommandQueue
    boards: LadderBoards
    budget: JournalBudget


def build_engine(
    dungeon: Dungeon,
    players: Players,
    writer: Writer,
    clock: GameClock,
    make_views: Callable[[ServerStatistics, FaultReporter, LoopState], V],
    *,
    patience_ms: int,
    party_patience_max_ms: int = PARTY_PATIENCE_MAX_MS,
    archive_days: int = AFTER_DAYS,
    fatal: Callable[[str], None],
    on_idle: Callable[[], None] | None = None,
    reports: CrashReports | None = None,
) -> tuple[Engine, V]:
    """Return the engine for a dungeon, and its view side. The other callables are those that `GameLoop` takes; faults go to `reports`, or the log."""
    statistics = ServerStatistics()
    reporter = FaultReporter(dungeon, statistics, reports or CrashReports(wall_s=clock.wall_s))
    state = LoopState()
    views = make_views(statistics, reporter, state)
    tail = JournalTail(dungeon)
    budget = JournalBudget(dungeon, players, clock, views)
    isolation = FaultIsolation(dungeon, tail, reporter.report, budget)
    scheduler = TurnScheduler(dungeon, players, budget, patience_ms, party_patience_max_ms)
    ladder = RealmLadder(writer.directory.deaths()[::-1])
    commits = CommitQueue(state, dungeon, writer, clock, statistics, reporter, ladder, tail, views, fatal)
    archiver = Archiver(dungeon, players, writer, clock, views, archive_days)
    loop = GameLoop(
        dungeon,
        players,
        clock,
        statistics,
        reporter,
        isolation,
        scheduler,
        commits,
        views,
        archiver,
        fatal=fatal,
        on_idle=on_idle,
    )
    turn_side = TurnSide(players, loop)
    views.tell = turn_side.take
    engine = Engine(
        dungeon,
        players,
        clock,
        statistics,
        reporter,
        scheduler,
        commits,
        views,
        turn_side,
        loop,
        writer,
        CommandQueue(players, loop, commits, clock, statistics, Consents(players, dungeon), views),
        LadderBoards(dungeon, ladder, clock.wall_s),
        budget,
    )
    return engine, views
