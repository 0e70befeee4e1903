"""The client of a visitor dials one server, writes into one folder, and starts nothing."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from fuzz.confine import Watch
from support.processes.server_process import ServerProcess
from support.run.effort import effort

ROOT = Path(__file__).parents[1]
KEYS = effort(2_000, 10_000)
"""`make fuzz SIDE=door` presses 100,000."""


@pytest.mark.thorough
@pytest.mark.end_to_end
@pytest.mark.long
def test_no_key_leads_out(server: ServerProcess) -> None:
    command = [sys.executable, str(ROOT / "fuzz" / "confine.py"), "--keys", str(KEYS), "--socket"]
    done = subprocess.run(
        [*command, str(server.data / "door.sock")], capture_output=True, text=True, check=False
    )
    assert done.stdout, done.stderr[-2_000:]
    found = json.loads(done.stdout)
    assert (found["faults"], done.returncode) == ({}, 0)
    assert found["dialed"] > 0
    assert {"title", "play", "help", "options", "say", "ladder", "find"} <= found["screens"].keys()


@pytest.mark.parametrize(
    ("event", "args", "faults"),
    [
        ("socket.connect", (None, "/realm/door.sock"), 0),
        ("socket.connect", (None, ("127.0.0.1", 22)), 1),
        ("open", ("/folder/players/x", "w", os.O_WRONLY | os.O_CREAT), 0),
        ("open", ("/etc/passwd", "r", os.O_RDONLY), 0),
        ("open", ("/folder/../etc/passwd", "w", os.O_WRONLY), 1),
        ("os.remove", ("/folder/players/x", -1), 0),
        ("os.rename", ("/folder/players/x", "/tmp/x", -1, -1), 1),
        ("subprocess.Popen", ("/bin/sh", [], None, None), 1),
        ("os.kill", (1, 9), 1),
        ("socket.getaddrinfo", ("example.org", 80, 0, 0, 0), 1),
        ("import", ("json",), 0),
    ],
)
def test_the_watch_notices_what_leads_out(event: str, args: tuple[Any, ...], faults: int) -> None:
    watch = Watch(Path("/realm/door.sock"), Path("/folder"))
    watch.hear(event, args)
    assert sum(watch.faults.values()) == faults
