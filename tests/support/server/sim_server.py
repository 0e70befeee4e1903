"""A whole server under a manual clock: the real game loop, sessions and connections; only the transports are lists.

Time moves when a test says so. The journal is the twin in memory; its writer answers immediately or after a delay.
"""

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final, cast

from twisted.internet.task import Clock

from gloam_client.net.protocol_client import CLIENT_ABILITIES, ProtocolClient
from gloam_lab.invariants import check_invariants
from gloam_server.app.server_parts import (
    Outside,
    ServerOptions,
    ServerParts,
    TurnParts,
    ViewParts,
    build_server,
    build_turn_process,
)
from gloam_server.content.campaign import Campaign
from gloam_server.engine.game_clock import GameClock
from gloam_server.gateway.dungeon_list import AskRealms
from gloam_server.gateway.host_ladder import AskBoard
from gloam_server.gateway.login.login_attempt import AccessRules
from gloam_server.gateway.login.password_hashing import Argon2Hasher
from gloam_server.gateway.login.session_resume import secret_token
from gloam_server.net.connection_counts import ConnectionLimits
from gloam_server.rules.search import first_step
from gloam_server.storage.shared_replays import SharedReplays
from gloam_server.storage.store import Store
from gloam_server.storage.writer import Writer
from gloam_server.world.model.creature import Creature, new_creature
from gloam_server.world.model.ids import new_id
from gloam_server.world.model.inputs import Arrive, Input, Remove, decode
from gloam_server.world.model.level import Level
from gloam_shared import limits
from gloam_shared.appearance import Terrain
from gloam_shared.geometry import DIRECTIONS
from gloam_shared.protocol.commands import AnyCommand, Move
from gloam_shared.protocol.messages.chat import ChatLine, Spoken
from gloam_shared.protocol.messages.lives import NewLife
from gloam_shared.protocol.messages.login import Goodbye
from gloam_shared.protocol.messages.play import SubmitCommand
from gloam_shared.protocol.messages.watching import SetWatchable
from gloam_shared.protocol.registry import ABILITIES, FromClient, FromServer
from gloam_shared.search import reachable
from gloam_shared.view.view import View
from support.content.campaigns import arena
from support.link.sim_views import VIEWS, SimView, view_setup
from support.server.manual_threads import ManualPasswords, ManualWriter, awake
from support.server.transports import Wire, address, connect
from support.storage.founding import open_realm
from support.storage.memory_store import MemoryStore

OPEN: Final = AccessRules(open=True)
_CONJURER = 1_000
"""A place that there is not: creatures that a test puts into the dungeon come from there."""


class SimClient:
    """One player: a real link on a wire of lists."""

    def __init__(
        self,
        server: "SimServer",
        name: str,
        token: bytes,
        host: str = "127.0.0.1",
        *,
        watches: bool = False,
        watchable: bool = False,
        lacks: str = "",
    ) -> None:
        self.server = server
        able = CLIENT_ABILITIES if server.compressed else ABILITIES
        self.link = ProtocolClient(
            name,
            token,
            "test",
            watches=watches,
            watchable=SetWatchable(watchable),
            abilities=tuple(each for each in able if each != lacks),
        )
        self.got: list[FromServer] = []
        self.reading = True
        self._host = host
        self.dial()

    @property
    def view(self) -> View:
        """The client's view."""
        return self.link.view

    def dial(self) -> None:
        """Open a (new) connection and log in."""
        self.server.use_next_view()
        self.wire = Wire()
        self.connection = self.server.factory.buildProtocol(address(self._host))
        connect(self.connection, self.wire)
        self.up = True
        self.link.connected(self.server.now_ms)
        self.pump()

    def pump(self) -> list[FromServer]:
        """Carry bytes both ways until nothing moves; return what arrived."""
        came: list[FromServer] = []
        while self.up:
            outgoing = self.link.outgoing()
            if outgoing:
                self.connection.dataReceived(outgoing)
            incoming = bytes(self.wire.sent) if self.reading else b""
            if incoming:
                self.wire.sent.clear()
                came += self.link.receive(incoming, self.server.now_ms)
            if self.wire.closed:
                self.cut()
            if not outgoing and not incoming:
                break
        self.got += came
        return came

    def cut(self) -> None:
        """The line breaks."""
        if self.up:
            self.up = False
            self.connection.connectionLost()

    def command(self, command: AnyCommand) -> int:
        """Send a command and let the bytes run."""
        number = self.link.command(command, self.server.now_ms)
        self.server.settle()
        return number

    def command_at_once(self, command: AnyCommand) -> int:
        """Send a command beside what waits, as the link would not; return its number."""
        self.link._number += 1
        self.send(SubmitCommand(self.link._number, self.link._line.updates.patch, command))
        return self.link._number

    def send(self, message: FromClient) -> None:
        """Send any message and let the bytes run."""
        self.link.send(message)
        self.server.settle()

    def hear(self) -> list[FromServer]:
        """Return what arrived since the last time, and forget it."""
        heard, self.got = self.got, []
        return heard

    def leave(self) -> None:
        """Say goodbye and hang up."""
        self.link.send(Goodbye())
        self.pump()
        self.cut()

    def begin_again(self, keepsake: int | None = None) -> None:
        """After a death, begin the next life, with one of the keepsakes that were offered."""
        self.send(NewLife(self.link.life, keepsake))

    def of_kind(self, kind: type[Any]) -> list[Any]:
        """Return the messages of one kind that arrived so far."""
        return [message for message in self.got if isinstance(message, kind)]

    def chat(self) -> list[ChatLine]:
        """Return what players said so far."""
        said = [message for message in self.got if isinstance(message, ChatLine | Spoken)]
        return [ChatLine(each.name, each.text) for each in said if each.name]


class SimServer:
    """The whole server except sockets, disk and clock: in one process, or with view processes."""

    _turn = -1

    def __init__(
        self,
        campaign: Campaign | None = None,
        seed: int = 1,
        *,
        store: Store | None = None,
        patience_ms: int = 2_000,
        archive_days: int = 7,
        write_s: float = 0.0,
        players_max: int = 64,
        rules: AccessRules = OPEN,
        connections_max: int = limits.CONNECTIONS_MAX,
        clock: Clock | None = None,
        compressed: bool = True,
        one_life: bool = False,
        watch_guests: bool = False,
        replays: Path = Path(os.devnull),
        draw_token: Callable[[], bytes] = secret_token,
        realms: AskRealms | None = None,
        board: AskBoard | None = None,
        views: int = VIEWS,
    ) -> None:
        self.compressed, self.clock = compressed, clock or awake()
        self.campaign = campaign or arena()
        self.store = store or MemoryStore()
        self.dungeon = open_realm(self.store, self.campaign, seed)
        self.fatal: list[str] = []
        self.writer = ManualWriter(self.store, self.clock, write_s)
        self.wall_s = 1_800_000_000
        self.hashing = Argon2Hasher(memory_kib=8, rounds=1)
        self.passwords = ManualPasswords(self.hashing, self.clock)
        outside = Outside(
            cast(Writer, self.writer), GameClock(self.clock, lambda: self.wall_s), self.passwords, SharedReplays(replays),
            self.fatal.append, draw_token=draw_token, realms=realms, board=board,
        )  # fmt: skip
        options = ServerOptions(
            rules,
            ConnectionLimits(connections_max, rules.trusted),
            players_max,
            "test",
            patience_ms,
            archive_days=archive_days,
            one_life=one_life,
            watch_guests=watch_guests,
        )
        self._sound: dict[int, int] = {}
        self.clients: list[SimClient] = []
        self.views: list[SimView] = []
        if views:
            process = build_turn_process(self.dungeon, outside, options)
            self.engine, self.host = process.engine, process.gateway
            self._begin_views(process, outside, options, views)
        else:
            parts = build_server(self.dungeon, outside, options)
            self.engine, self.host = parts.engine, parts.gateway
            self.use(parts)

    def use(self, parts: ServerParts | ViewParts) -> None:
        """Let the next connections begin at these parts, which are this process or one of the view processes."""
        self.view_side, self.front, self.factory = parts.view_side, parts.front, parts.factory
        self.connections = parts.front.connections

    def _begin_views(self, process: TurnParts, outside: Outside, options: ServerOptions, count: int) -> None:
        self.process = process
        self.new_view = partial(
            SimView, outside.clock, process, view_setup(self.store, self.dungeon, options, listed=outside.realms is not None),
            self.campaign, options.room, outside.replays,
        )  # fmt: skip
        for _ in range(count):
            self.begin_view()

    def begin_view(self) -> SimView:
        """Begin one more view process; the next connections are its own."""
        view = self.new_view(len(self.views) + 1)
        self.views.append(view)
        self.settle()
        self.use(view.running)
        return view

    def use_next_view(self) -> None:
        """Let the next connection begin at the next view process that runs, if there are any."""
        running = [each for each in self.views if each.up.is_open and each.parts is not None]
        if running:
            self._turn = (self._turn + 1) % len(running)
            self.use(running[self._turn].running)

    @property
    def now_ms(self) -> int:
        """The manual clock's reading."""
        return self.engine.clock.now_ms()

    def join(
        self, name: str, token: bytes | None = None, host: str = "127.0.0.1", *, lacks: str = ""
    ) -> SimClient:
        """Connect a player, perhaps with an older client that lacks an ability, and wait until they stand in the dungeon."""
        client = SimClient(self, name, token or name.encode().ljust(32, b"."), host, lacks=lacks)
        self.clients.append(client)
        self.advance(60)
        return client

    def pump(self) -> None:
        """Let everybody's bytes run until nothing moves."""
        moved = True
        while moved:
            moved = bool([message for client in self.clients for message in client.pump()])

    def settle(self) -> None:
        """Let all happen that needs no time: bytes both ways, and writes that take none."""
        self.pump()
        while self._due():
            self.clock.advance(0)
            self.pump()

    def _due(self) -> bool:
        calls: Any = self.clock.getDelayedCalls()
        return any(call.getTime() <= self.clock.seconds() for call in calls)

    def advance(self, ms: int) -> None:
        """Let time pass in small steps, bytes running all the while; then look whether every level is sound."""
        self.pass_time(ms)
        for partition, level in self.dungeon.levels.items():
            if self._sound.get(partition) != level.sequence:
                check_invariants(level)
                self._sound[partition] = level.sequence

    def pass_time(self, ms: int) -> None:
        """Let time pass in small steps, bytes running all the while."""
        end_ms = self.now_ms + ms
        self.settle()
        while self.now_ms < end_ms:
            step_ms = min(10, end_ms - self.now_ms)
            self.clock.advance(step_ms / 1_000)
            for client in self.clients:
                client.link.tick(self.now_ms)
            self.settle()

    def put(self, kind: str, cell: int, partition: int = 1) -> Creature:
        """Let a creature arrive on or near a cell, by an input like any other; return it."""
        arrived = self.dungeon.levels[partition].state.heard.get(_CONJURER, (0, 0))[0] + 1
        creature = new_creature(self.campaign.creatures[kind], new_id(_CONJURER, arrived * 16 + partition))
        self.engine.loop.submit(partition, Arrive(creature, cell, (_CONJURER, arrived, 0)))
        self.settle()
        return creature

    def banish(self, creature: Creature, partition: int = 1) -> None:
        """Take a creature away again."""
        arrived = self.dungeon.levels[partition].state.heard.get(_CONJURER, (0, 0))[0] + 1
        self.engine.loop.submit(partition, Remove(creature.number, "banished", (_CONJURER, arrived, 0)))
        self.settle()

    def walk(self, client: SimClient, cell: int) -> None:
        """Walk a player who is alone to a cell of their level by the shortest way, step by step."""
        level = self.level_of(client)
        for _ in range(len(level.terrain)):
            at = self.body(client).cell
            if at == cell:
                return
            way = first_step(level.is_free, at, cell, level.grid, limit=5_000)
            assert way is not None, "there is no way on foot"
            ways = {level.grid.step(at, dx, dy): (dx, dy) for dx, dy in DIRECTIONS}
            client.command(Move(*ways[way]))
            self.advance(60)
        raise AssertionError("the way has no end")

    def ground(self, client: SimClient) -> list[int]:
        """Return the cells that a player can reach on foot now, the nearest first, their own included."""
        level = self.level_of(client)
        return [cell for cell, _ in reachable(self.body(client).cell, level.is_free, level.grid)]

    def walk_to(self, client: SimClient, terrain: Terrain) -> None:
        """Walk a player to the nearest cell with some terrain."""
        level = self.level_of(client)
        self.walk(client, next(cell for cell in self.ground(client) if level.terrain[cell] == terrain))

    def inputs(self, partition: int) -> list[Input]:
        """Return all inputs of a place that are durable."""
        return [decode(record.body) for record in self.store.journal.read(partition, 0)]

    def timers(self) -> int:
        """Return how many calls are put off."""
        return len(self.clock.getDelayedCalls())

    def stop(self) -> None:
        """Stop as a running server is stopped: what is under way is finished, and every place snapshotted."""
        stopped: list[object] = []
        self.engine.loop.stop().addBoth(stopped.append)
        self.settle()
        assert stopped == [None], stopped

    def crash(self) -> None:
        """Pull the plug: what the journal has not taken is lost, and every line is cut."""
        self.writer.unplugged = True
        for client in self.clients:
            client.up = False

    def again(self) -> "SimServer":
        """Return the next server on the same journal."""
        return SimServer(self.campaign, store=self.store)

    def body(self, client: SimClient) -> Creature:
        """Return the body of a client's player."""
        in_play = self.engine.players.in_dungeon(client.connection.player)
        assert in_play is not None
        return in_play[2]

    def level_of(self, client: SimClient) -> Level:
        """Return the level where a client's player stands."""
        in_play = self.engine.players.in_dungeon(client.connection.player)
        assert in_play is not None
        return in_play[1]
