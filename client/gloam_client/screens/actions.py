"""The effect of each action of play, for its key and for the menu. Asks the server, never decides for it."""

from collections.abc import Callable
from typing import Final

from gloam_client.input import keymap, other_games
from gloam_client.linear.status_words import status_lines, surroundings_lines
from gloam_client.screens.common.command_effects import command_effect, early_notice, message
from gloam_client.screens.common.help import Help
from gloam_client.screens.lists import item_list, item_uses, spell_list
from gloam_client.screens.lists.character_sheet import Sheet
from gloam_client.screens.lists.chronicle import open_chronicle
from gloam_client.screens.lists.ladder import open_ladder
from gloam_client.screens.lists.level_up import LevelUpScreen
from gloam_client.screens.lists.message_history import History
from gloam_client.screens.map.cursor import Cursor, ask_history
from gloam_client.screens.map.direction import ask_close_direction, ask_dig_direction, help_downed
from gloam_client.screens.map.exploration import climb_down, explore_effect
from gloam_client.screens.map.find import open_find
from gloam_client.screens.map.find_friends import go_to_friend
from gloam_client.screens.map.ping import ask_ping
from gloam_client.screens.party.party_screen import open_party
from gloam_client.screens.session.beacon_screen import BeaconScreen
from gloam_client.screens.session.chat_line import ChatScreen
from gloam_client.screens.session.kit_screen import kit_screen
from gloam_client.screens.session.options_screen import OptionsScreen
from gloam_client.screens.session.quit import Quit
from gloam_client.screens.trade.start_trade import open_trade
from gloam_client.screens.watching.watchers_screen import open_watchers
from gloam_client.state.client_effects import ClientEffect, LeaveGame, Redraw, SendCommand, ShowMessage
from gloam_client.state.map.landmarks import nearest_first
from gloam_client.state.model import Model, Push, Update
from gloam_shared.protocol.commands import Explore, Move, Run, Stop
from gloam_shared.view.view import CreatureFlag


def press(model: Model, key: str) -> Update:
    """Return the reaction to a key of play, except the menu's key."""
    intent = keymap.intent(model.options.keys, "play", key)
    if intent is None:
        other = other_games.our_key(model.options.keys, key)
        return message(other or f"No command on {keymap.key_label(key)}; ? shows the keys.", "quiet")
    return act(model, intent)


def act(model: Model, intent: str) -> Update:
    """Return the reaction to an intent of play; the menu of actions calls it too.

    An action that asks for a choice or an aim first stops a plan that is under way: a player cannot aim while walking.
    """
    reaction = _act(model, intent)
    if model.pace.plan and intent in _ASKING and reaction.change is not None:
        return reaction._replace(intents=(SendCommand(Stop()), *reaction.intents))
    return reaction


def _act(model: Model, intent: str) -> Update:
    if intent in keymap.DIRECTION_OF:
        dx, dy = keymap.DIRECTION_OF[intent]
        return command_effect(
            model, Run(dx, dy) if intent.startswith("run") else Move(dx, dy, digs=not model.keys.repeated)
        )
    command = keymap.command_of(intent)
    if command is not None:
        return command_effect(model, command)
    if intent in item_list.LIST_PURPOSES:
        return item_list.open_list(model, intent)
    return _ACTS[intent](model)


_ASKING: Final = frozenset(
    {"travel", "find", "fire", "cast", "close", "dig", "lift", "trade", *item_list.LIST_PURPOSES}
)


def _choose(model: Model) -> Update:
    if model.view.choices:
        return Update(Push(LevelUpScreen()))
    if model.login.kits:
        return Update(Push(kit_screen(model.login.life, model.login.kits)))
    if model.login.beacons:
        return Update(Push(BeaconScreen(model.login.life, model.login.beacons)))
    return (
        message("Nothing to choose now: a new level brings choices.") if model.in_dungeon else early_notice()
    )


def _cursor(model: Model, purpose: str) -> Update:
    if not model.in_dungeon:
        return early_notice()
    cell = _nearest_foe(model) if purpose == "look" else model.view.cell
    return Update(Push(Cursor(purpose, cell)), () if model.keys.repeated else ask_history(model, cell))


def _nearest_foe(model: Model) -> int:
    """Return the cell of the nearest foe in sight; the player's own cell without one."""
    view = model.view
    foes = [one.cell for one in view.creatures if one.marks & CreatureFlag.HOSTILE and view.sight[one.cell]]
    return next(iter(nearest_first(model, foes)), view.cell)


def _sheet(model: Model) -> Update:
    if not model.in_dungeon:
        return early_notice()
    return Update(Push(Sheet()))


def _back(model: Model) -> Update:
    if model.pace.plan or model.pace.waiting:
        return Update(intents=(SendCommand(Stop()),))
    quit_key = keymap.key_for(model.options.keys, "play", "quit")
    return message(f"There is nothing to stop; {quit_key} quits.", "quiet")


def _quit(model: Model) -> Update:
    ending: tuple[ClientEffect, ...] = (LeaveGame(),)
    return Update(Push(Quit())) if model.in_dungeon else Update(intents=ending)


def _say(lines: list[str]) -> Update:
    """Put lines into the log, where a screen reader and the log's history have them."""
    return Update(intents=tuple(ShowMessage(line, kept=True) for line in lines))


_ACTS: Final[dict[str, Callable[[Model], Update]]] = {
    "explore": lambda model: explore_effect(
        model, command_effect(model, Explore(model.options.pick_up == "on"))
    ),
    "descend": climb_down,
    "travel": lambda model: _cursor(model, "travel"),
    "look": lambda model: _cursor(model, "look"),
    "sheet": _sheet,
    "status": lambda model: _say(status_lines(model)),
    "surroundings": lambda model: _say(surroundings_lines(model)),
    "find": open_find,
    "friend": go_to_friend,
    "fire": item_uses.fire,
    "cast": spell_list.open_list,
    "close": ask_close_direction,
    "dig": ask_dig_direction,
    "lift": help_downed,
    "call": ask_ping,
    "choose": _choose,
    "chronicle": open_chronicle,
    "ladder": open_ladder,
    "party": open_party,
    "watchers": open_watchers,
    "trade": open_trade,
    "history": lambda _: Update(Push(History())),
    "say": lambda _: Update(Push(ChatScreen())),
    "help": lambda _: Update(Push(Help("play"))),
    "options": lambda _: Update(Push(OptionsScreen())),
    "quit": _quit,
    "back": _back,
    "redraw": lambda _: Update(intents=(Redraw(),)),
}
