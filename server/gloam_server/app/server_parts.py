"""The parts of a running server, built in one place for a server and for a simulation."""

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import blake2b
from typing import Final

from gloam_server.engine.archive.archiver import AFTER_DAYS
from gloam_server.engine.engine import Engine, V, build_engine
from gloam_server.engine.faults.crash_reports import CrashReports
from gloam_server.engine.faults.fault_reporter import FaultReporter
from gloam_server.engine.game_clock import GameClock
from gloam_server.engine.loop_state import LoopState
from gloam_server.engine.players import Players
from gloam_server.engine.publishing.view_side import ViewSide
from gloam_server.engine.server_statistics import ServerStatistics
from gloam_server.engine.timing.party_patience import PARTY_PATIENCE_MAX_MS
from gloam_server.gateway.disconnector import Disconnector
from gloam_server.gateway.dungeon_list import AskRealms, DungeonList
from gloam_server.gateway.front import Front
from gloam_server.gateway.gateway import Gateway
from gloam_server.gateway.host_ladder import AskBoard, HostLadder
from gloam_server.gateway.login.authentication import Authenticator
from gloam_server.gateway.login.login_attempt import AccessRules
from gloam_server.gateway.login.password_hashing import PasswordHashing
from gloam_server.gateway.login.session_resume import secret_token
from gloam_server.gateway.rejections import Rejections
from gloam_server.link.link_messages import Setup
from gloam_server.link.turn_end import ViewLinks
from gloam_server.link.view_end import ViewEnd
from gloam_server.net.connection import ConnectionFactory
from gloam_server.net.connection_counts import ConnectionLimits
from gloam_server.storage.directory import Directory
from gloam_server.storage.shared_replays import SharedReplays
from gloam_server.storage.writer import Writer
from gloam_server.world.transition.dungeon import Dungeon

_SIZE: Final = 16
_PURPOSE: Final = b"gloam realm"


@dataclass(frozen=True, slots=True)
class Outside:
    """The things outside a server that it uses."""

    writer: Writer
    clock: GameClock
    passwords: PasswordHashing
    replays: SharedReplays
    fatal: Callable[[str], None]
    """Takes the reason when the server cannot go on."""
    on_idle: Callable[[], None] | None = None
    """Called in moments without players."""
    reports: CrashReports | None = None
    """Without them reports go into the log."""
    realms: AskRealms | None = None
    """Reads the realms of the host, where there can be more than one."""
    board: AskBoard | None = None
    """Reads a board of the ladder over all of them."""
    draw_token: Callable[[], bytes] = secret_token
    """Makes the tokens to resume with."""


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """The choices of a host for a server."""

    access: AccessRules
    room: ConnectionLimits
    players_max: int
    version: str
    patience_ms: int
    party_patience_max_ms: int = PARTY_PATIENCE_MAX_MS
    archive_days: int = AFTER_DAYS
    one_life: bool = False
    watch_guests: bool = False


@dataclass(frozen=True, slots=True)
class ServerParts:
    """The parts of a running server that its process uses."""

    engine: Engine
    view_side: ViewSide
    gateway: Gateway
    front: Front
    factory: ConnectionFactory
    """Makes a conversation of each connection of a player."""


@dataclass(frozen=True, slots=True)
class TurnParts:
    """The parts of a server whose view side is in other processes."""

    engine: Engine
    gateway: Gateway
    links: ViewLinks


def build_server(dungeon: Dungeon, outside: Outside, options: ServerOptions) -> ServerParts:
    """Return a running server for a claimed dungeon, all of it in this process."""

    def make_views(statistics: ServerStatistics, reporter: FaultReporter, state: LoopState) -> ViewSide:
        return ViewSide(dungeon, outside.clock, statistics, reporter, state.may_show)

    engine, view_side, gateway = _build_turn_side(dungeon, outside, options, make_views)
    front = Front(
        view_side,
        gateway,
        Rejections(outside.clock.reactor),
        outside.replays,
        options.room,
        players_max=options.players_max,
        realm=realm_name(outside.writer.directory),
        guests=options.watch_guests,
        listed=outside.realms is not None,
    )
    return ServerParts(engine, view_side, gateway, front, ConnectionFactory(front, outside.clock.reactor))


def build_turn_process(
    dungeon: Dungeon, outside: Outside, options: ServerOptions, epoch: int = 0
) -> TurnParts:
    """Return the turn side of a server for a claimed dungeon, with links for view processes; `epoch` turn processes died before."""

    def make_views(_: ServerStatistics, reporter: FaultReporter, __: LoopState) -> ViewLinks:
        return ViewLinks(dungeon, reporter, epoch)

    engine, links, gateway = _build_turn_side(dungeon, outside, options, make_views)
    links.requests, links.when_durable = gateway, engine.commits.when_durable
    return TurnParts(engine, gateway, links)


@dataclass(frozen=True, slots=True)
class ViewParts:
    """The parts of a view process."""

    view_side: ViewSide
    front: Front
    factory: ConnectionFactory


def build_view_process(
    dungeon: Dungeon,
    end: ViewEnd,
    setup: Setup,
    clock: GameClock,
    replays: SharedReplays,
    reports: CrashReports,
    room: ConnectionLimits,
) -> ViewParts:
    """Return the view side of a server for a replica of its dungeon, on its end of the link."""
    statistics = ServerStatistics()
    reporter = FaultReporter(dungeon, statistics, reports)
    view_side = ViewSide(dungeon, clock, statistics, reporter, lambda: True)
    view_side.tell = end.tell
    front = Front(
        view_side,
        end,
        Rejections(clock.reactor),
        replays,
        room,
        players_max=setup.players_max,
        realm=setup.realm,
        guests=setup.guests,
        listed=setup.listed,
        first=setup.first,
    )
    return ViewParts(view_side, front, ConnectionFactory(front, clock.reactor))


def _build_turn_side(
    dungeon: Dungeon,
    outside: Outside,
    options: ServerOptions,
    make_views: Callable[[ServerStatistics, FaultReporter, LoopState], V],
) -> tuple[Engine, V, Gateway]:
    writer, clock, players = outside.writer, outside.clock, Players(dungeon)
    door = Authenticator(
        writer,
        outside.passwords,
        options.access,
        clock.now_ms,
        clock.wall_s,
        players.is_in_use,
        dungeon,
        outside.draw_token,
    )
    engine, views = build_engine(
        dungeon,
        players,
        writer,
        clock,
        make_views,
        patience_ms=options.patience_ms,
        party_patience_max_ms=options.party_patience_max_ms,
        archive_days=options.archive_days,
        fatal=outside.fatal,
        on_idle=outside.on_idle,
        reports=outside.reports,
    )
    gateway = Gateway(
        engine,
        door,
        Disconnector(engine, door),
        players_max=options.players_max,
        version=options.version,
        one_life=options.one_life,
        dungeons=None if outside.realms is None else DungeonList(outside.realms, clock.now_ms),
        ladder=None if outside.board is None else HostLadder(outside.board, clock.now_ms),
    )
    return engine, views, gateway


def realm_name(directory: Directory) -> str:
    """Return the public name of the realm in a directory, by which clients store what their players saw; "" without a realm.

    It reveals nothing of the seed. It is a hash of the time and campaign of the realm's founding, with a key derived from its seed. A
    restart, a restore or an upgrade does not change it, and the chance that two realms share a name is
    negligible.
    """
    identity = directory.identity()
    if identity is None:
        return ""
    seed = identity.seed
    key = blake2b(seed.to_bytes(seed.bit_length() // 8 + 1, "big", signed=True), person=_PURPOSE).digest()
    founded = f"{identity.campaign} {identity.created_s}".encode()
    return blake2b(founded, digest_size=_SIZE, key=key, person=_PURPOSE).hexdigest()
