"""Looking at a monster asks for its past, and shows it under what it is."""

import pytest
from msgspec.structs import replace

from gloam_client.render.descriptions import history_words
from gloam_client.state.client_effects import SendMessage
from gloam_client.update import update
from gloam_shared.protocol.messages.login import Welcome
from gloam_shared.protocol.messages.records import AskHistory, History
from gloam_shared.view.view import Creature, CreatureFlag
from support.client.fake_server import level_view
from support.client.model_in_play import heard, picture, playing, press

HERE = level_view()
KOBOLD = Creature(20, HERE.cell + 2, 6, 6, 3, CreatureFlag.HOSTILE, "k", "red", "kobold", 30, 0)
VIEW = replace(HERE, creatures=(*HERE.creatures, KOBOLD))
ABLE = Welcome(2, "The Arena", 1, 8, abilities=("history",))
PAST = History(20, 3, 1, 2, 340, 4, ("Ann",), 1, ("thick hide",))


@pytest.mark.rule("F88")
def test_past_of_what_looked_at_asked_for_and_shown() -> None:
    """The past of what is looked at is asked for and shown."""
    model = update(playing(VIEW), heard(ABLE, view=VIEW), 0)[0]
    model, wanted = press(model, "x")
    assert SendMessage(AskHistory(20)) in wanted
    shown = picture(update(model, heard(PAST, view=VIEW), 0)[0])
    assert "It came to be on depth 2 in turn 340 there, at level 1." in shown
    other = picture(update(model, heard(replace(PAST, handle=21), view=VIEW), 0)[0])
    assert "It came to be" not in other
    _, wanted = press(model, "LEFT", "RIGHT")
    assert wanted == [SendMessage(AskHistory(20))]


def test_an_older_server_is_not_asked_for_it() -> None:
    _, wanted = press(playing(VIEW), "x")
    assert wanted == []


@pytest.mark.rule("F88")
def test_a_past_is_reported_in_sentences() -> None:
    assert history_words(PAST) == [
        "It came to be on depth 2 in turn 340 there, at level 1.",
        "It has killed 4 creatures, 1 player among them: Ann.",
        "It has learned: thick hide.",
    ]
    assert history_words(replace(PAST, born_turn=0, kills=0, victims=(), victim_count=0, learned=())) == [
        "It came with depth 2, at level 1."
    ]
    assert history_words(History(20)) == []
