"""What each action of play does, for its key and for the menu of all actions. Asks the server, never decides for it."""

from collections.abc import Callable
from typing import Final

from gloam_client.input import keymap, other_games
from gloam_client.screens.common.command_effects import note, order
from gloam_client.screens.common.help import Help
from gloam_client.screens.lists import item_list, item_uses, spell_list
from gloam_client.screens.lists.character_sheet import Sheet
from gloam_client.screens.lists.level_up import Choosing
from gloam_client.screens.lists.message_history import History
from gloam_client.screens.map.cursor import Cursor
from gloam_client.screens.map.direction import closing, digging
from gloam_client.screens.map.exploration import exploring
from gloam_client.screens.map.find import finding
from gloam_client.screens.map.find_friends import going
from gloam_client.screens.map.ping import calling
from gloam_client.screens.map.stairs_question import descending
from gloam_client.screens.session.chat_line import Saying
from gloam_client.screens.session.options_screen import OptionsScreen
from gloam_client.screens.session.quit import Quit
from gloam_client.state.client_effects import Intent, Leave, Order, Redraw
from gloam_client.state.landmarks import nearest_first
from gloam_client.state.model import Model, Push, Reaction
from gloam_shared.protocol.commands import AnyCommand, Climb, Explore, Fight, Move, Rest, Run, Stop, Wait
from gloam_shared.view.view import Mark

_ORDERS: Final[dict[str, AnyCommand]] = {
    "wait": Wait(),
    "rest": Rest(),
    "fight": Fight(),
    "ascend": Climb(down=False),
}


def press(model: Model, key: str) -> Reaction:
    """Return what a key of play does, but for the key of the menu."""
    intent = keymap.intent(model.options.keys, "play", key)
    if intent is None:
        other = other_games.our_key(model.options.keys, key)
        return note(other or f"No command on {keymap.told(key)}; ? shows the keys.", "quiet")
    return act(model, intent)


def act(model: Model, intent: str) -> Reaction:
    """Return what an intent of play does; the menu of actions calls it too.

    An action that asks for a choice or an aim first stops a plan that is under way: a player cannot aim while walking.
    """
    reaction = _act(model, intent)
    if model.pace.plan and intent in _ASKING and reaction.change is not None:
        return reaction._replace(intents=(Order(Stop()), *reaction.intents))
    return reaction


def _act(model: Model, intent: str) -> Reaction:
    if intent in keymap.DIRECTION_OF:
        dx, dy = keymap.DIRECTION_OF[intent]
        return order(
            model, Run(dx, dy) if intent.startswith("run") else Move(dx, dy, digs=not model.repeated)
        )
    if intent in _ORDERS:
        return order(model, _ORDERS[intent])
    if intent in item_list.WISHES:
        return item_list.opened(model, intent)
    return _ACTS[intent](model)


_ASKING: Final = frozenset({"travel", "find", "fire", "cast", "close", "dig", *item_list.WISHES})


def _choose(model: Model) -> Reaction:
    if not model.view.choices:
        return note("Nothing to choose now: a new level brings choices.")
    return Reaction(Push(Choosing()))


def _cursor(model: Model, purpose: str) -> Reaction:
    if not model.in_dungeon:
        return note("Nothing to look at yet.", "quiet")
    return Reaction(Push(Cursor(purpose, _nearest_foe(model) if purpose == "look" else model.view.cell)))


def _nearest_foe(model: Model) -> int:
    """Return where the nearest foe in sight stands; the player's own cell where there is none."""
    view = model.view
    foes = [one.cell for one in view.creatures if one.marks & Mark.HOSTILE and view.sight[one.cell]]
    return next(iter(nearest_first(model, foes)), view.cell)


def _sheet(model: Model) -> Reaction:
    if not model.in_dungeon:
        return note("Not in the dungeon yet.", "quiet")
    return Reaction(Push(Sheet()))


def _back(model: Model) -> Reaction:
    if model.pace.plan or model.pace.waiting:
        return Reaction(intents=(Order(Stop()),))
    quit_key = keymap.key_for(model.options.keys, "play", "quit")
    return note(f"There is nothing to stop; {quit_key} quits.", "quiet")


def _quit(model: Model) -> Reaction:
    ending: tuple[Intent, ...] = (Leave(),)
    return Reaction(Push(Quit())) if model.in_dungeon else Reaction(intents=ending)


_ACTS: Final[dict[str, Callable[[Model], Reaction]]] = {
    "explore": lambda model: exploring(model, order(model, Explore(model.options.pick_up == "on"))),
    "descend": descending,
    "travel": lambda model: _cursor(model, "travel"),
    "look": lambda model: _cursor(model, "look"),
    "sheet": _sheet,
    "find": finding,
    "friend": going,
    "fire": item_uses.fire,
    "cast": spell_list.opened,
    "close": closing,
    "dig": digging,
    "call": calling,
    "choose": _choose,
    "history": lambda _: Reaction(Push(History())),
    "say": lambda _: Reaction(Push(Saying())),
    "help": lambda _: Reaction(Push(Help("play"))),
    "options": lambda _: Reaction(Push(OptionsScreen())),
    "quit": _quit,
    "back": _back,
    "redraw": lambda _: Reaction(intents=(Redraw(),)),
}
