"""The character sheet."""

import re

import pytest
from msgspec import structs
from msgspec.structs import replace

from gloam_client.screens.lists.character_sheet import explain
from gloam_client.update import update
from gloam_shared.protocol.messages.login import Welcome
from gloam_shared.view.view import Hunger, InventoryItem, ItemFlag, Skill, Stat, StatusEffect, View
from support.client.aiming_views import ready
from support.client.fake_server import level_view
from support.client.model_in_play import heard, picture, playing, press


def dressed() -> View:
    view = level_view()
    facts = {
        Stat.ATTACK: 9,
        Stat.DEFENCE: 3,
        Stat.POINTS: 2,
        Stat.HUNGER: int(Hunger.STARVING),
        Stat.SPEED: 500,
    }
    sheet = tuple(facts.get(fact, view.sheet[fact]) for fact in Stat)
    gear = (
        InventoryItem(0, ")", "white", "sword", ItemFlag.WIELDABLE | ItemFlag.WIELDED, 4, 0, 0),
        InventoryItem(1, "[", "white", "tunic", ItemFlag.WEARABLE | ItemFlag.WORN, 0, 1, 0),
        InventoryItem(2, ")", "white", "staff", ItemFlag.WIELDABLE, 7, 0, 0),
    )
    return replace(view, sheet=sheet, inventory=gear, states=(StatusEffect("poisoned", fading=True),))


def test_sheet_tells_what_was_chosen_and_won() -> None:
    """Each with its line, also of a kind that this client does not know; the title has the three newest trophies."""
    won = [Skill("line", f"{name}'s ear") for name in ("Ax", "Box", "Cox", "Dax")]
    skills = (
        Skill("kit", "warden", "Stand fast."),
        Skill("oath", "silence"),
        Skill("trait", "cleave", "Sweeps."),
        Skill("trophy", "Dax's ear", "It scares."),
        *won,
    )
    model = playing(replace(level_view(), skills=skills))
    rows = explain(model)
    assert ("Kit", "Warden: Stand fast.") in rows
    assert ("", "Silence") in rows
    assert ("Card", "Cleave: Sweeps.") in rows
    assert ("Trophy", "Dax's ear: It scares.") in rows
    assert not [row for row in rows if "Box" in row[1]], "won before, and not carried"
    screen = picture(press(model, "@")[0])
    assert "Ann, level 1, with Box's ear, Cox's ear and Dax's ear" in screen


def test_number_tells_means_and_comes() -> None:
    """Every number tells what it means and where it comes from."""
    rows = dict(explain(playing(dressed())))
    assert rows["Attack 9"] == "The strength of your attacks: 5 of your own with lasting effects, +4 sword."
    assert (
        rows["Defense 3"]
        == "How much it reduces the damage of attacks on you: 2 of your own with lasting effects, +1 tunic."
    )
    assert rows["Points 2"] == "From new levels, still to be spent: + chooses."
    assert rows["Starving"] == "You die if you do not eat."
    assert rows["Speed 50 %"] == "You act slower than at 100 %."
    assert rows["Poisoned"] == "It soon passes."
    assert rows["Items 3"] == "In use: sword (wielding), tunic (wearing)."


@pytest.mark.parametrize("damage", ["excess", "ratio"])
@pytest.mark.parametrize("size", [(44, 20), (60, 20), (80, 24), (200, 60)])
def test_opens_campaign_and_window(damage: str, size: tuple[int, int]) -> None:
    """It opens in every campaign and window and costs nothing."""
    model, _ = update(playing(ready()), heard(Welcome(1, "any", 0, 8, damage=damage)), 0)
    model, wanted = press(structs.replace(model, surface=structs.replace(model.surface, size=size)), "@")
    assert (model.top.state, wanted) == ("sheet", [])
    assert "An attack does" in picture(model)
    fits = not re.search(r"\d more (?!for level)", picture(model))
    assert ("page" not in [word for _, word in model.top.hints(model)]) == fits
    end, _ = press(model, *["PGDN"] * 9)
    assert "Kills" in picture(end)
    assert press(end, "@")[0].top.state == "play"
    assert press(end, "?", "ESC")[0].top.state == "sheet"


def test_before_the_dungeon_there_is_no_sheet() -> None:
    model = structs.replace(playing(), view=playing().view)
    assert press(model, "@", "ESC")[0].top.state == "play"
