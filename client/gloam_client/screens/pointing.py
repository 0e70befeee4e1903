"""The actions of the mouse: a click travels, attacks, takes a row or presses a hint, the wheel scrolls, moving looks.

Every click does what some key does, so the server hears nothing new.
"""

from dataclasses import replace
from typing import Final

from gloam_client.input import keymap
from gloam_client.input.mouse import MouseEvent
from gloam_client.render.descriptions import terrain_at
from gloam_client.render.layout import layout
from gloam_client.render.panels.side_panel import SideRow, side_row
from gloam_client.screens.actions import act
from gloam_client.screens.common.clicks import draw_top_screen, hint_key, key_of, row_keys
from gloam_client.screens.common.command_effects import command_effect, message
from gloam_client.screens.common.help import Help
from gloam_client.screens.lists.item_uses import shot
from gloam_client.screens.map.cursor import Cursor, ask_history
from gloam_client.screens.map.direction import DirectionScreen
from gloam_client.screens.map.find import Find
from gloam_client.screens.map.target import Target
from gloam_client.screens.play import Play
from gloam_client.screens.session.chat_line import ChatScreen
from gloam_client.screens.session.secret_line import SecretScreen
from gloam_client.screens.title.servers import ServersScreen
from gloam_client.screens.title.title import Title
from gloam_client.state.aiming import aim_fault
from gloam_client.state.client_effects import SendCommand
from gloam_client.state.guidance.key_words import with_keys
from gloam_client.state.map.landmarks import WAYS_DOWN, WAYS_UP
from gloam_client.state.model import Model, Push, Replace, Update
from gloam_client.terminal.canvas import Canvas
from gloam_shared.appearance import Terrain
from gloam_shared.protocol.commands import Travel
from gloam_shared.text import clean
from gloam_shared.view.view import Creature, CreatureFlag, InventoryItem, Stat

Reaction = Update | tuple[str, ...]
"""The result of a click: a screen's reaction, or keys that are pressed in its place."""


def point(model: Model, event: MouseEvent) -> Reaction:
    """Return the reaction to an action of the mouse; an empty one where it means nothing."""
    match event.action:
        case "move":
            return _hover(model, event)
        case "wheel up" | "wheel down":
            return _wheel(model, event)
        case "right":
            return _right(model, event)
        case "left":
            return _left(model, event)


def _left(model: Model, event: MouseEvent) -> Reaction:
    key = hint_key(model, event.x, event.y)
    if key is not None:
        return (key,) if key else message("Press one of these keys.", "quiet")
    if model.top.state == "story":
        return ("ENTER",)
    canvas = draw_top_screen(model)
    if canvas.listing is not None:
        return row_keys(model, canvas.listing, event.x, event.y)
    if not model.in_dungeon:
        return ()
    cell = _cell(model, canvas, event)
    return _click_side(model, canvas, event) if cell is None else _click_cell(model, cell)


def _click_side(model: Model, canvas: Canvas, event: MouseEvent) -> Reaction:
    """Return what a click in the side panel means in play: the key that shows its part, for an item its letter, too."""
    row = _side_row(model, canvas, event)
    intent = None if row is None else _INTENTS.get(row.part)
    if row is None or intent is None or not isinstance(model.top, Play):
        return ()
    letter = (chr(ord("a") + row.item.slot),) if isinstance(row.item, InventoryItem) else ()
    return (key_of(model, intent), *letter)


def _click_cell(model: Model, cell: int) -> Reaction:
    """Return what a click on a cell of the map means in the top screen."""
    screen, view = model.top, model.view
    match screen:
        case Play():
            return _go(model, cell)
        case Cursor() | Target() if screen.cell == cell:
            return (key_of(model, "go", "aim"),)
        case Cursor():
            return Update(Replace(replace(screen, cell=cell)), ask_history(model, cell))
        case Target():
            return Update(Replace(replace(screen, cell=cell)))
        case DirectionScreen() if cell != view.cell:
            return (key_of(model, _step_towards(model, cell)),)
        case _:
            return ()


def _go(model: Model, cell: int) -> Update:
    """Return what a click on the map of play does: act here, step or attack beside, fight, or travel there."""
    view = model.view
    if cell == view.cell:
        return act(model, _here(model))
    one = view.at(cell) if view.sight[cell] else None
    foe = one is not None and bool(one.marks & CreatureFlag.HOSTILE)
    if view.place.grid.distance(view.cell, cell) == 1:
        return act(model, _step_towards(model, cell))
    if foe:
        aim = shot(model.fact(Stat.REACH))
        if aim.range > 0 and not aim_fault(aim, view, cell):
            return Update(intents=(SendCommand(aim.at_cell(cell)),))
        return act(model, "fight")
    if terrain_at(view, cell) is Terrain.UNKNOWN:
        return message("You have not seen that place; a click on a known one travels there.", "quiet")
    return act(model, _step_towards(model, cell)) if model.threatened else command_effect(model, Travel(cell))


def _here(model: Model) -> str:
    """Return what a click on the player's own cell does: take the stairs, pick up, or wait."""
    view = model.view
    if view.pile:
        return "pick up"
    terrain = terrain_at(view, view.cell)
    return "descend" if terrain in WAYS_DOWN else "ascend" if terrain in WAYS_UP else "wait"


def _step_towards(model: Model, cell: int) -> str:
    view = model.view
    direction = view.place.grid.towards(view.cell, cell)
    return next(
        intent
        for intent, way in keymap.DIRECTION_OF.items()
        if way == direction and intent.startswith("step")
    )


def _right(model: Model, event: MouseEvent) -> Reaction:
    """Return the look at the cell, or in another screen the way back."""
    if not isinstance(model.top, Play):
        return (key_of(model, "back"),) if key_of(model, "back") else ()
    if not model.in_dungeon:
        return ()
    cell = _cell(model, draw_top_screen(model), event)
    if cell is None:
        return ()
    return Update(Push(Cursor("look", cell)), ask_history(model, cell))


def _wheel(model: Model, event: MouseEvent) -> Reaction:
    """Return the key that scrolls a list; in play the wheel opens the log."""
    up = event.action == "wheel up"
    if isinstance(model.top, Play):
        return act(model, "history") if up else ()
    key = key_of(model, "up" if up else "down")
    return (key,) if key else ()


def _hover(model: Model, event: MouseEvent) -> Update:
    """Return the play screen that describes the cell under the mouse."""
    play = model.top
    if not isinstance(play, Play) or not model.in_dungeon:
        return Update()
    cell = _cell(model, draw_top_screen(model), event)
    if cell == play.pointed and (cell is None or model.keys.pressed_ms <= play.pointed_ms):
        return Update()
    return Update(Replace(replace(play, pointed=cell, pointed_ms=model.now_ms)))


def _cell(model: Model, canvas: Canvas, event: MouseEvent) -> int | None:
    """Return the cell of the level at a place of the terminal; None beside the map and under a box.

    A creature's row in the side panel stands for its cell.
    """
    part = canvas.map_part
    if part is None or any(box.holds(event.x, event.y) for box in canvas.boxes):
        return None
    row = _side_row(model, canvas, event)
    item = None if row is None else row.item
    return item.cell if isinstance(item, Creature) else part.cell_at(event.x, event.y)


def _side_row(model: Model, canvas: Canvas, event: MouseEvent) -> SideRow | None:
    """Return what the side panel shows at a place of the terminal; None beside it and under a box."""
    side = layout(*model.surface.size, model.view.place.width).side
    if side is None or not side.holds(event.x, event.y):
        return None
    covered = any(box.holds(event.x, event.y) for box in canvas.boxes)
    return None if covered else side_row(side, model, event.y)


_INTENTS: Final = {"party": "party", "here": "pick up", "inventory": "inventory"}
"""The intents of a click on a row of the side panel, by its part; a creature's row stands for its cell."""


_TYPED_MAX: Final = 120
"""More characters than any of these fields holds."""


def paste_into(model: Model, text: str) -> Update:
    """Return the reaction to pasted text: during play it opens the chat line, without sending it."""
    words = clean(text)
    match model.top:
        case ChatScreen() as saying:
            return saying.typed(words)
        case SecretScreen() as secret:
            return secret.typed("".join(char for char in text if char.isprintable()))
        case Title() | ServersScreen() | Find() | Help():
            return _type_text(model, words)
        case Play() if model.in_dungeon and words:
            opened = ChatScreen().typed(words).change
            return Update(Push(opened.screen) if isinstance(opened, Replace) else None)
        case _:
            return message(
                with_keys(model, "Pasted text goes into a chat line; {say} opens one in play."), "quiet"
            )


def _type_text(model: Model, words: str) -> Update:
    """Return the reaction to text typed into a field, without keys that have another meaning there."""
    screen = model.top
    for char in words[:_TYPED_MAX]:
        if keymap.intent(model.options.keys, screen.state, char) is None:
            change = screen.on_key(model, char).change
            screen = change.screen if isinstance(change, Replace) else screen
    return Update(Replace(screen))
