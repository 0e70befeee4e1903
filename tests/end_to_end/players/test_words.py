"""Words with real clients: channels, an ignored player, a report, and what was said meanwhile."""

from pathlib import Path

import pytest

from support.client.headless_client import HeadlessClient
from support.processes.screen import entered
from support.processes.server_process import ServerProcess

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
pytestmark = pytest.mark.end_to_end


def player(server: ServerProcess, home: Path, name: str) -> HeadlessClient:
    """Start the client of a player on a server."""
    return entered(HeadlessClient(home / name, server.port, name))


def test_two_friends_speak_ignore_and_report(tmp_path: Path) -> None:
    """U27, U43, U44: the log of one kind names a speaker: one key ignores, one reports; then their whispers fail."""
    with (
        ServerProcess(tmp_path / "realm") as server,
        player(server, tmp_path, "Anna") as anna,
        player(server, tmp_path, "Bert") as bert,
    ):
        bert.type(":/w An\t hjkl\r")
        anna.wait_for("Bert whispers: hjkl")
        anna.type(":/r yes\r")
        bert.wait_for("Anna whispers: yes")
        bert.type(":/me waves at \x1b")
        bert.type(":/me waves\r")
        anna.wait_for("Bert waves")
        anna.type("mf")
        anna.wait_for("Log: talk")
        anna.wait_for("Bert: I ignore, B block, R report")
        anna.type("I")
        anna.wait_for("You ignore Bert, whose words reach you no longer.")
        anna.type("R")
        anna.wait_for("Your report about Bert is with the host with the last 3 lines")
        bert.type(":/w anna hello\r")
        bert.wait_for("Anna is not here, or does not hear you")
        anna.type("\x1b:/unignore Be\t\r")
        anna.wait_for("You hear Bert again.")


def test_a_line_is_edited_with_the_keys_of_a_terminal(tmp_path: Path) -> None:
    """Cursor keys, words, a sign of five code points, and the line that was said before, by their bytes."""
    with (
        ServerProcess(tmp_path / "realm") as server,
        player(server, tmp_path, "Anna") as anna,
        player(server, tmp_path, "Bert") as bert,
    ):
        bert.type(":ome to mx\x1b[D\x7f\x1b[3~the lak\x1b[He\x1b[D\x1b[3~C")
        bert.wait_for("Say: Come to the lak")
        bert.type("\x1b[Fe now\x17here\x01\x05!\r")
        anna.wait_for("Bert: Come to the lake here!")
        bert.type(f":{FAMILY}x\x1b[D\x1b[D+\r")
        anna.wait_for("Bert: +")
        anna.wait_for(FAMILY)
        bert.type(":/w Anna hi\r:own")
        bert.wait_for("Say: own")
        bert.type("\x1b[A")
        bert.wait_for("Whisper: Anna hi")
        bert.type("\x1b[A\x1b[A there\r")
        anna.wait_for("Bert: Come to the lake here! there")


def test_who_comes_back_reads_what_was_said(tmp_path: Path) -> None:
    """After a restart of the server, too: a stop loses no words."""
    with ServerProcess(tmp_path / "realm") as server:
        with player(server, tmp_path, "Anna") as anna:
            anna.type("Qy")
            anna.wait_exit()
        with player(server, tmp_path, "Bert") as bert:
            bert.type(":wait for me below\r")
            bert.wait_for("Bert: wait for me below")
    with ServerProcess(tmp_path / "realm") as server, player(server, tmp_path, "Anna") as anna:
        anna.wait_for("While you were away, players said:")
        anna.wait_for("Bert: wait for me below")
