"""Who reads in a fight is waited for, as long as he reads."""

from client.screens.playing import HELD, heard, playing, press
from gloam_client import inputs
from gloam_client.intents import Send
from gloam_client.pulse import next_change_ms
from gloam_client.reading import AGAIN_MS, IDLE_MS
from gloam_client.update import update
from gloam_shared.messages import Thinking


def test_an_open_list_renews_it_before_the_server_forgets() -> None:
    model, wanted = press(playing(pace=HELD), "?")
    assert wanted == [Send(Thinking())]
    assert next_change_ms(model) == AGAIN_MS
    model, early = update(model, inputs.Clock(), AGAIN_MS - 1)
    model, renewed = update(model, inputs.Clock(), AGAIN_MS)
    assert (early, renewed) == ((), (Send(Thinking()),))


def test_it_begins_when_a_foe_comes_while_a_list_is_open_and_ends_with_the_list() -> None:
    model, wanted = press(playing(), "?")
    assert wanted == []
    model, told = update(model, heard(pace=HELD), 0)
    assert told == (Send(Thinking()),)
    model, _ = press(model, "ESC")
    assert update(model, inputs.Clock(), AGAIN_MS)[1] == ()


def test_who_presses_no_key_for_long_does_not_read() -> None:
    model, _ = press(playing(pace=HELD), "?")
    told = 0
    for now_ms in range(0, 3 * IDLE_MS, 1_000):
        model, wanted = update(model, inputs.Clock(), now_ms)
        told += len(wanted)
    assert told == (IDLE_MS - 1) // AGAIN_MS
