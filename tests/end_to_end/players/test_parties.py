"""A party with real clients: an invite, the bar of each, and the end."""

from pathlib import Path

import pytest

from support.client.headless_client import HeadlessClient
from support.processes.screen import entered
from support.processes.server_process import ServerProcess

pytestmark = pytest.mark.end_to_end


def test_two_friends_form_a_party(tmp_path: Path) -> None:
    """U41: an invite by a client command, accepted with two keys; each sees the other's health and way; one leaves."""
    with (
        ServerProcess(tmp_path / "realm") as server,
        entered(HeadlessClient(tmp_path / "anna", server.port, "Anna")) as anna,
        entered(HeadlessClient(tmp_path / "bert", server.port, "Bert")) as bert,
    ):
        anna.type(":/invite bert\r")
        anna.wait_for("You invite Bert to your party.")
        bert.wait_for("Anna invites you to a party")
        bert.type("F")
        bert.wait_for("Anna invites you")
        bert.type("\r")
        bert.wait_for("You share maps and your place.")
        bert.type("\x1b")
        anna.wait_for("Bert L1 ")
        bert.wait_for("Anna L1 ")
        anna.type("F")
        anna.wait_for("(leads, you)")
        anna.type("L")
        anna.wait_for("You are in no party.")
        bert.wait_for("The party is over.")
