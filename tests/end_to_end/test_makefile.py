"""What README has a player type in a clone: make play, join and serve lead into the campaign that they name."""

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from gloam_client.folders import world_folder
from gloam_client.private import address
from support.addresses import free_port
from support.pty import PtyTerminal

pytestmark = pytest.mark.end_to_end

ROOT = Path(__file__).parents[2]
SLOW_S = 30


@pytest.fixture
def clone(tmp_path: Path) -> Iterator[Path]:
    """A folder in which make finds Gloam installed; a private server that a failed test leaves is ended."""
    programs = tmp_path / "bin"
    programs.mkdir()
    for name, module in (("gloam", "gloam_client"), ("gloam-server", "gloam_server")):
        (programs / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" -m {module} "$@"\n')
        (programs / name).chmod(0o755)
    yield tmp_path
    running = address(world_folder(tmp_path / "home", "jsrogue"))
    if running is not None:
        os.kill(running.pid, signal.SIGKILL)


def make(clone: Path, *words: str) -> PtyTerminal:
    """Type make and some words on a wide terminal."""
    argv = ["make", "-f", f"{ROOT}/Makefile", "-C", f"{clone}", "-o", ".venv/player", f"BIN={clone}/bin"]
    env = {"GLOAM_HOME": f"{clone}/home", "PORT": "1", "CAMPAIGN": "nethack"}  # a shell's own are not meant
    return PtyTerminal([*argv, "--no-print-directory", *words], env, cols=150)


def quit_by_y(pty: PtyTerminal) -> None:
    pty.type("Q")
    pty.wait_for("Quit the game?")
    pty.type("y")
    assert pty.wait_exit() == 0


def test_play_and_join_meet_in_the_campaign_that_both_name(clone: Path) -> None:
    with make(clone, "play", "CAMPAIGN=jsrogue", "NAME=Anna") as anna:
        anna.wait_for("Anna HP", SLOW_S)
        assert address(world_folder(clone / "home", "jsrogue")) is not None
        with make(clone, "join", "CAMPAIGN=jsrogue", "NAME=Bert") as bert:
            anna.wait_for("with Bert", SLOW_S)
            quit_by_y(bert)
        quit_by_y(anna)
    assert not (clone / "home" / "world.sqlite3").exists()


def test_serve_hosts_each_campaign_in_a_folder_of_its_own_and_says_how_to_join(clone: Path) -> None:
    ports = [free_port(), free_port()]
    with (
        make(clone, "serve", "CAMPAIGN=jsrogue", f"PORT={ports[0]}") as jsrogue,
        make(clone, "serve", "CAMPAIGN=rltut", f"PORT={ports[1]}") as rltut,
    ):
        for pty, port in zip((jsrogue, rltut), ports, strict=True):
            pty.wait_for(f"make join PLACE=127.0.0.1:{port}", SLOW_S)
        with make(clone, "join", f"PLACE=127.0.0.1:{ports[1]}", "NAME=Dora") as dora:
            dora.wait_for("Dora HP", SLOW_S)
            quit_by_y(dora)
        for pty in (jsrogue, rltut):
            pty.type("\x03")
            pty.wait_exit()
    assert {path.name for path in clone.iterdir()} == {
        "bin",
        "home",
        "gloam-data-jsrogue",
        "gloam-data-rltut",
    }
