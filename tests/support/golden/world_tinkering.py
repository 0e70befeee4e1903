"""Makes a golden world whose places have faces: `python -m support.golden.world_tinkering NAME`, in `tests`.

Anna stands on one of two plates on depth 1. On depth 2 Bert has pulled a lever, three cages are open, and oil burns. The beacon of depth 5 is lit.
"""

import gzip
import sys
import tempfile
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from gloam_server.app import config as settings
from gloam_server.app.config import WORLD_FILE
from gloam_server.app.open_world import open_world
from gloam_server.rules.search import first_step
from gloam_server.world.model.ids import REALM_PARTITION
from gloam_server.world.model.inputs import RecordBeacon
from gloam_server.world.model.level import Level
from gloam_shared.appearance import Terrain
from gloam_shared.protocol.commands import Climb, Move, Read
from support.golden.world_making import HERE
from support.server.parties import granted, turn
from support.server.sim_server import SimClient, SimServer

NOW_S: Final = 1_800_000_000
SEED: Final = 36
"""Depth 1 has two plates, depth 2 a lever with cages, and oil."""
BEACON: Final = 5


def make(name: str) -> None:
    """Let Anna and Bert work devices in a new world, stop it cleanly, and keep it."""
    kept = HERE / f"{name}.sqlite3.gz"
    if kept.exists():
        sys.exit(f"{kept} exists already; name another.")
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        at = settings.resolve(data, {"campaign": "gloam", "seed": SEED, "port": 0}, private=False)
        store, made = open_world(replace(at, exact_seed=True), NOW_S)
        server = SimServer(made.campaign, store=store)
        _tinker(server)
        server.stop()
        store.close()
        kept.write_bytes(gzip.compress((data / WORLD_FILE).read_bytes(), mtime=0))


def _tinker(server: SimServer) -> None:
    anna, bert = server.join("Anna"), server.join("Bert")
    granted(server, bert, "scroll_fireball", 1)
    _make_quiet(server, 1)
    first = server.level_of(anna)
    _walk(server, anna, placed(first, "plate")[0])
    _walk(server, bert, first.terrain.index(Terrain.STAIRS_DOWN))
    turn(server, bert, Climb(down=True))
    level = server.level_of(bert)
    assert level.partition == 2
    _make_quiet(server, 2)
    [lever] = placed(level, "lever")
    _walk(server, bert, lever, 1)
    turn(server, bert, Move(*level.grid.towards(server.body(bert).cell, lever)))
    _burn(server, bert)
    lit = RecordBeacon(BEACON, server.dungeon.levels[BEACON].terrain.index(Terrain.FLOOR), 1, (99, 1, 0))
    server.engine.loop.submit(REALM_PARTITION, lit)
    server.advance(200)


def _make_quiet(server: SimServer, partition: int) -> None:
    for body in server.dungeon.levels[partition].monsters():
        if body.bond != "captive":
            server.banish(body, partition)


def _walk(server: SimServer, client: SimClient, cell: int, steps: int = 0) -> None:
    """Walk a player to a cell, through doors, or to this number of steps from it."""
    level = server.level_of(client)

    def passes(at: int) -> bool:
        return level.is_free(at) or level.terrain[at] == Terrain.DOOR_CLOSED or at == cell

    for _ in range(level.grid.size):
        at = server.body(client).cell
        if level.grid.distance(at, cell) <= steps:
            return
        way = first_step(passes, at, cell, level.grid, limit=5_000)
        assert way is not None, "there is no way on foot"
        turn(server, client, Move(*level.grid.towards(at, way)))
    raise AssertionError("the way has no end")


def _burn(server: SimServer, client: SimClient) -> None:
    """Read a scroll of fireball at oil in sight."""
    level = server.level_of(client)
    for oil in surfaced(level, "oil"):
        _walk(server, client, oil, 3)
        if level.field_of_view(server.body(client))[oil]:
            break
    kinds = [None if item is None else item.kind for item in server.body(client).slots]
    turn(server, client, Read(kinds.index("scroll_fireball"), oil))
    assert surfaced(level, "fire")


def surfaced(level: Level, key: str) -> list[int]:
    """Return the cells with a surface."""
    surfaces = level.state.surfaces
    number = surfaces.number_of(key) if surfaces else 0
    return [cell for cell, kind in enumerate(surfaces.cells) if kind == number] if surfaces and number else []


def placed(level: Level, key: str) -> list[int]:
    """Return the cells of the devices of a kind."""
    devices = level.state.devices
    return [cell for cell, device in devices.placed.items() if device.kind == key] if devices else []


if __name__ == "__main__":
    make(sys.argv[1])
