"""The cost of the protocol on the wire, plain and compressed: bytes from the server to its clients, in all campaigns.

Whole servers under a manual clock, so that a run needs no time and gives the same figures again. Steps are measured
without monsters, ten random keys a second with them. Heartbeats are counted in.
"""

import random  # noqa: TID251  # keys at random seed their own
import statistics
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple
from unittest import mock

import msgspec

from benchmarks.figures import Figure
from gloam_lab.bots.walker import Walker
from gloam_server.autopilot.pathfinding import first_step, frontier
from gloam_server.content.campaign import Campaign
from gloam_server.content.loader import load
from gloam_server.world.model.creature import Creature
from gloam_shared import limits
from gloam_shared.geometry import DIRECTIONS
from gloam_shared.protocol.commands import AnyCommand, Move, Wait
from gloam_shared.protocol.compression import Compressor
from gloam_shared.protocol.messages.lives import Died
from gloam_shared.protocol.messages.play import Refresh, Update
from gloam_shared.view.view import View
from support.content.campaigns import arena_files, shipped
from support.server import sim_server
from support.server.sim_server import SimClient, SimServer
from support.server.transports import Wire

STEPS: Final = 100
KEYS_S: Final = 30
HUMAN_MS: Final = 125
FASTEST_MS: Final = 10
FIGHT_TURNS: Final = 60
HALL_STEPS: Final = 20
_PATIENCE_MS: Final = 2_000

Mover = Callable[[View], AnyCommand | None]


class Sent(NamedTuple):
    """Bytes from the server: plain, and compressed."""

    plain: float
    packed: float

    def __sub__(self, other: "Sent") -> "Sent":
        return Sent(self.plain - other.plain, self.packed - other.packed)

    def each(self, count: int) -> "Sent":
        """Return the share of each of some equal parts."""
        return Sent(self.plain / count, self.packed / count)


@dataclass(slots=True)
class Meter:
    """The bytes of all wires since `metered` began."""

    plain: int = 0
    packed: int = 0

    def read(self) -> Sent:
        """Return what was sent so far."""
        return Sent(self.plain, self.packed)


@contextmanager
def metered() -> Iterator[Meter]:
    """Count what is sent on all wires that begin inside."""
    meter = Meter()

    class MeteredWire(Wire):
        """One connection of a client without the ability to decompress, and what it would get with it."""

        def __init__(self) -> None:
            super().__init__()
            self._compressor = Compressor()

        def write(self, data: bytes) -> None:
            super().write(data)
            meter.plain += len(data)
            meter.packed += len(self._compressor.compress(data))

    with mock.patch.object(sim_server, "Wire", MeteredWire):
        yield meter


def first_screen(meter: Meter, campaign: Campaign, seed: int) -> Sent:
    """Return the bytes of a newcomer's login and first view."""
    before = meter.read()
    _server(campaign, seed).join("Bench")
    return meter.read() - before


def known_screen(meter: Meter, campaign: Campaign, seed: int) -> Sent:
    """Return the bytes of a login and first view of a player who remembers all of the level."""
    server = _server(campaign, seed)
    client = server.join("Bench")
    _remember_all(server, client)
    client.cut()
    before = meter.read()
    client.dial()
    server.advance(60)
    return meter.read() - before


def known_ground(meter: Meter, campaign: Campaign, seed: int, every_ms: int) -> Sent:
    """Return the bytes of a step to and fro over a level of which all is known."""
    server = _server(empty(campaign), seed)
    client = server.join("Bench")
    _remember_all(server, client)
    server.advance(limits.REFRESH_S * 1_000)
    client.send(Refresh())
    return _walked(meter, server, client, Walker(seed).stroll, every_ms)


def new_ground(meter: Meter, campaign: Campaign, seed: int, every_ms: int) -> Sent:
    """Return the bytes of a step towards the nearest corner that is not known yet."""
    server = _server(empty(campaign), seed)
    client = server.join("Bench")
    return _walked(meter, server, client, lambda view: first_step(view, frontier(view)), every_ms)


def random_keys(meter: Meter, campaign: Campaign, seed: int) -> Sent:
    """Return the bytes a second of ten random steps a second, of a player who begins again after each death."""
    server = _server(campaign, seed)
    client = server.join("Bench")
    chance = random.Random(seed)
    before = meter.read()
    for _ in range(KEYS_S * 10):
        client.command(Move(*chance.choice(DIRECTIONS)))
        _pass_time(server, 100)
        if any(isinstance(message, Died) for message in client.hear()):
            client.begin_again()
    return (meter.read() - before).each(KEYS_S)


def fight(meter: Meter, campaign: Campaign, seed: int) -> Sent:
    """Return the bytes to each of four friends for each turn of a fight with one tough creature."""
    kind = min(
        (kind for kind in campaign.creatures.values() if kind.spawns and kind.attack),
        key=lambda kind: (kind.attack, kind.key),
    )
    tough = msgspec.structs.replace(kind, hp=5_000, tasks=("hunt",))
    creatures = {**campaign.creatures, kind.key: tough}
    server = _server(msgspec.structs.replace(empty(campaign), creatures=creatures), seed)
    friends = [server.join(f"Bench{at}") for at in range(4)]
    foe = server.put(kind.key, server.body(friends[0]).cell)
    for friend in friends:
        body = server.body(friend)
        body.hp = body.hp_max = 5_000
    level = server.level_of(friends[0])
    turns, before = level.state.turns, meter.read()
    for _ in range(FIGHT_TURNS):
        for friend in friends:
            friend.link.command(_blow(server, friend, foe), server.now_ms)
        _pass_time(server, 250)
    assert level.state.turns - turns >= FIGHT_TURNS // 2, "nothing was fought"
    return (meter.read() - before).each(len(friends) * (level.state.turns - turns))


def hall(meter: Meter, campaign: Campaign, seed: int, players: int) -> Sent:
    """Return the bytes of each update in a hall where all players step four times a second, each by itself."""
    server, clients = _full_hall(campaign, seed, players)
    chance = random.Random(seed)
    for client in clients:
        client.hear()
    before = meter.read()
    for _ in range(HALL_STEPS):
        for client in clients:
            client.link.command(Move(*chance.choice(_ways(server, client))), server.now_ms)
        _pass_time(server, 250)
    updates = sum(isinstance(message, Update) for client in clients for message in client.hear())
    return (meter.read() - before).each(updates)


def login_to_hall(_meter: Meter, campaign: Campaign, seed: int, players: int) -> Sent:
    """Return the bytes of a login and first view where this number of players stand still."""
    server, *_ = _full_hall(campaign, seed, players)
    with metered() as own:  # what the others get is not counted
        newcomer = SimClient(server, "Newcomer", b"Newcomer".ljust(32, b"."), "10.1.0.1")
        server.clients.append(newcomer)
        _pass_time(server, 100)
    assert newcomer.view.party, "the newcomer has not joined"
    return own.read()


def _remember_all(server: SimServer, client: SimClient) -> None:
    level = server.level_of(client)
    level.memory[server.body(client).number][:] = level.terrain
    level.caches.written.by_life.clear()
    level.caches.written.of_players = None


def _ways(server: SimServer, client: SimClient) -> list[tuple[int, int]]:
    """Return the directions in which a player can step."""
    level, cell = server.level_of(client), server.body(client).cell
    ways = [(level.grid.step(cell, dx, dy), (dx, dy)) for dx, dy in DIRECTIONS]
    return [way for to, way in ways if to is not None and level.is_walkable(to)]


def _server(campaign: Campaign, seed: int, players_max: int = 8) -> SimServer:
    """Return a server for clients that take plain frames: the meter compresses them itself."""
    return SimServer(campaign, seed, players_max=players_max, compressed=False)


def _full_hall(campaign: Campaign, seed: int, players: int) -> tuple[SimServer, list[SimClient]]:
    server = _server(campaign, seed, players + 1)
    clients = []
    for at in range(players):
        name = f"Bench{at}"
        host = f"10.0.{at // 4}.1"  # logins from one address are limited
        clients.append(SimClient(server, name, name.encode().ljust(32, b"."), host))
        server.clients.append(clients[-1])
        _pass_time(server, limits.LOGIN_GAP_MS)  # logins begin one after another
    _pass_time(server, 1_000)
    return server, clients


def _blow(server: SimServer, client: SimClient, foe: Creature) -> AnyCommand:
    """Return a blow at an adjacent foe; a player who is not next to it waits."""
    grid = server.level_of(client).grid
    (x, y), (foe_x, foe_y) = grid.point(server.body(client).cell), grid.point(foe.cell)
    near = max(abs(foe_x - x), abs(foe_y - y)) == 1
    return Move(foe_x - x, foe_y - y) if near else Wait()


def _walked(meter: Meter, server: SimServer, client: SimClient, mover: Mover, every_ms: int) -> Sent:
    """Return the mean bytes of a step; each key follows the one before after so long, and after its answer."""
    _settle(server, client, 500)
    before = meter.read()
    steps = 0
    while steps < STEPS and (move := mover(client.view)) is not None:
        client.command(move)
        _settle(server, client, every_ms)
        steps += 1
    _settle(server, client, 100)
    return (meter.read() - before).each(steps)


def _settle(server: SimServer, client: SimClient, ms: int) -> None:
    """Let time pass, and more of it until the newest command is answered."""
    _pass_time(server, ms)
    for _ in range(_PATIENCE_MS // FASTEST_MS):
        if client.link.unanswered is None:
            break
        _pass_time(server, FASTEST_MS)


def _pass_time(server: SimServer, ms: int) -> None:
    """Let time pass as `SimServer.advance` does, without looking over every level."""
    for _ in range(0, ms, FASTEST_MS):
        server.clock.advance(min(ms, FASTEST_MS) / 1_000)
        for client in server.clients:
            client.link.tick(server.now_ms)
        server.settle()


def empty(campaign: Campaign) -> Campaign:
    """Return a campaign whose levels begin without monsters."""
    levels = {
        key: msgspec.structs.replace(kind, monsters=0, monsters_per_guest=0)
        for key, kind in campaign.levels.items()
    }
    return msgspec.structs.replace(campaign, levels=levels)


CAMPAIGNS: Final = ("gloam", "jsrogue", "rltut", "ruggrogue")
SEEDS: Final = (3, 21)
HALLS: Final = ((50, "<= 400"), (200, "<= 600"))

Scene = Callable[[Meter, Campaign, int], Sent]

_SCENES: Final[tuple[tuple[str, Scene, str], ...]] = (
    ("login and first screen", first_screen, "<= 6144"),
    ("login and first screen, all of level 1 known", known_screen, "<= 6144"),
    ("a step on known ground, 8/s", partial(known_ground, every_ms=HUMAN_MS), "<= 64"),
    ("a step on known ground, 20/s", partial(known_ground, every_ms=FASTEST_MS), "<= 64"),
    ("a step on new ground, 8/s", partial(new_ground, every_ms=HUMAN_MS), "<= 64"),
    ("a step on new ground, 20/s", partial(new_ground, every_ms=FASTEST_MS), "<= 64"),
    ("a second of ten random keys", random_keys, "<= 300"),
    ("a turn of a fight beside three friends", fight, "<= 120"),
)


def wire_cost(_: Path | None = None) -> Iterator[Figure]:
    """Yield the bytes from the server for every scene; compressed, as `gloam` gets them; the note has the plain bytes."""
    for name, scene, limit in _SCENES:
        for key in CAMPAIGNS:
            yield _figure(f"{key}: {name}", scene, shipped(key), SEEDS, limit)
        if name.startswith("a step"):
            yield _figure(f"jsrogue, sight 8: {name}", scene, _sharp_eyed(shipped("jsrogue")), SEEDS, limit)
    for players, limit in HALLS:
        crowd = partial(hall, players=players)
        yield _figure(f"an update in a hall of {players}", crowd, _wide_hall(), SEEDS[:1], limit)
    login = partial(login_to_hall, players=HALLS[-1][0])
    yield _figure(f"login beside {HALLS[-1][0]} players", login, _wide_hall(), SEEDS[:1], "<= 6144")


def _figure(name: str, scene: Scene, campaign: Campaign, seeds: tuple[int, ...], limit: str) -> Figure:
    """Measure one scene with some seeds."""
    with metered() as meter:
        all_sent = [scene(meter, campaign, seed) for seed in seeds]
    plain, packed = (statistics.mean(values) for values in zip(*all_sent, strict=True))
    return Figure(name, round(packed, 1), "B", limit, f"{plain:.1f} uncompressed")


def _sharp_eyed(campaign: Campaign) -> Campaign:
    """Return the campaign with a player who sees 8 cells far."""
    player = msgspec.structs.replace(campaign.player_kind, sight=8)
    return msgspec.structs.replace(campaign, creatures={**campaign.creatures, campaign.player: player})


def _wide_hall() -> Campaign:
    """Return a campaign with one wide cave without monsters."""
    files = arena_files()
    levels = (
        files["levels.toml"].replace(b"width = 30", b"width = 150").replace(b"height = 12", b"height = 60")
    )
    return load({**files, "levels.toml": levels})
