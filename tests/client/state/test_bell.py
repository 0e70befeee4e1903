"""The bell rings for three events that the player chose, and for nothing else."""

import pytest
from msgspec import structs
from msgspec.structs import replace

from gloam_client.state import client_events
from gloam_client.state.client_effects import Ring
from gloam_client.state.model import Model
from gloam_client.state.options import Options
from gloam_client.update import update
from gloam_shared.protocol.messages.chat import ChatLine, MapPinged, Spoken
from gloam_shared.protocol.messages.play import Pace
from gloam_shared.protocol.registry import FromServer
from gloam_shared.view.view import Stat, View
from support.client.fake_server import level_view
from support.client.model_in_play import EASE, heard, playing, press

ALL = Options(bell_health="on", bell_friends="on", bell_turn="on")
AWAITED = Pace(held=True, ms=2_000, for_names=("Ann", "Bert"))
HURT_AT = 19
"""Of 40: below a half."""


def with_health(hp: int) -> View:
    view = level_view()
    sheet = list(view.sheet)
    sheet[Stat.HP] = hp
    return replace(view, sheet=tuple(sheet))


def rung(model: Model, *messages: FromServer, view: View | None = None, pace: Pace = EASE) -> bool:
    return Ring() in update(model, heard(*messages, view=view or model.view, pace=pace), 0)[1]


def listening(options: Options = ALL) -> Model:
    return structs.replace(playing(), options=options)


def test_u38_the_bell_is_off_by_default() -> None:
    """U38: without a choice nothing rings."""
    model = listening(Options())
    assert not rung(model, view=with_health(1))
    assert not rung(model, MapPinged("Bert", "danger", 1, 5), Spoken("whisper", "Bert", "psst", "Ann"))
    assert not rung(model, AWAITED, pace=AWAITED)


def test_u38_low_health_rings_once() -> None:
    """U38: the bell rings when health falls below a half, and again only after it was better."""
    for options in (ALL, Options(bell_health="on")):
        model = listening(options)
        assert not rung(model, view=with_health(20))
        assert rung(model, view=with_health(HURT_AT))
        model, _ = update(model, heard(view=with_health(HURT_AT)), 0)
        assert not rung(model, view=with_health(HURT_AT - 1))
        model, _ = update(model, heard(view=with_health(30)), 0)
        assert rung(model, view=with_health(HURT_AT))


@pytest.mark.parametrize(
    ("message", "rings"),
    [
        (MapPinged("Bert", "come", 1, 5), True),
        (MapPinged("Bert", "danger", 2, 5), True),
        (MapPinged("Bert", "thanks", 1, 5), False),
        (MapPinged("Ann", "come", 1, 5), False),
        (Spoken("whisper", "Bert", "psst", "Ann"), True),
        (Spoken("whisper", "Ann", "psst", "Bert"), False),
        (Spoken("whisper", "Bert", "psst", "Ann", ago_s=60), False),
        (Spoken("say", "Bert", "hello"), False),
        (ChatLine("Bert", "hello"), False),
    ],
)
def test_u38_a_friend_who_calls_rings(message: FromServer, rings: bool) -> None:
    """U38: a friend's call or whisper rings, the player's own and old ones do not."""
    assert rung(listening(), message) is rings
    assert rung(listening(Options(bell_friends="on")), message) is rings
    assert not rung(listening(Options(bell_health="on", bell_turn="on")), message)


def test_u38_an_awaited_turn_rings_once() -> None:
    """U38: the bell rings when others begin to wait for the player, not while they go on waiting."""
    for options in (ALL, Options(bell_turn="on")):
        model = listening(options)
        assert rung(model, AWAITED, pace=AWAITED)
        model, _ = update(model, heard(AWAITED, pace=AWAITED), 0)
        assert not rung(model, AWAITED, pace=AWAITED)
    assert not rung(listening(), pace=Pace(held=True, waiting=True, ms=2_000, for_names=("Bert",)))
    assert not rung(listening(), pace=Pace(held=True))


def test_u38_keys_and_time_never_ring() -> None:
    model, wanted = press(listening(), "i", "ESC", "o", "O", "ESC")
    assert Ring() not in wanted
    assert update(model, client_events.TimerFired(), 9_000)[1] == ()
