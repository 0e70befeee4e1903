"""A replay that a host shares, fetched and played with the real programs."""

import subprocess
import sys
from pathlib import Path

import pytest

from gloam_client.replays.replay_file import load_replay
from gloam_server.storage.shared_replays import FOLDER, SUFFIX
from support.client.recorded_life import recorded_life
from support.processes.screen import gloam
from support.processes.server_process import ServerProcess

pytestmark = pytest.mark.end_to_end


def replay(home: Path, *args: str) -> subprocess.CompletedProcess[str]:
    """Run `gloam replay` as a user would in a shell."""
    return subprocess.run(
        [sys.executable, "-m", "gloam_client", "replay", *args],
        env={"GLOAM_HOME": str(home), "PATH": "/usr/bin", "TERM": "xterm", "LANG": "C.UTF-8"},
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )


@pytest.mark.thorough
def test_a_shared_replay_is_played_saved_and_exported(tmp_path: Path) -> None:
    """The host puts a file into the folder while the server runs; a stranger plays it by its id."""
    home = tmp_path / "home"
    with ServerProcess(tmp_path / "realm") as server:
        folder = server.data / FOLDER
        folder.mkdir()
        (folder / f"Ann-1{SUFFIX}").write_bytes(recorded_life())
        (folder / f"broken{SUFFIX}").write_bytes(b"\x1b[2J no replay")
        shared = f"127.0.0.1:{server.port}/Ann-1"
        with gloam(home, "replay", shared) as pty:
            pty.wait_for("Replay: turn")
            pty.type("\x1b[F")
            pty.wait_for("the end")
            pty.type("\x1b")
            assert pty.wait_exit() == 0
        saved, cast = tmp_path / "ann.session", tmp_path / "ann.cast"
        assert replay(home, shared, "--save", str(saved), "--export", str(cast)).returncode == 0
        shown = [
            [step.messages for step in load_replay(path).steps] for path in (saved, folder / f"Ann-1{SUFFIX}")
        ]
        assert shown[0] == shown[1]
        assert "killed by an ogre" in cast.read_text()
        for other, words in (("Ann-2", "shares no replay with that id"), ("broken", "no recorded session")):
            done = replay(home, f"127.0.0.1:{server.port}/{other}")
            assert (done.returncode, done.stderr.count("\n"), "\x1b" in done.stderr) == (2, 1, False)
            assert words in done.stderr
