"""The question "Which way?". A direction key answers: which open door to close, where to dig, or to drag a friend."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple

from gloam_client.input import keymap
from gloam_client.screens.common.command_effects import command_effect, early_notice, message
from gloam_client.screens.common.keyed_screen import KeyedScreen
from gloam_client.screens.common.window import draw_question
from gloam_client.state.map.landmarks import downed_beside, free_ways, open_doors, ways
from gloam_client.state.model import Model, Pop, Push, Update
from gloam_client.terminal.canvas import Canvas
from gloam_shared.appearance import Terrain
from gloam_shared.geometry import Direction
from gloam_shared.protocol.commands import AnyCommand, Close, Dig, Drag, Move
from gloam_shared.view.view import ItemFlag, MagicEffect

_QUAFFABLE: Final = ItemFlag.QUAFFABLE


class _Purpose(NamedTuple):
    """A question for a direction: its text, the directions that answer it, and the command that follows."""

    question: str
    hint: str
    nothing_there: str
    nothing_beside: str
    ways: Callable[[Model], list[Direction]]
    command: Callable[[Model, int, int], AnyCommand]


_PURPOSES: Final = {
    "close": _Purpose(
        "Close which door? Press its direction.",
        "that door",
        "There is no open door: press another direction.",
        "There is no open door beside you: step up to one first.",
        open_doors,
        lambda _, dx, dy: Close(dx, dy),
    ),
    "dig": _Purpose(
        "Dig where? Press a direction.",
        "dig there",
        "There is no rock to dig: press another direction.",
        "There is no rock beside you: step up to a wall first.",
        lambda model: ways(model, Terrain.WALL),
        lambda _, dx, dy: Dig(dx, dy),
    ),
    "drag": _Purpose(
        "Drag your friend where? Press a direction.",
        "drag there",
        "There is no free cell: press another direction.",
        "There is no downed friend beside you: step up to one first.",
        free_ways,
        lambda model, dx, dy: Drag(downed_beside(model)[0].handle, dx, dy),
    ),
}


@dataclass(frozen=True, slots=True)
class DirectionScreen(KeyedScreen):
    """The question for a direction, for one of the purposes "close", "dig" and "drag"."""

    purpose: str
    state: str = "direction"

    def on_key(self, model: Model, key: str) -> Update:
        """Send the command for that direction, or go back."""
        purpose = _PURPOSES[self.purpose]
        intent = keymap.intent(model.options.keys, self.state, key)
        if intent in keymap.DIRECTION_OF:
            way = keymap.DIRECTION_OF[intent]
            if self.purpose == "drag" and not downed_beside(model):
                return message(purpose.nothing_beside)._replace(change=Pop())
            if way not in purpose.ways(model):
                return message(purpose.nothing_there)
            return command_effect(model, purpose.command(model, *way))._replace(change=Pop())
        match intent:
            case other:
                return self.answer(model, other, key)

    def draw(self, model: Model, canvas: Canvas) -> None:
        """Draw the question over the map's first row; the map stays visible."""
        draw_question(canvas, model, _PURPOSES[self.purpose].question)

    def hints(self, model: Model) -> list[tuple[str, str]]:
        """Return the keys of the question."""
        return [
            ("arrows", _PURPOSES[self.purpose].hint),
            *keymap.hints(model.options.keys, self.state),
        ]


def ask_close_direction(model: Model) -> Update:
    """Return the command to close the only adjacent open door, or the question which of several."""
    purpose = _PURPOSES["close"]
    if not model.in_dungeon:
        return early_notice()
    doors = open_doors(model)
    if not doors:
        sheet = keymap.key_for(model.options.keys, "play", "sheet")
        return message(f"{purpose.nothing_beside} Your character: {sheet}.")
    return (
        command_effect(model, Close(*doors[0])) if len(doors) == 1 else Update(Push(DirectionScreen("close")))
    )


def ask_dig_direction(model: Model) -> Update:
    """Return the question where to dig, or a message if no rock is adjacent."""
    if not model.in_dungeon:
        return early_notice()
    if not _PURPOSES["dig"].ways(model):
        return message(_PURPOSES["dig"].nothing_beside)
    return Update(Push(DirectionScreen("dig")))


def help_downed(model: Model) -> Update:
    """Return the lifting of a downed friend beside with a potion of the pack, or the question where to drag them."""
    if not model.in_dungeon:
        return early_notice()
    friends = downed_beside(model)
    if not friends:
        return message(_PURPOSES["drag"].nothing_beside)
    if not any(item.effect == MagicEffect.HEAL for item in model.view.inventory if item.traits & _QUAFFABLE):
        return Update(Push(DirectionScreen("drag")))
    here, there = (model.view.place.grid.point(cell) for cell in (model.view.cell, friends[0].cell))
    return command_effect(model, Move(there[0] - here[0], there[1] - here[1]))
