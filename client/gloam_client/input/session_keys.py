"""The rows of the key table for the screens around the game: title, questions, options, death, watching. Data only."""

from typing import Final

from gloam_client.input.key_binding import DOWN, LIST_DOWN, LIST_UP, UP, KeyBinding

SESSION_ROWS: Final = (
    KeyBinding("title", "begin", ("ENTER",), "Title", "take the marked line under this name", "take"),
    KeyBinding("title", "up", ("UP",), "Title", "up", "select"),
    KeyBinding("title", "down", ("DOWN",), "Title", "down", "select"),
    KeyBinding("title", "erase", ("BACKSPACE", "DELETE"), "Title", "erase a letter of the name", "erase"),
    KeyBinding("title", "clear", ("CTRL_U",), "Title", "erase the whole name"),
    KeyBinding("title", "help", ("?",), "Title", "help: the keys", "help"),
    KeyBinding("title", "quit", ("ESC", "CTRL_C"), "Title", "leave", "leave"),
    KeyBinding("secret", "send", ("ENTER",), "Password", "send it", "send it"),
    KeyBinding("secret", "erase", ("BACKSPACE", "DELETE"), "Password", "erase a letter", "erase"),
    KeyBinding("secret", "clear", ("CTRL_U",), "Password", "erase the line"),
    KeyBinding("secret", "back", ("ESC", "CTRL_C"), "Password", "go without", "go without"),
    KeyBinding("options", "up", UP, "Options", "up", "select"),
    KeyBinding("options", "down", DOWN, "Options", "down", "select"),
    KeyBinding(
        "options", "next", ("RIGHT", "ENTER", " ", "l", "KP_6"), "Options", "the next value", "change"
    ),
    KeyBinding("options", "previous", ("LEFT", "h", "KP_4"), "Options", "the previous value"),
    KeyBinding("options", "help", ("?",), "Options", "help: the keys", "help"),
    KeyBinding("options", "back", ("ESC", "O", "Q", "CTRL_C"), "Options", "back to the game", "back"),
    KeyBinding("quit", "yes", ("y", "Y", "CTRL_C"), "Quitting", "quit", "quit"),
    KeyBinding("quit", "stop", ("s", "S"), "Quitting", "quit and stop your private server for all players"),
    KeyBinding("quit", "help", ("?",), "Quitting", "help: the keys", "help"),
    KeyBinding("quit", "back", ("ESC", "ENTER", "n", "N", "Q"), "Quitting", "stay", "stay"),
    KeyBinding("leaving", "help", ("?",), "Leaving", "help: the keys", "help"),
    KeyBinding(
        "leaving", "back", ("ESC", "CTRL_C"), "Leaving", "leave without waiting for the password", "leave now"
    ),
    KeyBinding("stopped", "again", ("ENTER",), "Stopped", "start your private server again", "start again"),
    KeyBinding("stopped", "quit", ("Q", "CTRL_C"), "Stopped", "leave the game", "leave"),
    KeyBinding("stopped", "help", ("?",), "Stopped", "help: the keys", "help"),
    KeyBinding(
        "dead", "again", ("ENTER",), "Death", "begin a new life, with the marked keepsake", "new life"
    ),
    KeyBinding("dead", "join", ("G",), "Death", "begin that life beside a friend", "beside a friend"),
    KeyBinding("dead", "quit", ("Q", "CTRL_C"), "Death", "quit (asks first)", "quit"),
    KeyBinding("dead", "up", LIST_UP, "Death", "the previous keepsake"),
    KeyBinding("dead", "down", LIST_DOWN, "Death", "the next keepsake"),
    KeyBinding("dead", "nothing", ("-",), "Death", "take no keepsake along"),
    KeyBinding(
        "dead", "turn", ("TAB", "RIGHT"), "Death", "turn the page: the end, the life, the place", "page"
    ),
    KeyBinding("dead", "dump", ("D",), "Death", "write this life into a file, as text and JSON", "dump"),
    KeyBinding("dead", "history", ("m",), "Death", "read the log", "log"),
    KeyBinding("dead", "say", (":",), "Death", "say something to all players", "say"),
    KeyBinding("dead", "help", ("?",), "Death", "help: the keys", "help"),
    KeyBinding("dead", "ladder", ("#",), "Death", "the ladder: the best lives of this server", "ladder"),
    KeyBinding("dead", "watch", ("W",), "Death", "watch other players", "watch"),
    KeyBinding("watch list", "up", UP, "Watching", "up", "select"),
    KeyBinding("watch list", "down", DOWN, "Watching", "down", "select"),
    KeyBinding("watch list", "take", ("ENTER",), "Watching", "watch the marked player", "watch"),
    KeyBinding("watch list", "again", ("r",), "Watching", "ask for the list again", "refresh"),
    KeyBinding("watch list", "help", ("?",), "Watching", "help: the keys", "help"),
    KeyBinding("watch list", "back", ("ESC", "Q", "CTRL_C"), "Watching", "stop watching", "back"),
    KeyBinding("watching", "next", ("TAB", "+"), "Watching", "watch the next player", "next player"),
    KeyBinding("watching", "history", ("m",), "Watching", "read the log", "log"),
    KeyBinding("watching", "help", ("?",), "Watching", "help: the keys", "help"),
    KeyBinding("watching", "back", ("ESC", "Q", "CTRL_C"), "Watching", "back to the list", "back"),
    KeyBinding("watchers", "up", UP, "Your watchers", "up", "select"),
    KeyBinding("watchers", "down", DOWN, "Your watchers", "down", "select"),
    KeyBinding(
        "watchers", "take", ("ENTER",), "Your watchers", "end the watching of the marked one", "end it"
    ),
    KeyBinding("watchers", "help", ("?",), "Your watchers", "help: the keys", "help"),
    KeyBinding(
        "watchers", "back", ("ESC", "Q", "CTRL_E", "CTRL_C"), "Your watchers", "back to the game", "back"
    ),
    KeyBinding("ladder", "next span", ("RIGHT", "l", "KP_6"), "Ladder", "the next span of time", "span"),
    KeyBinding("ladder", "previous span", ("LEFT", "h", "KP_4"), "Ladder", "the previous span of time"),
    KeyBinding("ladder", "next order", ("TAB",), "Ladder", "rank by the next number", "order"),
    KeyBinding("ladder", "previous order", ("SHIFT_TAB",), "Ladder", "rank by the previous number"),
    KeyBinding("ladder", "up", UP, "Ladder", "up", "scroll"),
    KeyBinding("ladder", "down", DOWN, "Ladder", "down", "scroll"),
    KeyBinding("ladder", "page up", ("PGUP", "b", "KP_9"), "Ladder", "a page up"),
    KeyBinding("ladder", "page down", ("PGDN", " ", "KP_3"), "Ladder", "a page down"),
    KeyBinding("ladder", "again", ("r",), "Ladder", "ask again", "refresh"),
    KeyBinding("ladder", "help", ("?",), "Ladder", "help: the keys", "help"),
    KeyBinding("ladder", "back", ("ESC", "ENTER", "#", "Q", "CTRL_C"), "Ladder", "back", "back"),
    KeyBinding("worlds", "up", UP, "Your worlds", "up", "select"),
    KeyBinding("worlds", "down", DOWN, "Your worlds", "down", "select"),
    KeyBinding("worlds", "take", ("ENTER",), "Your worlds", "play in the marked one", "play"),
    KeyBinding("worlds", "delete", ("D",), "Your worlds", "delete the marked one (asks first)", "delete"),
    KeyBinding("worlds", "erase", ("BACKSPACE", "DELETE"), "Your worlds", "erase a digit of the seed"),
    KeyBinding("worlds", "help", ("?",), "Your worlds", "help: the keys", "help"),
    KeyBinding("worlds", "back", ("ESC", "Q", "CTRL_C"), "Your worlds", "back to the title", "back"),
    KeyBinding("servers", "up", ("UP",), "Servers", "up", "select"),
    KeyBinding("servers", "down", ("DOWN",), "Servers", "down", "select"),
    KeyBinding("servers", "take", ("ENTER",), "Servers", "go there", "go"),
    KeyBinding("servers", "again", ("CTRL_R",), "Servers", "ask the servers again", "refresh"),
    KeyBinding("servers", "erase", ("BACKSPACE", "DELETE"), "Servers", "erase a letter"),
    KeyBinding("servers", "clear", ("CTRL_U",), "Servers", "erase the line"),
    KeyBinding("servers", "help", ("?",), "Servers", "help: the keys", "help"),
    KeyBinding("servers", "back", ("ESC", "CTRL_C"), "Servers", "back to the title", "back"),
    KeyBinding("friends", "begin", ("ENTER",), "Friends", "begin to play", "play"),
    KeyBinding("friends", "help", ("?",), "Friends", "help: the keys", "help"),
    KeyBinding("friends", "back", ("ESC", "Q", "CTRL_C"), "Friends", "back to the title", "back"),
)
