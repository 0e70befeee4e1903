"""The one key table: dispatch, help, the menu of actions and the bottom line are all made from it. Data only.

Keys are named as `terminal` names them: a character for itself, else words such as UP, SHIFT_UP, ENTER or KP_7. No
command of play sits on HJKLYUBN, which run. Where a preset walks with a letter that a command has, the command takes
its capital.
"""

from collections.abc import Iterable
from functools import cache
from typing import Final, NamedTuple

from gloam_shared.geometry import DIRECTIONS, Direction


class Binding(NamedTuple):
    """One row: in a state of the screen, these keys mean this intent. `short` is its word on the bottom line."""

    state: str
    intent: str
    keys: tuple[str, ...]
    section: str
    help: str
    short: str = ""


PRESETS: Final = ("vi", "wasd")

_WAYS: Final = ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west")
_STEP_KEYS: Final[dict[str, tuple[str, ...]]] = {
    "north": ("k", "UP", "8", "KP_8"),
    "north-east": ("u", "9", "KP_9", "PGUP"),
    "east": ("l", "RIGHT", "6", "KP_6"),
    "south-east": ("n", "3", "KP_3", "PGDN"),
    "south": ("j", "DOWN", "2", "KP_2"),
    "south-west": ("b", "1", "KP_1", "END"),
    "west": ("h", "LEFT", "4", "KP_4"),
    "north-west": ("y", "7", "KP_7", "HOME"),
}
_RUN_KEYS: Final[dict[str, tuple[str, ...]]] = {
    "north": ("K", "SHIFT_UP"),
    "north-east": ("U", "SHIFT_PGUP"),
    "east": ("L", "SHIFT_RIGHT"),
    "south-east": ("N", "SHIFT_PGDN"),
    "south": ("J", "SHIFT_DOWN"),
    "south-west": ("B", "SHIFT_END"),
    "west": ("H", "SHIFT_LEFT"),
    "north-west": ("Y", "SHIFT_HOME"),
}
_WASD_KEYS: Final = {"north": "w", "west": "a", "south": "s", "east": "d"}

LETTERS: Final = {"vi": " or hjklyubn", "wasd": ", wasd or hjklyubn"}
"""The letters that walk, by preset, as they follow the other keys that do."""


class _Moves(NamedTuple):
    """What the direction keys do in a state; `taken` are those of them that mean something else there."""

    step: str
    run: str = ""
    taken: tuple[str, ...] = ()


_MOVES: Final = {
    "play": _Moves("step {}; into a foe: attack", "run {}"),
    "cursor": _Moves("move the cursor {}", "move the cursor eight cells {}", ("HOME",)),
    "target": _Moves("aim further {}", "aim eight cells further {}", ("HOME",)),
    "direction": _Moves("{}"),
}

DIRECTION_OF: Final[dict[str, Direction]] = {
    f"{verb} {way}": direction
    for verb in ("step", "run")
    for way, direction in zip(_WAYS, DIRECTIONS, strict=True)
}
"""The direction of each intent that has one, such as "step north" or "run south-east"."""

USES: Final = ("drop", "eat", "wield", "take off", "quaff", "read", "throw", "give", "use")
"""The intents of play that do something with a thing that one carries; they have the same keys where one is told of."""
_USES: Final = frozenset(("play", use) for use in USES)

_UP: Final = ("UP", "k", "KP_8")
_DOWN: Final = ("DOWN", "j", "KP_2")
_LIST_UP: Final = ("UP", "KP_8")
_LIST_DOWN: Final = ("DOWN", "KP_2")

_ROWS: Final = (
    Binding("play", "wait", (".", "5", "KP_5"), "Acting", "let one turn pass", "wait"),
    Binding("play", "rest", ("R",), "Acting", "rest until healthy and full of mana", "rest"),
    Binding("play", "explore", ("o",), "Acting", "explore: walk to what is unknown", "explore"),
    Binding("play", "fight", ("TAB",), "Acting", "fight: attack or approach the nearest enemy", "fight"),
    Binding("play", "descend", (">",), "Acting", "go down these stairs, or travel to the nearest", "down"),
    Binding("play", "ascend", ("<",), "Acting", "go up these stairs, or travel to the nearest", "up"),
    Binding("play", "travel", ("_",), "Acting", "travel to a cell that you choose", "travel"),
    Binding("play", "friend", ("G",), "Acting", "go to a friend", "to friend"),
    Binding("play", "choose", ("+",), "Acting", "choose what a new level brings", "choose"),
    Binding("play", "fire", ("f",), "Acting", "fire what you wield at a foe", "fire"),
    Binding("play", "cast", ("c",), "Acting", "cast a spell", "cast"),
    Binding("play", "close", ("C",), "Acting", "close a door (walking into one opens it)", "close"),
    Binding("play", "dig", ("D", "CTRL_D"), "Acting", "dig into the rock beside you", "dig"),
    Binding(
        "play",
        "pick up",
        (",", "g"),
        "Things",
        "pick up what lies here (what is worth it is picked up by itself)",
        "pick up",
    ),
    Binding(
        "play", "inventory", ("i",), "Things", "inventory: what you carry; a letter tells all of it", "items"
    ),
    Binding("play", "drop", ("d",), "Things", "drop something", "drop"),
    Binding("play", "eat", ("e",), "Things", "eat something: one bite", "eat"),
    Binding("play", "wield", ("w",), "Things", "wield or wear something", "wield or wear"),
    Binding("play", "take off", ("T",), "Things", "take off what you wield or wear", "take off"),
    Binding("play", "quaff", ("q",), "Things", "quaff something", "quaff"),
    Binding("play", "read", ("r",), "Things", "read something", "read"),
    Binding("play", "throw", ("t",), "Things", "throw something", "throw"),
    Binding("play", "give", ("v",), "Things", "give something to a friend beside you", "give"),
    Binding("play", "use", ("a",), "Things", "use the prize: end this life in glory, or go on", "use"),
    Binding("play", "look", ("x", ";"), "Looking", "look around: what is that?", "look"),
    Binding(
        "play",
        "sheet",
        ("@",),
        "Looking",
        "your character: what each number means (C closes doors)",
        "character",
    ),
    Binding("play", "find", ("/",), "Looking", "find what you have seen, and travel there", "find"),
    Binding("play", "history", ("m",), "Looking", "read the log from its beginning", "log"),
    Binding(
        "play", "say", (":",), "Talking", "say something to all players (/ begins a client command)", "say"
    ),
    Binding(
        "play",
        "call",
        ("p",),
        "Talking",
        "call to the others: come, danger, mine or thanks, in one key",
        "call",
    ),
    Binding("play", "menu", ("ENTER",), "Game", "menu of every action", "actions"),
    Binding("play", "help", ("?",), "Game", "help: the keys", "help"),
    Binding("play", "options", ("O",), "Game", "options: glyphs, colors, keys, hints, stairs", "options"),
    Binding("play", "quit", ("Q", "CTRL_C"), "Game", "quit (asks first)", "quit"),
    Binding("play", "back", ("ESC",), "Game", "stop what is under way", "stop"),
    Binding("play", "redraw", ("CTRL_L",), "Game", "draw the screen again", "redraw"),
    Binding("cursor", "go", ("ENTER", "_", ".", "5", "KP_5"), "Cursor", "travel to this cell", "travel here"),
    Binding("cursor", "next", ("TAB", "+"), "Cursor", "jump to the next thing of interest", "next thing"),
    Binding("cursor", "previous", ("-", "SHIFT_TAB"), "Cursor", "jump to the previous one"),
    Binding("cursor", "stairs down", (">",), "Cursor", "jump to stairs down that you know", "stairs"),
    Binding("cursor", "stairs up", ("<",), "Cursor", "jump to stairs up that you know"),
    Binding("cursor", "self", ("@", "HOME"), "Cursor", "jump back to yourself"),
    Binding("cursor", "call", ("p",), "Cursor", "call to the others, for this cell", "call"),
    Binding("cursor", "help", ("?",), "Cursor", "help: the keys", "help"),
    Binding("cursor", "back", ("ESC", "x", ";", "Q", "CTRL_C"), "Cursor", "back to the game", "back"),
    Binding("target", "aim", ("ENTER", ".", "5", "KP_5", "f", "t"), "Aiming", "aim at this cell", "aim here"),
    Binding("target", "next", ("TAB", "+"), "Aiming", "the next creature", "next"),
    Binding("target", "previous", ("-", "SHIFT_TAB"), "Aiming", "the creature before"),
    Binding("target", "self", ("@", "HOME"), "Aiming", "aim at yourself", "yourself"),
    Binding("target", "help", ("?",), "Aiming", "help: the keys", "help"),
    Binding("target", "back", ("ESC", "Q", "CTRL_C"), "Aiming", "do not do it", "leave it"),
    Binding("call", "come", ("c",), "Calling", "come here!", "come"),
    Binding("call", "danger", ("d",), "Calling", "danger!", "danger"),
    Binding("call", "mine", ("m",), "Calling", "that is mine!", "mine"),
    Binding("call", "thanks", ("t",), "Calling", "thanks!", "thanks"),
    Binding("call", "help", ("?",), "Calling", "help: the keys", "help"),
    Binding("call", "back", ("ESC", "Q", "CTRL_C"), "Calling", "call nothing", "leave it"),
    Binding("confirm", "yes", ("y", "Y"), "A question", "yes", "yes"),
    Binding("confirm", "help", ("?",), "A question", "help: the keys", "help"),
    Binding("confirm", "back", ("ESC", "ENTER", "n", "N", "Q", "CTRL_C"), "A question", "no", "no"),
    Binding("direction", "help", ("?",), "A direction", "help: the keys", "help"),
    Binding("direction", "back", ("ESC", "Q", "CTRL_C"), "A direction", "do not do it", "leave it"),
    Binding("pick", "up", _LIST_UP, "A choice", "up"),
    Binding("pick", "down", _LIST_DOWN, "A choice", "down"),
    Binding("pick", "take", ("ENTER",), "A choice", "take the marked one (or press its letter)", "take"),
    Binding("pick", "help", ("?",), "A choice", "help: the keys", "help"),
    Binding("pick", "back", ("ESC", "Q", "CTRL_C"), "A choice", "take none", "leave it"),
    Binding("find", "take", ("ENTER",), "Finding", "travel to the marked one", "travel there"),
    Binding("find", "up", ("UP",), "Finding", "up", "up"),
    Binding("find", "down", ("DOWN",), "Finding", "down", "down"),
    Binding("find", "page up", ("PGUP",), "Finding", "a page up"),
    Binding("find", "page down", ("PGDN",), "Finding", "a page down"),
    Binding("find", "erase", ("BACKSPACE", "DELETE"), "Finding", "erase a letter of the search", "erase"),
    Binding("find", "help", ("?",), "Finding", "help: the keys", "help"),
    Binding("find", "back", ("ESC", "CTRL_C"), "Finding", "back to the game", "back"),
    Binding("title", "begin", ("ENTER",), "Title", "begin under this name", "begin"),
    Binding("title", "erase", ("BACKSPACE", "DELETE"), "Title", "erase a letter of the name", "erase"),
    Binding("title", "clear", ("CTRL_U",), "Title", "erase the whole name"),
    Binding("title", "help", ("?",), "Title", "help: the keys", "help"),
    Binding("title", "quit", ("ESC", "CTRL_C"), "Title", "leave", "leave"),
    Binding("help", "up", ("UP",), "Help", "scroll up", "up"),
    Binding("help", "down", ("DOWN",), "Help", "scroll down", "down"),
    Binding("help", "page up", ("PGUP",), "Help", "a page up"),
    Binding("help", "page down", ("PGDN", " "), "Help", "a page down"),
    Binding("help", "erase", ("BACKSPACE", "DELETE"), "Help", "erase a letter of the search", "erase"),
    Binding("help", "back", ("ESC", "ENTER", "CTRL_C"), "Help", "back", "back"),
    Binding("history", "up", _UP, "Log", "one line up", "up"),
    Binding("history", "down", _DOWN, "Log", "one line down", "down"),
    Binding("history", "page up", ("PGUP", "b", "KP_9"), "Log", "a page up", "page up"),
    Binding("history", "page down", ("PGDN", " ", "KP_3"), "Log", "a page down", "page down"),
    Binding("history", "first", ("HOME", "g", "KP_7"), "Log", "to the beginning", "beginning"),
    Binding("history", "last", ("END", "G", "KP_1"), "Log", "to the end", "end"),
    Binding("history", "help", ("?",), "Log", "help: the keys", "help"),
    Binding("history", "back", ("ESC", "m", "Q", "ENTER", "CTRL_C"), "Log", "back to the game", "back"),
    Binding("sheet", "up", _UP, "Character", "one line up"),
    Binding("sheet", "down", _DOWN, "Character", "one line down", "down"),
    Binding("sheet", "page up", ("PGUP", "b", "KP_9"), "Character", "a page up"),
    Binding("sheet", "page down", ("PGDN", " ", "KP_3"), "Character", "a page down", "page down"),
    Binding("sheet", "help", ("?",), "Character", "help: the keys", "help"),
    Binding("sheet", "back", ("ESC", "ENTER", "@", "Q", "CTRL_C"), "Character", "back to the game", "back"),
    Binding("say", "send", ("ENTER",), "Saying", "say it", "say it"),
    Binding("say", "erase", ("BACKSPACE", "DELETE"), "Saying", "erase a letter", "erase"),
    Binding("say", "clear", ("CTRL_U",), "Saying", "erase the line"),
    Binding("say", "back", ("ESC", "CTRL_C"), "Saying", "say nothing", "say nothing"),
    Binding("secret", "send", ("ENTER",), "Password", "send it", "send it"),
    Binding("secret", "erase", ("BACKSPACE", "DELETE"), "Password", "erase a letter", "erase"),
    Binding("secret", "clear", ("CTRL_U",), "Password", "erase the line"),
    Binding("secret", "back", ("ESC", "CTRL_C"), "Password", "go without", "go without"),
    Binding("choose", "up", _UP, "Choosing", "up"),
    Binding("choose", "down", _DOWN, "Choosing", "down"),
    Binding("choose", "take", ("ENTER",), "Choosing", "take the marked one (or press its letter)", "take"),
    Binding("choose", "help", ("?",), "Choosing", "help: the keys", "help"),
    Binding("choose", "back", ("ESC", "+", "Q", "CTRL_C"), "Choosing", "choose later", "later"),
    Binding("inventory", "up", _LIST_UP, "Inventory", "up"),
    Binding("inventory", "down", _LIST_DOWN, "Inventory", "down"),
    Binding("inventory", "take", ("ENTER",), "Inventory", "tell all of the marked one", "tell"),
    Binding("inventory", "help", ("?",), "Inventory", "help: the keys", "help"),
    Binding("inventory", "back", ("ESC", "Q", "CTRL_C"), "Inventory", "back to the game", "back"),
    Binding("examine", "up", _LIST_UP, "A thing", "the thing before", "before"),
    Binding("examine", "down", _LIST_DOWN, "A thing", "the next thing", "next"),
    Binding("examine", "help", ("?",), "A thing", "help: the keys", "help"),
    Binding("examine", "back", ("ESC", "ENTER", "Q", "CTRL_C"), "A thing", "back to the list", "back"),
    Binding("spells", "up", _LIST_UP, "Spells", "up"),
    Binding("spells", "down", _LIST_DOWN, "Spells", "down"),
    Binding("spells", "take", ("ENTER",), "Spells", "cast the marked one (or press its letter)", "cast"),
    Binding("spells", "help", ("?",), "Spells", "help: the keys", "help"),
    Binding("spells", "back", ("ESC", "Q", "CTRL_C"), "Spells", "cast nothing", "back"),
    Binding("things", "up", _LIST_UP, "List of things", "up"),
    Binding("things", "down", _LIST_DOWN, "List of things", "down"),
    Binding(
        "things", "take", ("ENTER",), "List of things", "take the marked one (or press its letter)", "take"
    ),
    Binding("things", "help", ("?",), "List of things", "help: the keys", "help"),
    Binding("things", "back", ("ESC", "Q", "CTRL_C"), "List of things", "back to the game", "back"),
    Binding("pile", "up", _LIST_UP, "Picking up", "up"),
    Binding("pile", "down", _LIST_DOWN, "Picking up", "down"),
    Binding(
        "pile", "toggle", (" ",), "Picking up", "select the marked one or not (or press its letter)", "marked"
    ),
    Binding("pile", "all", (",",), "Picking up", "select all or none", "all"),
    Binding("pile", "take", ("ENTER",), "Picking up", "pick up what is selected", "pick up"),
    Binding("pile", "help", ("?",), "Picking up", "help: the keys", "help"),
    Binding("pile", "back", ("ESC", "Q", "CTRL_C"), "Picking up", "pick up nothing", "leave it"),
    Binding("menu", "up", _UP, "Menu", "up", "up"),
    Binding("menu", "down", _DOWN, "Menu", "down", "down"),
    Binding("menu", "take", ("ENTER",), "Menu", "do the marked one (or press its own key)", "do it"),
    Binding("menu", "help", ("?",), "Menu", "help: the keys", "help"),
    Binding("menu", "back", ("ESC", "CTRL_C"), "Menu", "back to the game", "back"),
    Binding("options", "up", _UP, "Options", "up", "up"),
    Binding("options", "down", _DOWN, "Options", "down", "down"),
    Binding("options", "next", ("RIGHT", "ENTER", " ", "l", "KP_6"), "Options", "the next value", "change"),
    Binding("options", "previous", ("LEFT", "h", "KP_4"), "Options", "the value before"),
    Binding("options", "help", ("?",), "Options", "help: the keys", "help"),
    Binding("options", "back", ("ESC", "O", "Q", "CTRL_C"), "Options", "back to the game", "back"),
    Binding("quit", "yes", ("y", "Y", "CTRL_C"), "Quitting", "quit", "quit"),
    Binding("quit", "stop", ("s", "S"), "Quitting", "quit and stop your private server for all players"),
    Binding("quit", "help", ("?",), "Quitting", "help: the keys", "help"),
    Binding("quit", "back", ("ESC", "ENTER", "n", "N", "Q"), "Quitting", "stay", "stay"),
    Binding("leaving", "help", ("?",), "Leaving", "help: the keys", "help"),
    Binding(
        "leaving", "back", ("ESC", "CTRL_C"), "Leaving", "leave without waiting for the password", "leave now"
    ),
    Binding("stopped", "again", ("ENTER",), "Stopped", "start your private server again", "start again"),
    Binding("stopped", "quit", ("Q", "CTRL_C"), "Stopped", "leave the game", "leave"),
    Binding("stopped", "help", ("?",), "Stopped", "help: the keys", "help"),
    Binding("dead", "again", ("ENTER",), "Death", "begin a new life, with the marked keepsake", "new life"),
    Binding("dead", "quit", ("Q", "CTRL_C"), "Death", "quit (asks first)", "quit"),
    Binding("dead", "up", _LIST_UP, "Death", "the keepsake before"),
    Binding("dead", "down", _LIST_DOWN, "Death", "the next keepsake"),
    Binding("dead", "nothing", ("-",), "Death", "take no keepsake along"),
    Binding("dead", "history", ("m",), "Death", "read the log", "log"),
    Binding("dead", "say", (":",), "Death", "say something to all players", "say"),
    Binding("dead", "help", ("?",), "Death", "help: the keys", "help"),
)


@cache
def table(preset: str) -> tuple[Binding, ...]:
    """Return every row of the key table under a preset."""
    steps = [row for state in _MOVES for row in _ways(state, preset)]
    acting = [_beside_walking(row, preset) for row in _ROWS]
    uses = [
        row._replace(state="examine", section="A thing") for row in acting if (row.state, row.intent) in _USES
    ]
    return (*steps, *acting, *uses)


def rows(preset: str, state: str) -> tuple[Binding, ...]:
    """Return the rows of one state of the screen."""
    return tuple(row for row in table(preset) if row.state == state)


def intent(preset: str, state: str, key: str) -> str | None:
    """Return what a key means in a state, or None when it means nothing there."""
    return _dispatch(preset, state).get(key)


def key_for(preset: str, state: str, wish: str) -> str:
    """Return the first key of an intent as people read it."""
    return next(told(row.keys[0]) for row in rows(preset, state) if row.intent == wish)


def hints(preset: str, state: str, wishes: Iterable[str] | None = None) -> list[tuple[str, str]]:
    """Return (key, word) pairs for the bottom line: of these intents, or of all that have a word."""
    known = {row.intent: row for row in rows(preset, state) if row.short}
    chosen = known.values() if wishes is None else [known[wish] for wish in wishes]
    return [(told(row.keys[0]), row.short) for row in chosen]


def told(key: str) -> str:
    """Return a key as people read it: UP as Up, KP_7 as Keypad 7, CTRL_C as Ctrl-C."""
    if len(key) == 1:
        return "Space" if key == " " else key
    if key.startswith("KP_"):
        return f"Keypad {key[3:]}"
    words = {"PGUP": "PgUp", "PGDN": "PgDn"}
    return "-".join(words.get(part, part.capitalize()) for part in key.split("_"))


@cache
def _dispatch(preset: str, state: str) -> dict[str, str]:
    return {key: row.intent for row in rows(preset, state) for key in row.keys}


def _beside_walking(row: Binding, preset: str) -> Binding:
    """Return a row of play with the capitals of those letters that walk under this preset."""
    if preset != "wasd" or row.state != "play":
        return row
    walking = _WASD_KEYS.values()
    capitals = {key.upper() for key in walking}
    return row._replace(
        keys=tuple(key.upper() if key in walking else key for key in row.keys if key not in capitals)
    )


def _ways(state: str, preset: str) -> Iterable[Binding]:
    moves = _MOVES[state]
    for way in _WAYS:
        keys = tuple(key for key in _STEP_KEYS[way] if key not in moves.taken)
        if preset == "wasd" and way in _WASD_KEYS:
            keys = (_WASD_KEYS[way], *keys)
        yield Binding(state, f"step {way}", keys, "Moving", moves.step.format(way))
    for way in _WAYS if moves.run else ():
        yield Binding(state, f"run {way}", _RUN_KEYS[way], "Running", moves.run.format(way))
