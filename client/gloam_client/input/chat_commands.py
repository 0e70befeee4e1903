"""The commands of the chat line with their help. Data only; a test compares it with what the line carries out."""

from typing import Final

CHAT_COMMANDS: Final = (
    ("/me DEED", "tell all what you do: /me waves"),
    ("/p TEXT", "say something to your party"),
    ("/w NAME TEXT", "whisper to one player (also /tell)"),
    ("/r TEXT", "answer the last whisper"),
    ("/ignore NAME", "hide a player's words; without a name, your lists"),
    ("/unignore NAME", "hear that player again"),
    ("/block NAME", "hide all of a player: words, pings, invites, duels, trades"),
    ("/unblock NAME", "the same as /unignore"),
    ("/report NAME WHY", "send the last 50 lines that you read to the host"),
    ("/log KIND", "read the log of one kind: talk, party, whispers, fights, news"),
    ("/who", "list the players, where they are and how they are"),
    ("/away", "mark yourself as away"),
    ("/duel NAME", "agree to a duel; /peace NAME takes it back"),
    ("/trade NAME", "trade with a player beside you"),
    ("/party", "your party: its members, invites and choices"),
    ("/invite NAME", "invite a player to your party"),
    ("/join NAME", "join by that player's invite; without a name, by the newest (also /decline)"),
    ("/leave", "leave the party; with a name, its leader sends that member away"),
    ("/lead NAME", "let a member lead; without a name, lead in place of a leader who is gone"),
    ("/share off", "share no maps with the party; /share on does"),
    ("/patience WORD", "how long turns of the party wait: normal, patient or very patient"),
    ("/password", "set or change your password"),
    ("/link", "in a browser: a link of your own, by which you play on any device"),
    ("/quit", "leave the game"),
)
"""Each command as it is typed, and what it does."""
