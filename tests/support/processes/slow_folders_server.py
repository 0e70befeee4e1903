"""gloam-server with slow folders: each file of its shared replays or its crash reports takes seconds to find or to open."""

import sys
import time

from gloam_server.cli.main import cli
from gloam_server.engine.faults import crash_reports
from gloam_server.storage import shared_replays

OPEN_S = 3.0
_SLOW = (f"/{shared_replays.FOLDER}", f"/{crash_reports.FOLDER}")
_CALLS = ("open", "os.listdir", "os.mkdir", "os.scandir")


def _slow(event: str, args: tuple[object, ...]) -> None:
    if event in _CALLS and any(folder in str(args[0]) for folder in _SLOW):
        time.sleep(OPEN_S)


if __name__ == "__main__":
    sys.addaudithook(_slow)
    sys.exit(cli())
