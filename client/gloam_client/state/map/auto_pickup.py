"""Automatic pickup: the commands that include it, and the remembered items worth picking up. Pure."""

from typing import Final

from msgspec.structs import replace

from gloam_client.state.map.landmarks import nearest_first
from gloam_client.state.model import Model
from gloam_shared.protocol.commands import AnyCommand, Climb, Explore, Move, Run, Travel
from gloam_shared.view.view import ItemFlag

_WORTH: Final = int(ItemFlag.WORTH)  # a flag itself is slow to compare, and this is done in most frames
_CELLS_MAX: Final = 32
"""The most items that one command may name."""


def as_chosen(model: Model, command: AnyCommand) -> AnyCommand:
    """Return a command with the player's option: whether a plan picks up items worth it at its goal."""
    chosen = model.options.pick_up == "on"
    match command:
        case Move() | Run() | Travel() | Climb():
            return replace(command, pick_up=chosen)
        case Explore():
            return replace(command, pick_up=chosen, cells=worth_cells(model)[:_CELLS_MAX] if chosen else ())
        case _:
            return command


def worth_cells(model: Model) -> tuple[int, ...]:
    """Return the cells of remembered items out of sight that are worth picking up, the nearest first."""
    view, own = model.view, model.view.cell
    cells = [
        cell
        for cell, item in model.known_things.items()
        if item.traits & _WORTH and not view.sight[cell] & 1 and cell != own
    ]
    return tuple(nearest_first(model, cells))
