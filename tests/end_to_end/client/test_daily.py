"""The seed of the day with the real client and its private server: one world for everyone, one life, one result."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from gloam_client.cli.daily import date_to_play
from gloam_client.net.daily import daily_folder, daily_seed, read_results, today
from gloam_client.user_files.device_token import load_device_token
from gloam_server.app import config as settings
from gloam_server.app.open_world import open_world
from gloam_shared.protocol.messages.lives import Died
from support.client.headless_client import HeadlessClient
from support.processes.screen import attentive, entered
from support.server.parties import turn, until
from support.server.sim_server import SimServer

pytestmark = pytest.mark.end_to_end
CAMPAIGN = "jsrogue"


def environment(home: Path) -> dict[str, str]:
    return {"GLOAM_HOME": str(home), "GLOAM_CAMPAIGN": CAMPAIGN, "GLOAM_NAME": "Anna"}


def play(home: Path) -> HeadlessClient:
    """Start as `gloam --daily` does."""
    return HeadlessClient(home, None, "Anna", campaign=CAMPAIGN, daily=date_to_play(home, CAMPAIGN))


def told(home: Path, *args: str) -> str:
    """Return what the client prints in a shell, where it succeeds."""
    argv = [sys.executable, "-m", "gloam_client", *args]
    plain = {**environment(home), "PATH": "/usr/bin", "TERM": "xterm", "LANG": "C.UTF-8"}
    return subprocess.run(argv, env=plain, capture_output=True, text=True, check=True).stdout


def die(home: Path, date: str) -> None:
    """Let Anna's life in the world of that day end, as her own device plays it."""
    folder = daily_folder(home, date, CAMPAIGN)
    said = {"campaign": CAMPAIGN, "seed": daily_seed(date, CAMPAIGN), "port": 0}
    config = replace(settings.resolve(folder, said, private=False), exact_seed=True)
    store, dungeon = open_world(config, 1_800_000_000)
    server = SimServer(dungeon.campaign, store=store, one_life=True)
    anna = server.join("Anna", load_device_token(home))
    turn(server, anna)
    for _ in range(4):
        server.put("kobold", server.body(anna).cell)
    until(lambda: anna.of_kind(Died), lambda: turn(server, anna), 500)
    server.stop()
    store.close()


def test_all_get_the_world_of_the_day(home: Path) -> None:
    """The seed alone makes the world, so that it is the same on every machine."""
    with entered(play(home)) as pty:
        pty.wait_for("no other player can join you")
        date = today()
        with closing(sqlite3.connect(daily_folder(home, date, CAMPAIGN) / "world.sqlite3")) as world:
            [(seed,)] = world.execute("SELECT seed FROM realm")
    assert int(seed) == daily_seed(date, CAMPAIGN)
    assert not (home / "world.sqlite3").exists()


@pytest.mark.thorough
def test_one_life_ends_with_a_line_for_friends(home: Path) -> None:
    """After the death there is no next life; the result is shown, kept, and printed instead of a second try."""
    date = today()
    die(home, date)
    with play(home) as pty:
        attentive(pty, "You are dead")
        pty.wait_for("seed of the day")
        pty.type("\r")
        pty.wait_for("This world has one life, and it is over")
        pty.type("Qy")
        pty.wait_for(
            lambda rows: any("Before you go" in row or f"seed of the day {date}" in row for row in rows)
        )
        pty.type("\x1b")
        assert pty.wait_exit() == 0
    [result] = read_results(home)
    assert (result.date, result.campaign, result.name) == (date, CAMPAIGN, "Anna")
    assert result.seed == daily_seed(date, CAMPAIGN)
    assert told(home, "--daily").startswith(f"{result.words}\nThe next seed comes at midnight (UTC).")
    assert told(home, "ladder", "--daily").strip() == result.words
