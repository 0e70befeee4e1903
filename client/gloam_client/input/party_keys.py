"""The rows of the key table for the screen of the party. Data only."""

from typing import Final

from gloam_client.input.key_binding import DOWN, UP, KeyBinding

PARTY_ROWS: Final = (
    KeyBinding("party", "up", UP, "Party", "up", "select"),
    KeyBinding("party", "down", DOWN, "Party", "down", "select"),
    KeyBinding("party", "take", ("ENTER",), "Party", "join by the marked invite", "join"),
    KeyBinding("party", "decline", ("x", "-"), "Party", "decline the marked invite", "decline"),
    KeyBinding("party", "invite", ("i",), "Party", "invite a player", "invite"),
    KeyBinding("party", "share", ("m",), "Party", "share maps and your place, or do not", "maps"),
    KeyBinding("party", "patience", ("p",), "Party", "how long turns of the party should wait", "patience"),
    KeyBinding("party", "lead", ("l",), "Party", "let the marked member lead", "lead"),
    KeyBinding("party", "send away", ("D",), "Party", "send the marked member away", "send away"),
    KeyBinding("party", "leave", ("L",), "Party", "leave the party", "leave"),
    KeyBinding("party", "help", ("?",), "Party", "help: the keys", "help"),
    KeyBinding("party", "back", ("ESC", "F", "Q", "CTRL_C"), "Party", "back to the game", "back"),
)
