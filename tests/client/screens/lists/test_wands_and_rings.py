"""Wands and rings: their lists, their words, the ring slot on the sheet, and the commands that their keys send."""

import pytest
from msgspec.structs import replace

from gloam_client.screens.lists.character_sheet import explain
from gloam_client.screens.suggested_actions import suggested_actions
from gloam_client.state.client_effects import SendCommand
from gloam_client.state.model import Model
from gloam_shared.protocol.commands import PutOn, Zap
from gloam_shared.view.view import CreatureFlag, InventoryItem, ItemFlag, View
from support.client.fake_server import level_view
from support.client.model_in_play import in_danger, picture, playing, press

FIRE = InventoryItem(
    2, "/", "white", "wand of fire", ItemFlag.ZAPPABLE, 0, 0, 0, "creature", 7, words="It burns.", charges=4
)
UNKNOWN = InventoryItem(3, "/", "white", "oak wand", ItemFlag.ZAPPABLE, 0, 0, 0)
SELF = InventoryItem(4, "/", "white", "wand of light", ItemFlag.ZAPPABLE, 0, 0, 0, "self", charges=1)
RING = InventoryItem(5, "=", "white", "ring of the bat", ItemFlag.RING, 0, 0, 0, words="You see in the dark.")
ON = replace(RING, traits=ItemFlag.RING | ItemFlag.PUT_ON)


def carrying(*things: InventoryItem) -> View:
    return replace(level_view(), inventory=things)


def foe_cell(model: Model) -> int:
    return next(one.cell for one in model.view.creatures if one.marks & CreatureFlag.HOSTILE)


def test_the_inventory_shows_charges_that_are_known() -> None:
    screen = picture(press(playing(carrying(FIRE, UNKNOWN, SELF, ON)), "i")[0])
    for line in (
        "c - wand of fire (4 charges)",
        "e - wand of light (1 charge)",
        "f - ring of the bat (wearing)",
    ):
        assert line in screen
    assert "oak wand (" not in screen


def test_wand_is_described_with_aim_and_what_is_left() -> None:
    """A wand is described with its aim and what is left."""
    screen = picture(press(playing(carrying(FIRE, UNKNOWN)), "i", "c")[0])
    for line in (
        "It burns.",
        "When zapped it works at a creature within 7.",
        "It has 4 charges left",
        "z   zap",
    ):
        assert line in screen
    assert "What it does is unknown until it is zapped." in picture(
        press(playing(carrying(FIRE, UNKNOWN)), "i", "d")[0]
    )


def test_zapping_lists_wands_alone_and_asks_for_an_aim() -> None:
    view = replace(in_danger(level_view()), inventory=(FIRE, RING))
    model, wanted = press(playing(view), "z")
    assert wanted == []
    assert "ring of the bat" not in picture(model)
    model, _ = press(model, "c")
    assert "Zap the wand of fire" in picture(model)
    assert press(model, "ENTER")[1] == [SendCommand(Zap(2, foe_cell(model)))]


def test_an_unknown_wand_is_aimed_whatever_it_does() -> None:
    view = replace(in_danger(level_view()), inventory=(UNKNOWN,))
    model, _ = press(playing(view), "z", "d")
    assert "Zap the oak wand, whatever it does" in picture(model)
    assert press(model, "ENTER")[1] == [SendCommand(Zap(3, foe_cell(model)))]


def test_a_wand_that_needs_no_aim_is_zapped_at_once() -> None:
    assert SendCommand(Zap(4)) in press(playing(carrying(SELF)), "z", "e")[1]


@pytest.mark.parametrize(
    ("things", "key", "words"),
    [
        ((RING,), "z", "You have no wand to zap. i lists what you carry."),
        ((FIRE,), "P", "You have no other ring to put on. i lists what you carry."),
        ((ON,), "P", "You have no other ring to put on. i lists what you carry."),
    ],
)
def test_without_a_fitting_item_the_player_learns_why(
    things: tuple[InventoryItem, ...], key: str, words: str
) -> None:
    model, wanted = press(playing(carrying(*things)), key)
    assert (model.flash.text, wanted) == (words, [])


def test_a_ring_is_put_on_and_taken_off() -> None:
    assert SendCommand(PutOn(5)) in press(playing(carrying(FIRE, RING)), "P", "f")[1]
    assert SendCommand(PutOn()) in press(playing(carrying(FIRE, ON)), "T")[1]


def test_sheet_shows_ring_slot_to_those_who_have_ring() -> None:
    """The sheet shows the ring slot to players who have a ring."""

    def slot(*things: InventoryItem) -> list[tuple[str, str]]:
        return [
            row for row in explain(playing(carrying(*things))) if "ing" in row[0] and row[0].endswith("ing")
        ]

    assert slot(FIRE) == []
    assert slot(RING) == [("No ring", "You have a ring and have none on: P puts one on.")]
    assert slot(ON) == [("Wearing", "Ring of the bat. You see in the dark.")]


def test_the_bottom_line_names_the_wand_in_a_fight() -> None:
    view = in_danger(level_view())
    assert "zap" in suggested_actions(playing(replace(view, inventory=(FIRE,))))
    assert "zap" not in suggested_actions(playing(replace(view, inventory=(RING,))))
