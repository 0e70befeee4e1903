"""Slow folders beside the world under a real server: turns do not wait for them."""

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from gloam_client.net.guest.server_replay import fetch_replay
from gloam_client.user_files.address import Address
from gloam_server.storage.shared_replays import FOLDER, SUFFIX
from gloam_shared.protocol.commands import Wait
from gloam_shared.protocol.messages.chat import SendChat
from support.client.fake_client import FakeClient
from support.client.recorded_life import recorded_life
from support.processes.audited_server import MARK
from support.processes.server_process import ServerProcess, run_server_command
from support.processes.slow_folders_server import OPEN_S

pytestmark = pytest.mark.end_to_end

PROGRAMS = Path(__file__).parents[2] / "support" / "processes"
SLOW, AUDITED = str(PROGRAMS / "slow_folders_server.py"), str(PROGRAMS / "audited_server.py")


@pytest.mark.thorough
def test_turns_go_on_while_a_replay_is_read(tmp_path: Path) -> None:
    """A stranger fetches a replay from a slow folder: it arrives whole, and no turn waits for it."""
    with (
        ServerProcess(tmp_path / "realm", program=(SLOW,)) as server,
        FakeClient(server.port, "Anna") as anna,
        ThreadPoolExecutor(1) as threads,
    ):
        folder = server.data / FOLDER
        folder.mkdir()
        (folder / f"Ann-1{SUFFIX}").write_bytes(recorded_life())
        anna.do(Wait())
        place = Address("127.0.0.1", server.port)
        fetched = threads.submit(lambda: asyncio.run(fetch_replay(place, tmp_path / "home", "Ann-1")))
        began_s, slowest_s, turns = time.monotonic(), 0.0, 0
        while not fetched.done():
            turn_s = time.monotonic()
            anna.do(Wait())
            slowest_s, turns = max(slowest_s, time.monotonic() - turn_s), turns + 1
        assert fetched.result() == recorded_life()
        assert time.monotonic() - began_s > OPEN_S, "the folder was not slow"
        assert slowest_s < OPEN_S / 3, f"the slowest of {turns} turns took {slowest_s:.2f} s"


@pytest.mark.thorough
def test_play_opens_no_file_in_the_reactors_thread(tmp_path: Path) -> None:
    """Players join, play and talk, over TLS too, a stranger fetches a replay, and the host asks, bans and renews."""
    with ServerProcess(tmp_path / "realm", "--listen", "0.0.0.0", "--plain", program=(AUDITED,)) as server:
        folder = server.data / FOLDER
        folder.mkdir()
        (folder / f"Ann-1{SUFFIX}").write_bytes(recorded_life())
        with FakeClient(server.port, "Anna") as anna, FakeClient(server.port, "Berthold", tls=True):
            server.log_line("Berthold joined")
            started = server.errors.read_text().count(MARK)
            assert started, "the start opens files"
            for _ in range(20):
                anna.do(Wait())
            anna.link.send(SendChat("hello"))
            place = Address("127.0.0.1", server.port)
            assert asyncio.run(fetch_replay(place, tmp_path / "home", "Ann-1")) == recorded_life()
            for command in ("status", "who", "invite", "say hello", "ban Berthold", "unban Berthold"):
                assert run_server_command(*command.split(), "--data", str(server.data)).returncode == 0
            assert run_server_command("certificate", "--renew", "--data", str(server.data)).returncode == 0
            with FakeClient(server.port, "Conrad", tls=True) as conrad:
                conrad.do(Wait(), answered=False)
                anna.do(Wait())
            server.log_line("the certificate was read again")
            assert server.errors.read_text().split(MARK)[started + 1 :] == []
