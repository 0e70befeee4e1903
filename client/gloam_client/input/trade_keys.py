"""The rows of the key table for a trade. Data only; the letters of the list choose items."""

from typing import Final

from gloam_client.input.key_binding import LIST_DOWN, LIST_UP, KeyBinding

_SECTION: Final = "Trading"
TRADE_ROWS: Final = (
    KeyBinding("trade", "up", LIST_UP, _SECTION, "up"),
    KeyBinding("trade", "down", LIST_DOWN, _SECTION, "down"),
    KeyBinding(
        "trade", "toggle", (" ",), _SECTION, "give all of the marked item, or none (or press its letter)"
    ),
    KeyBinding("trade", "more", ("+", "RIGHT", "KP_6"), _SECTION, "give one more of it", "number"),
    KeyBinding("trade", "fewer", ("-", "LEFT", "KP_4"), _SECTION, "give one fewer of it", "number"),
    KeyBinding("trade", "take", ("ENTER",), _SECTION, "confirm exactly this offer", "confirm"),
    KeyBinding("trade", "later", ("$",), _SECTION, "back to the game; the trade stays open", "close"),
    KeyBinding("trade", "help", ("?",), _SECTION, "help: the keys", "help"),
    KeyBinding("trade", "back", ("ESC", "Q", "CTRL_C"), _SECTION, "end the trade", "end it"),
)
