"""Explored levels: how they are recognized, and how to continue from there. Pure."""

from typing import Final, NamedTuple

from msgspec.structs import replace

from gloam_client.input import keymap
from gloam_client.screens.common.command_effects import command_effect, offline_notice
from gloam_client.screens.common.confirm import Confirm
from gloam_client.state.client_effects import SendCommand, ShowMessage
from gloam_client.state.guidance.hints import alternative_for
from gloam_client.state.guidance.next_steps import next_step
from gloam_client.state.map.auto_pickup import worth_cells
from gloam_client.state.map.landmarks import WAYS_DOWN, WAYS_UP
from gloam_client.state.map.reachability import nearest_by_ground, nearest_of
from gloam_client.state.model import Model, Push, Update, add_message, show_flash
from gloam_shared.appearance import Terrain
from gloam_shared.bitboard import cells_where
from gloam_shared.narration.rendering import capital, depth_text
from gloam_shared.protocol.commands import Climb, Travel
from gloam_shared.protocol.messages.play import Answer
from gloam_shared.view.view import Hunger, ItemFlag, Stat, View

_DOORS: Final = bytes.maketrans(bytes([Terrain.DOOR_OPEN]), bytes([Terrain.DOOR_CLOSED]))


MAY_BAR: Final = "a gate, water or a creature may bar it"
"""The advice where no known way leads to a place of an explored level."""


class ExitWay(NamedTuple):
    """The way on from an explored level: the best intent of play, the cell it leads to, a sentence."""

    intent: str
    goal: int | None
    advice: str


def mark_explored(model: Model) -> Model:
    """Return the model with its level marked as explored, until its known map changes."""
    view = model.view
    return replace(
        model,
        memory=replace(model.memory, explored={**model.memory.explored, view.place.depth: _known_map(model)}),
    )


def is_explored(model: Model) -> bool:
    """Return whether nothing is left to explore on this level."""
    return model.in_dungeon and model.memory.explored.get(model.view.place.depth) == _known_map(model)


def is_barred(model: Model) -> bool:
    """Return whether the last exploring of this level ended before something in the only way, and nothing new is known since."""
    return model.in_dungeon and model.memory.barred.get(model.view.place.depth) == _known_map(model)


def next_exit(model: Model) -> ExitWay:
    """Return how to continue from an explored level."""
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
    if nearest_by_ground(view, WAYS_DOWN) is not None:
        return ExitWay(
            "look", None, "Something is in the only way to the stairs down: get past it step by step."
        )
    if depth > 1 and nearest(view, WAYS_UP) is not None:
        above = depth_text(depth - 1)
        return ExitWay(
            "ascend",
            None,
            f"No way on from here: other stairs down are on depth {above} (press {ascend}), or dig.",
        )
    return ExitWay(
        "dig", None, f"No way on is known here: {dig} and a direction dig, where the rock is soft enough."
    )


def explore_effect(model: Model, reaction: Update) -> Update:
    """Return the effect of the exploring key: the command to explore, or how to continue if nothing is left."""
    if not is_explored(model) or offline_notice(model) is not None or should_eat(model):
        return reaction
    way = next_exit(model)
    if way.goal is None or way.goal == model.view.cell:
        return Update(
            intents=(ShowMessage(f"There is nothing left to explore on this level. {way.advice}", "note"),)
        )
    return Update(intents=(ShowMessage("You go to the stairs down.", "note"), SendCommand(Travel(way.goal))))


def nearest(view: View, kinds: frozenset[Terrain]) -> int | None:
    """Return the nearest reachable cell of some terrain, the player's own cell first.

    None if there is none.
    """
    return nearest_of(view, cells_where(view.terrain, kinds))


def should_eat(model: Model) -> bool:
    """Return whether the player is starving and has food: then the server refuses to explore."""
    if model.fact(Stat.HUNGER) != Hunger.STARVING:
        return False
    carried = any(item.traits & ItemFlag.EDIBLE and item.food > 0 for item in model.view.inventory)
    return carried or any(item.traits & ItemFlag.EDIBLE for item in model.view.pile)


def _known_map(model: Model) -> tuple[bytes, tuple[int, ...], int]:
    """Return the known map of a level, with open doors as closed: walking through one changes nothing.

    Remembered items worth picking up belong to it, with the free room in the inventory, which may grow later.
    """
    ground = model.view.terrain.translate(_DOORS)
    worth = tuple(sorted(worth_cells(model))) if model.options.pick_up == "on" else ()
    return ground, worth, len(model.view.inventory) if worth else 0


_CODES_NOT_SHOWN: Final = frozenset({"replaced", "stopped"})
"""Answers that need no words, because the player caused them."""
_NOT_BEGUN: Final = frozenset({"no_foe", "no_way"})
"""Reasons of plans that ended before their first step: the player sees them as refusals."""
_BARRED: Final = frozenset({"blocked", "trap"})
"""Reasons of plans that ended before something in the only way."""


def take_answer(model: Model, answer: Answer) -> Model:
    """Return the model that shows a refusal and what to do instead; the ends of plans follow with `plan_ended`."""
    match answer:
        case Answer(code="ended", reason=reason, text=text) if reason in _NOT_BEGUN:
            known = reason == "no_way" and (is_explored(model) or is_barred(model))
            advice = f" {capital(MAY_BAR)}." if known else next_step(model, reason)
            return show_flash(model, text + advice, "refused")
        case Answer(code="ended" | "explored" | "foe"):
            return model
        case Answer(code=code, reason=reason, text=text) if text and code not in _CODES_NOT_SHOWN:
            advice = alternative_for(model, code) or next_step(model, reason)
            return show_flash(model, text + advice, "refused")
        case _:
            return model


def plan_ended(model: Model, answer: Answer) -> Model:
    """Return the model with the reason why a plan ended, and how to continue from an explored level."""
    match answer:
        case Answer(code="explored", text=text) if model.in_dungeon:
            model = mark_explored(model)
            return add_message(model, f"{text} {next_exit(model).advice}")
        case Answer(code="foe") if model.messages.announced_at == model.turn:
            return model
        case Answer(reason=reason) if reason in _NOT_BEGUN:
            return model
        case Answer(reason=reason, text=text) if reason in _BARRED and model.in_dungeon:
            known = {**model.memory.barred, model.view.place.depth: _known_map(model)}
            return add_message(replace(model, memory=replace(model.memory, barred=known)), text)
        case Answer(code="ended" | "explored" | "foe", text=text) if text:
            return add_message(model, text)
        case _:
            return model


def climb_down(model: Model) -> Update:
    """Return the command that takes stairs down or leads to them.

    Only the former may be preceded by a question.
    """
    done = command_effect(model, Climb(down=True))
    view = model.view
    on_stairs = model.in_dungeon and view.terrain[view.cell] == Terrain.STAIRS_DOWN
    if model.options.ask_stairs == "off" or not on_stairs or model.connection.state != "joined":
        return done
    return Update(Push(Confirm("Descend to the next level?", done.intents, "Stairs down")))
