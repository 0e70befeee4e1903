"""What each action of play does, for its key and for the menu of all actions. Asks the server, never decides for it."""

from collections.abc import Callable
from typing import Final

from gloam_client import keymap
from gloam_client.intents import Intent, Leave, Order, Redraw
from gloam_client.landmarks import nearest_first
from gloam_client.model import Model, Push, Reaction
from gloam_client.screens import spells, things, uses
from gloam_client.screens.call import calling
from gloam_client.screens.choose import Choosing
from gloam_client.screens.cursor import Cursor
from gloam_client.screens.descending import descending
from gloam_client.screens.direction import closing, digging
from gloam_client.screens.exploring import exploring
from gloam_client.screens.find import finding
from gloam_client.screens.friends import going
from gloam_client.screens.help import Help
from gloam_client.screens.history import History
from gloam_client.screens.options import OptionsScreen
from gloam_client.screens.orders import note, order
from gloam_client.screens.quit import Quit
from gloam_client.screens.say import Saying
from gloam_client.screens.sheet import Sheet
from gloam_shared.commands import AnyCommand, Climb, Explore, Fight, Move, Rest, Run, Stop, Wait
from gloam_shared.view import Mark

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
        other = keymap.elsewhere(model.options.keys, key)
        return note(other or f"No command on {keymap.told(key)}; ? shows the keys.", "quiet")
    return act(model, intent)


def act(model: Model, intent: str) -> Reaction:
    """Return what an intent of play does; the menu of actions calls it too.

    What asks for a choice or an aim first stops a plan that is under way: nobody aims while he walks on.
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
    if intent in things.WISHES:
        return things.opened(model, intent)
    return _ACTS[intent](model)


_ASKING: Final = frozenset({"travel", "find", "fire", "cast", "close", "dig", *things.WISHES})


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
    "fire": uses.fire,
    "cast": spells.opened,
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
