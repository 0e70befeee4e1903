"""The one key table: dispatch, help, the menu of actions and the bottom line are all made from it. Data only.

Keys are named as `terminal` names them: a character for itself, else words such as UP, SHIFT_UP, ENTER or KP_7. No
command of play sits on HJKLYUBN, which run. Where a preset walks with a letter that a command has, the command takes
its capital.
"""

from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Final, NamedTuple

from gloam_client.input.key_binding import DOWN, LIST_DOWN, LIST_UP, UP, KeyBinding, editing_rows
from gloam_client.input.own_keys import KeyChoice, apply_own, preset_of, walking_letters
from gloam_client.input.party_keys import PARTY_ROWS
from gloam_client.input.session_keys import SESSION_ROWS
from gloam_client.input.trade_keys import TRADE_ROWS
from gloam_shared.geometry import DIRECTIONS, Direction
from gloam_shared.protocol.commands import AnyCommand, Climb, Fight, Rest, Shout, Wait

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


class _Moves(NamedTuple):
    """The meaning of the direction keys in a state; `taken` are those with another meaning there."""

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
"""The direction of each intent with one, such as "step north" or "run south-east"."""

USES: Final = ("drop", "eat", "wield", "take off", "quaff", "read", "zap", "put on", "throw", "give", "use")
"""The intents of play that use an item; they have the same keys in the description of an item."""
_USES: Final = frozenset(("play", use) for use in USES)


def _pages(state: str, section: str, key: str) -> tuple[KeyBinding, ...]:
    """Return the rows of a screen that only scrolls and closes; `key` opens it."""
    return (
        KeyBinding(state, "up", UP, section, "one line up", "scroll"),
        KeyBinding(state, "down", DOWN, section, "one line down", "scroll"),
        KeyBinding(state, "page up", ("PGUP", "b", "KP_9"), section, "a page up"),
        KeyBinding(state, "page down", ("PGDN", " ", "KP_3"), section, "a page down", "page"),
        KeyBinding(state, "help", ("?",), section, "help: the keys", "help"),
        KeyBinding(state, "back", ("ESC", "ENTER", key, "Q", "CTRL_C"), section, "back to the game", "back"),
    )


_ROWS: Final = (
    KeyBinding("play", "wait", (".", "5", "KP_5"), "Acting", "let one turn pass", "wait", Wait()),
    KeyBinding("play", "rest", ("R",), "Acting", "rest until healthy and full of mana", "rest", Rest()),
    KeyBinding("play", "explore", ("o",), "Acting", "explore: walk to what is unknown", "explore"),
    KeyBinding(
        "play", "fight", ("TAB",), "Acting", "fight: attack or approach the nearest foe", "fight", Fight()
    ),
    KeyBinding("play", "descend", (">",), "Acting", "go down these stairs, or travel to the nearest", "down"),
    KeyBinding(
        "play",
        "ascend",
        ("<",),
        "Acting",
        "go up these stairs, or travel to the nearest",
        "up",
        Climb(down=False),
    ),
    KeyBinding("play", "travel", ("_",), "Acting", "travel to a cell that you choose", "travel"),
    KeyBinding("play", "friend", ("G",), "Acting", "go to a friend", "to friend"),
    KeyBinding(
        "play", "choose", ("+",), "Acting", "choose what a new level brings, or a new life's kit", "choose"
    ),
    KeyBinding("play", "fire", ("f",), "Acting", "fire what you wield at a foe", "fire"),
    KeyBinding("play", "cast", ("c",), "Acting", "cast a spell", "cast"),
    KeyBinding("play", "close", ("C",), "Acting", "close a door (walking into one opens it)", "close"),
    KeyBinding("play", "dig", ("D", "CTRL_D"), "Acting", "dig into the rock beside you", "dig"),
    KeyBinding("play", "shout", ("!",), "Acting", "shout: wakes sleepers near you", "shout", Shout()),
    KeyBinding(
        "play",
        "pick up",
        (",", "g"),
        "Items",
        "pick up items here (useful ones are picked up automatically)",
        "pick up",
    ),
    KeyBinding(
        "play", "inventory", ("i",), "Items", "inventory: your items; a letter describes one", "items"
    ),
    KeyBinding("play", "drop", ("d",), "Items", "drop something", "drop"),
    KeyBinding("play", "eat", ("e",), "Items", "eat something: one bite", "eat"),
    KeyBinding("play", "wield", ("w",), "Items", "wield or wear something", "wield or wear"),
    KeyBinding("play", "take off", ("T",), "Items", "take off what you wield, wear or have on", "take off"),
    KeyBinding("play", "quaff", ("q",), "Items", "quaff something", "quaff"),
    KeyBinding("play", "read", ("r",), "Items", "read something", "read"),
    KeyBinding("play", "zap", ("z",), "Items", "zap a wand", "zap"),
    KeyBinding("play", "put on", ("P",), "Items", "put on a ring", "put on"),
    KeyBinding("play", "throw", ("t",), "Items", "throw something", "throw"),
    KeyBinding("play", "give", ("v",), "Items", "give something to a friend beside you", "give"),
    KeyBinding("play", "trade", ("$",), "Items", "trade with a player beside you", "trade"),
    KeyBinding("play", "use", ("a",), "Items", "use the prize: end this life in glory, or go on", "use"),
    KeyBinding("play", "look", ("x", ";"), "Looking", "look around: what is that?", "look"),
    KeyBinding("play", "sheet", ("@",), "Looking", "your character and its numbers", "character"),
    KeyBinding("play", "status", ("s",), "Looking", "say your status in words", "status"),
    KeyBinding("play", "surroundings", ("X",), "Looking", "say in words what is around you", "around"),
    KeyBinding("play", "find", ("/",), "Looking", "find what you have seen, and travel there", "find"),
    KeyBinding("play", "history", ("m",), "Looking", "read the log from its beginning", "log"),
    KeyBinding(
        "play", "chronicle", ("V",), "Looking", "the chronicle: names, news and past lives", "chronicle"
    ),
    KeyBinding("play", "ladder", ("#",), "Looking", "the ladder: the best lives of this server", "ladder"),
    KeyBinding(
        "play", "say", (":",), "Talking", "say something to all players (/ begins a client command)", "say"
    ),
    KeyBinding(
        "play",
        "call",
        ("p",),
        "Talking",
        "ping the other players: come, danger, mine or thanks",
        "ping",
    ),
    KeyBinding("play", "party", ("F",), "Talking", "your party: invite, join, share maps, leave", "party"),
    KeyBinding("play", "watchers", ("CTRL_E",), "Talking", "who watches you, and how to end it", "watchers"),
    KeyBinding("play", "menu", ("ENTER",), "Game", "menu of every action", "actions"),
    KeyBinding("play", "help", ("?",), "Game", "help: the keys", "help"),
    KeyBinding("play", "options", ("O",), "Game", "options: colors, glyphs, bell, keys, play", "options"),
    KeyBinding("play", "quit", ("Q", "CTRL_C"), "Game", "quit (asks first)", "quit"),
    KeyBinding("play", "back", ("ESC",), "Game", "stop what is under way", "stop"),
    KeyBinding("play", "redraw", ("CTRL_L",), "Game", "draw the screen again", "redraw"),
    KeyBinding(
        "cursor", "go", ("ENTER", "_", ".", "5", "KP_5"), "Cursor", "travel to this cell", "travel here"
    ),
    KeyBinding("cursor", "next", ("TAB", "+"), "Cursor", "jump to the next thing of interest", "next thing"),
    KeyBinding("cursor", "previous", ("-", "SHIFT_TAB"), "Cursor", "jump to the previous one"),
    KeyBinding("cursor", "stairs down", (">",), "Cursor", "jump to stairs down that you know", "stairs"),
    KeyBinding("cursor", "stairs up", ("<",), "Cursor", "jump to stairs up that you know"),
    KeyBinding("cursor", "self", ("@", "HOME"), "Cursor", "jump back to yourself"),
    KeyBinding("cursor", "call", ("p",), "Cursor", "ping this cell to the other players", "ping"),
    KeyBinding("cursor", "help", ("?",), "Cursor", "help: the keys", "help"),
    KeyBinding("cursor", "back", ("ESC", "x", ";", "Q", "CTRL_C"), "Cursor", "back to the game", "back"),
    KeyBinding(
        "target", "aim", ("ENTER", ".", "5", "KP_5", "f", "t"), "Aiming", "aim at this cell", "aim here"
    ),
    KeyBinding("target", "next", ("TAB", "+"), "Aiming", "the next creature", "next"),
    KeyBinding("target", "previous", ("-", "SHIFT_TAB"), "Aiming", "the previous creature"),
    KeyBinding("target", "self", ("@", "HOME"), "Aiming", "aim at yourself", "yourself"),
    KeyBinding("target", "help", ("?",), "Aiming", "help: the keys", "help"),
    KeyBinding("target", "back", ("ESC", "Q", "CTRL_C"), "Aiming", "cancel", "cancel"),
    KeyBinding("call", "come", ("c",), "Pinging", "come here!", "come"),
    KeyBinding("call", "danger", ("d",), "Pinging", "danger!", "danger"),
    KeyBinding("call", "mine", ("m",), "Pinging", "that is mine!", "mine"),
    KeyBinding("call", "thanks", ("t",), "Pinging", "thanks!", "thanks"),
    KeyBinding("call", "help", ("?",), "Pinging", "help: the keys", "help"),
    KeyBinding("call", "back", ("ESC", "Q", "CTRL_C"), "Pinging", "cancel", "cancel"),
    KeyBinding("confirm", "yes", ("y", "Y"), "A question", "yes", "yes"),
    KeyBinding("confirm", "help", ("?",), "A question", "help: the keys", "help"),
    KeyBinding("confirm", "back", ("ESC", "ENTER", "n", "N", "Q", "CTRL_C"), "A question", "no", "no"),
    KeyBinding("direction", "help", ("?",), "A direction", "help: the keys", "help"),
    KeyBinding("direction", "back", ("ESC", "Q", "CTRL_C"), "A direction", "cancel", "cancel"),
    KeyBinding("pick", "up", LIST_UP, "A choice", "up"),
    KeyBinding("pick", "down", LIST_DOWN, "A choice", "down"),
    KeyBinding("pick", "take", ("ENTER",), "A choice", "take the marked one (or press its letter)", "take"),
    KeyBinding("pick", "help", ("?",), "A choice", "help: the keys", "help"),
    KeyBinding("pick", "back", ("ESC", "Q", "CTRL_C"), "A choice", "cancel", "cancel"),
    KeyBinding("kits", "up", LIST_UP, "A kit", "up"),
    KeyBinding("kits", "down", LIST_DOWN, "A kit", "down"),
    KeyBinding("kits", "take", ("ENTER",), "A kit", "take the marked one (or press its letter)", "take"),
    KeyBinding("kits", "help", ("?",), "A kit", "help: the keys", "help"),
    KeyBinding("kits", "back", ("ESC", "Q", "CTRL_C"), "A kit", "keep the usual kit", "the usual kit"),
    KeyBinding("find", "take", ("ENTER",), "Finding", "travel to the marked one", "travel there"),
    KeyBinding("find", "up", ("UP",), "Finding", "up", "select"),
    KeyBinding("find", "down", ("DOWN",), "Finding", "down", "select"),
    KeyBinding("find", "page up", ("PGUP",), "Finding", "a page up"),
    KeyBinding("find", "page down", ("PGDN",), "Finding", "a page down"),
    *editing_rows("find"),
    KeyBinding("find", "help", ("?",), "Finding", "help: the keys", "help"),
    KeyBinding("find", "back", ("ESC", "CTRL_C"), "Finding", "back to the game", "back"),
    KeyBinding("help", "up", ("UP",), "Help", "scroll up", "scroll"),
    KeyBinding("help", "down", ("DOWN",), "Help", "scroll down", "scroll"),
    KeyBinding("help", "page up", ("PGUP",), "Help", "a page up"),
    KeyBinding("help", "page down", ("PGDN", " "), "Help", "a page down"),
    *editing_rows("help"),
    KeyBinding("help", "back", ("ESC", "ENTER", "CTRL_C"), "Help", "back", "back"),
    KeyBinding("history", "up", UP, "Log", "one line up", "scroll"),
    KeyBinding("history", "down", DOWN, "Log", "one line down", "scroll"),
    KeyBinding("history", "filter", ("f", "TAB"), "Log", "show another kind of lines", "kind"),
    KeyBinding("history", "page up", ("PGUP", "b", "KP_9"), "Log", "a page up", "page"),
    KeyBinding("history", "page down", ("PGDN", " ", "KP_3"), "Log", "a page down", "page"),
    KeyBinding("history", "first", ("HOME", "g", "KP_7"), "Log", "to the beginning", "beginning"),
    KeyBinding("history", "last", ("END", "G", "KP_1"), "Log", "to the end", "end"),
    KeyBinding("history", "ignore", ("I",), "Log", "ignore the last speaker in view"),
    KeyBinding("history", "block", ("B",), "Log", "block the last speaker in view"),
    KeyBinding("history", "report", ("R",), "Log", "report the last speaker in view to the host"),
    KeyBinding("history", "help", ("?",), "Log", "help: the keys", "help"),
    KeyBinding("history", "back", ("ESC", "m", "Q", "ENTER", "CTRL_C"), "Log", "back to the game", "back"),
    *_pages("sheet", "Character", "@"),
    KeyBinding("sheet", "dump", ("D",), "Character", "write this life into a file, as text and JSON", "dump"),
    *_pages("chronicle", "Chronicle", "V"),
    KeyBinding("say", "send", ("ENTER",), "Saying", "say it", "say it"),
    *editing_rows("say"),
    KeyBinding("say", "former", ("UP",), "Saying", "the line before, of those that you said"),
    KeyBinding("say", "later", ("DOWN",), "Saying", "the line after, back to your own"),
    KeyBinding(
        "say", "complete", ("TAB",), "Saying", "complete a name or a command; again: the next", "name"
    ),
    KeyBinding("say", "back", ("ESC", "CTRL_C"), "Saying", "say nothing", "say nothing"),
    KeyBinding("choose", "up", UP, "Choosing", "up"),
    KeyBinding("choose", "down", DOWN, "Choosing", "down"),
    KeyBinding("choose", "take", ("ENTER",), "Choosing", "take the marked one (or press its letter)", "take"),
    KeyBinding("choose", "help", ("?",), "Choosing", "help: the keys", "help"),
    KeyBinding("choose", "back", ("ESC", "+", "Q", "CTRL_C"), "Choosing", "choose later", "later"),
    KeyBinding("inventory", "up", LIST_UP, "Inventory", "up"),
    KeyBinding("inventory", "down", LIST_DOWN, "Inventory", "down"),
    KeyBinding("inventory", "take", ("ENTER",), "Inventory", "describe the marked item", "describe"),
    KeyBinding("inventory", "help", ("?",), "Inventory", "help: the keys", "help"),
    KeyBinding("inventory", "back", ("ESC", "Q", "CTRL_C"), "Inventory", "back to the game", "back"),
    KeyBinding("examine", "up", LIST_UP, "An item", "the previous item", "previous"),
    KeyBinding("examine", "down", LIST_DOWN, "An item", "the next item", "next"),
    KeyBinding("examine", "help", ("?",), "An item", "help: the keys", "help"),
    KeyBinding("examine", "back", ("ESC", "ENTER", "Q", "CTRL_C"), "An item", "back to the list", "back"),
    KeyBinding("spells", "up", LIST_UP, "Spells", "up"),
    KeyBinding("spells", "down", LIST_DOWN, "Spells", "down"),
    KeyBinding("spells", "take", ("ENTER",), "Spells", "cast the marked one (or press its letter)", "cast"),
    KeyBinding("spells", "help", ("?",), "Spells", "help: the keys", "help"),
    KeyBinding("spells", "back", ("ESC", "Q", "CTRL_C"), "Spells", "cast nothing", "back"),
    KeyBinding("things", "up", LIST_UP, "A list of items", "up"),
    KeyBinding("things", "down", LIST_DOWN, "A list of items", "down"),
    KeyBinding(
        "things", "take", ("ENTER",), "A list of items", "take the marked one (or press its letter)", "take"
    ),
    KeyBinding("things", "help", ("?",), "A list of items", "help: the keys", "help"),
    KeyBinding("things", "back", ("ESC", "Q", "CTRL_C"), "A list of items", "back to the game", "back"),
    KeyBinding("pile", "up", LIST_UP, "Picking up", "up"),
    KeyBinding("pile", "down", LIST_DOWN, "Picking up", "down"),
    KeyBinding(
        "pile", "toggle", (" ",), "Picking up", "select the marked one or not (or press its letter)", "marked"
    ),
    KeyBinding("pile", "all", (",",), "Picking up", "select all or none", "all"),
    KeyBinding("pile", "take", ("ENTER",), "Picking up", "pick up what is selected", "pick up"),
    KeyBinding("pile", "help", ("?",), "Picking up", "help: the keys", "help"),
    KeyBinding("pile", "back", ("ESC", "Q", "CTRL_C"), "Picking up", "pick up nothing", "cancel"),
    KeyBinding("menu", "up", UP, "Menu", "up", "select"),
    KeyBinding("menu", "down", DOWN, "Menu", "down", "select"),
    KeyBinding("menu", "take", ("ENTER",), "Menu", "do the marked one (or press its own key)", "do it"),
    KeyBinding("menu", "help", ("?",), "Menu", "help: the keys", "help"),
    KeyBinding("menu", "back", ("ESC", "CTRL_C"), "Menu", "back to the game", "back"),
    *SESSION_ROWS,
    *PARTY_ROWS,
    *TRADE_ROWS,
)


@lru_cache(maxsize=256)
def table(choice: KeyChoice) -> tuple[KeyBinding, ...]:
    """Return every row of the key table under a preset, or with keys of the player's own."""
    if not isinstance(choice, str):
        return apply_own(table(choice.preset), choice)
    steps = [row for state in _MOVES for row in _ways(state, choice)]
    acting = [_beside_walking(row, choice) for row in _ROWS]
    uses = [
        row._replace(state="examine", section="An item") for row in acting if (row.state, row.intent) in _USES
    ]
    return (*steps, *acting, *uses)


@lru_cache(maxsize=4_096)
def rows(choice: KeyChoice, state: str) -> tuple[KeyBinding, ...]:
    """Return the rows of one state of the screen."""
    return tuple(row for row in table(choice) if row.state == state)


def walking_words(choice: KeyChoice) -> tuple[str, str]:
    """Return the letters for walking and for running, as they follow "arrows" in a sentence."""
    steps, runs = (walking_letters(rows(choice, "play"), verb) for verb in ("step", "run"))
    if preset_of(choice) == "wasd" and steps[:4] == "aswd":
        return ", wasd or hjklyubn", f" or {runs}"  # the letters of vi still walk
    return (f" or {steps}" if steps else ""), (f" or {runs}" if runs else "")


def intent(choice: KeyChoice, state: str, key: str) -> str | None:
    """Return the intent of a key in a state, or None if it has none."""
    return _dispatch(choice, state).get(key)


@cache
def command_of(wish: str) -> AnyCommand | None:
    """Return the command that an intent of play always sends.

    None if it asks a question or needs the model first.
    """
    return next((row.command for row in _ROWS if (row.state, row.intent) == ("play", wish)), None)


def key_for(choice: KeyChoice, state: str, wish: str) -> str:
    """Return the first key of an intent in readable form."""
    return next(key_label(row.keys[0]) for row in rows(choice, state) if row.intent == wish)


def hints(choice: KeyChoice, state: str, wishes: Iterable[str] | None = None) -> list[tuple[str, str]]:
    """Return (key, word) pairs for the bottom line: of these intents, or all with a word; equal words share a pair."""
    return list(_hints(choice, state, None if wishes is None else tuple(wishes)))


@lru_cache(maxsize=1_024)
def _hints(choice: KeyChoice, state: str, wishes: tuple[str, ...] | None) -> tuple[tuple[str, str], ...]:
    known = {row.intent: row for row in rows(choice, state) if row.short}
    chosen = known.values() if wishes is None else [known[wish] for wish in wishes]
    keys: dict[str, list[str]] = {}
    for row in chosen:
        keys.setdefault(row.short, []).append(key_label(row.keys[0]))
    return tuple(("/".join(labels), word) for word, labels in keys.items())


def key_label(key: str) -> str:
    """Return a key in readable form: UP as Up, KP_7 as Keypad 7, CTRL_C as Ctrl-C."""
    if len(key) == 1:
        return "Space" if key == " " else key
    if key.startswith("KP_"):
        return f"Keypad {key[3:]}"
    words = {"PGUP": "PgUp", "PGDN": "PgDn"}
    return "-".join(words.get(part, part.capitalize()) for part in key.split("_"))


@lru_cache(maxsize=4_096)
def _dispatch(choice: KeyChoice, state: str) -> dict[str, str]:
    return {key: row.intent for row in rows(choice, state) for key in row.keys}


def _beside_walking(row: KeyBinding, preset: str) -> KeyBinding:
    """Return a row of play with capitals in place of the letters for walking under this preset."""
    if preset != "wasd" or row.state != "play":
        return row
    walking = _WASD_KEYS.values()
    capitals = {key.upper() for key in walking}
    return row._replace(
        keys=tuple(key.upper() if key in walking else key for key in row.keys if key not in capitals)
    )


def _ways(state: str, preset: str) -> Iterable[KeyBinding]:
    moves = _MOVES[state]
    for way in _WAYS:
        keys = tuple(key for key in _STEP_KEYS[way] if key not in moves.taken)
        if preset == "wasd" and way in _WASD_KEYS:
            keys = (_WASD_KEYS[way], *keys)
        short = "step" if state == "play" else ""
        yield KeyBinding(state, f"step {way}", keys, "Moving", moves.step.format(way), short)
    for way in _WAYS if moves.run else ():
        yield KeyBinding(state, f"run {way}", _RUN_KEYS[way], "Running", moves.run.format(way))
