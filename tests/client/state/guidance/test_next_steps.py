"""The next step behind a refusal, and the answers to keys before the first view."""

import pytest
from msgspec.structs import replace

from gloam_client.input import keymap
from gloam_client.screens.play import Play
from gloam_client.state import client_events
from gloam_client.state.model import Model
from gloam_client.update import update
from gloam_shared.appearance import Terrain
from gloam_shared.protocol.codes import AnswerReason
from gloam_shared.protocol.commands import AnyCommand, Climb, Wait
from gloam_shared.protocol.messages.play import Answer
from gloam_shared.view.view import View
from support.client.fake_server import level_view
from support.client.model_in_play import heard, playing, press

ABOVE_GAME = frozenset({"Game", "Talking", "Looking"})
"""The sections of the keys that do something without a level."""


def refused(command: AnyCommand, text: str, reason: AnswerReason, view: View | None = None) -> str:
    """Return what the message line says after a refusal."""
    model = playing(view)
    model = update(model, client_events.CommandSent(command, 0), 0)[0]
    return update(model, heard(Answer(1, "cannot", text, reason), view=model.view), 0)[0].flash.text


def without_stairs() -> View:
    view = level_view()
    return replace(view, terrain=view.terrain.replace(bytes([Terrain.STAIRS_DOWN]), bytes([Terrain.FLOOR])))


def test_stairs_without_a_known_way_are_named() -> None:
    """Stairs that are seen, but not reached, are another case than stairs that are not known."""
    text = "You can't go down here!"
    seen = refused(Climb(down=True), text, "no_stairs")
    assert seen == f"{text} You know stairs, but no way there: o explores further, D and a direction dig."

    unknown = refused(Climb(down=True), text, "no_stairs", without_stairs())
    assert unknown == f"{text} o explores until stairs are found."
    up = refused(Climb(down=False), text, "no_stairs", without_stairs())
    assert up == f"{text} You know stairs, but no way there: o explores further, D and a direction dig."


@pytest.mark.parametrize(
    ("reason", "step"),
    [
        ("full", "d drops an item."),
        ("too_little_mana", "R rests until it has come back."),
        ("turned_down", ". waits a turn; a step apart is enough."),
        ("down", "p pings, x looks around, : speaks."),
    ],
)
def test_the_step_stands_behind_the_servers_sentence(reason: AnswerReason, step: str) -> None:
    assert refused(Wait(), "That cannot be.", reason) == f"That cannot be. {step}"


@pytest.mark.parametrize("reason", ["", "a reason of a later server"])
def test_a_reason_of_another_server_adds_nothing(reason: AnswerReason) -> None:
    assert refused(Wait(), "That cannot be.", reason) == "That cannot be."


BEFORE = Model(screens=(Play(),), name="Ann")
EARLY = sorted({row.keys[0] for row in keymap.rows("vi", "play") if row.section not in ABOVE_GAME})


@pytest.mark.parametrize("key", EARLY)
def test_before_the_first_view_no_key_speaks_of_a_body(key: str) -> None:
    """Without a view the client knows neither what the player carries nor where they stand."""
    model, wanted = press(BEFORE, key)
    assert not wanted
    assert model.flash.text == "Not in the dungeon yet; wait a moment."
