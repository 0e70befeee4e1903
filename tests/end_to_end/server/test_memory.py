"""The memory of one life is kept over runs of the real client."""

import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from gloam_client.net.local_server import address
from gloam_client.user_files.user_folders import world_folder
from support.content.campaigns import arena_files
from support.processes.pty import PtyTerminal
from support.processes.screen import entered

pytestmark = pytest.mark.end_to_end


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    """A user's folder beside a campaign in whose caves things lie about; its private server is ended."""
    campaign = tmp_path / "strewn"
    campaign.mkdir()
    for name, data in arena_files().items():
        strewn = b'goods = "uniform"\nitems = 20\n' if name == "levels.toml" else b""
        (campaign / name).write_bytes(data + strewn)
    yield tmp_path / "home"
    running = address(world_folder(tmp_path / "home", f"{campaign}/"))
    if running is not None:
        with suppress(ProcessLookupError):
            os.kill(running.pid, signal.SIGKILL)


def played(home: Path, name: str = "Ann") -> PtyTerminal:
    """Start the client, and wait until its player stands in the dungeon."""
    argv = [sys.executable, "-m", "gloam_client", "--name", name]
    campaign = f"{home.parent / 'strewn'}/"
    return entered(PtyTerminal(argv, {"GLOAM_HOME": str(home), "GLOAM_CAMPAIGN": campaign}))


def listed(pty: PtyTerminal) -> Counter[str]:
    """Return the names of what `/` lists; how far away it is stands before them."""
    pty.type("/")
    rows = pty.wait_for(lambda rows: any("Find" in row for row in rows))
    shown = [row.split("|")[1][21:].strip() for row in rows if row.count("|") == 2]
    pty.type("\x1b")
    pty.wait_for(lambda rows: not any("Find" in row for row in rows))
    return Counter(shown)


@pytest.mark.thorough
def test_quit_and_start_and_seen_listed(home: Path) -> None:
    """Quit and start again and what was seen is listed."""
    with played(home) as pty:
        for _ in range(4):
            pty.type("o")
            listed(
                pty
            )  # The key has been processed: without this, the line below may still be the one before it.
            pty.wait_for(lambda rows: "Esc stop" not in rows[-1])
        before = listed(pty)
        pty.type("Qy")
        assert pty.wait_exit() == 0
    assert len(list((home / "memory").iterdir())) == 1

    with played(home) as pty:
        end = time.monotonic() + 60
        while (forgotten := before - listed(pty)) and time.monotonic() < end:
            pass
        assert not forgotten
        pty.type("Qy")
        pty.wait_exit()


@pytest.mark.thorough
def test_where_a_friend_was_seen_is_remembered_too(home: Path) -> None:
    with played(home) as ann:
        with played(home, "Bert"):
            ann.wait_for(lambda rows: "with 1 other" in rows[0])
        ann.type("Qy")
        assert ann.wait_exit() == 0
    kept = [path.read_bytes() for path in (home / "memory").iterdir()]
    assert any(b"Bert" in seen for seen in kept if b"Ann" in seen)
