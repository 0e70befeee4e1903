"""Picking up by itself: what the option makes of commands, and what is shown of things that are worth it."""

import pytest
from msgspec import structs
from msgspec.structs import replace

from gloam_client.screens.map.exploration import is_explored
from gloam_client.state.client_effects import SendCommand
from gloam_client.state.map.auto_pickup import as_chosen, worth_cells
from gloam_client.state.model import Model
from gloam_client.state.options import Options
from gloam_client.update import update
from gloam_shared.appearance import Terrain
from gloam_shared.protocol import commands
from gloam_shared.protocol.messages.play import Answer
from gloam_shared.view.view import FloorItem, Hunger, InventoryItem, Item, ItemFlag, Stat, View
from support.client.fake_server import level_view
from support.client.model_in_play import heard, picture, playing, press

HERE = level_view()
BARE = replace(HERE, terrain=bytes([Terrain.FLOOR]) * len(HERE.terrain))
POTION = Item(30, HERE.cell + 5, 1, "!", "red", "potion of might", ItemFlag.WORTH)
ROCK = Item(31, HERE.cell + 4, 1, "*", "gray", "rock")
BEYOND = Item(32, HERE.cell + 6, 1, "!", "red", "red potion", ItemFlag.WORTH | ItemFlag.NO_ROOM)
TOLD = "There is nothing left to explore on this level; o explores."


def recalling(*items: Item) -> Model:
    """Return a client that has seen these, and sees nothing of them now."""
    model = playing(replace(BARE, items=items))
    unseen = replace(BARE, items=(), sight=bytes(len(BARE.sight)))
    return update(model, heard(view=unseen), 0)[0]


def with_option(model: Model, value: str) -> Model:
    return structs.replace(model, options=Options(pick_up=value))


@pytest.mark.parametrize(
    "command",
    [
        commands.Move(1, 0),
        commands.Move(1, 0, digs=False),
        commands.Run(0, 1),
        commands.Travel(7),
        commands.Climb(down=True),
        commands.Explore(),
    ],
)
def test_leads_somewhere_picks_unless_option_off(command: commands.AnyCommand) -> None:
    """A command that leads somewhere picks up there unless the option is off."""
    model = playing(BARE)
    assert as_chosen(with_option(model, "on"), command) == replace(command, pick_up=True)
    assert as_chosen(with_option(model, "off"), replace(command, pick_up=True)) == command


@pytest.mark.parametrize("command", [commands.Wait(), commands.Rest(), commands.Fight(), commands.Drop(2)])
def test_all_other_commands_stay_as_they_are(command: commands.AnyCommand) -> None:
    assert as_chosen(playing(BARE), command) == command


def test_exploring_names_worthwhile_things() -> None:
    """Exploring names where worthwhile things are recalled the nearest first."""
    model = recalling(BEYOND, ROCK, POTION)
    assert as_chosen(model, commands.Explore()) == commands.Explore(
        pick_up=True, cells=(POTION.cell, BEYOND.cell)
    )
    assert as_chosen(with_option(model, "off"), commands.Explore(pick_up=True)) == commands.Explore()
    assert worth_cells(playing(replace(BARE, items=(POTION,)))) == ()  # the server sees it itself


def test_no_more_cells_are_named_than_a_command_takes() -> None:
    items = tuple(Item(at, at, 1, "!", "red", "potion", ItemFlag.WORTH) for at in range(200))
    assert len(as_chosen(recalling(*items), commands.Explore()).cells) == 32  # type: ignore[union-attr]


def test_worthwhile_pile_leaves_recalled_such() -> None:
    """A worthwhile pile that one leaves is recalled as such."""
    pile = (FloorItem(5, "!", "red", "potion", ItemFlag.WORTH),)
    model = playing(replace(BARE, pile=pile))
    assert model.memory.recall[BARE.place.depth][BARE.cell].traits == ItemFlag.WORTH


def test_worth_reported_look_and_list() -> None:
    """The look and the list both mark items that are worth picking up."""
    model = playing(replace(BARE, items=(POTION, ROCK, BEYOND)))
    listed = picture(press(model, "/")[0])
    assert "A potion of might (worth picking up)." in listed
    assert "A red potion (worth picking up; no room)." in listed
    assert "A rock." in listed
    looked = picture(press(model, "x", *["l"] * 5)[0])
    assert "potion of might (worth picking up)" in looked


def explored(model: Model, view: View) -> Model:
    return update(model, heard(Answer(1, "explored", TOLD), view=view), 0)[0]


def test_explored_level_explored_once_worthwhile() -> None:
    """An explored level is explored again once something worthwhile or room for it is known."""
    carried = InventoryItem(0, "!", "red", "potion", ItemFlag.QUAFFABLE, 0, 0, 0)
    view = replace(BARE, items=(), sight=bytes(len(BARE.sight)), inventory=(carried,))
    model = explored(recalling(POTION), view)
    assert is_explored(model)
    assert not is_explored(update(model, heard(view=replace(view, inventory=())), 0)[0])
    newer = update(model, heard(view=replace(view, items=(BEYOND,))), 0)[0]
    newer = update(newer, heard(view=view), 0)[0]
    assert not is_explored(newer)
    assert is_explored(explored(recalling(), view))
    assert is_explored(update(explored(recalling(), view), heard(view=replace(view, inventory=())), 0)[0])


def test_explored_level_player() -> None:
    """On an explored level a player who starves beside food is not led on."""
    apple = InventoryItem(0, "%", "red", "apple", ItemFlag.EDIBLE, 0, 0, 50)
    stairs = bytearray(BARE.terrain)
    stairs[BARE.cell + 2] = Terrain.STAIRS_DOWN
    sheet = list(BARE.sheet)
    sheet[Stat.HUNGER] = Hunger.STARVING
    starving = replace(BARE, terrain=bytes(stairs), sheet=tuple(sheet))
    for view, wanted in (
        (replace(starving, inventory=(apple,)), commands.Explore(pick_up=True)),
        (starving, commands.Travel(BARE.cell + 2)),
    ):
        model = explored(playing(view), view)
        assert press(model, "o")[1] == [SendCommand(wanted)]


def test_several_alike_things_counted_wherever() -> None:
    """Several alike things are counted wherever they are listed."""
    rations = InventoryItem(0, "%", "red", "ration", ItemFlag.EDIBLE, 0, 0, 900, count=3)
    model = playing(replace(BARE, inventory=(rations,)))
    assert "3 rations" in picture(press(model, "i")[0])
    screen = picture(press(model, "i", "a")[0])
    assert "It's a ration (food 900)." in screen
    assert "You carry 3 of them." in screen
