"""A world of issue 39 whose devices are at work, which ground burns, and where a beacon is lit: all goes on in later versions.

`tests/support/golden/world_tinkering.py` of that time made it.
"""

import gzip
from pathlib import Path

import pytest
from msgspec import UNSET

from gloam_lab.invariants import check_invariants
from gloam_server.app import config as settings
from gloam_server.app.config import WORLD_FILE
from gloam_server.app.open_world import open_world
from gloam_server.app.upgrade import upgrade
from gloam_server.engine.recovery.replay import verify
from gloam_server.world.model.level import Level
from gloam_server.world.realm.realm import beacons_of
from gloam_shared.protocol.commands import Move, Wait
from support.golden.world_tinkering import BEACON, NOW_S, placed, surfaced
from support.server.parties import turn
from support.server.sim_server import SimServer

WORLD = Path(__file__).parent / "issue-39-devices.sqlite3.gz"
DAY_S = 86_400
FIRE_ENDS = 40

pytestmark = pytest.mark.rule("F175", "F176", "F178", "F152", "F189")


@pytest.fixture
def server(tmp_path: Path) -> SimServer:
    """Return a server of the present version on that world, upgraded where its campaign is another one now."""
    world = tmp_path / WORLD_FILE
    world.write_bytes(gzip.decompress(WORLD.read_bytes()))
    upgrade(world, None, NOW_S)
    store, dungeon = open_world(settings.resolve(tmp_path, {"port": 0}, private=False), NOW_S)
    server = SimServer(dungeon.campaign, store=store)
    server.wall_s = NOW_S
    return server


def states(level: Level, key: str) -> list[bool]:
    """Return which devices of a kind are on, in the order of their cells."""
    assert level.state.devices
    return [level.state.devices.placed[cell].on for cell in placed(level, key)]


def whole(server: SimServer) -> None:
    """Stop the server; its levels are sound, and its journal leads to them."""
    for level in server.dungeon.levels.values():
        check_invariants(level)
    server.stop()
    assert verify(server.store, server.campaign)[1] == server.dungeon.state_hash()
    server.store.close()


def test_it_is_as_it_was_left(server: SimServer) -> None:
    first, second, fifth = (server.dungeon.levels[at] for at in (1, 2, BEACON))
    assert [states(first, key) for key in ("plate", "seal", "lever", "alarm_bell")] == [
        [True, False],
        [False],
        [False],
        [False],
    ]
    assert (states(second, "lever"), states(second, "cage")) == ([True], [True, True, True])
    assert len(surfaced(second, "fire")) == 5
    assert surfaced(second, "oil")
    assert len(surfaced(fifth, "beacon")) == 1
    assert list(beacons_of(server.dungeon.realm).lit) == [BEACON]
    assert {level.state.beacons for level in server.dungeon.levels.values()} == {1}
    whole(server)


def test_its_devices_go_on(server: SimServer) -> None:
    """Anna leaves her plate, which goes off; Bert turns the lever off, and the cages stay open."""
    anna, bert = server.join("Anna"), server.join("Bert")
    server.advance(200)
    first, second = server.level_of(anna), server.level_of(bert)
    plate, other = placed(first, "plate")
    assert server.body(anna).cell == plate
    assert states(first, "plate") == [True, False]
    aside = next(
        cell for cell in first.grid.neighbors(plate) if first.is_free(cell) and cell not in (plate, other)
    )
    turn(server, anna, Move(*first.grid.towards(plate, aside)))
    assert states(first, "plate") == [False, False]
    turn(server, anna, Move(*first.grid.towards(aside, plate)))
    assert states(first, "plate") == [True, False]

    server.walk(bert, _beside(server, second, placed(second, "lever")[0]))
    at = server.body(bert).cell
    turn(server, bert, Move(*second.grid.towards(at, placed(second, "lever")[0])))
    assert (states(second, "lever"), states(second, "cage")) == ([False], [True, True, True])
    whole(server)


def _beside(server: SimServer, level: Level, cell: int) -> int:
    [bert] = [client for client in server.clients if server.level_of(client) is level]
    near = set(level.grid.neighbors(cell))
    return next(at for at in server.ground(bert) if at in near)


def test_its_fire_ends_and_its_beacon_goes_out(server: SimServer) -> None:
    bert = server.join("Bert")
    server.advance(200)
    level = server.level_of(bert)
    burning = surfaced(level, "fire")
    for _ in range(FIRE_ENDS):
        turn(server, bert, Wait())
    assert not set(burning) & set(surfaced(level, "fire"))
    server.wall_s += 7 * DAY_S
    turn(server, bert, Wait())
    server.advance(1_000)
    assert not beacons_of(server.dungeon.realm).lit
    assert {each.state.beacons for each in server.dungeon.levels.values()} == {UNSET}
    assert not surfaced(server.dungeon.levels[BEACON], "beacon")
    whole(server)
