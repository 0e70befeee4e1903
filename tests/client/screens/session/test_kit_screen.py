"""The choice of a kit at the start of a life: one key takes it, Esc keeps the usual kit (rule F96)."""

import pytest
from msgspec.structs import replace as changed

from gloam_client.linear.spoken_screen import read_screen
from gloam_client.screens.play import Play
from gloam_client.state import client_events
from gloam_client.state.client_effects import ClientEffect, SendMessage
from gloam_client.state.model import Model
from gloam_client.update import update
from gloam_shared.protocol.commands import Wait
from gloam_shared.protocol.messages.lives import ChooseKit, Died, KitOffer
from gloam_shared.protocol.messages.login import Joined
from gloam_shared.protocol.registry import FromClient
from support.client.fake_server import level_view
from support.client.model_in_play import heard, picture, press

KITS = (
    KitOffer(
        "a fighter's kit", "A sword and a coat of mail, for those who strike first and ask no questions."
    ),
    KitOffer("a wanderer's kit", "Food for a long way."),
    KitOffer("a mage's kit", "Two books."),
)


def offered(kits: tuple[KitOffer, ...] = KITS, life: int = 3) -> Model:
    """Return a client whose new life is offered kits."""
    model, _ = update(Model(screens=(Play(),), name="Ann"), client_events.JoinStarted("Ann", "here"), 0)
    return update(model, heard(Joined("Ann", 0, life, kits)), 0)[0]


def sent(wanted: list[ClientEffect]) -> list[FromClient]:
    return [each.message for each in wanted if isinstance(each, SendMessage)]


@pytest.mark.parametrize("size", [(44, 20), (60, 20), (80, 24)])
def test_the_kits_are_shown_with_their_letters(size: tuple[int, int]) -> None:
    """U31: names, the sentence of the marked kit in full, and the keys, in the smallest window, too."""
    screen = picture(changed(base := offered(), surface=changed(base.surface, size=size)))
    for words in ("Choose your kit", "a - a fighter's kit", "b - a wanderer's kit", "c - a mage's kit"):
        assert words in screen
    assert "questions." in screen
    assert ("the usual kit" if size[0] >= 60 else "? help") in screen.split("\n")[-1]
    marked = press(offered(), "DOWN", "DOWN")[0]
    assert "Two books." in picture(changed(marked, surface=changed(marked.surface, size=size)))


@pytest.mark.parametrize(("keys", "kit"), [(("b",), 1), (("ENTER",), 0), (("DOWN", "ENTER"), 1)])
def test_one_key_takes_a_kit(keys: tuple[str, ...], kit: int) -> None:
    model, wanted = press(offered(), *keys)
    assert sent(wanted) == [ChooseKit(3, kit)]
    assert model.top.state == "play"
    assert KITS[kit].name in picture(model)


@pytest.mark.parametrize("size", [(44, 20), (60, 20), (80, 24), (120, 40)])
def test_enter_takes_the_kit_of_the_last_life(size: tuple[int, int]) -> None:
    """The player's last choice is marked, and the title says so, until another is marked."""
    kits = (*KITS[:2], KitOffer("a mage's kit", "Two books.", last=True))
    model = changed(base := offered(kits), surface=changed(base.surface, size=size))
    assert "Choose your kit (Enter: as last time)" in picture(model)
    assert sent(press(model, "ENTER")[1]) == [ChooseKit(3, 2)]
    assert "as last time" not in picture(press(model, "UP")[0])
    assert read_screen(model, model.top).marked == 2


def test_wide_screens_show_each_sentence() -> None:
    """U31, U37: where there is room the sentences of all kits can be read before one is marked."""
    kits = (KitOffer("slinger", "Step back."), KitOffer("warden", "Stand beside a friend."))
    model = offered(kits)
    assert "a - slinger  Step back." in picture(
        changed(model, surface=changed(model.surface, size=(120, 40)))
    )
    assert read_screen(model, model.top).lines == (
        "a - slinger Step back.",
        "b - warden Stand beside a friend.",
    )


def test_the_story_waits_for_the_choice() -> None:
    """A first life reads one box at a time: the story shows once a kit is taken or kept."""
    base = Model(screens=(Play(),), name="Ann")
    told = changed(base, world=changed(base.world, story="The light has been going out."))
    model, _ = update(told, client_events.JoinStarted("Ann", "here"), 0)
    model, _ = update(model, heard(Joined("Ann", 0, 1, KITS)), 0)
    assert "Your story" not in picture(model)
    assert "Your story" in picture(press(model, "a")[0])


def test_esc_keeps_the_usual_kit() -> None:
    model, wanted = press(offered(), "ESC")
    assert sent(wanted) == []
    assert model.top.state == "play"


def test_the_choice_opens_again_until_a_command() -> None:
    """U10: Esc loses nothing: the key of choices, which the bottom line and the menu show, opens it again."""
    model, _ = press(offered(), "ESC")
    assert "You can choose until your first command: +." in model.flash.text
    model, _ = update(model, heard(view=level_view()), 0)
    assert "+ choose" in picture(model).split("\n")[-1]
    assert "new life's kit" in picture(press(model, "ENTER")[0])
    again, _ = press(model, "+")
    assert again.top.state == "kits"
    assert sent(press(again, "c")[1]) == [ChooseKit(3, 2)]


def test_a_choice_or_a_command_ends_the_offer() -> None:
    for model in (
        press(offered(), "b")[0],
        update(press(offered(), "ESC")[0], client_events.CommandSent(Wait(), 0), 0)[0],
        update(press(offered(), "ESC")[0], heard(Joined("Ann", 0, 3)), 0)[0],
    ):
        assert press(model, "+")[0].top.state == "play"


def test_other_keys_choose_nothing() -> None:
    model, wanted = press(offered(), "d", "z")
    assert sent(wanted) == []
    assert model.top.state == "kits"


def test_a_new_connection_asks_once() -> None:
    """The offer of the next `Joined` replaces the open one; without kits it closes, and a death closes it."""
    again = update(offered(), heard(Joined("Ann", 0, 3, KITS)), 0)[0]
    assert [screen.state for screen in again.screens].count("kits") == 1
    assert update(again, heard(Joined("Ann", 1, 3)), 0)[0].top.state == "play"
    died = update(again, heard(Died("rat", 1, 1, 0, 1, 0, 5)), 0)[0]
    assert died.top.state == "dead"


def test_without_kits_a_life_begins_at_once() -> None:
    assert offered(()).top.state == "play"
