"""Makes the golden world of the present version: `python -m support.golden.world_making NAME`, in `tests`.

A world that is there already is never made again: that it is old is what it is for.
"""

import gzip
import sys
import tempfile
import time
from pathlib import Path

from gloam_lab.bots.walker import Walker
from gloam_server.app.config import WORLD_FILE
from support.client.fake_client import FakeClient
from support.processes.server_process import ServerProcess

HERE = Path(__file__).parents[2] / "golden" / "worlds"
SPACING_S = 0.06


def make(name: str) -> None:
    """Let two players walk about in a new world, stop it cleanly, and keep it."""
    kept = HERE / f"{name}.sqlite3.gz"
    if kept.exists():
        sys.exit(f"{kept} exists already; name another.")
    with tempfile.TemporaryDirectory() as folder:
        with (
            ServerProcess(Path(folder) / "realm", campaign="jsrogue", seed=7) as server,
            FakeClient(server.port, "Anna") as anna,
            FakeClient(server.port, "Bert") as bert,
        ):
            for client, steps in [(anna, 3), (bert, 2)] * 4:
                _stroll(client, steps)
        kept.write_bytes(gzip.compress((Path(folder) / "realm" / WORLD_FILE).read_bytes(), mtime=0))


def _stroll(client: FakeClient, steps: int) -> None:
    walker = Walker()
    for _ in range(steps):
        client.do(walker.stroll(client.view))
        time.sleep(SPACING_S)


if __name__ == "__main__":
    make(sys.argv[1])
