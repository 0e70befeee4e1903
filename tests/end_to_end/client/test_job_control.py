"""Ctrl-Z and `fg` in a real shell: the whole job stops, the shell has the terminal, and the game goes on."""

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from gloam_client.net.local_server import address, stop
from gloam_client.user_files.user_folders import world_folder
from gloam_shared.protocol.messages.play import SubmitCommand
from support.client.fake_dungeon import ServerThread
from support.processes.pty import PtyTerminal

pytestmark = pytest.mark.end_to_end

ROOT = Path(__file__).parents[3]
SHELLS = {"bash": ["bash", "--norc", "--noprofile", "-i"], "dash": ["dash", "-i"]}
_PROMPT = "shell> "


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A folder in which make finds Gloam installed."""
    programs = tmp_path / "bin"
    programs.mkdir()
    for name, module in (("gloam", "gloam_client"), ("gloam-server", "gloam_server")):
        (programs / name).write_text(f'#!/bin/sh\n"{sys.executable}" -m {module} "$@"\n')
        (programs / name).chmod(0o755)
    return tmp_path


def shell(clone: Path, name: str) -> PtyTerminal:
    """Start an interactive shell in a clone; skip where there is none, or no make."""
    for program in (name, "make"):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed: job control of {name} was not tried")
    env = {"GLOAM_HOME": f"{clone}/home", "PS1": _PROMPT, "HISTFILE": "/dev/null"}
    pty = PtyTerminal(SHELLS[name], env)
    pty.wait_for(_PROMPT)
    return pty


def make(clone: Path, words: str) -> str:
    """Return the line that makes something."""
    return (
        f"make -f {ROOT}/Makefile -C {clone} -o .venv/player BIN={clone}/bin --no-print-directory {words}\r"
    )


def wait_raw(pty: PtyTerminal, after: int, wanted: bytes) -> None:
    """Wait until something was written after a place of the stream."""
    pty.wait_for(lambda _: wanted in pty.raw[after:])


def stopped_and_continued(pty: PtyTerminal, while_stopped: Callable[[], None]) -> None:
    """Press Ctrl-Z, use the shell, and type `fg`."""
    before = len(pty.raw)
    pty.type("\x1a")
    wait_raw(pty, before, b"\x1b[?1049l")
    wait_raw(pty, before, b"Stopped")
    wait_raw(pty, before, _PROMPT.encode())
    pty.type("echo $((40 + 2)) answers\r")
    wait_raw(pty, before, b"42 answers")
    while_stopped()
    before = len(pty.raw)
    pty.type("fg\r")
    wait_raw(pty, before, b"\x1b[?1049h")


@pytest.mark.parametrize("name", SHELLS)
def test_ctrl_z_stops_whole_job(dungeon: ServerThread, clone: Path, name: str) -> None:
    """Ctrl z stops the whole job and fg brings it back."""
    with shell(clone, name) as pty:
        pty.type(make(clone, f"join PLACE=127.0.0.1:{dungeon.server.port} NAME=Ann"))
        pty.wait_for("HP 40/40")
        stopped_and_continued(pty, lambda: pty.resize(30, 90))
        pty.wait_for(lambda rows: len(rows) == 30 and "HP 40/40" in rows[28])
        assert not [message for message in dungeon.server.heard if isinstance(message, SubmitCommand)]
        pty.type("l")
        dungeon.wait_for(lambda: any(isinstance(message, SubmitCommand) for message in dungeon.server.heard))
        before = len(pty.raw)
        pty.type("Qy")
        wait_raw(pty, before, _PROMPT.encode())


@pytest.mark.thorough
def test_private_server_goes_while_player_stopped(clone: Path) -> None:
    """The private server goes on while its player has stopped."""
    with shell(clone, "dash") as pty:
        pty.type(make(clone, "play NAME=Ann"))
        pty.wait_for("Ann HP")
        running = address(world_folder(clone / "home", ""))
        assert running is not None

        def server_runs() -> None:
            state = (
                Path(f"/proc/{running.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]
            )
            assert state in "SRD"

        try:
            stopped_and_continued(pty, server_runs)
            pty.wait_for("Ann HP")
        finally:
            stop(running)
