"""Digging: a key of its own and a direction; the step of a key that is held never digs."""

import pytest

from gloam_client.input import keymap
from gloam_client.state.client_effects import SendCommand
from gloam_client.update import REPEAT_MS, update
from gloam_shared.protocol.commands import Dig, Move
from gloam_shared.protocol.messages.play import Answer
from support.client.fake_server import level_view
from support.client.model_in_play import heard, picture, playing, press

IN_ROCK = level_view(drawing="###\n#..\n###", at=(1, 1))


def test_a_key_and_a_direction_dig() -> None:
    model, wanted = press(playing(IN_ROCK), "D")
    assert "Dig where?" in picture(model)
    assert wanted == []

    model, wanted = press(model, "k")
    assert wanted == [SendCommand(Dig(0, -1))]
    assert model.top.state == "play"


def test_direction_without_rock_named() -> None:
    """A direction without rock is named and the question stays."""
    model, wanted = press(playing(IN_ROCK), "D", "l")
    assert model.top.state == "direction"
    assert "There is no rock to dig: press another direction." in picture(model)
    assert not any(isinstance(intent, SendCommand) for intent in wanted)


def test_where_d_walks_digging_has_another_key() -> None:
    assert keymap.intent("vi", "play", "D") == "dig"
    assert keymap.intent("wasd", "play", "D") == "drop"
    assert keymap.key_for("wasd", "play", "dig") == "Ctrl-D"


@pytest.mark.parametrize(("later_ms", "digs"), [(REPEAT_MS, False), (REPEAT_MS + 1, True)])
def test_the_step_of_a_held_key_may_not_dig(later_ms: int, digs: bool) -> None:
    model, first = press(playing(), "l", now_ms=1_000)
    _, second = press(model, "l", now_ms=1_000 + later_ms)
    assert first == [SendCommand(Move(1, 0))]
    assert second == [SendCommand(Move(1, 0, digs=digs))]


def test_another_key_between_makes_press_fresh() -> None:
    """Another key between makes the press a fresh one."""
    _, wanted = press(playing(), "l", "h", "l", now_ms=1_000)
    assert wanted == [SendCommand(Move(1, 0)), SendCommand(Move(-1, 0)), SendCommand(Move(1, 0))]


def test_rock_way_named_key_digs() -> None:
    """Rock in the way is named with the key that digs."""
    model, _ = update(playing(), heard(Answer(1, "rock", "Solid rock.")), 0)
    assert "Solid rock. D and a direction dig." in picture(model)
