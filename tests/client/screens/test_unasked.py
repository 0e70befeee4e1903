"""Screens that open while the player types: they take no key for half a second, and the typed line stays."""

from collections.abc import Callable

import pytest
from msgspec import structs
from msgspec.structs import replace

from gloam_client.input.mouse import MouseEvent
from gloam_client.screens.common.text_field import TextField
from gloam_client.screens.play import Play
from gloam_client.screens.session.chat_line import ChatScreen
from gloam_client.screens.session.secret_line import SecretScreen
from gloam_client.state import client_events
from gloam_client.state.client_effects import ClientEffect, SendMessage
from gloam_client.state.model import FLASH_MS, Model
from gloam_client.update import update
from gloam_shared.protocol.messages.chat import SendChat
from gloam_shared.protocol.messages.lives import BeaconOffer, Died, KitOffer, NewLife
from gloam_shared.protocol.messages.login import Joined, PasswordStatus, SetPassword
from gloam_shared.protocol.messages.parties import PartyInvite
from gloam_shared.protocol.messages.trade import TradeState
from gloam_shared.protocol.registry import FromClient, FromServer
from gloam_shared.view.view import Stat, View
from support.client.fake_server import level_view
from support.client.model_in_play import heard, picture, playing, press

DIED = Died("rat", 2, 3, 45, 678, 9, 5, keepsakes=("sword", "apple"))
KITS = (KitOffer("a fighter's kit", "A sword."), KitOffer("a mage's kit", "Two books."))
AT_MS = 10_000


def hears(model: Model, *messages: FromServer, view: View | None = None, at_ms: int = AT_MS) -> Model:
    return update(model, heard(*messages, view=view), at_ms)[0]


def at_level(level: int) -> View:
    sheet = list(level_view().sheet)
    sheet[Stat.LEVEL] = level
    return replace(level_view(), sheet=tuple(sheet))


def offered_password(model: Model) -> Model:
    model = hears(model, PasswordStatus(password=False), view=at_level(1), at_ms=AT_MS - 1)
    return hears(model, view=at_level(2))


def offered_link(model: Model) -> Model:
    return offered_password(structs.replace(model, login=structs.replace(model.login, means="link")))


COMES: dict[str, Callable[[Model], Model]] = {
    "dead": lambda model: hears(model, DIED),
    "kits": lambda model: hears(model, Joined("Ann", 0, 2, KITS)),
    "beacons": lambda model: hears(model, Joined("Ann", 0, 2, (), (BeaconOffer("a fire", 5, 4),))),
    "secret": offered_password,
    "keep name": offered_link,
    "trade": lambda model: hears(model, TradeState("Bert", 9, 1)),
    "stopped": lambda model: update(model, client_events.ServerStopped("It stopped."), AT_MS)[0],
}
"""The events that bring each screen unasked."""


def messages(wanted: list[ClientEffect]) -> list[FromClient]:
    return [each.message for each in wanted if isinstance(each, SendMessage)]


@pytest.mark.parametrize("state", COMES)
def test_an_unasked_screen_takes_no_key_at_first(state: str) -> None:
    """No key, no click and no paste changes it or sends anything; half a second later keys count, after a death a whole one."""
    came = COMES[state](playing())
    quiet_ms = 1_000 if state == "dead" else 500
    assert came.top.state == state
    for key in ("ENTER", "a", "Q", "ESC", " ", "DOWN", "TAB"):
        after, wanted = press(came, key, now_ms=AT_MS + quiet_ms - 1)
        assert (after.top, wanted) == (came.top, []), key
        assert "Pause for a moment" in after.flash.text
    for happened in (
        client_events.TextPasted("correct horse"),
        client_events.MouseUsed(MouseEvent("left", 40, 12)),
    ):
        after, effects = update(came, happened, AT_MS + quiet_ms - 1)
        assert (after.top, effects) == (came.top, ())
    for key in ("ENTER", "a", "x", "DOWN"):
        assert "Pause for a moment" not in press(came, key, now_ms=AT_MS + quiet_ms)[0].flash.text


@pytest.mark.parametrize("state", COMES)
def test_a_word_that_is_being_typed_is_no_answer(state: str) -> None:
    """Letters in a row and a held key count as one, however long they are; the first key after a pause counts."""
    model = COMES[state](playing())
    for at_ms in range(AT_MS, AT_MS + 3_000, 200):
        model, wanted = press(model, "ae"[at_ms // 200 % 2], now_ms=at_ms)
        assert (model.top.state, wanted) == (state, [])
    for at_ms in range(AT_MS + 3_100, AT_MS + 5_000, 40):
        model, wanted = press(model, "ENTER", now_ms=at_ms)
        assert (model.top.state, wanted) == (state, [])
    waited, _ = press(model, "DOWN", now_ms=AT_MS + 5_600)
    assert waited.flash.until_ms < AT_MS + 5_600 + FLASH_MS or "Pause" not in waited.flash.text


def test_enter_that_is_pressed_again_counts() -> None:
    """A player who presses Enter again and again, not held, is not kept out: only letters go on."""
    model = hears(playing(), DIED)
    for at_ms in (100, 500, 980):
        model, wanted = press(model, "ENTER", now_ms=AT_MS + at_ms)
        assert not wanted
    assert messages(press(model, "ENTER", now_ms=AT_MS + 1_100)[1]) == [NewLife(1, 0)]


def test_a_line_that_is_typed_outlives_a_death() -> None:
    """Enter says it; the death screen below it takes no key for a second after that."""
    model, _ = press(playing(), ":", *"help", "LEFT", now_ms=AT_MS - 100)
    model = hears(model, DIED)
    assert model.top == ChatScreen(TextField("hel", "p"))
    assert "You are dead" in picture(model)
    assert "Say: help" in picture(model)
    model, wanted = press(model, "END", " ", "m", "e", "ENTER", now_ms=AT_MS + 3_000)
    assert messages(wanted) == [SendChat("help me")]
    assert model.top.state == "dead"
    after, wanted = press(model, "ENTER", now_ms=AT_MS + 3_900)
    assert (after.top, wanted) == (model.top, [])
    assert messages(press(model, "ENTER", now_ms=AT_MS + 4_000)[1]) == [NewLife(1, 0)]


@pytest.mark.parametrize("state", sorted({*COMES} - {"trade", "secret"}))
def test_a_line_of_chat_outlives_what_comes(state: str) -> None:
    """The line is on top, or returns with the game."""
    model, _ = press(playing(), ":", *"wait for me", now_ms=AT_MS - 100)
    model = COMES[state](model)
    assert any(isinstance(screen, ChatScreen) for screen in model.screens)
    if state == "stopped":
        model = update(model, client_events.JoinStarted("Ann", "here"), AT_MS)[0]
    assert model.top == ChatScreen(TextField("wait for me"))


def test_a_login_in_between_keeps_the_line() -> None:
    model, _ = press(playing(), ":", *"wait", now_ms=AT_MS - 100)
    model = update(model, client_events.CredentialsAsked("password", "It is asked for."), AT_MS)[0]
    assert isinstance(model.top, SecretScreen)
    assert press(model, "x", now_ms=AT_MS + 100)[0].top == model.top
    model = update(model, client_events.JoinStarted("Ann", "here"), AT_MS + 5_000)[0]
    assert model.top == ChatScreen(TextField("wait"))


def test_a_password_at_the_start_is_typed_at_once() -> None:
    """The player waits for it: not one letter of a password may be lost."""
    model, _ = update(Model(screens=(Play(),)), client_events.JoinStarted("Ann", "here"), AT_MS)
    model = update(model, client_events.CredentialsAsked("password", "It is asked for."), AT_MS)[0]
    typed = press(model, *"correct", now_ms=AT_MS + 1)[0].top
    assert isinstance(typed, SecretScreen)
    assert typed.line.text == "correct"


def test_a_password_that_is_typed_outlives_a_death() -> None:
    model, _ = press(playing(), ":", *"/password", "ENTER", "ENTER", *"correct horse", now_ms=AT_MS - 100)
    model = hears(model, DIED)
    model, wanted = press(model, "ENTER", *"correct horse", "ENTER", now_ms=AT_MS + 50)
    assert messages(wanted) == [SetPassword("correct horse", "")]
    assert model.top.state == "dead"


def test_an_invitation_opens_nothing_over_a_line() -> None:
    """Invitations and requests are lines of the log; a trade that begins while one types says how to open it."""
    model, _ = press(playing(), ":", *"yes", now_ms=AT_MS - 100)
    for news in (
        PartyInvite("Bert", 30),
        TradeState("Bert", 9, 1, asked=True),
        TradeState("Cleo", 8, 2),
    ):
        model = hears(model, news)
        assert model.top == ChatScreen(TextField("yes"))
    assert model.messages.entries[-1].text == "You trade with Cleo now; $ shows it."


def test_a_trade_that_ends_leaves_no_key_to_the_game() -> None:
    """The letters were meant for the trade: in play they would drop, throw and walk."""
    model = hears(playing(), TradeState("Bert", 9, 1))
    model = hears(model, TradeState(), at_ms=AT_MS + 2_000)
    assert model.top.state == "play"
    assert press(model, "h", now_ms=AT_MS + 2_400)[1] == []
    assert press(model, "h", now_ms=AT_MS + 2_500)[1] != []


def test_what_the_player_opens_takes_keys_at_once() -> None:
    """Only screens that open unasked wait: lists, questions and the log of a death do not, and a new life does not."""
    model = hears(playing(), DIED)
    model, _ = press(model, "m", now_ms=AT_MS + 1_100)
    model, _ = press(model, "ESC", now_ms=AT_MS + 1_101)
    assert messages(press(model, "ENTER", now_ms=AT_MS + 1_102)[1]) == [NewLife(1, 0)]
    alive = hears(model, Joined("Ann", 0, 2), at_ms=AT_MS + 1_200)
    assert press(alive, "h", now_ms=AT_MS + 1_201)[1] != []
    assert press(playing(), "Q", "y", now_ms=AT_MS)[1] != []
