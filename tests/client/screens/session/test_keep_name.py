"""The own link of a visitor by browser: offered once for ever, made, shown, replaced, and never asked of others."""

import pytest
from msgspec import structs
from msgspec.structs import replace

from gloam_client.net.launch_options import NameMeans
from gloam_client.state import client_events
from gloam_client.state.client_effects import AskOwnLink, ClientEffect, LeaveGame, SendMessage
from gloam_client.state.model import Model
from gloam_client.update import update
from gloam_shared.protocol.messages.login import Error, PasswordStatus, SetPassword
from gloam_shared.view.view import Stat, View
from support.client.fake_server import level_view
from support.client.model_in_play import heard, picture, playing, press

KEY, OTHER = "k" * 43, "o" * 43
LINK, NEXT = f"https://play.example.org/#Ann~{KEY}", f"https://play.example.org/#Ann~{OTHER}"
SET = PasswordStatus(password=True, fresh=True)


def at_level(level: int) -> View:
    sheet = list(level_view().sheet)
    sheet[Stat.LEVEL] = level
    return replace(level_view(), sheet=tuple(sheet))


def visitor(means: NameMeans = "link", *, guarded: bool = False) -> Model:
    model = playing()
    model = structs.replace(
        model,
        login=structs.replace(model.login, means=means),
        surface=structs.replace(model.surface, kind="browser"),
        guidance=structs.replace(model.guidance, advice=frozenset()),
    )
    return update(model, heard(PasswordStatus(guarded), view=at_level(1)), 0)[0]


def asked() -> Model:
    return update(visitor(), heard(view=at_level(2)), 0)[0]


def link_came(
    model: Model, link: str, *, fresh: bool, former: str = ""
) -> tuple[Model, tuple[ClientEffect, ...]]:
    return update(model, client_events.OwnLinkReceived(link, fresh, former), 0)


def linked() -> Model:
    model, _ = link_came(asked(), LINK, fresh=True)
    return update(model, heard(SET), 0)[0]


def test_it_is_offered_once_for_ever() -> None:
    """The offer is a hint that the name has had: the next visit, with what was kept, does not ask."""
    model = asked()
    assert model.top.state == "keep name"
    assert "a link of your own" in picture(model)
    model, wanted = press(model, "ESC")
    assert (model.top.state, wanted) == ("play", [])
    again = structs.replace(visitor(), guidance=model.guidance)
    assert update(again, heard(view=at_level(2)), 0)[0].top.state == "play"


def test_a_key_of_their_own_is_asked_for_nothing() -> None:
    """A visitor by ssh with a key is asked neither at the first level nor when leaving."""
    model = visitor("key")
    assert update(model, heard(view=at_level(2)), 0)[0].top.state == "play"
    assert press(model, "Q", "y")[1] == [LeaveGame()]


def test_a_visitor_by_browser_just_leaves() -> None:
    assert press(visitor(), "Q", "y")[1] == [LeaveGame()]


def test_a_chosen_link_is_made_and_shown() -> None:
    """The server gets the key of the link; when it has confirmed it, the screen says that the page shows the link."""
    model, wanted = press(asked(), "l")
    assert wanted == [AskOwnLink(fresh=True)]
    model, effects = link_came(model, LINK, fresh=True)
    assert effects == (SendMessage(SetPassword(KEY)),)
    assert "being made" in picture(model)
    model, _ = update(model, heard(SET), 0)
    assert (model.login.link, model.login.linked) == (LINK, "yes")
    assert "The page shows your own link" in picture(model)
    assert KEY not in picture(model), "the picture may be seen by others"
    assert "Your link is made" in model.messages.entries[-1].text


def test_a_chosen_password_is_typed() -> None:
    model, _ = press(asked(), "p")
    _, wanted = press(model, *"correct horse", "ENTER", *"correct horse", "ENTER")
    assert wanted == [SendMessage(SetPassword("correct horse"))]


def test_another_link_takes_the_place_of_one() -> None:
    model, wanted = press(linked(), "l")
    assert wanted == [AskOwnLink(fresh=True, former=KEY)]
    model, effects = link_came(model, NEXT, fresh=True, former=KEY)
    assert effects == (SendMessage(SetPassword(OTHER, KEY)),)
    assert update(model, heard(SET), 0)[0].login.link == NEXT


def test_a_password_takes_the_place_of_a_link() -> None:
    model, _ = press(linked(), "p")
    model, wanted = press(model, *"correct horse", "ENTER", *"correct horse", "ENTER")
    assert wanted == [SendMessage(SetPassword("correct horse", KEY))]
    model, _ = update(model, heard(SET), 0)
    assert (model.login.link, model.login.linked) == ("", "no")
    assert "Your password is set" in model.messages.entries[-1].text


@pytest.mark.parametrize(
    "answer", [Error("busy", "Too many at once; try again."), PasswordStatus(password=False)]
)
def test_a_link_that_is_refused_is_none(answer: Error | PasswordStatus) -> None:
    model, _ = link_came(asked(), LINK, fresh=True)
    model, _ = update(model, heard(answer), 0)
    assert (model.top.state, model.login.link, model.login.linked) == ("play", "", "")


def test_the_line_of_chat_shows_it_again() -> None:
    model, wanted = press(visitor(guarded=True), ":", *"/link", "ENTER")
    assert AskOwnLink() in wanted
    assert model.top.state == "play"
    model, effects = link_came(model, LINK, fresh=False)
    assert (model.top.state, effects) == ("keep name", ())
    assert "The page shows your own link" in picture(model)
    assert press(model, "l")[1] == [AskOwnLink(fresh=True, former=KEY)], "it was asked for: keys count"


def test_a_link_made_elsewhere_needs_its_key() -> None:
    """Another device does not know the link; its key, or the password, leads to a new one."""
    model, _ = link_came(visitor(guarded=True), "", fresh=False)
    assert model.top.state == "secret"
    model, wanted = press(model, *KEY, "ENTER")
    assert wanted == [AskOwnLink(fresh=True, former=KEY)]
    model, effects = link_came(model, NEXT, fresh=True, former=KEY)
    assert effects == (SendMessage(SetPassword(OTHER, KEY)),)
    assert model.top.state == "keep name"


def test_only_a_browser_has_links() -> None:
    model, wanted = press(visitor("password"), ":", *"/link", "ENTER")
    assert not any(isinstance(each, AskOwnLink) for each in wanted)
    assert "Only in a browser" in model.flash.text


def test_nothing_is_made_while_the_line_is_cut() -> None:
    model, _ = update(asked(), client_events.ConnectionLost("The connection is lost.", 0, 200), 0)
    assert press(model, "l")[1] == []


@pytest.mark.parametrize("size", [(44, 20), (60, 20), (80, 24), (200, 60)])
@pytest.mark.parametrize("model", [asked(), linked()], ids=["asked", "linked"])
def test_it_fits_every_window(model: Model, size: tuple[int, int]) -> None:
    rows = picture(structs.replace(model, surface=structs.replace(model.surface, size=size))).split("\n")
    assert [len(row) for row in rows] == [size[0]] * size[1]
    assert any("p  a password" in row for row in rows)
