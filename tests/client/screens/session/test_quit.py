"""The question before leaving."""

import pytest
from msgspec.structs import replace

from gloam_client.state import client_events
from gloam_client.state.client_effects import LeaveGame
from gloam_client.state.model import Model
from gloam_client.update import update
from gloam_shared.view.view import CreatureFlag, Friend
from support.client.fake_server import level_view
from support.client.model_in_play import HELD, picture, playing, press


def private(*names: str) -> Model:
    friends = tuple(Friend(name, 1, 1, 4, CreatureFlag.PLAYER) for name in names)
    view = replace(level_view(), party=(*level_view().party, *friends))
    return update(playing(view), client_events.ServerAddress("127.0.0.1:7373", private=True), 0)[0]


@pytest.mark.parametrize("key", ["y", "Y", "CTRL_C"])
def test_yes_leaves(key: str) -> None:
    assert [LeaveGame()] == press(playing(), "Q", key)[1]


@pytest.mark.parametrize("key", ["n", "N", "ESC", "ENTER", "Q"])
def test_no_stays(key: str) -> None:
    model, wanted = press(playing(), "Q", key)
    assert wanted == []
    assert model.top.state == "play"


@pytest.mark.parametrize("names", [(), ("Bert",)])
def test_it_shows_what_enter_means(names: tuple[str, ...]) -> None:
    screen = picture(press(private(*names), "Q")[0])
    assert "y  quit" in screen
    assert "n  stay (Enter and Esc too)" in screen
    assert screen.split("\n")[-1].startswith("y quit  Esc stay")


def test_it_counts_who_else_plays_on_a_private_server() -> None:
    assert "1 other still plays on your private server." in picture(press(private("Bert"), "Q")[0])
    assert "2 others still play on your private server." in picture(press(private("Bert", "Cleo"), "Q")[0])
    assert "stops by itself and keeps the world" in picture(press(private(), "Q")[0])
    assert "server" not in picture(press(playing(), "Q")[0])


def test_stopping_an_unused_server_is_not_offered() -> None:
    """No one is offered to stop a server that no one else uses."""
    model, wanted = press(private(), "Q", "s")
    assert wanted == []
    assert "No command on s here." in model.flash.text


def test_it_tells_what_happens_to_the_body() -> None:
    assert "leaves the dungeon at once" in picture(press(playing(), "Q")[0])
    assert "stays on guard" in picture(press(playing(pace=HELD), "Q")[0])


def test_shared_private_server_stopped() -> None:
    """A shared private server can be stopped for all."""
    model, _ = press(private("Bert"), "Q")
    assert "stop it for all (nothing is lost)" in picture(model)
    assert [LeaveGame(stop_server=True)] == press(model, "s")[1]
