"""The cursor on the map: look at anything in words and numbers, or travel there. Costs no time."""

from dataclasses import dataclass, replace

from gloam_client import keymap
from gloam_client.intents import Note, Order
from gloam_client.model import Model, Pop, Push, Reaction, Replace
from gloam_client.render.camera import follow
from gloam_client.render.canvas import BLANK, BRIGHT, PLAIN, Canvas, Rect, wrapped
from gloam_client.render.layout import layout
from gloam_client.render.map_panel import draw_map
from gloam_client.render.words import cell_words
from gloam_client.screens.help import Help
from gloam_client.screens.window import wrong_key
from gloam_shared.appearance import Terrain
from gloam_shared.commands import Travel
from gloam_shared.geometry import chebyshev
from gloam_shared.view import Mark


@dataclass(frozen=True, slots=True)
class Cursor:
    """A cell of the level that is looked at; `purpose` is look or travel."""

    purpose: str
    cell: int
    state: str = "cursor"

    def on_key(self, model: Model, key: str) -> Reaction:
        """Move the cursor, travel to it, or go back."""
        intent = keymap.intent(model.options.keys, self.state, key)
        if self.cell >= len(model.view.terrain) or intent == "back":
            return Reaction(Pop())
        if intent in keymap.DIRECTION_OF:
            return Reaction(Replace(self._moved(model, intent, 8 if intent.startswith("run") else 1)))
        match intent:
            case None:
                return wrong_key(model, key)
            case "go":
                return Reaction(Pop(), (Order(Travel(self.cell)),))
            case "help":
                return Reaction(Push(Help(self.state)))
            case "self":
                return Reaction(Replace(replace(self, cell=model.view.cell)))
            case "next" | "previous":
                return self._jump(
                    _interesting(model), 1 if intent == "next" else -1, "Nothing of interest is known."
                )
            case _:
                wish = Terrain.STAIRS_DOWN if intent == "stairs down" else Terrain.STAIRS_UP
                return self._jump(_stairs(model, wish), 1, f"You know of no {intent} on this level.")

    def draw(self, model: Model, canvas: Canvas) -> None:
        """Draw the map round the cursor, and what stands there in words above the map's lower edge."""
        area = layout(canvas.width, canvas.height).map
        view = model.view
        if self.cell >= len(view.terrain):
            return
        y, x = divmod(self.cell, view.place.width)
        camera = (
            follow(model.camera[0], x, view.place.width, area.width),
            follow(model.camera[1], y, view.place.height, area.height),
        )
        canvas.fill(area, *BLANK)
        draw_map(canvas, area, view, camera, unicode=model.unicode, cursor=self.cell)
        lines = wrapped(" ".join(cell_words(view, self.cell)), area.width - 4)
        low = y - camera[1] >= area.height - len(lines) - 3
        top = area.y if low else area.y + area.height - len(lines) - 2
        inside = canvas.box(Rect(area.x, top, area.width, len(lines) + 2), self.purpose.capitalize())
        for row, line in enumerate(lines):
            canvas.put(
                inside.x + 1, inside.y + row, line, BRIGHT if row == 0 else PLAIN, inside.x + inside.width
            )

    def hints(self, model: Model) -> list[tuple[str, str]]:
        """Return the keys of the cursor."""
        return [
            ("arrows", "move"),
            *keymap.hints(model.options.keys, self.state, ["next", "stairs down", "go", "back", "help"]),
        ]

    def _moved(self, model: Model, intent: str, steps: int) -> "Cursor":
        dx, dy = keymap.DIRECTION_OF[intent]
        place = model.view.place
        y, x = divmod(self.cell, place.width)
        x = max(0, min(x + dx * steps, place.width - 1))
        y = max(0, min(y + dy * steps, place.height - 1))
        return replace(self, cell=y * place.width + x)

    def _jump(self, cells: list[int], step: int, none: str) -> Reaction:
        if not cells:
            return Reaction(intents=(Note(none, "quiet"),))
        if self.cell in cells:
            return Reaction(Replace(replace(self, cell=cells[(cells.index(self.cell) + step) % len(cells)])))
        return Reaction(Replace(replace(self, cell=cells[0 if step > 0 else -1])))


def _interesting(model: Model) -> list[int]:
    """Return the cells worth a look, without repeats: creatures, items, stairs; the nearest of each first."""
    view = model.view
    creatures = [creature.cell for creature in view.creatures if not creature.marks & Mark.SELF]
    items = [item.cell for item in view.items]
    stairs = [*_stairs(model, Terrain.STAIRS_DOWN), *_stairs(model, Terrain.STAIRS_UP)]
    return list(dict.fromkeys([*_near(model, creatures), *_near(model, items), *stairs]))


def _stairs(model: Model, wish: Terrain) -> list[int]:
    return _near(model, [cell for cell, terrain in enumerate(model.view.terrain) if terrain == wish])


def _near(model: Model, cells: list[int]) -> list[int]:
    view = model.view
    return sorted(cells, key=lambda cell: (chebyshev(view.cell, cell, view.place.width), cell))
