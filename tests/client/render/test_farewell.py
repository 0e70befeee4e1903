"""The last sentence tells whether the character is safe, and the way back."""

import pytest
from msgspec.structs import replace

from gloam_client.render.farewell import farewell
from gloam_client.screens.title.title import Title
from gloam_client.state.model import Model
from gloam_client.state.records import ConnectionStatus
from support.client.model_in_play import HELD, playing

COMMAND = "the same command brings you back."


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (
            replace(base := playing(), server=replace(base.server, private=True)),
            "You left. Your character is safe; `gloam` brings you back.",
        ),
        (playing(), "You left. Your character is safe; the same command brings you back."),
        (
            playing(pace=HELD),
            "You left. Your character stays on guard while a foe holds it, at most ten turns; " + COMMAND,
        ),
        (replace(playing(), connection=ConnectionStatus("down")), ""),
        (Model(screens=(Title("Ann"),)), ""),
    ],
)
def test_the_last_sentence(model: Model, words: str) -> None:
    assert farewell(model) == words
