"""The chronicle: asked for when it is opened, and drawn with the named creatures above the events."""

from dataclasses import replace as changed

from gloam_client.state.client_effects import SendMessage
from gloam_client.state.model import Model
from gloam_client.update import update
from gloam_shared.protocol.messages import AskNews, News, Welcome
from support.client.model_in_play import heard, picture, playing, press


def opened(*, able: bool = True) -> tuple[Model, list[object]]:
    welcome = Welcome(2, "The Arena", 1, 8, abilities=("history",) if able else ())
    model, wanted = press(update(playing(), heard(welcome), 0)[0], "M")
    return model, [*wanted]


def test_the_key_asks_the_server_and_shows_what_it_answers() -> None:
    model, wanted = opened()
    assert SendMessage(AskNews()) in wanted
    assert "The server is asked" in picture(model)
    news = News(
        ("Skarn the kobold, level 4, on depth 3; slew Ann",), ("Bert is the first to reach depth 3.",)
    )
    shown = picture(update(model, heard(news), 0)[0])
    for words in ("With a name:", "Skarn the kobold, level 4, on depth 3; slew Ann", "Bert is the first"):
        assert words in shown
    assert "Nothing worth telling" in picture(update(model, heard(News()), 0)[0])
    assert "Chronicle" not in picture(press(model, "ESC")[0])


def test_it_begins_at_its_end_and_scrolls_back() -> None:
    model, _ = opened()
    model = changed(model, news=News((), tuple(f"Event {at}." for at in range(100))))
    assert "Event 99." in picture(model)
    back = press(model, *["PGUP"] * 20)[0]
    assert "Event 0." in picture(back)
    assert "Event 99." in picture(press(back, *["PGDN"] * 20)[0])


def test_an_older_server_is_not_asked() -> None:
    model, wanted = opened(able=False)
    assert not any(isinstance(each, SendMessage) for each in wanted)
    assert "This server is older" in picture(model)
