"""A player who reads in a fight is waited for, as long as they read."""

from itertools import pairwise

import pytest
from msgspec import structs
from msgspec.structs import replace

from gloam_client.input import keymap
from gloam_client.render.frame import next_change_ms
from gloam_client.render.panels.status_panel import pace_words
from gloam_client.state import client_events
from gloam_client.state.client_effects import SendMessage
from gloam_client.state.model import Model
from gloam_client.state.thinking_notice import AGAIN_MS, IDLE_MS, NOTHING_OPEN, READS_MS
from gloam_client.update import update
from gloam_shared.protocol.messages.play import Pace, Thinking
from support.client.aiming_views import ready
from support.client.fake_server import level_view
from support.client.model_in_play import HELD, heard, playing, press

WAITED_FOR = Pace(held=True, ms=2_000, for_names=("Ann",))
CHOOSING = Pace(held=True, ms=8_000, for_names=("Ann",), choosing=("Ann",))


def test_open_list_renews_before_server_forgets() -> None:
    """An open list renews it before the server forgets."""
    model, wanted = press(playing(pace=HELD), "?")
    assert wanted == [SendMessage(Thinking())]
    assert next_change_ms(model) == AGAIN_MS
    model, early = update(model, client_events.TimerFired(), AGAIN_MS - 1)
    model, renewed = update(model, client_events.TimerFired(), AGAIN_MS)
    assert (early, renewed) == ((), (SendMessage(Thinking()),))


def test_begins_when_foe_comes_while_list_open() -> None:
    """It begins when a foe appears while a list is open and ends with the list."""
    model, wanted = press(playing(), "?")
    assert wanted == []
    model, intents = update(model, heard(pace=HELD), 0)
    assert intents == (SendMessage(Thinking()),)
    model, _ = press(model, "ESC")
    assert update(model, client_events.TimerFired(), AGAIN_MS)[1] == ()


def test_who_presses_no_key_for_long_does_not_read() -> None:
    model, _ = press(playing(pace=HELD), "?")
    count = 0
    for now_ms in range(0, 3 * IDLE_MS, 1_000):
        model, wanted = update(model, client_events.TimerFired(), now_ms)
        count += len(wanted)
    assert count == (IDLE_MS - 1) // AGAIN_MS


def choosing(*keys: str) -> Model:
    """Return a model at ease with a level-up choice, after some keys."""
    return press(playing(replace(level_view(), choices=("one", "two"))), *keys)[0]


@pytest.mark.parametrize("keys", ["+", "+?"])
def test_an_open_choice_is_reported_at_ease(keys: str) -> None:
    """The server makes a choice after a minute: while its window is open, the player reads, also without a key."""
    model, sent_ms = choosing(*keys), []
    for now_ms in range(0, READS_MS + 2 * IDLE_MS, 1_000):
        model, wanted = update(model, client_events.TimerFired(), now_ms)
        sent_ms += [now_ms] * len(wanted)
    assert max(later - sooner for sooner, later in pairwise(sent_ms)) < IDLE_MS
    assert READS_MS - AGAIN_MS <= sent_ms[-1] < READS_MS


@pytest.mark.parametrize("keys", ["", "i", "?", "x"])
def test_other_windows_are_not_reported_at_ease(keys: str) -> None:
    assert press(choosing(), *keys)[1] == []
    assert update(choosing(*keys), client_events.TimerFired(), AGAIN_MS)[1] == ()


def test_turn_waits_hears_list_open() -> None:
    """Each turn that waits hears of a list that is still open."""
    model, _ = press(playing(pace=HELD), "?")
    collected = []
    for pace in (WAITED_FOR, CHOOSING, HELD, WAITED_FOR, CHOOSING):
        model, wanted = update(model, heard(pace, pace=pace), 1_000)
        collected.append(wanted)
    assert collected == [(SendMessage(Thinking()),), (), (), (SendMessage(Thinking()),), ()]


def test_turn_waits_others_alone_reported_nothing() -> None:
    """The client sends no notice for a turn that waits only for others."""
    model, _ = press(playing(pace=HELD), "?")
    others = Pace(held=True, waiting=True, ms=2_000, for_names=("Bert",))
    assert update(model, heard(others, pace=others), 1_000)[1] == ()


@pytest.mark.parametrize("key", [":", "Q", "?", "x"])
def test_a_line_and_a_question_open_like_a_list(key: str) -> None:
    assert SendMessage(Thinking()) in press(playing(pace=HELD), key)[1]


def test_every_screen_but_play_counts_as_open() -> None:
    """A new screen counts too: only play and the states outside of play do not."""
    states = {row.state for preset in keymap.PRESETS for row in keymap.table(preset)}
    assert states >= NOTHING_OPEN
    able = structs.replace(
        base := playing(ready(), pace=HELD),
        world=structs.replace(base.world, abilities=frozenset({"chronicle"})),
    )
    for keys in (("V",), (":", *"/password", "ENTER"), (":",), ("Q",), ("x",), ("i",), ("m",), ("O",)):
        model, wanted = press(able, *keys)
        assert model.top.state != "play"
        assert SendMessage(Thinking()) in wanted, keys


def test_panel_says_choosing_and_waited() -> None:
    """The panel says who is choosing and who is waited for."""
    others = Pace(held=True, waiting=True, ms=5_900, for_names=("Bert",), choosing=("Bert",))
    both = Pace(held=True, waiting=True, ms=5_900, for_names=("Bert", "Cyd"), choosing=("Bert", "Cyd"))
    plan = Pace(held=True, plan=True, ms=5_900, for_names=("Bert",), choosing=("Bert",))
    own = Pace(held=True, ms=6_900, for_names=("Ann",), choosing=("Ann",))
    words = [pace_words(playing(pace=pace)) for pace in (others, both, plan, own)]
    assert words == [
        "Bert is choosing, 6 s",
        "Bert and Cyd are choosing, 6 s",
        "under way, Bert is choosing, 6 s; Esc stops",
        "they wait for you: 7 s",
    ]
