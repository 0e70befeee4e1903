"""The commands that README has a player type in a clone: make play, join and serve lead into the campaign they name."""

import os
import re
import signal
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from gloam_client.net.local_server import address
from gloam_client.user_files.user_folders import world_folder
from support.processes.pty import PtyTerminal

pytestmark = pytest.mark.end_to_end

ROOT = Path(__file__).parents[3]
_PLACE = re.compile(r"make join (PLACE=127\.0\.0\.1:\d+)")


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
        with suppress(ProcessLookupError):
            os.kill(running.pid, signal.SIGKILL)


def make(clone: Path, *words: str) -> PtyTerminal:
    """Type make and some words on a wide terminal."""
    argv = ["make", "-f", f"{ROOT}/Makefile", "-C", f"{clone}", "-o", ".venv/player", f"BIN={clone}/bin"]
    env = {"GLOAM_HOME": f"{clone}/home", "PORT": "1", "CAMPAIGN": "nethack"}  # a shell's own are not meant
    return PtyTerminal([*argv, "--no-print-directory", *words], env, cols=150)


def read_place(pty: PtyTerminal) -> str:
    """Return where a server says that players join it, as a word for make."""
    pty.wait_for(lambda rows: _PLACE.search("\n".join(rows)) is not None)
    found = _PLACE.search(pty.text())
    assert found is not None
    return found[1]


def quit_by_y(pty: PtyTerminal) -> None:
    pty.type("Q")
    pty.wait_for("Quit the game?")
    pty.type("y")
    assert pty.wait_exit() == 0


@pytest.mark.thorough
def test_play_and_join_meet_campaign_both_name(clone: Path) -> None:
    """Play and join meet in the campaign that both name."""
    with make(clone, "play", "CAMPAIGN=jsrogue", "NAME=Anna") as anna:
        anna.wait_for("Anna HP")
        assert address(world_folder(clone / "home", "jsrogue")) is not None
        with make(clone, "join", "CAMPAIGN=jsrogue", "NAME=Bert") as bert:
            anna.wait_for("with 1 other")
            with make(clone, "join", "CAMPAIGN=jsrogue") as unnamed:  # not Anna, whose body it would take
                unnamed.wait_for("Friend HP")
                quit_by_y(unnamed)
            quit_by_y(bert)
        quit_by_y(anna)
    assert not (clone / "home" / "world.sqlite3").exists()


@pytest.mark.thorough
def test_serve_hosts_campaign_folder(clone: Path) -> None:
    """Serve hosts each campaign in a folder of its own and says how to join."""
    with (
        make(clone, "serve", "CAMPAIGN=jsrogue", "PORT=0") as jsrogue,
        make(clone, "serve", "CAMPAIGN=rltut", "PORT=0") as rltut,
    ):
        partitions = [read_place(pty) for pty in (jsrogue, rltut)]
        assert partitions[0] != partitions[1]
        with make(clone, "join", partitions[1], "NAME=Dora") as dora:
            dora.wait_for("Dora HP")
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
