"""The one key table: the keys of each state of the screen, without the directions. Data only.

Keys are named as `terminal` names them: a character for itself, else words such as UP, SHIFT_UP, ENTER or KP_7. No
command of play sits on HJKLYUBN, which run.
"""

from typing import Final, NamedTuple

from gloam_shared.protocol.commands import AnyCommand, Climb, Fight, Rest, Shout, Wait


class KeyBinding(NamedTuple):
    """One row: in a state of the screen, these keys mean this intent. `short` is its word on the bottom line.

    `command` is what a key of play sends, if that needs no question and no look at the model.
    """

    intent: str
    keys: tuple[str, ...]
    help: str
    short: str = ""
    command: AnyCommand | None = None
    section: str = ""
    """The section of help; "" for the one of its state."""
    state: str = ""


TYPING: Final = "Typing a line"
"""The section of the keys of text fields in help, which shows them once."""
EDITING: Final = tuple(
    row._replace(section=TYPING)
    for row in (
        KeyBinding("erase", ("BACKSPACE",), "erase the letter before the cursor", "erase"),
        KeyBinding("erase next", ("DELETE",), "erase the letter at the cursor"),
        KeyBinding("erase word", ("CTRL_W",), "erase the word before the cursor"),
        KeyBinding("clear", ("CTRL_U",), "erase all before the cursor"),
        KeyBinding("cursor left", ("LEFT",), "a letter to the left"),
        KeyBinding("cursor right", ("RIGHT",), "a letter to the right"),
        KeyBinding("cursor start", ("HOME", "CTRL_A"), "to the start of the line"),
        KeyBinding("cursor end", ("END", "CTRL_E"), "to the end of the line"),
    )
)
"""The keys of every text field."""
_EDITING_UNHINTED: Final = tuple(row._replace(short="") for row in EDITING)
_UP: Final = ("UP", "k", "KP_8")
_DOWN: Final = ("DOWN", "j", "KP_2")
_LIST_UP: Final = ("UP", "KP_8")
_LIST_DOWN: Final = ("DOWN", "KP_2")

_SELECT: Final = (KeyBinding("up", _UP, "up", "select"), KeyBinding("down", _DOWN, "down", "select"))
_ARROWS: Final = (KeyBinding("up", ("UP",), "up", "select"), KeyBinding("down", ("DOWN",), "down", "select"))
_LETTERED: Final = (KeyBinding("up", _LIST_UP, "up"), KeyBinding("down", _LIST_DOWN, "down"))
"""The keys of lists whose letters choose an entry."""
_LINES: Final = (
    KeyBinding("up", _UP, "one line up", "scroll"),
    KeyBinding("down", _DOWN, "one line down", "scroll"),
)
_PAGES: Final = (
    *_LINES,
    KeyBinding("page up", ("PGUP", "b", "KP_9"), "a page up"),
    KeyBinding("page down", ("PGDN", " ", "KP_3"), "a page down", "page"),
)
HELP_WORD: Final = "help"
"""The word on the bottom line of the key that lists all keys."""
_HELP: Final = KeyBinding("help", ("?",), "help: the keys", HELP_WORD)


def _take(words: str, short: str) -> KeyBinding:
    """Return the row of Enter, which takes the marked entry."""
    return KeyBinding("take", ("ENTER",), words, short)


def _ends(words: str, short: str, *keys: str) -> tuple[KeyBinding, KeyBinding]:
    """Return the rows of help and of the way back: by Esc, by these keys, and by Ctrl-C."""
    return _HELP, KeyBinding("back", ("ESC", *keys, "CTRL_C"), words, short)


BEACON_HINT: Final = "at a beacon"
"""The hint of the key to the lit beacons: there is none without any."""

_TABLE: Final[dict[tuple[str, str], tuple[KeyBinding, ...]]] = {
    ("play", "Acting"): (
        KeyBinding("wait", (".", "5", "KP_5"), "let one turn pass", "wait", Wait()),
        KeyBinding("rest", ("R",), "rest until healthy and full of mana", "rest", Rest()),
        KeyBinding("explore", ("o",), "explore: walk to what is unknown", "explore"),
        KeyBinding("fight", ("TAB",), "fight: attack or approach the nearest foe", "fight", Fight()),
        KeyBinding("descend", (">",), "go down these stairs, or travel to the nearest", "down"),
        KeyBinding("ascend", ("<",), "go up these stairs, or travel to the nearest", "up", Climb(down=False)),
        KeyBinding("travel", ("_",), "travel to a cell that you choose", "travel"),
        KeyBinding("friend", ("G",), "go to a friend", "to friend"),
        KeyBinding("choose", ("+",), "choose what a new level brings, or a new life's kit", "choose"),
        KeyBinding("fire", ("f",), "fire what you wield at a foe", "fire"),
        KeyBinding("cast", ("c",), "cast a spell", "cast"),
        KeyBinding("close", ("C",), "close a door (walking into one opens it)", "close"),
        KeyBinding("dig", ("D", "CTRL_D"), "dig into the rock beside you", "dig"),
        KeyBinding("lift", ("M",), "help a downed friend beside you: lift, or drag", "lift"),
        KeyBinding("shout", ("!",), "shout: wakes sleepers near you", "shout", Shout()),
    ),
    ("play", "Items"): (
        KeyBinding(
            "pick up", (",", "g"), "pick up items here (useful ones are picked up automatically)", "pick up"
        ),
        KeyBinding("inventory", ("i",), "inventory: your items; a letter describes one", "items"),
        KeyBinding("drop", ("d",), "drop something", "drop"),
        KeyBinding("eat", ("e",), "eat something: one bite", "eat"),
        KeyBinding("wield", ("w",), "wield or wear something", "wield or wear"),
        KeyBinding("take off", ("T",), "take off what you wield, wear or have on", "take off"),
        KeyBinding("quaff", ("q",), "quaff something", "quaff"),
        KeyBinding("read", ("r",), "read something", "read"),
        KeyBinding("zap", ("z",), "zap a wand", "zap"),
        KeyBinding("put on", ("P",), "put on a ring", "put on"),
        KeyBinding("throw", ("t",), "throw something", "throw"),
        KeyBinding("give", ("v",), "give something to a friend beside you", "give"),
        KeyBinding("trade", ("$",), "trade with a player beside you", "trade"),
        KeyBinding("use", ("a",), "use the prize: end this life in glory, or go on", "use"),
    ),
    ("play", "Looking"): (
        KeyBinding("look", ("x", ";"), "look around: what is that?", "look"),
        KeyBinding("sheet", ("@",), "your character and its numbers", "character"),
        KeyBinding("status", ("s",), "say your status in words", "status"),
        KeyBinding("surroundings", ("X",), "say in words what is around you", "around"),
        KeyBinding("find", ("/",), "find what you have seen, and travel there", "find"),
        KeyBinding("history", ("m",), "read the log from its beginning", "log"),
        KeyBinding("chronicle", ("V",), "the chronicle: names, news and past lives", "chronicle"),
        KeyBinding("ladder", ("#",), "the ladder: the best lives of this server", "ladder"),
    ),
    ("play", "Talking"): (
        KeyBinding("say", (":",), "say something to all players (/ begins a client command)", "say"),
        KeyBinding("call", ("p",), "ping the other players: come, heal me, danger ...", "ping"),
        KeyBinding("party", ("F",), "your party: invite, join, share maps, leave", "party"),
        KeyBinding("watchers", ("CTRL_E",), "who watches you, and how to end it", "watchers"),
    ),
    ("play", "Game"): (
        KeyBinding("menu", ("ENTER",), "menu of every action", "actions"),
        _HELP,
        KeyBinding("options", ("O",), "options: colors, glyphs, bell, keys, play", "options"),
        KeyBinding("quit", ("Q", "CTRL_C"), "quit (asks first)", "quit"),
        KeyBinding("back", ("ESC",), "stop what is under way", "stop"),
        KeyBinding("redraw", ("CTRL_L",), "draw the screen again", "redraw"),
    ),
    ("cursor", "Cursor"): (
        KeyBinding("go", ("ENTER", "_", ".", "5", "KP_5"), "travel to this cell", "travel here"),
        KeyBinding("next", ("TAB", "+"), "jump to the next thing of interest", "next thing"),
        KeyBinding("previous", ("-", "SHIFT_TAB"), "jump to the previous one"),
        KeyBinding("stairs down", (">",), "jump to stairs down that you know", "stairs"),
        KeyBinding("stairs up", ("<",), "jump to stairs up that you know"),
        KeyBinding("self", ("@", "HOME"), "jump back to yourself"),
        KeyBinding("call", ("p",), "ping this cell to the other players", "ping"),
        *_ends("back to the game", "back", "x", ";", "Q"),
    ),
    ("target", "Aiming"): (
        KeyBinding("aim", ("ENTER", ".", "5", "KP_5", "f", "t"), "aim at this cell", "aim here"),
        KeyBinding("next", ("TAB", "+"), "the next creature", "next"),
        KeyBinding("previous", ("-", "SHIFT_TAB"), "the previous creature"),
        KeyBinding("self", ("@", "HOME"), "aim at yourself", "yourself"),
        *_ends("cancel", "cancel", "Q"),
    ),
    ("call", "Pinging"): (
        KeyBinding("come", ("c",), "come here!", "come"),
        KeyBinding("heal", ("h",), "heal me!", "heal me"),
        KeyBinding("danger", ("d",), "danger!", "danger"),
        KeyBinding("mine", ("m",), "that is mine!", "mine"),
        KeyBinding("thanks", ("t",), "thanks!", "thanks"),
        *_ends("cancel", "cancel", "Q"),
    ),
    ("confirm", "A question"): (
        KeyBinding("yes", ("y", "Y"), "yes", "yes"),
        *_ends("no", "no", "ENTER", "n", "N", "Q"),
    ),
    ("direction", "A direction"): _ends("cancel", "cancel", "Q"),
    ("pick", "A choice"): (
        *_LETTERED,
        _take("take the marked one (or press its letter)", "take"),
        *_ends("cancel", "cancel", "Q"),
    ),
    ("kits", "A kit"): (
        *_LETTERED,
        _take("take the marked one (or press its letter)", "take"),
        KeyBinding("beacons", ("TAB",), "choose a lit beacon where this life begins", BEACON_HINT),
        *_ends("keep the usual kit", "the usual kit", "Q"),
    ),
    ("beacons", "A beacon"): (
        *_LETTERED,
        _take("begin at the marked one (or press its letter)", "begin"),
        *_ends("begin at the entrance", "the entrance", "Q"),
    ),
    ("find", "Finding"): (
        _take("travel to the marked one", "travel there"),
        *_ARROWS,
        KeyBinding("page up", ("PGUP",), "a page up"),
        KeyBinding("page down", ("PGDN",), "a page down"),
        *EDITING,
        *_ends("back to the game", "back"),
    ),
    ("help", "Help"): (
        KeyBinding("up", ("UP",), "scroll up", "scroll"),
        KeyBinding("down", ("DOWN",), "scroll down", "scroll"),
        KeyBinding("page up", ("PGUP",), "a page up"),
        KeyBinding("page down", ("PGDN", " "), "a page down"),
        *EDITING,
        KeyBinding("back", ("ESC", "ENTER", "CTRL_C"), "back", "back"),
    ),
    ("history", "Log"): (
        *_LINES,
        KeyBinding("filter", ("f", "TAB"), "show another kind of lines", "kind"),
        KeyBinding("page up", ("PGUP", "b", "KP_9"), "a page up", "page"),
        KeyBinding("page down", ("PGDN", " ", "KP_3"), "a page down", "page"),
        KeyBinding("first", ("HOME", "g", "KP_7"), "to the beginning", "beginning"),
        KeyBinding("last", ("END", "G", "KP_1"), "to the end", "end"),
        KeyBinding("ignore", ("I",), "ignore the last speaker in view"),
        KeyBinding("block", ("B",), "block the last speaker in view"),
        KeyBinding("report", ("R",), "report the last speaker in view to the host"),
        *_ends("back to the game", "back", "m", "Q", "ENTER"),
    ),
    ("sheet", "Character"): (
        *_PAGES,
        *_ends("back to the game", "back", "ENTER", "@", "Q"),
        KeyBinding("dump", ("D",), "write this life into a file, as text and JSON", "dump"),
    ),
    ("chronicle", "Chronicle"): (*_PAGES, *_ends("back to the game", "back", "ENTER", "V", "Q")),
    ("say", "Saying"): (
        KeyBinding("send", ("ENTER",), "say it", "say it"),
        *EDITING,
        KeyBinding("former", ("UP",), "the line before, of those that you said"),
        KeyBinding("later", ("DOWN",), "the line after, back to your own"),
        KeyBinding("complete", ("TAB",), "complete a name or a command; again: the next", "name"),
        KeyBinding("back", ("ESC", "CTRL_C"), "say nothing", "say nothing"),
    ),
    ("choose", "Choosing"): (
        KeyBinding("up", _UP, "up"),
        KeyBinding("down", _DOWN, "down"),
        _take("take the marked one (or press its letter)", "take"),
        *_ends("choose later", "later", "+", "Q"),
    ),
    ("inventory", "Inventory"): (
        *_LETTERED,
        _take("describe the marked item", "describe"),
        *_ends("back to the game", "back", "Q"),
    ),
    ("examine", "An item"): (
        KeyBinding("up", _LIST_UP, "the previous item", "previous"),
        KeyBinding("down", _LIST_DOWN, "the next item", "next"),
        *_ends("back to the list", "back", "ENTER", "Q"),
    ),
    ("spells", "Spells"): (
        *_LETTERED,
        _take("cast the marked one (or press its letter)", "cast"),
        *_ends("cast nothing", "back", "Q"),
    ),
    ("things", "A list of items"): (
        *_LETTERED,
        _take("take the marked one (or press its letter)", "take"),
        *_ends("back to the game", "back", "Q"),
    ),
    ("pile", "Picking up"): (
        *_LETTERED,
        KeyBinding("toggle", (" ",), "select the marked one or not (or press its letter)", "marked"),
        KeyBinding("all", (",",), "select all or none", "all"),
        _take("pick up what is selected", "pick up"),
        *_ends("pick up nothing", "cancel", "Q"),
    ),
    ("menu", "Menu"): (
        *_SELECT,
        _take("do the marked one (or press its own key)", "do it"),
        *_ends("back to the game", "back"),
    ),
    ("title", "Title"): (
        KeyBinding("begin", ("ENTER",), "take the marked line under this name", "take"),
        *_ARROWS,
        *EDITING,
        _HELP,
        KeyBinding("quit", ("ESC", "CTRL_C"), "leave", "leave"),
    ),
    ("secret", "Password"): (
        KeyBinding("send", ("ENTER",), "send it", "send it"),
        *EDITING,
        KeyBinding("back", ("ESC", "CTRL_C"), "go without", "go without"),
    ),
    ("options", "Options"): (
        *_SELECT,
        KeyBinding("next", ("RIGHT", "ENTER", " ", "l", "KP_6"), "the next value", "change"),
        KeyBinding("previous", ("LEFT", "h", "KP_4"), "the previous value"),
        KeyBinding("own keys", ("K",), "give single actions other keys", "own keys"),
        *_ends("back to the game", "back", "O", "Q"),
    ),
    ("own keys", "Your keys"): (
        *_SELECT,
        KeyBinding("page up", ("PGUP", "KP_9"), "a page up"),
        KeyBinding("page down", ("PGDN", " ", "KP_3"), "a page down"),
        _take("give the marked action a new key", "new key"),
        KeyBinding("reset", ("DELETE", "BACKSPACE"), "all keys as in the preset (asks)", "reset all"),
        *_ends("back to the options", "back", "Q"),
    ),
    ("new key", "A new key"): _ends("keep the key as it is", "keep it"),
    ("quit", "Quitting"): (
        KeyBinding("yes", ("y", "Y", "CTRL_C"), "quit", "quit"),
        KeyBinding("stop", ("s", "S"), "quit and stop your private server for all players"),
        _HELP,
        KeyBinding("back", ("ESC", "ENTER", "n", "N", "Q"), "stay", "stay"),
    ),
    ("keep name", "Keeping your name"): (
        KeyBinding("link", ("l",), "a link of your own, in place of one that you have", "a link"),
        KeyBinding("password", ("p",), "a password", "a password"),
        *_ends("go on without", "not now"),
    ),
    ("leaving", "Leaving"): _ends("leave without waiting for the password", "leave now"),
    ("stopped", "Stopped"): (
        KeyBinding("again", ("ENTER",), "start your private server again", "start again"),
        KeyBinding("quit", ("Q", "CTRL_C"), "leave the game", "leave"),
        _HELP,
    ),
    ("dead", "Death"): (
        KeyBinding("again", ("ENTER",), "begin a new life, with the marked keepsake", "new life"),
        KeyBinding("join", ("G",), "begin that life beside a friend", "beside a friend"),
        KeyBinding("quit", ("Q", "CTRL_C"), "quit (asks first)", "quit"),
        KeyBinding("up", _LIST_UP, "the previous keepsake"),
        KeyBinding("down", _LIST_DOWN, "the next keepsake"),
        KeyBinding("nothing", ("-",), "take no keepsake along"),
        KeyBinding("turn", ("TAB", "RIGHT"), "turn the page: the end, the life, the place", "page"),
        KeyBinding("dump", ("D",), "write this life into a file, as text and JSON", "dump"),
        KeyBinding("history", ("m",), "read the log", "log"),
        KeyBinding("say", (":",), "say something to all players", "say"),
        _HELP,
        KeyBinding("ladder", ("#",), "the ladder: the best lives of this server", "ladder"),
        KeyBinding("watch", ("W",), "watch other players", "watch"),
    ),
    ("watch list", "Watching"): (
        *_SELECT,
        _take("watch the marked player", "watch"),
        KeyBinding("again", ("r",), "ask for the list again", "refresh"),
        *_ends("stop watching", "back", "Q"),
    ),
    ("watching", "Watching"): (
        KeyBinding("next", ("TAB", "+"), "watch the next player", "next player"),
        KeyBinding("history", ("m",), "read the log", "log"),
        *_ends("back to the list", "back", "Q"),
    ),
    ("watchers", "Your watchers"): (
        *_SELECT,
        _take("end the watching of the marked one", "end it"),
        *_ends("back to the game", "back", "Q", "CTRL_E"),
    ),
    ("ladder", "Ladder"): (
        KeyBinding("next span", ("RIGHT", "l", "KP_6"), "the next span of time", "span"),
        KeyBinding("previous span", ("LEFT", "h", "KP_4"), "the previous span of time"),
        KeyBinding("next order", ("TAB",), "rank by the next number", "order"),
        KeyBinding("previous order", ("SHIFT_TAB",), "rank by the previous number"),
        KeyBinding("up", _UP, "up", "scroll"),
        KeyBinding("down", _DOWN, "down", "scroll"),
        KeyBinding("page up", ("PGUP", "b", "KP_9"), "a page up"),
        KeyBinding("page down", ("PGDN", " ", "KP_3"), "a page down"),
        KeyBinding("again", ("r",), "ask again", "refresh"),
        *_ends("back", "back", "ENTER", "#", "Q"),
    ),
    ("replays", "Replays"): (
        *_SELECT,
        _take("play the marked one", "play"),
        KeyBinding("delete", ("D",), "delete the marked one (asks first)", "delete"),
        *_ends("back to the title", "back", "Q"),
    ),
    ("replay", "A replay"): (
        KeyBinding("pause", (" ",), "pause, and go on", "pause"),
        KeyBinding("back", ("ESC", "Q", "CTRL_C"), "leave the replay", "leave"),
        KeyBinding("faster", ("+", "="), "play faster", "faster"),
        KeyBinding("slower", ("-",), "play more slowly", "slower"),
        KeyBinding("turn on", ("RIGHT", "l"), "one turn on", "a turn"),
        KeyBinding("turn back", ("LEFT", "h"), "one turn back"),
        KeyBinding("next", ("n",), "the next event: a death, a level, a depth, a named kill", "event"),
        KeyBinding("previous", ("p",), "the event before"),
        KeyBinding("go", ("g",), "go to a turn by its number", "go to"),
        KeyBinding("ten on", ("UP", "k"), "ten turns on"),
        KeyBinding("ten back", ("DOWN", "j"), "ten turns back"),
        KeyBinding("page down", ("PGDN",), "a hundred turns on"),
        KeyBinding("page up", ("PGUP",), "a hundred turns back"),
        KeyBinding("first", ("HOME",), "to the beginning"),
        KeyBinding("last", ("END",), "to the end"),
        _HELP,
    ),
    ("worlds", "Your worlds"): (
        *_SELECT,
        _take("play in the marked one", "play"),
        KeyBinding("delete", ("D",), "delete the marked one (asks first)", "delete"),
        *_EDITING_UNHINTED,
        *_ends("back to the title", "back", "Q"),
    ),
    ("servers", "Servers"): (
        *_ARROWS,
        _take("go there", "go"),
        KeyBinding("again", ("CTRL_R",), "ask the servers again", "refresh"),
        *_EDITING_UNHINTED,
        *_ends("back to the title", "back"),
    ),
    ("dungeons", "Dungeons of a host"): (
        *_LETTERED,
        _take("go into the marked one (or press its letter)", "go"),
        KeyBinding("ladder", ("#",), "the ladder of the marked one", "ladder"),
        KeyBinding("again", ("CTRL_R",), "ask the host again", "refresh"),
        *_ends("back", "back"),
    ),
    ("ladder places", "Ladders"): (
        *_SELECT,
        _take("show the marked ladder", "show"),
        *_ends("back to the title", "back", "Q"),
    ),
    ("daily", "Seeds of the day"): (*_LINES, *_ends("back", "back", "ENTER", "Q")),
    ("friends", "Friends"): (
        KeyBinding("begin", ("ENTER",), "begin to play", "play"),
        *_ends("back to the title", "back", "Q"),
    ),
    ("party", "Party"): (
        *_SELECT,
        _take("join by the marked invite", "join"),
        KeyBinding("decline", ("x", "-"), "decline the marked invite", "decline"),
        KeyBinding("invite", ("i",), "invite a player", "invite"),
        KeyBinding("share", ("m",), "share maps and your place, or do not", "maps"),
        KeyBinding("patience", ("p",), "how long turns of the party should wait", "patience"),
        KeyBinding("lead", ("l",), "let the marked member lead", "lead"),
        KeyBinding("send away", ("D",), "send the marked member away", "send away"),
        KeyBinding("leave", ("L",), "leave the party", "leave"),
        *_ends("back to the game", "back", "F", "Q"),
    ),
    ("trade", "Trading"): (
        *_LETTERED,
        KeyBinding("toggle", (" ",), "give all of the marked item, or none (or press its letter)"),
        KeyBinding("more", ("+", "RIGHT", "KP_6"), "give one more of it", "number"),
        KeyBinding("fewer", ("-", "LEFT", "KP_4"), "give one fewer of it", "number"),
        _take("confirm exactly this offer", "confirm"),
        KeyBinding("later", ("$",), "back to the game; the trade stays open", "close"),
        *_ends("end the trade", "end it", "Q"),
    ),
}
"""The rows of each state of the screen and section of help."""

ROWS: Final = tuple(
    row._replace(state=state, section=row.section or section)
    for (state, section), rows in _TABLE.items()
    for row in rows
)
"""The whole table."""
