"""The motion on the screen by time alone, and none with reduced motion."""

import pytest
from msgspec.structs import replace as changed

from gloam_client.render.frame import draw, next_change_ms
from gloam_client.screens.title.title import Title
from gloam_client.state import client_events
from gloam_client.state.model import Model
from gloam_client.state.options import Options
from gloam_client.update import update
from gloam_shared.protocol.messages.play import Pace
from support.client.model_in_play import heard, picture, playing

WAITED_FOR = Pace(held=True, ms=7_500, for_names=("Ann", "Bert"))
WAITING = Pace(held=True, waiting=True, ms=7_500, for_names=("Bert",))


def in_fight(motion: str, pace: Pace) -> Model:
    model = changed(playing(), options=Options(motion=motion))
    return update(model, heard(pace, pace=pace), 0)[0]


def pictures(model: Model, for_ms: int = 7_000) -> list[str]:
    """Return the different pictures of some seconds without any input, in steps of 50 ms."""
    shown = [picture(model)]
    for now_ms in range(0, for_ms, 50):
        model, _ = update(model, client_events.TimerFired(), now_ms)
        if picture(model) != shown[-1]:
            shown.append(picture(model))
    return shown


@pytest.mark.parametrize("pace", [WAITED_FOR, WAITING])
def test_u39_reduced_motion_stands_still(pace: Pace) -> None:
    """U39: with reduced motion no second is counted, and the client does not wake up for it."""
    model = in_fight("reduced", pace)
    assert len(pictures(model)) == 1
    assert "8 s" in picture(model)
    due_ms = next_change_ms(model)
    assert due_ms is None or due_ms >= 8_000


@pytest.mark.parametrize("pace", [WAITED_FOR, WAITING])
def test_u39_a_countdown_changes_once_a_second(pace: Pace) -> None:
    """U39: with full motion a countdown changes once a second, far less often than three times."""
    assert len(pictures(in_fight("full", pace))) == 8


@pytest.mark.parametrize(("motion", "looks"), [("full", 3), ("reduced", 1)])
def test_the_title_breathes_only_with_full_motion(motion: str, looks: int) -> None:
    """The ember of the title changes its colors slowly; with reduced motion it stands still, and nothing wakes the client."""
    model = Model(screens=(Title("Ann"),), options=Options(motion=motion))
    seen, due = [], []
    for _ in range(8):
        seen.append(tuple(draw(model).cells))
        due_ms = next_change_ms(model)
        if due_ms is None:
            break
        due.append(due_ms - model.now_ms)
        model, _ = update(model, client_events.TimerFired(), due_ms)
    assert len({str(each) for each in seen}) == looks
    assert all(0 < wait <= 800 for wait in due)
    assert bool(due) == (motion == "full")
