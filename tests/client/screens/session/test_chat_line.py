"""The line of chat and its commands to the client."""

import pytest
from msgspec.structs import replace

from gloam_client.screens.play import Play
from gloam_client.state import client_events
from gloam_client.state.client_effects import LeaveGame, SendMessage
from gloam_client.state.model import Model
from gloam_client.update import update
from gloam_shared import limits
from gloam_shared.protocol.messages.chat import SendChat
from gloam_shared.protocol.messages.play import Away
from gloam_shared.view.view import CreatureFlag, Friend
from support.client.fake_server import level_view
from support.client.model_in_play import picture, playing, press


def saying(model: Model, line: str) -> Model:
    return press(model, ":", *line, "ENTER")[0]


def test_an_empty_line_says_nothing_and_closes() -> None:
    model, wanted = press(playing(), ":", " ", "ENTER")
    assert wanted == []
    assert model.top.state == "play"


def test_letters_are_erased_one_by_one_or_all() -> None:
    assert [SendMessage(SendChat("hi"))] == press(playing(), ":", *"hit", "BACKSPACE", "ENTER")[1]
    assert [SendMessage(SendChat("b"))] == press(playing(), ":", *"aaa", "CTRL_U", "b", "ENTER")[1]


def test_a_line_ends_where_the_server_would_cut_it() -> None:
    wanted = press(playing(), ":", *"x" * (limits.CHAT_CELLS_MAX + 5), "ENTER")[1]
    assert [SendMessage(SendChat("x" * limits.CHAT_CELLS_MAX))] == wanted


def test_map_and_status_stay_sight_while_typing() -> None:
    """The map and the status stay in sight while typing."""
    model, _ = press(playing(), ":", *"over")
    assert "Say: over" in picture(model)
    assert "HP 40/40" in picture(model)
    assert "@" in picture(model)


def test_who_tells_everybody_with_place_and_health() -> None:
    friends = (
        Friend("Bert", 2, 3, 1, CreatureFlag.PLAYER),
        Friend("Cleo", 1, 1, 4, CreatureFlag.PLAYER | CreatureFlag.AWAY),
    )
    view = replace(level_view(), party=(*level_view().party, *friends))
    lines = [entry.text for entry in saying(playing(view), "/who").messages.entries[-2:]]
    assert lines == ["Bert (depth 2, L 3, badly hurt)", "Cleo (depth 1, L 1, unhurt, away)"]
    assert saying(playing(), "/who").messages.entries[-1].text == "No other player is in the dungeon."


def test_commands_to_the_client_are_not_said() -> None:
    assert [SendMessage(Away())] == press(playing(), ":", *"/AWAY", "ENTER")[1]
    assert saying(playing(), "/help").top.state == "help"
    model, wanted = press(playing(), ":", *"/quit", "ENTER")
    assert (wanted, model.top.state) == ([], "quit")
    assert [LeaveGame()] == press(model, "y")[1]
    assert "There is no /fly; /help lists the commands." in saying(playing(), "/fly").flash.text


@pytest.mark.parametrize("line", ["hello", "/away", "/duel Bert"])
def test_without_a_connection_a_line_stays(line: str) -> None:
    """Nothing is sent while the player joins or the connection is lost, and the typed line is kept."""
    joining, _ = update(Model(screens=(Play(),), name="Ann"), client_events.JoinStarted("Ann", "here"), 0)
    cut, _ = update(playing(), client_events.ConnectionLost("The connection is lost.", 0, 500), 0)
    for model, expected in (
        (joining, "Not in the dungeon yet; wait a moment."),
        (cut, "The connection is lost: nothing is sent until it is back."),
    ):
        after, wanted = press(model, ":", *line, "ENTER")
        assert (wanted, after.flash.text) == ([], expected)
        assert f"Say: {line}" in picture(after)
