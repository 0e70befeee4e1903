"""Watching with real clients: the list, the view, the end, and a dead player who watches."""

from pathlib import Path

import pytest

from support.client.headless_client import HeadlessClient
from support.processes.screen import entered, walk
from support.processes.server_process import ServerProcess

pytestmark = pytest.mark.end_to_end


def come_to_watch(server: ServerProcess, home: Path, name: str) -> HeadlessClient:
    """Come to watch, as `gloam watch` does."""
    return HeadlessClient(home, server.port, name, watch=True)


@pytest.mark.thorough
def test_a_friend_watches_and_is_ended(tmp_path: Path) -> None:
    """U46: `gloam watch` lists a player and shows their dungeon; the player reads who watches, and ends it."""
    with (
        ServerProcess(tmp_path / "realm") as server,
        entered(HeadlessClient(tmp_path / "anna", server.port, "Anna")) as anna,
        come_to_watch(server, tmp_path / "dora", "Dora") as dora,
    ):
        dora.wait_for("Anna  L 1")
        dora.type("\r")
        dora.wait_for("You watch Anna, 10 s late.")
        anna.wait_for("Dora watches you.")
        walk(anna)
        dora.wait_for(lambda rows: any(row.startswith("Anna ") and " HP " in row for row in rows))
        dora.type("d")
        dora.wait_for("No command on d")
        anna.type("\x05")
        anna.wait_for("Your watchers")
        anna.type("\r")
        dora.wait_for("Anna has ended your watching.")
        anna.wait_for("No one watches you.")
        dora.type("r")
        dora.wait_for("No player allows watching")
        dora.type("\x1b")
        assert dora.wait_exit() == 0


def test_a_player_can_forbid_watching(tmp_path: Path) -> None:
    """U46: with the option off, the player is not in the list; changed in play, the list has them immediately."""
    with ServerProcess(tmp_path / "realm") as server:
        home = tmp_path / "anna"
        home.mkdir()
        (home / "options.toml").write_text('watch = "off"\n', encoding="utf-8")
        with (
            entered(HeadlessClient(home, server.port, "Anna")) as anna,
            come_to_watch(server, tmp_path / "dora", "Dora") as dora,
        ):
            dora.wait_for("No player allows watching")
            anna.type("O")
            anna.wait_for("Options")
            anna.type("kk\r")
            anna.wait_for(lambda rows: any("Who may watch you" in row and "[friends]" in row for row in rows))
            dora.type("r")
            dora.wait_for("Anna  L 1")
