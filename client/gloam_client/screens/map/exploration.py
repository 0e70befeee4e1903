"""Levels where nothing is left to explore: which they are, and what leads on from there. Pure."""

from dataclasses import replace
from typing import Final, NamedTuple

from gloam_client.input import keymap
from gloam_client.screens.common.command_effects import offline_notice
from gloam_client.state.auto_pickup import worth_cells
from gloam_client.state.client_effects import SendCommand, ShowMessage
from gloam_client.state.landmarks import WAYS_DOWN, WAYS_UP
from gloam_client.state.model import Model, Update
from gloam_client.state.reachability import steps_to
from gloam_shared.appearance import Terrain
from gloam_shared.narration.rendering import depth_text
from gloam_shared.protocol.commands import Travel
from gloam_shared.view.view import Hunger, ItemFlag, Stat, View

_DOORS: Final = bytes.maketrans(bytes([Terrain.DOOR_OPEN]), bytes([Terrain.DOOR_CLOSED]))


class ExitWay(NamedTuple):
    """What leads on from an explored level: the intent of play that helps most, the cell that it leads to, a sentence."""

    intent: str
    goal: int | None
    told: str


def mark_explored(model: Model) -> Model:
    """Return the model that knows its level as explored, until what is known of it changes."""
    view = model.view
    return replace(model, explored={**model.explored, view.place.depth: _is_known(model)})


def is_explored(model: Model) -> bool:
    """Return whether nothing is left to explore on this level."""
    return model.in_dungeon and model.explored.get(model.view.place.depth) == _is_known(model)


def next_exit(model: Model) -> ExitWay:
    """Return what leads on from a level where nothing is left to explore."""
    view, depth = model.view, model.view.place.depth
    explore, descend, ascend, dig = (
        keymap.key_for(model.options.keys, "play", intent)
        for intent in ("explore", "descend", "ascend", "dig")
    )
    down = nearest(view, WAYS_DOWN)
    if down == view.cell:
        return ExitWay("descend", down, f"You stand on the way down: {descend} takes it.")
    if down is not None:
        return ExitWay("explore", down, f"{explore} again goes to the stairs down.")
    if depth > 1 and nearest(view, WAYS_UP) is not None:
        above = depth_text(depth - 1)
        return ExitWay(
            "ascend",
            None,
            f"No way on from here: other stairs down are on level {above} (press {ascend}), or dig.",
        )
    return ExitWay(
        "dig", None, f"No way on is known here: {dig} and a direction dig, where the rock is soft enough."
    )


def explore_effect(model: Model, reaction: Update) -> Update:
    """Return what the key of exploring does: the order to explore, or what leads on where nothing is left."""
    if not is_explored(model) or offline_notice(model) is not None or should_eat(model):
        return reaction
    way = next_exit(model)
    if way.goal is None or way.goal == model.view.cell:
        return Update(
            intents=(ShowMessage(f"There is nothing left to explore on this level. {way.told}", "note"),)
        )
    return Update(intents=(ShowMessage("You go to the stairs down.", "note"), SendCommand(Travel(way.goal))))


def nearest(view: View, kinds: frozenset[Terrain]) -> int | None:
    """Return the nearest cell of some terrain that a known way leads to, the own cell before all; None where none does."""
    return next((cell for cell in steps_to(view) if view.terrain[cell] in kinds), None)


def should_eat(model: Model) -> bool:
    """Return whether a starving player has food: then the server refuses to explore, and says what to do."""
    if model.fact(Stat.HUNGER) != Hunger.STARVING:
        return False
    carried = any(thing.traits & ItemFlag.EDIBLE and thing.food > 0 for thing in model.view.inventory)
    return carried or any(thing.traits & ItemFlag.EDIBLE for thing in model.view.pile)


def _is_known(model: Model) -> tuple[bytes, tuple[int, ...], int]:
    """Return what is known of a level, open doors like closed ones: to walk through one changes nothing.

    Where things worth picking up are recalled, they belong to it, with how full the pack is: there may be room later.
    """
    ground = model.view.terrain.translate(_DOORS)
    worth = tuple(sorted(worth_cells(model))) if model.options.pick_up == "on" else ()
    return ground, worth, len(model.view.inventory) if worth else 0
