"""Aiming: a cursor that starts on the best target, its path, the blast, and a question where needed.

Costs no time (rules RG.26, TG.28).
"""

from dataclasses import dataclass, replace
from typing import Final

from gloam_client.input import keymap
from gloam_client.render.descriptions import describe_creature
from gloam_client.render.panels.map_panel import Overlay
from gloam_client.screens.common.command_effects import command_effect, message
from gloam_client.screens.common.confirm import Confirm
from gloam_client.screens.common.keyed_screen import KeyedScreen
from gloam_client.screens.map.map_cursor import draw_map_cursor, draw_words, jump_cursor, move_cursor
from gloam_client.state import aiming
from gloam_client.state.aiming import Aim
from gloam_client.state.model import Model, Pop, Push, Replace, Update
from gloam_client.terminal.canvas import Canvas

_MAY_HARM_YOU: Final = "It may harm you: the arrows choose another cell."


@dataclass(frozen=True, slots=True)
class Target(KeyedScreen):
    """An action to aim, and its current target cell."""

    aim: Aim
    cell: int
    state: str = "target"

    def on_key(self, model: Model, key: str) -> Update:
        """Move the aim, confirm, or cancel."""
        intent = keymap.intent(model.options.keys, self.state, key)
        view = model.view
        if intent == "back" or self.cell >= len(view.terrain) or not aiming.aim_is_valid(self.aim, view):
            return Update(Pop())
        if intent in keymap.DIRECTION_OF:
            return Update(Replace(replace(self, cell=move_cursor(model, self.cell, intent))))
        match intent:
            case "aim":
                return self._done(model)
            case "self":
                return Update(Replace(replace(self, cell=view.cell)))
            case "next" | "previous":
                cells = aiming.targets(self.aim, view)
                if not cells:
                    return message("No creature stands within range: the arrows choose a cell.", "quiet")
                cell = jump_cursor(cells, self.cell, 1 if intent == "next" else -1)
                return Update(Replace(replace(self, cell=cell)))
            case other:
                return self.answer(model, other, key)

    def draw(self, model: Model, canvas: Canvas) -> None:
        """Draw the map with path and blast, and describe the obstacle and the creatures in the blast."""
        view = model.view
        if self.cell >= len(view.terrain):
            return
        path = aiming.path_to(view, self.cell)
        stop = aiming.first_blocked_cell(view, view.cell, self.cell)
        reach = path.index(stop) if stop is not None else min(self.aim.range, len(path))
        overlay = Overlay(
            path=tuple(path[:reach]),
            beyond=tuple(path[reach:]),
            blast=tuple(aiming.cells_in_blast(self.aim, view, self.cell)) if self.aim.radius else (),
        )
        window = draw_map_cursor(model, canvas, self.cell, overlay)
        draw_words(window, self.cell, self.aim.title, self._words(model))

    def hints(self, model: Model) -> list[tuple[str, str]]:
        """Return the keys of aiming."""
        return [("arrows", "move"), *keymap.hints(model.options.keys, self.state)]

    def _words(self, model: Model) -> list[str]:
        view = model.view
        one = view.at(self.cell) if view.sight[self.cell] else None
        sentences = [aiming.aim_fault(self.aim, view, self.cell)]
        if not self.aim.at and self.cell == view.cell:  # an unknown scroll may be a missile
            sentences.append(_MAY_HARM_YOU)
        sentences.append(
            describe_creature(one, view, model.world.damage) if one else "No creature stands there."
        )
        if self.aim.radius:
            friends = aiming.names(aiming.creatures_in_blast(self.aim, view, self.cell))
            verb = "stand" if " and " in friends else "stands"
            sentences.append(f"{friends} {verb} in the blast." if friends else "")
        return list(dict.fromkeys(sentences))

    def _done(self, model: Model) -> Update:
        fault = aiming.aim_fault(self.aim, model.view, self.cell)
        if fault:
            return message(f"{fault} The arrows choose another cell; Tab goes to the next creature.")
        done = command_effect(model, self.aim.at_cell(self.cell))._replace(change=Pop())
        asked = aiming.question(self.aim, model.view, self.cell)
        return Update(Replace(Confirm(asked, done.intents))) if asked else done


def aim_at(model: Model, aim: Aim) -> Update:
    """Return the cursor for an action to aim, on its first target."""
    return Update(Push(Target(aim, aiming.first_target(aim, model.view, model.keys.last_command))))
