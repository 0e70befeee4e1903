"""A party with real clients: an invite, the bar of each, and the end."""

from pathlib import Path

import pytest

from support.client.headless_client import HeadlessClient
from support.processes.screen import attentive, entered
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


def begun(client: HeadlessClient, kit: str) -> HeadlessClient:
    """Return a client whose first life has taken the kit of this letter, and stands in the dungeon."""
    attentive(client, "Choose your kit")
    client.type(kit)
    client.wait_for("Your story")
    client.type("\x1b")
    return client


@pytest.mark.rule("F131")
def test_a_member_lends_the_kit(tmp_path: Path) -> None:
    """Real clients over a real server: the list to give offers bound items; the borrower has one, and gives it back."""
    with (
        ServerProcess(tmp_path / "realm", campaign="gloam") as server,
        HeadlessClient(tmp_path / "anna", server.port, "Anna") as anna,
        HeadlessClient(tmp_path / "bert", server.port, "Bert") as bert,
    ):
        begun(anna, "e")
        begun(bert, "a")
        anna.type(":/invite bert\r")
        bert.wait_for("Anna invites you to a party")
        bert.type("F")
        bert.wait_for("Anna invites you")
        bert.type("\r\x1b")
        anna.wait_for("Bert L1 ")
        hand_over(anna, "hand axe")
        bert.wait_for("hand axe")
        hand_over(bert, "hand axe")
        anna.wait_for("You receive a hand axe from Bert.")


def hand_over(giver: HeadlessClient, name: str) -> None:
    """Lend an item, or give it back, by its letter in the list to give."""
    giver.type("v")
    giver.wait_for("Choose the item you wish to give")
    giver.wait_for(name)
    row = next(row for row in giver.screen() if name in row and "(lend)" in row)
    giver.type(row.split(" - ")[0].strip("| ")[-1])
