"""Floor items and inventory: the list, and the commands of each key."""

import pytest
from msgspec.structs import replace

from gloam_client.render.descriptions import describe_cell
from gloam_client.state import client_events
from gloam_client.state.client_effects import SendCommand, SendMessage
from gloam_client.state.model import Model
from gloam_client.state.options import Options
from gloam_client.update import update
from gloam_shared.protocol.commands import AnyCommand, Drop, Eat, PickUp, Wear, Wield
from gloam_shared.protocol.messages.play import Thinking
from gloam_shared.view.view import FloorItem, Hunger, InventoryItem, ItemFlag, Spell, Stat, View
from support.client.fake_server import level_view
from support.client.model_in_play import HELD, heard, picture, playing, press

APPLE = InventoryItem(0, "%", "red", "apple", ItemFlag.EDIBLE, 0, 0, 50)
SWORD = InventoryItem(2, ")", "white", "sword", ItemFlag.WIELDABLE, 10, 0, 0)
TUNIC = InventoryItem(3, "[", "green", "tunic", ItemFlag.WEARABLE, 0, 2, 0)
PUMPKIN = InventoryItem(
    25, "%", "orange", "pumpkin", ItemFlag.EDIBLE | ItemFlag.WIELDABLE | ItemFlag.WEARABLE, 2, 2, 50
)
ROCK = InventoryItem(7, "*", "white", "rock", 0, 0, 0, 0)
ALL = (APPLE, SWORD, TUNIC, ROCK, PUMPKIN)


def used(thing: InventoryItem, trait: ItemFlag) -> InventoryItem:
    return replace(thing, traits=thing.traits | trait)


def carrying(*things: InventoryItem) -> View:
    return replace(level_view(), inventory=things)


def on_pile(*names: str) -> View:
    pile = tuple(FloorItem(90 + at, "%", "red", name) for at, name in enumerate(names))
    return replace(level_view(), pile=pile)


def last(model: Model) -> str:
    return model.flash.text


@pytest.mark.rule("J10.9", "J10.12")
def test_the_inventory_uses_the_servers_letters() -> None:
    """The inventory lists what the player carries by the server's letters and keeps its order."""
    model, wanted = press(playing(carrying(APPLE, used(SWORD, ItemFlag.WIELDED))), "i")
    screen = picture(model)
    assert "Inventory" in screen
    assert "a - apple" in screen
    assert "c - sword (wielding)  Atk +10" in screen
    assert "You arrive." in screen
    assert model.top.state == "inventory"
    model, more = press(model, "a", "ESC", "DOWN", "ENTER", "ESC", "ESC")
    assert wanted == more == []
    assert model.top.state == "play"


@pytest.mark.rule("J10.10")
@pytest.mark.parametrize(
    ("keys", "command"),
    [
        ("da", Drop(0)),
        ("dh", Drop(7)),
        ("ea", Eat(0)),
        ("ez", Eat(25)),
        ("wc", Wield(2)),
        ("wd", Wear(3)),
        ("wz", Wield(25)),
    ],
)
def test_letter_list_orders_and_closes_list(keys: str, command: AnyCommand) -> None:
    """A letter of a list orders it and closes the list."""
    model, wanted = press(playing(carrying(*ALL)), *keys)
    assert [SendCommand(command)] == wanted
    assert model.top.state == "play"


def test_mark_goes_round_and_enter_takes() -> None:
    """The mark goes round and enter takes it and escape takes nothing."""
    model = playing(carrying(*ALL))
    assert [SendCommand(Drop(2))] == press(model, "d", "DOWN", "ENTER")[1]
    assert [SendCommand(Drop(25))] == press(model, "d", "UP", "ENTER")[1]
    model, wanted = press(model, "d", "ESC")
    assert (wanted, model.top.state) == ([], "play")


@pytest.mark.parametrize(("keys", "left_out"), [("e", "sword"), ("w", "apple"), ("w", "rock")])
def test_a_list_holds_only_what_is_fit_for_it(keys: str, left_out: str) -> None:
    model, _ = press(playing(carrying(*ALL)), *keys)
    assert left_out not in picture(model)
    assert "z - pumpkin" in picture(model)


def test_letter_not_list_answered_and_list_stays() -> None:
    """A letter that is not in the list is answered and the list stays."""
    model, wanted = press(playing(carrying(*ALL)), "e", "c")
    assert wanted == []
    assert model.top.state == "things"
    assert "No command on c here. a z take that one" in last(model)


def test_wielded_and_worn_worn_next() -> None:
    """A wielded item that can be worn is worn next and the other way round."""
    assert [SendCommand(Wear(25))] == press(playing(carrying(used(PUMPKIN, ItemFlag.WIELDED))), "w", "z")[1]
    assert [SendCommand(Wield(25))] == press(playing(carrying(used(PUMPKIN, ItemFlag.WORN))), "w", "z")[1]


def test_taking_off_asks_only_when_there_are_two() -> None:
    sword, tunic = used(SWORD, ItemFlag.WIELDED), used(TUNIC, ItemFlag.WORN)
    for view, command in ((carrying(APPLE, sword), Wield()), (carrying(APPLE, tunic), Wear())):
        model, wanted = press(playing(view), "T")
        assert ([SendCommand(command)], "play") == (wanted, model.top.state)
    model, wanted = press(playing(carrying(sword, tunic)), "T")
    assert wanted == []
    assert "Choose the item you wish to take off" in picture(model)
    assert [SendCommand(Wield())] == press(model, "c")[1]
    assert [SendCommand(Wear())] == press(model, "d")[1]


@pytest.mark.parametrize("key", [",", "g"])
def test_one_thing_underfoot_is_picked_up_at_once(key: str) -> None:
    model, wanted = press(playing(on_pile("apple")), key)
    assert [SendCommand(PickUp((90,)))] == wanted
    assert model.top.state == "play"


@pytest.mark.rule("J10.9", "J10.10", "J10.12")
def test_a_pile_is_picked_up_by_letter_or_cursor() -> None:
    """A letter or the cursor selects from a pile, and Enter picks up."""
    model, wanted = press(playing(on_pile("apple", "sword", "rock")), ",", "a", "c")
    assert wanted == []
    screen = picture(model)
    for line in ("Choose the items you wish to pickup", "a + apple", "b - sword", "c + rock"):
        assert line in screen
    assert [SendCommand(PickUp((90, 92)))] == press(model, "ENTER")[1]
    assert [SendCommand(PickUp((92,)))] == press(model, "a", "ENTER")[1]
    assert [SendCommand(PickUp((90,)))] == press(model, " ", "ENTER")[1]
    assert [SendCommand(PickUp((90, 91, 92)))] == press(model, ",", "ENTER")[1]


def test_a_grave_is_not_offered_beside_items() -> None:
    """Items that stay where they are do not count; where there is nothing else, the server says why."""
    grave = FloorItem(80, "&", "white", "grave", ItemFlag.BOUND)
    laid = on_pile("apple", "sword")
    screen = picture(press(playing(replace(laid, pile=(grave, *laid.pile))), ",")[0])
    assert "a - apple" in screen
    assert "grave" not in screen
    one = on_pile("apple")
    assert [SendCommand(PickUp((90,)))] == press(playing(replace(one, pile=(grave, *one.pile))), ",")[1]
    assert [SendCommand(PickUp((80,)))] == press(playing(replace(laid, pile=(grave,))), ",")[1]


@pytest.mark.rule("J10.10")
def test_enter_without_a_selection_cancels() -> None:
    """Enter with nothing selected cancels and picks up nothing."""
    model, wanted = press(playing(on_pile("apple", "sword")), ",", ",", ",", "ENTER")
    assert (wanted, model.top.state) == ([], "play")


def test_pile_beyond_alphabet_reached_mark() -> None:
    """A pile beyond the alphabet is reached by the mark and one order names 26."""
    model, _ = press(playing(on_pile(*["rock"] * 30)), ",", "UP", " ")
    assert [SendCommand(PickUp((119,)))] == press(model, "ENTER")[1]
    _, wanted = press(model, ",", "ENTER")
    assert [SendCommand(PickUp(tuple(range(90, 116))))] == wanted


def test_others_took_meanwhile_neither_ordered() -> None:
    """An item that others took meanwhile is neither ordered nor replaced by something else."""
    model, _ = press(playing(on_pile("apple", "sword")), ",", "a", "b")
    left = replace(level_view(), pile=(FloorItem(91, ")", "white", "sword"),))
    assert [SendCommand(PickUp((91,)))] == press(update(model, heard(view=left), 0)[0], "ENTER")[1]

    model, _ = press(playing(carrying(APPLE, ROCK)), "d")
    model, _ = update(model, heard(view=carrying(ROCK)), 0)
    model, wanted = press(model, "ENTER")
    assert wanted == []
    assert [SendCommand(Drop(7))] == press(model, "ENTER")[1]


def test_the_only_item_that_fits_is_taken_at_a_key() -> None:
    assert press(playing(carrying(APPLE, ROCK)), "e")[1] == [SendCommand(Eat(APPLE.slot))]


def test_a_list_of_which_nothing_is_left_closes() -> None:
    model, _ = press(playing(carrying(APPLE)), "d")
    model, _ = update(model, heard(view=level_view()), 0)
    assert "nothing is left of it" in picture(model)
    model, wanted = press(model, "ENTER")
    assert (wanted, model.top.state) == ([], "play")


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        (",", "There is nothing here to pick up; / lists what you have seen."),
        ("g", "There is nothing here to pick up; / lists what you have seen."),
        ("i", "You are not carrying anything! o explores, and picks things up."),
        ("d", "You have nothing to drop! i lists what you carry."),
        ("e", "You are not carrying anything! o explores, and picks things up."),
        ("w", "You are not carrying anything! o explores, and picks things up."),
        ("T", "You are not carrying anything! o explores, and picks things up."),
    ],
)
def test_nothing_client_says_and_sends_nothing(key: str, expected: str) -> None:
    """With nothing to list the client says so and sends nothing."""
    model, wanted = press(playing(), key)
    assert (wanted, model.top.state) == ([], "play")
    assert expected == last(model)


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("e", "You have nothing to eat. i lists what you carry."),
        ("w", "You have nothing else to wield or wear. i lists what you carry."),
        ("T", "You are neither wielding nor wearing anything. i lists what you carry."),
    ],
)
def test_where_nothing_is_fit_the_client_says_so(key: str, expected: str) -> None:
    model, wanted = press(playing(carrying(ROCK)), key)
    assert wanted == []
    assert expected == last(model)


def test_player_spells_and_no_scroll_learns() -> None:
    """A player with spells and no scroll learns which key casts."""
    view = replace(carrying(ROCK), spells=(Spell("mending", "mending", 4, "self", 0, 0, "It heals."),))
    assert last(press(playing(view), "r")[0]) == (
        "You have nothing to read. You need not read books: c casts their spells."
    )
    assert last(press(playing(carrying(ROCK)), "r")[0]) == "You have nothing to read. i lists what you carry."


@pytest.mark.rule("J10.11")
def test_open_list_takes_keys_and_stands_over_map() -> None:
    """An open list takes the keys and stands over the map."""
    model, wanted = press(playing(carrying(*ALL)), "d", "k", "l", "j", "UP")
    assert (wanted, model.top.state) == ([], "things")
    screen = picture(model)
    assert "Choose the item you wish to drop" in screen
    assert "HP 40/40" in screen


def test_while_the_line_is_cut_nothing_is_ordered() -> None:
    model, _ = update(playing(carrying(APPLE)), client_events.ConnectionLost("gone", 0, 1_000), 0)
    model, wanted = press(model, "d", "a")
    assert wanted == []
    assert "The connection is lost" in picture(model)


@pytest.mark.parametrize("key", [",", "i", "d", "e", "w"])
def test_an_open_list_is_shown_to_waiting_players(key: str) -> None:
    view = replace(carrying(*ALL), pile=on_pile("apple", "sword").pile)
    assert press(playing(view, HELD), key)[1] == [SendMessage(Thinking())]


def test_menu_and_wasd_preset_open_lists() -> None:
    """The menu and the wasd preset open the lists too."""
    model = playing(carrying(*ALL))
    assert press(model, "ENTER", "d")[0].top.state == "things"
    model = update(Model(screens=model.screens, options=Options(keys="wasd")), heard(view=carrying(*ALL)), 0)[
        0
    ]
    assert "Choose the item you wish to drop" in picture(press(model, "D")[0])
    assert "Choose the item you wish to wield or wear" in picture(press(model, "W")[0])


@pytest.mark.parametrize("key", ["i", "d"])
def test_help_in_a_list_returns_to_it(key: str) -> None:
    model, _ = press(playing(carrying(*ALL)), key, "?")
    assert model.top.state == "help"
    assert press(model, "ESC")[0].top.state in ("inventory", "things")


def test_bottom_line_names_things_here_good() -> None:
    """The bottom line names what the things here are good for."""
    assert ", pick up" in picture(playing(on_pile("apple")))
    assert "i items" in picture(playing(carrying(APPLE)))
    assert "pick up" not in picture(playing())


@pytest.mark.parametrize("hunger", Hunger)
def test_hunger_stands_status_line_unless_normal(hunger: Hunger) -> None:
    """Hunger stands in the status line unless it is normal."""
    sheet = list(level_view().sheet)
    sheet[Stat.HUNGER] = hunger
    status = picture(playing(replace(level_view(), sheet=tuple(sheet)))).split("\n")[-2]
    words = {
        Hunger.HUNGRY: "Hungry",
        Hunger.STARVING: "Starving",
        Hunger.FULL: "Full",
        Hunger.OVERSATIATED: "Oversatiated",
        Hunger.VERY_HUNGRY: "Very Hungry",
        Hunger.FAMISHED: "Famished",
        Hunger.STUFFED: "Stuffed",
    }
    shown_words = [word for word in ("Not Hungry", *words.values()) if word in status]
    assert max(shown_words, key=len, default=None) == words.get(hunger)


def test_a_hunger_of_a_later_server_is_not_reported() -> None:
    sheet = list(level_view().sheet)
    sheet[Stat.HUNGER] = 99
    assert "HP 40/40 [############] L 1" in picture(playing(replace(level_view(), sheet=tuple(sheet))))


def test_the_cursor_names_all_that_lies_underfoot() -> None:
    view = on_pile("apple", "sword")
    assert "A sword, an apple." in describe_cell(view, view.cell)


def test_the_letter_after_a_use_without_list_is_spared() -> None:
    """A habit types the letter as well; for a moment it is no other command, as "d" opened the list to drop from."""
    ration = replace(APPLE, slot=3)
    model, wanted = press(playing(carrying(ration, SWORD)), "e", now_ms=5_000)
    assert SendCommand(Eat(3)) in wanted
    after, wanted = press(model, "d", now_ms=5_299)
    assert (after.top.state, wanted) == ("play", [])
    assert (
        last(after) == "d was not needed: there was only one to choose. Press it again for its own command."
    )
    assert press(after, "d", now_ms=5_310)[0].top.state == "things"
    assert press(model, "d", now_ms=5_300)[0].top.state == "things"
    assert press(model, "i", now_ms=5_001)[0].top.state == "inventory"
    other, _ = press(model, "x", "ESC", now_ms=5_001)
    assert press(other, "d", now_ms=5_002)[0].top.state == "things"


def test_the_letter_after_the_only_thing_underfoot_too() -> None:
    model, wanted = press(playing(on_pile("apple")), ",", now_ms=5_000)
    assert SendCommand(PickUp((90,))) in wanted
    assert "a was not needed" in last(press(model, "a", now_ms=5_100)[0])
