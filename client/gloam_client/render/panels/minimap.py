"""The whole level in a small area: each sign stands for a block of cells and shows the most important one in it."""

from functools import lru_cache
from typing import Final

from gloam_client.terminal.canvas import BRIGHT, QUIET, Canvas, Rect, Style
from gloam_shared.appearance import WALKABLE, Terrain
from gloam_shared.view.view import CreatureFlag, View

_SIGNS: Final = " #.<>"
"""The signs of a block, the more important ones later: nothing known, no way, floor, stairs up and down."""
_STAIRS: Final = "<>"
_HOSTILE: Final = int(CreatureFlag.HOSTILE)
_SHOWN: Final = int(CreatureFlag.PLAYER | CreatureFlag.HOSTILE)
"""Plain numbers: a flag itself is slow to compare."""
_FOE: Final = ("!", Style("red", bold=True))
_FRIEND: Final = ("&", Style("cyan", bold=True))


def _rank(terrain: int) -> int:
    if terrain in (Terrain.STAIRS_DOWN, Terrain.HOLE):
        return 4
    if terrain == Terrain.STAIRS_UP:
        return 3
    if terrain == Terrain.UNKNOWN:
        return 0
    return 2 if terrain in WALKABLE else 1


_RANKS: Final = bytes(_rank(terrain) for terrain in range(256))


def block_size(view: View, area: Rect) -> tuple[int, int]:
    """Return how many columns and rows of the level one sign stands for, so that all of it fits the area."""
    place = view.place
    return -(-place.width // max(area.width, 1)) or 1, -(-place.height // max(area.height, 1)) or 1


def minimap_rows(terrain: bytes, width: int, columns: int, rows: int) -> tuple[str, ...]:
    """Return a level as text, with one sign for each block of `columns` x `rows` of its cells."""
    size = width * rows
    return tuple(
        _row_of_blocks(terrain[at : at + size], width, columns) for at in range(0, len(terrain), size)
    )


@lru_cache(
    maxsize=8_192
)  # most rows of a level were the same before a step, of 200 clients in one process, too
def _row_of_blocks(terrain: bytes, width: int, columns: int) -> str:
    ranks = terrain.translate(_RANKS)
    lines = [ranks[at : at + width] for at in range(0, len(ranks), width)]
    block = list(map(max, *lines)) if len(lines) > 1 else lines[0]
    return "".join(_SIGNS[max(block[x : x + columns])] for x in range(0, width, columns))


def draw_minimap(canvas: Canvas, area: Rect, view: View) -> int:
    """Draw the whole level into the top of an area; return the number of rows used."""
    columns, rows = block_size(view, area)
    drawn = minimap_rows(view.terrain, view.place.width, columns, rows)
    for y, line in enumerate(drawn):
        canvas.put(area.x, area.y + y, line, QUIET)
        for sign in _STAIRS:
            x = line.find(sign)
            while x >= 0:
                canvas.put(area.x + x, area.y + y, sign, BRIGHT)
                x = line.find(sign, x + 1)
    for creature in view.creatures:
        sign, style = _FOE if creature.marks & _HOSTILE else _FRIEND
        if creature.marks & _SHOWN:
            y, x = divmod(creature.cell, view.place.width)
            canvas.put(area.x + x // columns, area.y + y // rows, sign, style)
    y, x = divmod(view.cell, view.place.width)
    canvas.put(area.x + x // columns, area.y + y // rows, "@", BRIGHT._replace(reverse=True))
    return len(drawn)
