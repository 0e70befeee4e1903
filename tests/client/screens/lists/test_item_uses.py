"""The uses of items beside the older ones: described, quaffed, given, used; and doors, and duels."""

import pytest
from msgspec import structs
from msgspec.structs import replace

from gloam_client.screens.common.lettered_list import Pick, Way
from gloam_client.screens.lists.examine import Examine
from gloam_client.state.client_effects import SendCommand
from gloam_client.state.model import Model
from gloam_shared.appearance import Terrain
from gloam_shared.protocol.commands import AnyCommand, Close, Drop, Duel, Give, Quaff, Stop, Use, Wield
from gloam_shared.protocol.messages.play import Pace
from gloam_shared.view.view import Creature, CreatureFlag, InventoryItem, ItemFlag, MagicEffect, View
from support.client.fake_server import level_view
from support.client.model_in_play import picture, playing, press

HERE = level_view().cell
WIDTH = level_view().place.width
SWORD = InventoryItem(0, ")", "white", "sword", ItemFlag.WIELDABLE, 10, 0, 0)
POTION = InventoryItem(1, "!", "red", "red potion", ItemFlag.QUAFFABLE, 0, 0, 0)
PRESENT = InventoryItem(4, "*", "yellow", "present", ItemFlag.USABLE | ItemFlag.AGAIN, 0, 0, 0)


def with_friends(*offsets: int) -> View:
    view = replace(level_view(), inventory=(SWORD, POTION))
    names = ("Bert", "Cleo", "Dora")
    friends = tuple(
        Creature(30 + at, HERE + offset, 5, 5, 1, CreatureFlag.PLAYER, "@", "cyan", names[at])
        for at, offset in enumerate(offsets)
    )
    return replace(view, creatures=(*view.creatures, *friends))


def with_doors(*offsets: int) -> View:
    ground = bytearray(level_view().terrain)
    for offset in offsets:
        ground[HERE + offset] = Terrain.DOOR_OPEN
    return replace(level_view(), terrain=bytes(ground))


def last(model: Model) -> str:
    return model.flash.text


@pytest.mark.rule("JG.21", "F15")
def test_a_letter_of_the_inventory_describes_its_item() -> None:
    """A letter of the inventory describes the item and takes no turn."""
    model, wanted = press(playing(with_friends()), "i", "a")
    screen = picture(model)
    assert (wanted, model.top.state) == ([], "examine")
    for line in ("a - sword", "It's a sword (attack +10).", "w   wield or wear", "d   drop", "t   throw"):
        assert line in screen
    assert "quaff" not in screen
    assert "It's a red potion." in picture(press(model, "DOWN")[0])
    assert press(model, "ESC")[0].top.state == "inventory"
    assert press(playing(with_friends()), "i", "ENTER")[0].top.state == "examine"


@pytest.mark.parametrize("key", ["_", "i", "q", "t"])
def test_asks_first_stops_plan_under_way(key: str) -> None:
    """A question stops a plan that is under way."""
    walking = Pace(held=False, waiting=False, plan=True)
    model, wanted = press(playing(with_friends(), walking), key)
    assert model.top.state != "play"
    assert wanted == [SendCommand(Stop())]
    assert press(playing(with_friends()), key)[1] == []
    assert press(playing(with_friends(), walking), "x")[1] == [], "looking around is always possible"


@pytest.mark.rule("A73")
def test_friends_beyond_alphabet_given_items() -> None:
    """Friends beyond the alphabet have no letter, and can still be given items."""
    view = with_friends(1)
    crowd = tuple(replace(view.creatures[-1], handle=30 + at) for at in range(30))
    model, _ = press(playing(replace(view, creatures=(*view.creatures[:-1], *crowd))), "v", "a")
    assert "a - Bert" in picture(model)

    assert press(model, "UP", "ENTER")[1] == [SendCommand(Give(0, 59))]


@pytest.mark.parametrize(
    ("keys", "command"), [("iaw", Wield(0)), ("iad", Drop(0)), ("ibq", Quaff(1)), ("ibd", Drop(1))]
)
def test_a_mentioned_item_is_used_by_its_keys(keys: str, command: AnyCommand) -> None:
    model, wanted = press(playing(with_friends()), *keys)
    assert [SendCommand(command)] == wanted
    assert model.top.state == "inventory"


def test_use_thing_not_fit_says() -> None:
    """A use that a thing is not fit for says what is."""
    model, wanted = press(playing(with_friends()), "i", "a", "q")
    assert (wanted, model.top.state) == ([], "examine")
    assert "No command on q here." in last(model)


def test_quaffing_lists_what_can_be_quaffed() -> None:
    model, _ = press(playing(with_friends()), "q")
    assert "b - red potion" in picture(model)
    assert "sword" not in picture(model).split("You arrive")[0]
    assert SendCommand(Quaff(1)) in press(model, "b")[1]


@pytest.mark.parametrize(
    ("effect", "harms", "asks"),
    [(MagicEffect.HEAL, False, False), (MagicEffect.HARM, True, True), (MagicEffect.NONE, True, True)],
)
def test_the_only_known_potion_needs_no_list(effect: MagicEffect, harms: bool, asks: bool) -> None:
    """There is nothing to choose; whether to try an unknown or a bad one is a choice."""
    known = replace(POTION, effect=int(effect), harms=harms)
    model, wanted = press(playing(replace(with_friends(), inventory=(SWORD, known))), "q")
    assert (model.top.state == "things") == asks
    assert (SendCommand(Quaff(1)) in wanted) != asks


@pytest.mark.rule("RG.21")
def test_each_list_remembers_its_last_choice() -> None:
    """The part of the rule that is the client's: menus remember the cursor. What is carried, the server orders."""
    model, _ = press(playing(with_friends()), "d", "b")
    assert [SendCommand(Drop(1))] == press(model, "d", "ENTER")[1]
    assert press(model, "i", "ENTER")[0].top == Examine(SWORD.slot)
    assert press(model, "t", "ENTER")[0].top.state == "target"
    assert "Throw the sword" in picture(press(model, "t", "ENTER")[0])


@pytest.mark.rule("RG.21")
def test_the_cursor_follows_an_item_to_its_new_letter() -> None:
    """The cursor follows an item to another letter, and goes to the first if the item is gone."""
    model, _ = press(playing(with_friends()), "d", "b")
    moved = replace(with_friends(), inventory=(SWORD, replace(POTION, slot=9)))
    assert [SendCommand(Drop(9))] == press(structs.replace(model, view=moved), "d", "ENTER")[1]
    gone = replace(with_friends(), inventory=(SWORD,))
    assert [SendCommand(Drop(0))] == press(structs.replace(model, view=gone), "d", "ENTER")[1]


def test_giving_asks_and_if_several() -> None:
    """Giving asks what and to who only if there are several."""
    assert [SendCommand(Give(0, 30))] == press(playing(with_friends(1)), "v", "a")[1]
    model, wanted = press(playing(with_friends(1, -1)), "v", "b")
    assert (wanted, model.top.state) == ([], "pick")
    assert "Give the red potion to which player?" in picture(model)
    assert [SendCommand(Give(1, 31))] == press(model, "b")[1] == press(model, "DOWN", "ENTER")[1]
    assert press(model, "ESC") == (press(model, "ESC")[0], [])


def test_who_is_not_beside_gets_nothing() -> None:
    model, wanted = press(playing(with_friends(2)), "v")
    assert (wanted, last(model)) == ([], "No player stands beside you to take anything; G goes to one.")


def test_carries_nothing_but_bound_reported() -> None:
    """A player whose items are all bound reads a message about it."""
    bound = replace(SWORD, traits=int(ItemFlag.WIELDABLE | ItemFlag.BOUND))
    model, wanted = press(playing(replace(with_friends(1), inventory=(bound,))), "v")
    assert (wanted, last(model)) == ([], "All that you carry is bound to you. i lists what you carry.")
    model, wanted = press(playing(replace(with_friends(1), inventory=())), "v")
    assert (wanted, last(model)) == ([], "You are not carrying anything! o explores, and picks things up.")


@pytest.mark.parametrize(("count", "shown"), [(1, "a take that one"), (2, "a b take that one")])
def test_a_list_offers_the_letters_that_it_has(count: int, shown: str) -> None:
    ways = tuple(Way("that") for _ in range(count))
    model = playing()
    model = structs.replace(model, screens=(*model.screens, Pick("Which?", ways)))
    assert picture(model).split("\n")[-1].startswith(shown)


def test_prize_asks_way_and_not_now_default() -> None:
    """The prize asks which way and not now is the default."""
    view = replace(level_view(), inventory=(PRESENT,))
    model, wanted = press(playing(view), "a")
    assert (wanted, model.top.state) == ([], "pick")
    for line in ("a - not now", "b - end this life in glory", "c - go on into the next round"):
        assert line in picture(model)
    assert press(model, "ENTER")[1] == []
    assert [SendCommand(Use(4))] == press(model, "b")[1]
    assert [SendCommand(Use(4, again=True))] == press(model, "c")[1]
    once = replace(view, inventory=(replace(PRESENT, traits=int(ItemFlag.USABLE)),))
    assert "next round" not in picture(press(playing(once), "a")[0])


def test_open_door_closed_at_once() -> None:
    """One open door is closed immediately and of several a direction chooses."""
    assert [SendCommand(Close(1, 0))] == press(playing(with_doors(1)), "C")[1]
    model, wanted = press(playing(with_doors(1, -WIDTH)), "C")
    assert (wanted, model.top.state) == ([], "direction")
    assert "Close which door?" in picture(model)
    assert [SendCommand(Close(0, -1))] == press(model, "k")[1]
    model, wanted = press(model, "j")
    assert (wanted, last(model)) == ([], "There is no open door: press another direction.")
    assert press(model, "ESC")[0].top.state == "play"


def test_without_open_door_beside_nothing_close() -> None:
    """Without an open door beside there is nothing to close."""
    model, wanted = press(playing(with_doors(2)), "C")
    assert (wanted, last(model)) == (
        [],
        "There is no open door beside you: step up to one first. Your character: @.",
    )
    assert "C close" in picture(playing(with_doors(1)))
    assert "C close" not in picture(playing(with_doors(2)))


def test_duel_agreed_name_or_menu_sight() -> None:
    """A duel is agreed to by name or in the menu with who is in sight."""
    model = playing(with_friends(3))
    assert [SendCommand(Duel(30))] == press(model, ":", *"/duel bert", "ENTER")[1]
    assert [SendCommand(Duel(30, agree=False))] == press(model, ":", *"/peace Bert", "ENTER")[1]
    assert "Cleo is not in your sight; step to where you see them." in last(
        press(model, ":", *"/duel Cleo", "ENTER")[0]
    )
    assert "Name a player in sight: /duel NAME." in last(press(model, ":", *"/duel", "ENTER")[0])
    menu, _ = press(model, "ENTER", "UP")
    assert "end a duel with Bert" in picture(menu)
    assert [SendCommand(Duel(30, agree=False))] == press(menu, "ENTER")[1]
    assert [SendCommand(Duel(30))] == press(menu, "UP", "ENTER")[1]
    assert "duel" not in picture(press(playing(), "ENTER", "UP")[0])
