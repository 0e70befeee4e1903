"""The dungeon: the lowest screen of the game. Turns keys into commands; asks the server, never decides for it."""

from dataclasses import dataclass
from functools import lru_cache

from gloam_client.input import keymap
from gloam_client.input.own_keys import KeyChoice
from gloam_client.render.descriptions import describe_cell, terrain_at
from gloam_client.render.layout import layout
from gloam_client.render.panels.log_panel import draw_log
from gloam_client.render.panels.map_panel import MapWindow, draw_map, draw_pings
from gloam_client.render.panels.party_bar import draw_party_bar
from gloam_client.render.panels.side_panel import draw_foes_bar, draw_side
from gloam_client.render.panels.status_panel import draw_status, draw_top
from gloam_client.screens.actions import press
from gloam_client.screens.common.command_effects import offline_notice
from gloam_client.screens.menu import Menu
from gloam_client.screens.suggested_actions import suggestions
from gloam_client.state.guidance.goals import goal_line
from gloam_client.state.map.landmarks import downed_apart
from gloam_client.state.model import Model, Push, Update
from gloam_client.terminal.canvas import PLAIN, QUIET, TITLE, Canvas, Rect, wrap_text
from gloam_client.terminal.own_cache import of_same
from gloam_client.terminal.terrain_glyphs import glyph_set
from gloam_shared.appearance import Terrain
from gloam_shared.text import clean
from gloam_shared.view.downed import turns_down, turns_left_words
from gloam_shared.view.view import CreatureFlag


@dataclass(frozen=True, slots=True)
class Play:
    """The dungeon itself, and the cell under the mouse since `pointed_ms`; the next key forgets it."""

    pointed: int | None = None
    pointed_ms: int = 0
    state: str = "play"

    def on_key(self, model: Model, key: str) -> Update:
        """Answer a key of play."""
        if keymap.intent(model.options.keys, self.state, key) == "menu":
            return Update(Push(Menu()))
        return press(model, key)

    def draw(self, model: Model, canvas: Canvas) -> None:
        """Draw map, log and status."""
        parts = layout(canvas.width, canvas.height, model.view.place.width)
        draw_top(canvas, parts.top, model)
        if parts.side is None and model.in_dungeon and model.holders:
            draw_foes_bar(canvas, parts.goal, model)
        else:
            canvas.put(parts.goal.x, parts.goal.y, goal_line(model), TITLE, parts.goal.width)
        if model.in_dungeon:
            struck = model.fights.flashing(model.now_ms)
            window = MapWindow(
                canvas,
                parts.map,
                model.view,
                model.camera,
                model.floor_items,
                struck,
                model.company.party.tints,
                model.surface.lights,
                model.stains,
            )
            draw_map(window, glyphs=glyph_set(model.options.glyphs, unicode=model.surface.unicode))
            draw_pings(window, model.marked_cells)
            if self.pointed is not None and model.keys.pressed_ms <= self.pointed_ms:
                draw_hover(canvas, parts.map, model, self.pointed)
            draw_status(canvas, parts.status, model)
        else:
            where = f" at {model.server.address}" if model.server.address else ""
            canvas.put(2, parts.map.y + parts.map.height // 2, f"Entering the dungeon{where} ...", QUIET)
        for column in parts.lines:
            canvas.fill(column, "│" if model.surface.unicode else "|", QUIET)
        if parts.side is not None and model.in_dungeon:
            draw_side(canvas, parts.side, model)
        log = parts.log
        if parts.side is None and model.in_dungeon and model.company.party.others(model.name):
            draw_party_bar(canvas, log._replace(height=1), model)
            log = log._replace(y=log.y + 1, height=max(log.height - 1, 0))
        draw_log(canvas, log, model)

    def hints(self, model: Model) -> list[tuple[str, str]]:
        """Return the most useful keys of the moment, as many as fit beside those that lead to all others."""
        return list(of_same(_shown_hints, model, lambda: _shown_hints(model)))


def _shown_hints(model: Model) -> list[tuple[str, str]]:
    """Return the hints of play: of the suggested actions as many as fit in the columns beside the constant ones."""
    keys = model.options.keys
    always = keymap.hints(keys, "play", ["menu", "help"])
    last = ("say", "quit") if offline_notice(model) is None else ("quit",)
    room = model.surface.size[0] - _width(keys, "menu") - _width(keys, "help")
    fitting, said = list[str](), dict[str, str]()
    for intent in suggestions(model):
        short, word = _own_word(model, intent)
        room -= _width(keys, intent) + len(word) - len(short)
        if room < 0:
            break
        fitting.append(intent)
        said[short] = word
    shown = [(key, said.get(word, word)) for key, word in keymap.hints(keys, "play", fitting)]
    rest = [hint for hint in keymap.hints(keys, "play", last) if hint not in shown]
    return [*shown, *always, *rest]


def _own_word(model: Model, intent: str) -> tuple[str, str]:
    """Return the usual word of an intent's hint, and the word that it has now; "" twice for the usual one.

    A step into a foe says "strike", and the way to a downed friend the turns that they have left.
    """
    if _leads_into_foe(model, intent):
        return "step", "strike"
    downed = downed_apart(model) if intent == "friend" else None
    if downed is None:
        return "", ""
    return "to friend", f"to {clean(downed.name)} ({turns_left_words(turns_down(downed.marks))} left)"


def _leads_into_foe(model: Model, intent: str) -> bool:
    """Return whether an intent is a step into a foe: its hint says "strike" instead of "step"."""
    ahead = model.view.step(keymap.DIRECTION_OF[intent]) if intent.startswith("step ") else None
    foe = None if ahead is None else model.view.at(ahead)
    return foe is not None and bool(foe.marks & CreatureFlag.HOSTILE)


@lru_cache(maxsize=256)
def _width(keys: KeyChoice, intent: str) -> int:
    """Return the columns that the hint of an intent takes on the bottom line."""
    return sum(len(key) + len(word) + 3 for key, word in keymap.hints(keys, "play", [intent]))


_ROWS_MAX = 2


def draw_hover(canvas: Canvas, area: Rect, model: Model, cell: int) -> None:
    """Draw the description of a cell over the last rows of the map, or over its first if the cell is among the last."""
    view = model.view
    if not 0 <= cell < len(view.terrain) or terrain_at(view, cell) is Terrain.UNKNOWN or not area.height:
        return
    _, *sentences, where = describe_cell(
        view, cell, model.world.damage, model.world.terrain_words, model.floor_items
    )
    items = sentences[:-1] or sentences
    rows = wrap_text(f"{where} {' '.join(items)}", area.width - 2)[:_ROWS_MAX]
    low = cell // view.place.width - model.camera[1] >= area.height - len(rows) - 1
    top = area.y if low else area.y + area.height - len(rows)
    for row, text in enumerate(rows):
        canvas.put(area.x, top + row, f" {text} ", PLAIN, area.x + area.width)
