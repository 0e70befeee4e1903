"""The ladder with real programs: `gloam ladder`, the screen in play and from the title, and the host's page."""

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gloam_client.net.local_server import address, stop
from gloam_client.user_files.user_folders import world_folder
from gloam_server.storage.directory import Death
from gloam_server.storage.open_store import open_store
from support.client.headless_client import HeadlessClient
from support.processes.http_request import ask
from support.processes.screen import entered
from support.processes.server_process import ServerProcess
from support.storage.writing import write

pytestmark = pytest.mark.end_to_end


def lived_in(folder: Path) -> Path:
    """Make a world in which Bert has died twice, the second time with more kills on a smaller depth."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with ServerProcess(folder):
        pass
    store = open_store(folder / "world.sqlite3")
    bert = store.directory.create_account("Bert", b"h" * 32, 5).number
    first = Death(bert, "Bert", "orc", 4, 6, 900, 700, 86_400, 1, deepest=4, kills=20)
    second = Death(
        bert, "Bert", "a trap", 2, 5, 800, 500, int(time.time()), 2, title="Bert II", deepest=2, kills=31
    )
    write(store, [], deaths=[first, second])
    store.close()
    return folder


def told(home: Path, *args: str, command: str = "ladder") -> subprocess.CompletedProcess[str]:
    """Run `gloam ladder`, or `gloam news`, as a user would in a shell."""
    return subprocess.run(
        [sys.executable, "-m", "gloam_client", command, *args],
        env={"GLOAM_HOME": str(home), "PATH": "/usr/bin", "TERM": "xterm", "LANG": "C.UTF-8"},
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )


@pytest.mark.thorough
def test_shell_screen_and_page_show_the_same_lives(tmp_path: Path) -> None:
    """U50: a table and JSON without an account, # in play, and `/ladder.json` for the host."""
    realm = lived_in(tmp_path / "realm")
    with ServerProcess(realm, "--metrics-port", "0", seed=None) as server:
        place = f"127.0.0.1:{server.port}"
        shown = told(tmp_path / "shell", place, "--name", "bert")
        assert shown.returncode == 0, shown.stderr
        assert "Bert: rank 1 of 2, level 6, depth 4, 20 kills, 700 turns." in shown.stdout
        assert shown.stdout.index("killed by an orc") < shown.stdout.index("Bert II")
        assert not (tmp_path / "shell" / "token").exists()
        season = json.loads(told(tmp_path / "shell", place, "--season", "--by", "kills", "--json").stdout)
        assert [(row["name"], row["kills"]) for row in season["rows"]] == [("Bert II", 31)]
        assert (season["campaign"], season["span"], season["order"]) == ("jsrogue", "season", "kills")

        with entered(HeadlessClient(tmp_path / "anna", server.port, "Anna")) as anna:
            anna.type("#")
            anna.wait_for("No life of Anna is on this board (2 lives).")
            anna.wait_for("Bert II")
            anna.type("\t\t")
            anna.wait_for("by depth  level  [kills]")
            anna.wait_for(lambda rows: any(" 1  Bert II" in row for row in rows))

        watch = server.metrics_port()
        status, kind, page = ask(watch, "/ladder.json")
        assert (status, kind) == (200, "application/json")
        assert json.loads(page)["boards"]["day"]["depth"]["rows"][0]["name"] == "Bert II"
        assert ask(watch, "/news.json")[:2] == (200, "application/json")

        news = told(tmp_path / "shell", place, command="news")
        assert (news.returncode, news.stderr) == (0, "")
        assert "The seed of the day is that of" in news.stdout
        as_json = told(tmp_path / "shell", place, "--json", command="news")
        assert json.loads(as_json.stdout)["campaign"] == "jsrogue"
        alone = told(tmp_path / "shell", place, "--dungeons")
        assert alone.stdout.startswith(f"{place}:\n")
        assert "Bert II" in alone.stdout
    nowhere = told(tmp_path / "shell", "--dungeons")
    assert (nowhere.returncode, nowhere.stdout) == (2, "")
    assert "--dungeons is for all dungeons of a host; name it" in nowhere.stderr


def test_the_title_shows_the_ladder_of_the_own_world(tmp_path: Path) -> None:
    """From the title the server of the own world starts for the question; Esc leads back, and the game begins there."""
    home = tmp_path / "home"
    lived_in(world_folder(home, "jsrogue"))
    with HeadlessClient(home, None, "Player", titled=True, campaign="jsrogue") as pty:
        pty.wait_for("Your name:")
        pty.type("\x15bert")
        pty.wait_for("Your name: bert")
        pty.type("\x1b[B" * 6)
        pty.wait_for("> Ladder: the best lives")
        pty.type("\r")
        pty.wait_for("Seeds of the day: your results")
        pty.type("\x1b[B\r")
        pty.wait_for("Bert: rank 1 of 2, level 6, depth 4")
        pty.type("\x1b[C")
        pty.wait_for("[season]")
        pty.wait_for("Bert II: rank 1 of 1, level 5, depth 2")
        pty.type("\x1b")
        pty.wait_for("Seeds of the day: your results")
        pty.type("\x1b")
        pty.wait_for("> Ladder: the best lives")
        pty.type("\x1b")
        assert pty.wait_exit() == 0
    running = address(world_folder(home, "jsrogue"))
    if running is not None:
        stop(running)


def test_a_mistake_is_one_sentence(tmp_path: Path) -> None:
    for args, words in (
        (["127.0.0.1:1"], "127.0.0.1:1"),
        (["--campaign", "jsrogue"], "You have no world of jsrogue yet"),
        (["host:99999"], "no port"),
    ):
        done = told(tmp_path, *args)
        assert (done.returncode, "Traceback" in done.stderr) == (2, False)
        assert words in done.stderr
