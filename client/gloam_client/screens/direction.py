"""Which door? A direction key answers, where several open doors stand beside the player."""

from dataclasses import dataclass

from gloam_client import keymap
from gloam_client.model import Model, Pop, Push, Reaction
from gloam_client.render.canvas import Canvas
from gloam_client.screens.help import Help
from gloam_client.screens.orders import note, order
from gloam_client.screens.window import draw_question, wrong_key
from gloam_shared.appearance import Terrain
from gloam_shared.commands import Close
from gloam_shared.geometry import DIRECTIONS, Direction


@dataclass(frozen=True, slots=True)
class WhichDoor:
    """The question for a direction."""

    state: str = "direction"

    def on_key(self, model: Model, key: str) -> Reaction:
        """Close the door in that direction, or none."""
        intent = keymap.intent(model.options.keys, self.state, key)
        if intent in keymap.DIRECTION_OF:
            way = keymap.DIRECTION_OF[intent]
            if way not in open_doors(model):
                return note("There is no open door.")
            return order(model, Close(*way))._replace(change=Pop())
        match intent:
            case "help":
                return Reaction(Push(Help(self.state)))
            case "back":
                return Reaction(Pop())
            case _:
                return wrong_key(model, key)

    def draw(self, model: Model, canvas: Canvas) -> None:
        """Draw the question over the map's first row; the doors stay in sight."""
        draw_question(canvas, model, "Close which door? Press its direction.")

    def hints(self, model: Model) -> list[tuple[str, str]]:
        """Return the keys of the question."""
        return [("arrows", "that door"), *keymap.hints(model.options.keys, self.state)]


def open_doors(model: Model) -> list[Direction]:
    """Return the directions in which an open door stands beside the player."""
    cells = ((way, model.view.step(way)) for way in DIRECTIONS)
    return [way for way, cell in cells if cell is not None and model.view.terrain[cell] == Terrain.DOOR_OPEN]


def closing(model: Model) -> Reaction:
    """Return the closing of the one open door beside the player, or the question which of several."""
    doors = open_doors(model) if model.in_dungeon else []
    if not doors:
        return note("There is no open door beside you.")
    return order(model, Close(*doors[0])) if len(doors) == 1 else Reaction(Push(WhichDoor()))
