"""The title with the real client and real servers: every way in by keyboard, and Esc one layer back."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gloam_client.user_files import title_news
from gloam_client.user_files.address import parse_invitation
from gloam_client.user_files.recent_servers import FILE
from gloam_client.user_files.user_folders import world_folder
from gloam_server.app import config as settings
from gloam_server.app.open_world import open_world
from gloam_shared.protocol.messages.lives import Died
from support.client.headless_client import HeadlessClient
from support.processes.pty import PtyTerminal
from support.processes.screen import choose, close_story, entered, gloam, leave
from support.processes.server_process import ServerProcess
from support.server.parties import turn, until
from support.server.sim_server import SimServer

pytestmark = pytest.mark.end_to_end


def title(home: Path, name: str = "") -> HeadlessClient:
    """Begin at the title as bare `gloam` does, for the small classic, and type the name over the default."""
    client = HeadlessClient(home, None, "Player", titled=True, campaign="jsrogue")
    client.wait_for("Your name:")
    client.type(f"\x15{name}")
    client.wait_for(f"Your name: {name}")
    return client


def test_join_a_server_and_find_it_again(home: Path, tmp_path: Path) -> None:
    """An address typed on the title joins; the next time the server stands in the list, with the last life there."""
    with ServerProcess(tmp_path / "realm") as server:
        with title(home, "Anna") as pty:
            choose(pty, "Join a server")
            pty.wait_for("You have played on no server yet.")
            pty.type("127.0.0.1:1\r")
            pty.wait_for("Your name: Anna")
            pty.wait_for("127.0.0.1:1")
            choose(pty, "Join a server")
            pty.type(f"127.0.0.1:{server.port}\r")
            entered(pty)
            leave(pty)
        assert (home / FILE).exists()
        with title(home, "Anna") as pty:
            choose(pty, "Join a server")
            pty.wait_for("jsrogue, 0 playing")
            pty.wait_for("Anna: level 1, depth 1")
            pty.type("\x1b")
            pty.wait_for("> Join a server")
            choose(pty, "Join a server")
            pty.type("\r")
            pty.wait_for("HP 40/40")
            leave(pty)


@pytest.mark.by_hand
def test_the_title_tells_the_newest_of_its_realm(home: Path, tmp_path: Path) -> None:
    """The newest line of the chronicle where one played last; it stands there the next time, too, and then without that server."""
    realm = tmp_path / "realm"
    at = settings.resolve(realm, {"campaign": "jsrogue", "seed": 7, "port": 0}, private=False)
    store, dungeon = open_world(at, 1_800_000_000)
    world = SimServer(dungeon.campaign, store=store)
    bert = world.join("Bert")
    world.put("giant_zombie", world.body(bert).cell)
    until(lambda: bert.of_kind(Died), lambda: turn(world, bert))
    world.stop()
    store.close()
    with ServerProcess(realm, seed=None) as server, title(home, "Anna") as pty:
        assert "The newest" not in pty.text()
        choose(pty, "Join a server")
        pty.type(f"127.0.0.1:{server.port}\r")
        entered(pty)
        pty.wait_for(lambda _: (home / title_news.FILE).exists())
        leave(pty)
    with title(home, "Anna") as pty:
        pty.wait_for(f"The newest at 127.0.0.1:{server.port}: Bert")
    (home / title_news.FILE).write_text("{", encoding="utf-8")
    with title(home, "Anna") as pty:
        assert "The newest" not in pty.text()


def test_watch_from_the_title_and_come_back(home: Path, tmp_path: Path) -> None:
    """U46: from the title to a server's list, to a player, and by Esc back to the list and to the title."""
    with ServerProcess(tmp_path / "realm") as server:
        place = f"127.0.0.1:{server.port}"
        with entered(HeadlessClient(tmp_path / "bert", server.port, "Bert")), title(home, "Dora") as pty:
            choose(pty, "Watch others play")
            pty.type(f"{place}\r")
            pty.wait_for("Bert  L 1")
            pty.type("\r")
            pty.wait_for("You watch Bert, 10 s late.")
            pty.type("\x1b")
            pty.wait_for("lets others watch")
            pty.type("\x1b")
            pty.wait_for("Your name: Dora")
            pty.type("\x1b")
            assert pty.wait_exit() == 0


def test_worlds_follow_a_server_that_ends(home: Path) -> None:
    """A world in play becomes one's own when its server ends, while the list is open: the end takes a moment."""
    folder = world_folder(home, "jsrogue")
    folder.mkdir(parents=True)
    with title(home, "Anna") as pty:
        with ServerProcess(folder):
            choose(pty, "Worlds")
            pty.wait_for("in play now")
        pty.wait_for("your world")
        pty.type("\x1b")
        pty.wait_for("> Worlds")
        pty.type("\x1b")
        assert pty.wait_exit() == 0


@pytest.mark.thorough
def test_a_new_world_with_a_seed_and_its_end(home: Path) -> None:
    """A new world begins with the typed seed; the title then continues it, and deletes it when asked."""
    with title(home, "Anna") as pty:
        choose(pty, "Worlds")
        pty.wait_for("no world yet")
        pty.type("\x1b[B42")
        pty.wait_for("seed: 42")
        pty.type("\r")
        pty.wait_for("HP")
        close_story(pty)
        leave(pty)
    folder = world_folder(home, "jsrogue")
    assert (folder / "world.sqlite3").exists()
    with title(home, "Anna") as pty:
        pty.wait_for("> Continue here (jsrogue)")
        choose(pty, "Worlds")
        pty.wait_for("your world")
        pty.type("\x1b[BD")
        pty.wait_for("every life")
        pty.type("y")
        pty.wait_for(
            lambda rows: (
                not any("your world" in row for row in rows) and not (folder / "world.sqlite3").exists()
            )
        )
        pty.type("\x1b")
        pty.wait_for("> Worlds")
        pty.type("\x1b")
        assert pty.wait_exit() == 0


@pytest.mark.thorough
def test_let_friends_in_with_the_shown_line(home: Path, tmp_path: Path) -> None:
    """The line that the title shows lets another device in, as typed into a shell."""
    with title(home, "Anna") as pty:
        choose(pty, "Let friends in")
        pty.wait_for("Send your friends this line")
        rows = [row.strip("|│ ") for row in pty.screen()]
        at = next(at for at, row in enumerate(rows) if row.startswith("gloam join"))
        line = rows[at] + rows[at + 1]
        pty.type("\r")
        entered(pty)
        place, ticket = parse_invitation(line.removeprefix("gloam join "))
        with HeadlessClient(tmp_path / "bert", place, "Bert", ticket=ticket) as bert:
            bert.wait_for("with Anna")
            bert.wait_for("Bert HP")
        leave(pty)


@pytest.mark.thorough
def test_a_server_asks_for_the_name_once(tmp_path: Path) -> None:
    """P9: the login name is only offered; one that another player has is refused with the option; each user's is kept."""
    with ServerProcess(tmp_path / "realm") as server:
        place = f"127.0.0.1:{server.port}"

        def joins(home: str, *words: str) -> PtyTerminal:
            return gloam(tmp_path / home, *words, place, env={"LOGNAME": "anna"})

        with joins("first") as anna:
            anna.wait_for(f"Your name at {place} (--name skips this) [Anna]: ")
            anna.type("\r")
            entered(anna)
            with joins("second") as bert:
                bert.wait_for("[Anna]: ")
                bert.type("Admin\r")
                bert.wait_for('The name "Admin" is reserved; choose another.')
                bert.type("\r")
                assert bert.wait_exit() == 1
                told = " ".join(bert.text().split())
                assert 'The name "Anna" belongs to another device; choose another name.' in told
                assert f"gloam {place} --name NAME" in told
            with joins("second") as bert:
                bert.wait_for("[Anna]: ")
                bert.type("Bert\r")
                leave(entered(bert))
            with joins("second") as bert:
                leave(entered(bert))
                assert b"Your name at" not in bert.raw
            with joins("second", "watch") as bert:
                bert.wait_for("Anna")
                assert b"Your name at" not in bert.raw
                bert.type("\x1b")
                bert.wait_exit()
        with joins("third", "watch") as dora:
            dora.wait_for("[Anna]: ")
            dora.type("\r")
            assert dora.wait_exit() == 1
            assert f"gloam watch {place} --name NAME" in " ".join(dora.text().split())


def test_without_a_terminal_no_name_is_asked_for(tmp_path: Path) -> None:
    """A pipe gets one sentence, and so does a name that is given but none."""
    for name, said in (
        ([], "gloam plays on a terminal"),
        (["--name", "A!"], "A name is made of the letters A to Z"),
    ):
        done = subprocess.run(
            [sys.executable, "-m", "gloam_client", "127.0.0.1:1", *name],
            env={**os.environ, "GLOAM_HOME": str(tmp_path)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stdout) == (2, "")
        assert said in done.stderr
