"""Makes a golden world in which much has happened: `python -m support.golden.world_playing NAME`, in `tests`.

Bots play the flagship, so creatures remember prey and places, and lives have counted what they did. Every 50th record of
a place has the hash of the whole state.
"""

import gzip
import sys
import tempfile
from pathlib import Path

from gloam_lab.bots import Adventurer
from gloam_server.app import config as settings
from gloam_server.app.config import WORLD_FILE
from gloam_server.app.open_world import open_world
from gloam_server.world.transition import dungeon
from support.golden.journal_recording import Diver, decide_all
from support.golden.world_making import HERE
from support.server.sim_server import SimServer

NOW_S = 1_800_000_000
ROUNDS = 250
HASH_EVERY = 50


def make(name: str) -> None:
    """Let three bots play in a new world, stop it cleanly, and keep it."""
    kept = HERE / f"{name}.sqlite3.gz"
    if kept.exists():
        sys.exit(f"{kept} exists already; name another.")
    dungeon.HASH_EVERY = HASH_EVERY  # type: ignore[misc]  # a short world is to have many hashes
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        new = {"campaign": "gloam", "seed": 5, "port": 0}
        store, made = open_world(settings.resolve(data, new, private=False), NOW_S)
        server = SimServer(made.campaign, store=store)
        _play(server)
        server.stop()
        store.close()
        kept.write_bytes(gzip.compress((data / WORLD_FILE).read_bytes(), mtime=0))


def _play(server: SimServer) -> None:
    minds = (Adventurer(), Adventurer(), Diver())
    players = [server.join(name) for name in ("Anna", "Bert", "Carl")]
    for _ in range(ROUNDS):
        decide_all(players, minds)
        server.advance(60)


if __name__ == "__main__":
    make(sys.argv[1])
