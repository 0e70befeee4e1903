"""The one-command game: a private server that starts by itself, is found, is shared, stops by itself, and is mended."""

import asyncio
import json
import os
import signal
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from gloam_client.__main__ import cli
from gloam_client.net.local_server import NoLocalServer, ensure
from gloam_client.user_files.user_folders import world_folder
from support.client.headless_client import HeadlessClient
from support.content.campaigns import arena_files
from support.processes.pty import PATIENCE_S, PtyTerminal
from support.processes.screen import Client, around, attentive, entered, walk

pytestmark = pytest.mark.end_to_end


def quiet(home: Path) -> str:
    """Return the name of the small campaign without monsters, which lies beside a user's folder."""
    return f"{home.parent}/quiet/"


def quiet_world(home: Path) -> Path:
    """Return where this user's private world of the small campaign is kept."""
    return world_folder(home, quiet(home))


def campaign(home: Path) -> str:
    """Return the name of the small campaign without monsters, written beside the user's folder."""
    folder = Path(quiet(home))
    if not folder.exists():
        folder.mkdir()
        for name, text in arena_files().items():
            (folder / name).write_bytes(text)
    return quiet(home)


def gloam(home: Path, name: str = "Ann") -> HeadlessClient:
    """Start the client of this user, whose private worlds are the small campaign without monsters."""
    return HeadlessClient(home, None, name, campaign=campaign(home))


def play(home: Path, name: str = "Ann") -> HeadlessClient:
    """Start the client and wait until its player stands in the dungeon."""
    return entered(gloam(home, name))


def told_by_join(home: Path, campaign: str) -> str:
    """Return what `gloam join` says without a terminal: that it needs one, if it has found the private server."""
    done = CliRunner().invoke(cli, ["join", "--name", "Bert", "--data", str(home), "--campaign", campaign])
    assert done.exit_code == 2
    return done.stderr


def server_pid(home: Path) -> int:
    """Return the process of the private server that runs."""
    return int(json.loads((quiet_world(home) / "private.json").read_text(encoding="utf-8"))["pid"])


def is_alive(pid: int) -> bool:
    """Tell whether a process runs; one that only waits to be counted does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):  # it may end while it is asked for
        return False


def stops(home: Path, pid: int) -> bool:
    """Tell whether the private server ends and takes its address away, waiting for it."""
    deadline = time.monotonic() + PATIENCE_S
    while is_alive(pid) or (quiet_world(home) / "private.json").exists():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def quit_by(pty: Client, key: str) -> None:
    """Leave the game by a key of the question."""
    pty.type("Q")
    pty.wait_for("Quit the game?")
    pty.type(key)
    assert pty.wait_exit() == 0


@pytest.mark.thorough
def test_command_starts_world_stops_and_kept(home: Path) -> None:
    """One command starts a world that stops by itself and is kept."""
    argv = [sys.executable, "-m", "gloam_client", "--name", "Ann"]
    env = {"GLOAM_HOME": str(home), "GLOAM_CAMPAIGN": campaign(home)}
    with entered(PtyTerminal(argv, env)) as pty:
        pty.wait_for("Others on this machine can join you: gloam")
        pid = server_pid(home)
        walk(pty)
        before = around(pty)
        pty.type("Q")
        pty.wait_for("Your private server stops by itself and keeps the world.")
        pty.type("y")
        assert pty.wait_exit() == 0
        assert pty.restored
    assert stops(home, pid)

    with play(home) as pty:
        pty.wait_for(lambda _: around(pty) == before)
        quit_by(pty, "y")


@pytest.mark.thorough
@pytest.mark.rule("F58")
def test_the_title_asks_for_a_name_and_enter_begins(home: Path) -> None:
    with HeadlessClient(home, None, "Player", titled=True, campaign=campaign(home)) as pty:
        pty.wait_for("Your name:")
        pty.type("Ann\r")
        pty.wait_for("HP 40/40")
        assert "Ann HP" in pty.text()
        quit_by(pty, "y")


@pytest.mark.thorough
def test_second_client_finds_server_and_keeps(home: Path) -> None:
    """A second client finds the server and keeps it when the first leaves."""
    with play(home) as ann, play(home, "Bert") as bert:
        pid = server_pid(home)
        ann.wait_for("with 1 other")
        bert.wait_for("with 1 other")
        ann.type("Q")
        ann.wait_for("1 other still plays on your private server.")
        ann.type("y")
        assert ann.wait_exit() == 0
        bert.wait_for(lambda rows: "1 other" not in rows[0])
        walk(bert)
        assert is_alive(pid)
        quit_by(bert, "y")
    assert stops(home, pid)


@pytest.mark.thorough
def test_first_client_stop_start(home: Path) -> None:
    """The first client may stop it for everybody who may start it again."""
    with play(home) as ann, play(home, "Bert") as bert:
        pid = server_pid(home)
        ann.wait_for("with 1 other")
        before = around(bert)
        quit_by(ann, "s")
        bert.wait_for("The server is stopping; all is kept.")
        attentive(bert, "Enter starts your private server again")
        bert.type("\r")
        bert.wait_for(lambda rows: "at ease" in rows[0] and "1 other" not in rows[0])
        assert server_pid(home) != pid
        bert.wait_for(lambda _: not is_alive(pid))
        # A notice may cover some rows at first.
        kept = [row.replace("@", "·") for row in before]
        bert.wait_for(lambda _: [row.replace("@", "·") for row in around(bert)] == kept)
        quit_by(bert, "y")


@pytest.mark.thorough
def test_private_server_dies_started_play(home: Path) -> None:
    """A private server that dies is started again for all who play."""
    with play(home) as ann, play(home, "Bert") as bert:
        pid = server_pid(home)
        ann.wait_for("with 1 other")
        os.kill(pid, signal.SIGKILL)
        for pty in (ann, bert):
            pty.wait_for("You were away")
        ann.wait_for("with 1 other")
        text = "Your private server stopped; the client starts it again."
        assert text in ann.text() or text in bert.text()
        assert server_pid(home) != pid
        walk(ann)
        quit_by(ann, "y")
        quit_by(bert, "y")


@pytest.mark.thorough
def test_private_server_dies_and_left_player(home: Path) -> None:
    """A private server that dies again and again is left to the player."""
    with play(home) as pty:
        os.kill(server_pid(home), signal.SIGKILL)
        pty.wait_for("You were away")
        os.kill(server_pid(home), signal.SIGKILL)
        attentive(pty, "Your private server stops again and again")
        pty.type("\r")
        pty.wait_for(lambda rows: "at ease" in rows[0])
        walk(pty)
        quit_by(pty, "y")


@pytest.mark.thorough
def test_two_start_same_moment_share_server(home: Path) -> None:
    """Two who start at the same moment share one server."""
    with gloam(home) as ann, gloam(home, "Bert") as bert:
        ann.wait_for("with 1 other")
        bert.wait_for("with 1 other")
        quit_by(ann, "y")
        quit_by(bert, "y")


@pytest.mark.thorough
def test_comes_back_while_server_stops_let(home: Path) -> None:
    """A player who returns while the server stops is let in."""
    for _ in range(3):
        with play(home) as pty:
            quit_by(pty, "y")


def test_joining_without_a_server_is_one_sentence(home: Path) -> None:
    assert "You have no private server of " in told_by_join(home, quiet(home))


@pytest.mark.thorough
def test_two_campaigns_run_beside_other(home: Path) -> None:
    """Two campaigns run beside each other and each is joined by its name."""
    with play(home) as ann, HeadlessClient(home, None, "Ann", campaign="rltut") as other:
        other.wait_for(lambda rows: "HP " in "\n".join(rows))
        for name in (quiet(home), "rltut"):
            assert "gloam plays on a terminal" in told_by_join(home, name)
        with play(home, "Bert") as bert, HeadlessClient(home, None, "Carl", campaign="rltut") as carl:
            ann.wait_for("with 1 other")
            other.wait_for("with Carl")
            for pty in (bert, carl, ann, other):
                quit_by(pty, "y")
    assert sorted(path.name for path in home.iterdir()) == [
        *("campaigns", "device-token", "hints", "memory", "replays", "tips")
    ]


@pytest.mark.thorough
def test_campaign_not_sentence(home: Path) -> None:
    """A campaign that there is not is one sentence and leaves nothing behind."""
    with HeadlessClient(home, None, "Ann", campaign="nethack") as pty:
        assert pty.wait_exit() == 2
        screen = " ".join(pty.text().split())
        assert 'The private server did not start: There is no campaign "nethack";' in screen
        assert 'choose one of gloam, jsrogue, rltut, ruggrogue, or name a folder ("./nethack").' in screen
    assert not world_folder(home, "nethack").exists()


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("place", "expected"),
    [
        ("w #1?x%41 é\nline 2", "holds world.sqlite3 (0 bytes) of a former world"),
        ("file/home", "file/home cannot be used (Not a directory)"),
    ],
)
def test_private_world_cannot_sentence_and_stays(tmp_path: Path, place: str, expected: str) -> None:
    """A private world that cannot be is one sentence and stays as it is."""
    (tmp_path / "file").write_text("no folder")
    data = tmp_path / place
    if "file" not in place:
        data.mkdir()
        (data / "world.sqlite3").touch()
    with pytest.raises(NoLocalServer) as refused:
        asyncio.run(ensure(data))
    assert expected in str(refused.value)
    assert "\n" not in str(refused.value)
    if data.exists():
        assert sorted(file.name for file in data.iterdir()) == ["server.log", "world.sqlite3"]
        assert (data / "world.sqlite3").stat().st_size == 0


@pytest.mark.thorough
def test_campaign_mistake_played_once_mended(home: Path) -> None:
    """A campaign with a mistake is played once it is mended."""
    creatures = Path(campaign(home), "creatures.toml")
    whole = creatures.read_bytes()
    creatures.write_bytes(b"hp = 0\n" + whole)
    with gloam(home) as pty:
        assert pty.wait_exit() == 2
        assert "creatures.toml" in pty.text()
    creatures.write_bytes(whole)
    with play(home) as pty:
        quit_by(pty, "y")
