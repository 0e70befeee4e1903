"""The engine of one running realm: its parts, built and connected in one place.

Each part gets only what it needs.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from gloam_server.engine.archive.archiver import AFTER_DAYS, Archiver
from gloam_server.engine.command_queue import CommandQueue
from gloam_server.engine.commit_queue import CommitQueue
from gloam_server.engine.consents import Consents
from gloam_server.engine.faults.crash_reports import CrashReports
from gloam_server.engine.faults.fault_isolation import FaultIsolation
from gloam_server.engine.faults.fault_reporter import FaultReporter
from gloam_server.engine.game_clock import GameClock
from gloam_server.engine.game_loop import GameLoop
from gloam_server.engine.journal_budget import JournalBudget
from gloam_server.engine.ladder.boards import LadderBoards
from gloam_server.engine.ladder.ladder import RealmLadder
from gloam_server.engine.messages import Shown
from gloam_server.engine.parties.party_news import PartyNewsFeed
from gloam_server.engine.player import Player
from gloam_server.engine.players import Players
from gloam_server.engine.publishing.broadcaster import Broadcaster
from gloam_server.engine.recovery.journal_tail import JournalTail
from gloam_server.engine.server_statistics import ServerStatistics
from gloam_server.engine.timing.party_patience import PARTY_PATIENCE_MAX_MS
from gloam_server.engine.turns.turn_scheduler import TurnScheduler
from gloam_server.storage.writer import Writer
from gloam_server.world.transition.dungeon import Dungeon


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
    broadcaster: Broadcaster
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
    *,
    patience_ms: int,
    party_patience_max_ms: int = PARTY_PATIENCE_MAX_MS,
    archive_days: int = AFTER_DAYS,
    expel: Callable[[Player, str], None],
    fatal: Callable[[str], None],
    on_idle: Callable[[], None] | None = None,
    reports: CrashReports | None = None,
) -> Engine:
    """Return the engine for a dungeon; the callables are the same as of `GameLoop`.

    Without `reports`, faults are logged.
    """
    statistics = ServerStatistics()
    reporter = FaultReporter(dungeon, statistics, reports or CrashReports(wall_s=clock.wall_s))
    budget = JournalBudget(dungeon, players, clock)
    tail = JournalTail(dungeon)
    isolation = FaultIsolation(dungeon, tail, reporter.report, budget)
    scheduler = TurnScheduler(dungeon, players, budget, patience_ms, party_patience_max_ms)
    broadcaster = Broadcaster(dungeon, players, statistics, reporter, partial(_note_sights, players))
    ladder = RealmLadder(writer.directory.deaths()[::-1])
    commits = CommitQueue(
        dungeon, writer, clock, statistics, reporter, ladder, tail, banner=broadcaster.set_banner, fatal=fatal
    )
    loop = GameLoop(
        dungeon,
        players,
        clock,
        statistics,
        reporter,
        isolation,
        scheduler,
        commits,
        broadcaster,
        PartyNewsFeed(dungeon, players, scheduler),
        Archiver(dungeon, players, writer, clock, archive_days),
        expel=expel,
        fatal=fatal,
        on_idle=on_idle,
    )
    return Engine(
        dungeon,
        players,
        clock,
        statistics,
        reporter,
        scheduler,
        commits,
        broadcaster,
        loop,
        writer,
        CommandQueue(players, loop, commits, clock, statistics, Consents(players, dungeon)),
        LadderBoards(dungeon, ladder, clock.wall_s),
        budget,
    )


def _note_sights(players: Players, shown: Shown) -> None:
    """Note the sights that a player was shown, for which exploring does not stop again."""
    player = players.by_account(shown.account)
    if player is not None:
        player.turns.points_of_interest.update(shown.points)
