"""A preview of the options: creatures, items, terrain and lines of the log as they are drawn with them. Pure."""

from typing import Final

from gloam_client.render.panels.log_panel import TONES
from gloam_client.render.panels.map_panel import creature_cell, item_cell, terrain_cell
from gloam_client.state.model import Model
from gloam_client.terminal.canvas import Canvas, Cell, Rect
from gloam_client.terminal.terrain_glyphs import glyph_set
from gloam_shared.appearance import Terrain
from gloam_shared.view.view import Creature, CreatureFlag, Item

PREVIEW_ROWS: Final = 2
_FOE: Final = CreatureFlag.HOSTILE
_CREATURES: Final = tuple(
    Creature(1, 0, 5, 5, 1, marks, sign, color, "")
    for marks, sign, color in (
        (CreatureFlag.PLAYER | CreatureFlag.SELF, "@", "white"),
        (CreatureFlag.PLAYER, "@", "cyan"),
        (_FOE | CreatureFlag.HOLDS_YOU, "g", "green"),
        (_FOE | CreatureFlag.GROWN, "o", "lightgreen"),
        (_FOE | CreatureFlag.ASLEEP, "D", "red"),
        (_FOE, "r", "brown"),
        (_FOE, "w", "purple"),
    )
)
_ITEMS: Final = tuple(
    Item(1, 0, 1, sign, color, "") for sign, color in (("!", "magenta"), ("?", "yellow"), (")", "gray"))
)
_TERRAIN: Final = (
    Terrain.FLOOR, Terrain.WALL, Terrain.DOOR_CLOSED, Terrain.DOOR_OPEN, Terrain.STAIRS_DOWN, Terrain.WATER,
    Terrain.SHALLOWS, Terrain.GRASS, Terrain.TRAP, Terrain.SHRINE, Terrain.EXIT, Terrain.BRAZIER,
)  # fmt: skip
_TONES: Final = ("fight", "hurt", "good", "chat", "refused", "note", "urgent", "quiet")


def draw_preview(canvas: Canvas, area: Rect, model: Model) -> None:
    """Draw two rows: signs of the map, and words in the colors of the log, as many as fit whole."""
    x, right = area.x, area.x + area.width
    for char, style in _signs(model):
        if x < right:
            canvas.put(x, area.y, char, style)
        x += 1
    x = area.x
    for tone in _TONES:
        mark, style = TONES[tone]
        words = f"{mark} {tone}"
        if x + len(words) > right:
            return
        x = canvas.put(x, area.y + 1, words, style) + 1


def _signs(model: Model) -> list[Cell]:
    glyphs = glyph_set(model.options.glyphs, unicode=model.surface.unicode)
    seen, remembered = (
        [terrain_cell(one, seen=seen, glyphs=glyphs) for one in _TERRAIN] for seen in (True, False)
    )
    gap = terrain_cell(Terrain.UNKNOWN, seen=False, glyphs=glyphs)
    items = [*map(creature_cell, _CREATURES), gap, *map(item_cell, _ITEMS)]
    return [*items, gap, *seen, gap, *remembered]
