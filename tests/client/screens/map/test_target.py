"""Aiming: throwing, firing, reading and casting at what the cursor stands on."""

import pytest
from msgspec.structs import replace

from gloam_client.state.client_effects import SendCommand, SendMessage
from gloam_client.state.model import Model
from gloam_client.update import update
from gloam_shared.protocol.commands import Cast, Fire, Read, Throw
from gloam_shared.protocol.messages.play import Thinking
from gloam_shared.view.view import CreatureFlag, InventoryItem, ItemFlag
from support.client.aiming_views import HERE, SCROLL, ready
from support.client.fake_server import level_view
from support.client.model_in_play import HELD, heard, picture, playing, press

OTHER = "The arrows choose another cell; Tab goes to the next creature."


def last(model: Model) -> str:
    return model.flash.text


@pytest.mark.rule("RG.26")
def test_firing_begins_nearest_foe() -> None:
    """Firing begins on the nearest foe and enter shoots."""
    model, wanted = press(playing(ready()), "f")
    assert (wanted, model.top.state) == ([], "target")
    screen = picture(model)
    assert "Fire at" in screen
    assert "b - A bat" in screen
    assert "{b}" in screen
    model, wanted = press(model, "ENTER")
    assert (wanted, model.top.state) == ([SendCommand(Fire(HERE - 4))], "play")


@pytest.mark.rule("TG.28")
def test_the_only_foe_in_reach_is_shot_at_once() -> None:
    """There is nothing to choose; a foe that cannot be shot does not count."""
    view = ready()
    foes = [one for one in view.creatures if one.marks & CreatureFlag.HOSTILE]
    for left in foes:
        others = tuple(one for one in view.creatures if one is left or not one.marks & CreatureFlag.HOSTILE)
        model, wanted = press(playing(replace(view, creatures=others)), "f")
        assert model.top.state == ("play" if wanted else "target")
        assert wanted in ([SendCommand(Fire(left.cell))], [])
    nearest = replace(view, creatures=tuple(one for one in view.creatures if one.cell in (HERE, HERE - 4)))
    assert press(playing(nearest), "f")[1] == [SendCommand(Fire(HERE - 4))]


def test_key_opened_shoots_and_tab_goes_round() -> None:
    """The key that opened it shoots too and tab goes round."""
    assert [SendCommand(Fire(HERE - 4))] == press(playing(ready()), "f", "f")[1]
    assert [SendCommand(Fire(HERE + 5))] == press(playing(ready()), "f", "TAB", "f")[1]
    assert [SendCommand(Fire(HERE + 5))] == press(playing(ready()), "f", "-", "-", "f")[1]
    assert [SendCommand(Fire(HERE - 4))] == press(playing(ready()), "f", *["TAB"] * 3, "f")[1]


@pytest.mark.rule("TG.27", "TG.28")
def test_escape_leaves_and_nothing_shoot_said() -> None:
    """Escape leaves and nothing to shoot with is said."""
    model, wanted = press(playing(ready()), "f", "ESC")
    assert (wanted, model.top.state) == ([], "play")
    model, wanted = press(playing(ready(reach=0)), "f")
    assert (wanted, last(model)) == ([], "You don't have a ranged weapon equipped. w wields one.")


@pytest.mark.rule("TG.28")
def test_who_is_not_there_is_not_shot_at() -> None:
    model, wanted = press(playing(ready()), "f", "k", "ENTER")
    assert (wanted, last(model)) == ([], f"There's no one there to fire at. {OTHER}")
    assert model.top.state == "target"


@pytest.mark.rule("RG.26")
def test_out_of_range_is_said_on_the_way_and_on_enter() -> None:
    model, _ = press(playing(ready()), "f", "L", "l", "l", "l")
    assert "Out of range." in picture(model)
    model, wanted = press(model, "ENTER")
    assert (wanted, last(model)) == ([], f"Out of range. {OTHER}")


@pytest.mark.rule("TG.28")
def test_the_path_is_drawn() -> None:
    rows = picture(press(playing(ready()), "f")[0]).split("\n")
    assert any("{b}21@" in row for row in rows)


def test_throwing_asks_what_and_then_where() -> None:
    model, wanted = press(playing(ready()), "t")
    assert "Choose the item you wish to throw" in picture(model)
    model, wanted = press(model, "a")
    assert model.top.state == "target"
    assert "Throw the dagger" in picture(model)
    model, wanted = press(model, "ENTER")
    assert (wanted, model.top.state) == ([SendCommand(Throw(0, HERE - 4))], "play")


def test_reading_asks_target() -> None:
    """Reading asks for a target only where there is one."""
    assert SendCommand(Read(2)) in press(playing(ready()), "r", "c")[1]
    wanted = press(playing(ready()), "r", "b", "k", "ENTER")[1]
    assert SendCommand(Read(1, HERE - 4 - level_view().place.width)) in wanted


@pytest.mark.rule("RG.26")
def test_a_friend_in_the_blast_is_named() -> None:
    model, _ = press(playing(ready()), "r", "b")
    assert "in the blast" not in picture(model)
    model, _ = press(model, "TAB")
    assert "Bert stands in the blast." in picture(model)
    assert [SendCommand(Read(1, HERE + 5))] == press(model, "ENTER")[1]


@pytest.mark.rule("RG.26")
def test_aiming_oneself_asked_and_no_default() -> None:
    """Aiming at oneself is asked for and no is the default."""
    asked, wanted = press(playing(ready()), "r", "b", "@", "ENTER")
    assert (wanted, asked.top.state) == ([], "confirm")
    assert "Really target yourself?" in picture(asked)
    for key in ("ENTER", "ESC", "n"):
        left, wanted = press(asked, key)
        assert (wanted, left.top.state) == ([], "play")
    left, wanted = press(asked, "y")
    assert (wanted, left.top.state) == ([SendCommand(Read(1, HERE))], "play")
    asked, _ = press(playing(ready()), "r", "b", "@", "l", "ENTER")
    assert "Really include yourself?" in picture(asked)
    assert [SendCommand(Read(1, HERE + 1))] == press(asked, "Y")[1]


def test_a_throw_among_friends_begins_beside_and_asks() -> None:
    """Without a foe in reach the aim begins on a free cell; Enter at a friend asks once, with no as the default."""
    view = ready()
    friends = tuple(one for one in view.creatures if not one.marks & CreatureFlag.HOSTILE)
    alone = playing(replace(view, creatures=friends))
    model, wanted = press(alone, "t", "a")
    assert "No creature stands there." in picture(model)
    asked, wanted = press(model, "TAB", "ENTER")
    assert (wanted, asked.top.state) == ([], "confirm")
    assert "Really target Bert?" in picture(asked)
    left, wanted = press(asked, "ENTER")
    assert (wanted, left.top.state) == ([], "play")
    assert [SendCommand(Throw(0, HERE + 6))] == press(asked, "y")[1]


def test_a_healing_potion_is_thrown_at_a_friend() -> None:
    potion = InventoryItem(0, "!", "red", "healing potion", ItemFlag.QUAFFABLE, 0, 0, 0, "self", harms=False)
    _, wanted = press(playing(replace(ready(), inventory=(potion,))), "t", "a", "ENTER")
    assert wanted == [SendCommand(Throw(0, HERE + 6))]


def test_what_is_not_known_is_aimed_without_a_question() -> None:
    unknown = InventoryItem(3, "?", "red", "red scroll", ItemFlag.READABLE, 0, 0, 0)
    view = replace(ready(), inventory=(unknown,))
    model, _ = press(playing(view), "r", "d")
    assert "Read the red scroll, whatever it does" in picture(model)
    assert [SendCommand(Read(3, HERE - 4))] == press(model, "ENTER")[1]
    alone = replace(view, creatures=level_view().creatures)
    assert SendCommand(Read(3, HERE)) in press(playing(alone), "r", "d", "ENTER")[1]


def test_what_is_not_known_may_harm_its_reader() -> None:
    unknown = InventoryItem(3, "?", "red", "red scroll", ItemFlag.READABLE, 0, 0, 0)
    alone = replace(level_view(), inventory=(unknown,))
    model, _ = press(playing(alone), "r", "d")
    assert "It may harm you: the arrows choose another" in picture(model)
    assert "It may harm you" not in picture(press(model, "h")[0])
    healing = replace(unknown, target="creature", range=5, harms=False)
    assert "It may harm you" not in picture(press(playing(replace(alone, inventory=(healing,))), "r", "d")[0])


def test_casting_lists_the_spells_with_their_costs() -> None:
    screen = picture(press(playing(ready()), "c")[0])
    for line in (
        "Cast what? Mana 20 of 20",
        "a - fireball  5 mana, at a cell within 6, blast 2",
        "b - minor heal  4 mana, on yourself",
        "c - sleep  30 mana, at a creature within 6 (10 short)",
        "Fire for all around there.",
    ):
        assert line in screen


def test_spell_cast_letter_or_mark_aimed_must() -> None:
    """A spell is cast by letter or mark aimed where it must be and remembered."""
    model, wanted = press(playing(ready()), "c", "b")
    assert (wanted, model.top.state) == ([SendCommand(Cast("heal"))], "play")
    assert [SendCommand(Cast("heal"))] == press(model, "c", "ENTER")[1]
    model, wanted = press(model, "c", "a")
    assert (wanted, model.top.state) == ([], "target")
    assert [SendCommand(Cast("fireball", HERE - 4))] == press(model, "ENTER")[1]
    model, _ = press(model, "ESC", "c", "DOWN", "ENTER")
    assert model.top.state == "play"


def test_a_spell_without_the_mana_says_so() -> None:
    model, wanted = press(playing(ready()), "c", "c")
    assert (wanted, last(model)) == (
        [],
        "You need 30 mana for that, and have 20: R rests until it has come back.",
    )
    assert model.top.state == "spells"


def test_a_player_without_spells_gets_a_reason() -> None:
    model, wanted = press(playing(), "c")
    assert (wanted, last(model), model.top.state) == (
        [],
        "You know no spells: levels, books and scrolls teach some.",
        "play",
    )


def test_gone_meanwhile_not_thrown() -> None:
    """An item that is gone meanwhile is not thrown and the cursor closes."""
    model, _ = press(playing(ready()), "t", "a")
    model, _ = update(model, heard(view=replace(ready(), inventory=(SCROLL,))), 0)
    model, wanted = press(model, "ENTER")
    assert (wanted, model.top.state) == ([], "play")


@pytest.mark.parametrize("keys", ["f", "c", "ta"])
def test_open_cursor_or_list_reported_wait(keys: str) -> None:
    """The client notifies the server of an open cursor or list while others wait."""
    assert SendMessage(Thinking()) in press(playing(ready(), HELD), *keys)[1]


@pytest.mark.parametrize("keys", ["f", "c", "rb"])
def test_help_and_a_wrong_key_are_answered_and_return(keys: str) -> None:
    model, _ = press(playing(ready()), *keys)
    state = model.top.state
    asked, _ = press(model, "?")
    assert asked.top.state == "help"
    assert press(asked, "ESC")[0].top.state == state
    wrong, wanted = press(model, "%")
    assert (wanted, wrong.top.state) == ([], state)
    assert "No command on % here." in last(wrong)


def test_bottom_line_names_verbs_make_sense_now() -> None:
    """The bottom line names the verbs that make sense now."""
    bottom = picture(playing(ready(), HELD)).split("\n")[-1]
    for words in ("Tab fight", "f fire", "c cast", "r read"):
        assert words in bottom
    plain = picture(playing(level_view(), HELD)).split("\n")[-1]
    for words in ("fire", "cast", "read", "throw", "quaff"):
        assert words not in plain
