"""The options: glyphs, colours, keys and hints, with the effect at once."""

import pytest

from gloam_client.state.client_effects import SetOptions
from gloam_client.state.options import Options
from support.client.model_in_play import picture, playing, press


@pytest.mark.rule("RG.29", "F59")
def test_an_option_applies_at_once_and_stays_local() -> None:
    """An option changes at once, and only the client keeps it."""
    model, wanted = press(playing(), "O", "DOWN", "DOWN", "RIGHT")
    assert [SetOptions(Options(keys="wasd"))] == wanted
    assert model.options.keys == "wasd"
    assert "[wasd]" in picture(model)
    assert "[ascii]" in picture(press(model, "UP", "UP", "ENTER")[0])
