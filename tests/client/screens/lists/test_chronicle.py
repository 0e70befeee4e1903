"""The chronicle: asked for when it is opened, and drawn with names, news and past lives."""

from msgspec import structs
from msgspec.structs import replace

from gloam_client.screens.lists.chronicle import asks_for_wanted
from gloam_client.state.client_effects import SendMessage
from gloam_client.state.guidance.goals import goal_line
from gloam_client.state.model import Model, add_message
from gloam_client.update import update
from gloam_shared.protocol.messages.records import AskChronicle, Chronicle, PastLife, Wanted
from support.client.aiming_views import ready
from support.client.model_in_play import heard, picture, playing, press

LIVES = (
    PastLife("Cyd", True, "slaying the Gloam", 28, 31, 9_000),
    PastLife("Ann II", False, "kobold", 3, 4, 1),
)


def able() -> Model:
    """Return a model of play on a server that has a chronicle."""
    return structs.replace(
        base := playing(ready()), world=structs.replace(base.world, abilities=frozenset({"chronicle"}))
    )


def test_key_asks_and_answer_is_drawn() -> None:
    """The chronicle says that it asks until the answer arrives, and then shows the best life first."""
    model, wanted = press(able(), "V")
    assert SendMessage(AskChronicle()) in wanted
    assert "Asking the server..." in picture(model)

    shown = picture(
        structs.replace(
            base := update(model, heard(Chronicle(LIVES)), 0)[0],
            surface=structs.replace(base.surface, size=(160, 40)),
        )
    )
    assert " 1. Cyd, level 31, reached depth 28 in 9000 turns and won by slaying the Gloam." in shown
    assert " 2. Ann II, level 4, reached depth 3 in 1 turn and was killed by a kobold." in shown


def test_a_realm_without_deaths_says_so() -> None:
    """An empty answer is an answer."""
    model = update(press(able(), "V")[0], heard(Chronicle()), 0)[0]
    shown = picture(model)
    assert "There is no news yet." in shown
    assert not any(title in shown for title in ("Wanted:", "Past lives"))


def test_an_older_server_is_not_asked() -> None:
    """Without the ability nothing is sent, and the player reads why."""
    model, wanted = press(playing(ready()), "V")
    assert SendMessage(AskChronicle()) not in wanted
    assert model.top.state == "play"
    assert "This server is older" in picture(model)


def test_control_characters_of_a_server_are_not_drawn() -> None:
    """Names and causes are cleaned like all text of a server."""
    model = press(able(), "V")[0]
    shown = picture(update(model, heard(Chronicle((PastLife("A\x1b[2J", False, "rat\x07", 1, 1, 2),))), 0)[0])
    assert not {"\x1b", "\x07"} & set(shown)


def test_a_long_list_scrolls_and_closes() -> None:
    """The keys of the state scroll within bounds and go back."""
    model = update(press(able(), "V")[0], heard(Chronicle(LIVES * 20)), 0)[0]
    first = picture(model)
    model, _ = press(model, "DOWN")
    assert picture(model) != first
    model, _ = press(model, "UP", "UP")
    assert picture(model) == first
    model, _ = press(model, "ESC")
    assert model.top.state == "play"


def test_names_stand_above_news_and_lives() -> None:
    """The newest of the news stands first, and what a server sends is in order of time."""
    result = Chronicle(
        LIVES, ("Skarn the kobold, level 4, on depth 3; slew Ann",), ("Old news.", "New news.")
    )
    shown = picture(
        structs.replace(
            base := update(press(able(), "V")[0], heard(result), 0)[0],
            surface=structs.replace(base.surface, size=(120, 40)),
        )
    )
    places = [
        shown.index(words)
        for words in ("Wanted:", "Skarn the", "New news.", "Old news.", "Past lives", " 1. Cyd")
    ]
    assert places == sorted(places)


def test_what_is_wanted_is_asked_on_a_new_depth() -> None:
    """It is asked once on each depth, of a server that has a chronicle, and never by a watcher."""
    model = playing(ready())
    knows = structs.replace(model, world=structs.replace(model.world, abilities=frozenset({"chronicle"})))
    before = structs.replace(knows, view=replace(knows.view, place=replace(knows.view.place, depth=99)))
    assert asks_for_wanted(before, knows) == (SendMessage(AskChronicle()),)
    assert asks_for_wanted(knows, knows) == ()
    assert asks_for_wanted(before, model) == ()
    watches = structs.replace(
        knows, company=structs.replace(knows.company, watch=structs.replace(knows.company.watch, here=True))
    )
    assert asks_for_wanted(before, watches) == ()


def test_news_of_an_end_ask_for_what_is_wanted() -> None:
    model = playing(ready())
    knows = structs.replace(model, world=structs.replace(model.world, abilities=frozenset({"chronicle"})))
    knows = update(knows, heard(Chronicle(wanted=(Wanted("Grom the ogre", 3, 3),))), 0)[0]
    told = add_message(knows, "Grom the ogre, level 4, was killed by a kobold on depth 3.", "news")
    other = add_message(knows, "Grom the ogre strikes you for 4 damage!", "fight")
    assert asks_for_wanted(knows, told) == (SendMessage(AskChronicle()),)
    said = add_message(knows, "Grom the ogre, level 4, was killed.", "chat", speaker="Bert")
    assert asks_for_wanted(knows, said) == ()
    assert asks_for_wanted(knows, other) == asks_for_wanted(told, told) == ()


def test_who_is_wanted_is_a_goal_and_a_mark_on_the_map() -> None:
    """The goal line names the nearest on this depth or the next; its mark stands where the player does not see."""
    model = playing(ready())
    depth = model.view.place.depth
    unseen, seen = model.view.sight.index(0), model.view.sight.index(1)
    marks = (
        Wanted("Grom the ogre", depth + 1, 3),
        Wanted("Skarn the rat", depth, unseen),
        Wanted("Nib", depth, seen),
    )
    told = update(model, heard(Chronicle(wanted=marks)), 0)[0]
    assert told.marked_cells == {unseen: "wanted"}
    advised = structs.replace(told, guidance=structs.replace(told.guidance, advice=None))
    assert f"slay Skarn the rat, last known on depth {depth}" in goal_line(advised)
    far = update(
        model, heard(Chronicle(wanted=(Wanted("Nib", depth + 2, 0), Wanted("Bo", depth, 60_000)))), 0
    )[0]
    assert far.marked_cells == {}
