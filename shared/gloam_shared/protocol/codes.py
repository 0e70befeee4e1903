"""Codes: the closed lists of words that distinguish answers, errors and endings for programs, each with its meaning.

For the type checker a message's code is one of these lists; on the wire it is text, since a newer server may send more.
"""

from typing import Final, Literal, TypeAlias

EndCode: TypeAlias = Literal["ended", "explored", "foe"]
"""The codes of an `Answer` that ends a plan."""

AnswerCode: TypeAlias = (
    EndCode | Literal["done", "replaced", "cannot", "gone", "rock", "hungry", "state", "choice"]
)
"""The codes of `Answer`."""

RefusalCode: TypeAlias = Literal[
    "gone", "rock", "hungry", "state", "choice",
    "no_body", "fault", "full", "no_digging", "no_aim", "unseen", "out_of_range", "no_room", "no_target", "friend",
    "grace", "agreed", "not_agreed", "foes_near", "rested", "too_hungry", "hurt",
    "no_direction", "impassable", "undiggable", "no_rock", "occupied", "held", "no_door", "cannot_open", "obstructed",
    "no_stairs", "no_exit", "no_round", "no_weapon", "afraid", "own_cell", "no_line",
    "unknown_spell", "silenced", "too_little_mana",
    "not_here", "fixed", "bound", "friend_full", "wrong_kind", "already", "no_hunger", "no_command",
    "trading", "turned_down", "asked", "slow", "down", "no_means",
]  # fmt: skip
"""The reason why a command is refused."""

PlanEndCode: TypeAlias = Literal[
    "ended", "explored", "foe", "hungry", "hurt", "hunger", "far", "blocked", "found", "no_way", "trap",
    "rested", "no_mana", "no_healing", "no_foe", "called",
]  # fmt: skip
"""The reason why a plan is over."""

ReasonCode: TypeAlias = RefusalCode | PlanEndCode
"""The reasons of `Answer`: finer than its code, which every client knows."""

AnswerReason: TypeAlias = ReasonCode | Literal[""]
"""The same, or "" where there is nothing to say."""

FaultCode: TypeAlias = Literal[
    "empty", "too-big", "malformed", "depth", "elements", "utf8", "type", "keys", "range", "unknown"
]
"""The faults that the bytes of a message can have."""

ErrorCode: TypeAlias = Literal[
    "unknown", "range", "rate", "length", "slow", "name", "password", "auth", "expired", "wait", "busy",
    "friend", "watching", "party", "one-life", "replay", "kit", "beacon",
]  # fmt: skip
"""The codes of `Error`: the connection stays open."""

ByeCode: TypeAlias = (
    FaultCode
    | Literal[
        "state", "version", "invite", "full", "busy", "banned", "too-many",
        "rate", "slow", "ack", "replaced", "kicked", "fault", "stopping", "goodbye",
    ]
)  # fmt: skip
"""The codes of `Bye`: the connection ends."""

ANSWERS: Final[dict[AnswerCode, str]] = {
    "done": "`Stop` was carried out, or the number had been answered before",
    "replaced": "a newer command arrived before this one was carried out",
    "ended": "the plan with this number is over; `text` tells the player why, and may be empty",
    "explored": "the same, because nothing that can be reached is left to explore on this level",
    "foe": "the same, because a foe that can hurt begins to hunt the player, or the fight has become dangerous; `text` names it",
    "cannot": "impossible; `text` tells the player why; it cost no time",
    "gone": "the same, because there is nothing in that slot, or no such handle within reach",
    "rock": "the same, because rock is in the way that `Dig` would dig",
    "hungry": "the plan is refused, because the player starves above food that it does not pick up; it cost no time",
    "state": "there is no choice to make now",
    "choice": "that choice is not offered",
}
"""The meaning of each code of `Answer`."""

REASONS: Final[dict[ReasonCode, str]] = {
    "gone": "there is nothing in that slot, or no such handle within reach",
    "rock": "rock is in the way that `Dig` would dig",
    "hungry": "the player starves above food that the plan does not pick up",
    "state": "there is no choice to make now",
    "choice": "that choice is not offered",
    "no_body": "the player has no body in the dungeon",
    "fault": "a fault of the server",
    "full": "the inventory has no room",
    "no_digging": "this body cannot dig through rock",
    "no_aim": "a spell that is aimed needs a cell",
    "unseen": "the cell is out of sight",
    "out_of_range": "the cell is too far away",
    "no_room": "there is no room at the cell",
    "no_target": "no creature to aim at is seen at the cell",
    "friend": "it would harm a friend",
    "grace": "the other has just arrived and cannot be hurt yet",
    "agreed": "the player has agreed to that duel already",
    "not_agreed": "the player has not agreed to that duel",
    "foes_near": "the plan cannot begin while foes are near",
    "rested": "health and mana are full",
    "too_hungry": "the player is too hungry to rest",
    "hurt": "the player is hurt, or too badly hurt for it",
    "no_direction": "the campaign has no steps in that direction",
    "impassable": "there is no way through",
    "undiggable": "that rock can never be dug",
    "no_rock": "there is no rock to dig",
    "occupied": "another creature stands there",
    "held": "the friend there is in danger and holds that place",
    "no_door": "there is no open door",
    "cannot_open": "this body neither opens nor closes doors, or a device keeps that shut",
    "obstructed": "an item lies in the doorway",
    "no_stairs": "there are no such stairs underfoot",
    "no_exit": "no player leaves this dungeon by its way out",
    "no_round": "there is no further round",
    "no_weapon": "the player has nothing to strike or to shoot with",
    "afraid": "the player is too afraid to strike",
    "own_cell": "the cell is the player's own",
    "no_line": "something is in the line of fire",
    "unknown_spell": "the player does not have that spell",
    "silenced": "the player is silenced",
    "too_little_mana": "the spell costs more mana than the player has",
    "not_here": "no such item lies underfoot",
    "fixed": "the item stays where it is",
    "bound": "the item is bound to a life",
    "friend_full": "the friend has no room for the item",
    "wrong_kind": "the item is not made for that",
    "already": "it is wielded or worn already, or there is nothing to take off",
    "no_hunger": "this body does not eat",
    "no_command": "the campaign does not have this command",
    "trading": "the player, or the other, trades with someone else, or cannot trade now",
    "turned_down": "the other has turned the player's last request down, and they have not parted since",
    "asked": "the other has to agree to gifts of the player first, and sees this one as the offer of a trade",
    "slow": "the player has written too much to the journal, and too much waits for it already",
    "down": "the player is down and can only look and speak",
    "no_means": "the player has nothing that lifts a downed friend",
    "ended": "the plan is over, and no finer reason has a word: most often it reached its goal",
    "explored": "nothing that can be reached is left to explore on this level",
    "foe": "a foe that can hurt begins to hunt the player, or the fight has become dangerous",
    "hunger": "food runs low: `FOOD_TURNS` is counted from now on",
    "far": "the plan took as many steps as a plan may",
    "blocked": "something bars the only way",
    "found": "an item or stairs entered view",
    "no_way": "the player knows no way there",
    "trap": "the only way leads over a trap",
    "no_mana": "resting brings no mana back",
    "no_healing": "resting does not heal",
    "no_foe": "there is no foe in sight",
    "called": "another player spoke or called",
}
"""The meaning of each reason of `Answer`."""


ERRORS: Final[dict[ErrorCode, str]] = {
    "unknown": "while playing: an unknown tag, or an unknown word in a `MapPing`; the first two within a minute",
    "range": "while playing: a number, text or bytes beyond the bounds of its field",
    "rate": "too many messages: the first of a flood that was dropped",
    "length": "a line of chat, or a password, that is too long or too short",
    "slow": "chat that is too fast, or the same line in the same channel again within 50 s, or the same ping within 20 s: it reached no player",
    "name": "the name is not permitted, or belongs to another device",
    "password": "the name has a password and does not know this device: ask the player and log in with it",
    "auth": "that name and password, or name and resume token, do not belong together; a name without an owner gets the same",
    "expired": "that conversation was cut more than 10 minutes ago, or has ended: log in",
    "wait": "too many logins, new names, wrong passwords or changes of a password; the text says for how many seconds",
    "busy": "the new password could not be set, or another change of it is under way: try again",
    "friend": "no life can begin beside that friend now; the text says why",
    "kit": "no kit can be chosen now, or not this one; the text says why",
    "beacon": "this life cannot begin at that beacon; the text says why",
    "one-life": "this world has one life, such as a seed of the day, and it is over",
    "party": "a request about a party cannot be carried out; the text says why",
    "replay": "there is no such shared replay, or it cannot be sent; the text says why",
    "watching": "a watcher sent a command or chat, or asked for a player who cannot be watched; the text says which",
}
"""The meaning of each code of `Error`."""

BYES: Final[dict[ByeCode, str]] = {
    "empty": "a frame without a body",
    "too-big": "after `Hello`: a frame longer than it may be; before it the connection is cut without a message",
    "malformed": "no msgpack value, bytes after it, or too many or too few fields",
    "depth": "nested too deep",
    "elements": "too many elements",
    "utf8": "text that is not UTF-8",
    "type": "a value of another type than its field",
    "keys": "a map with a key twice, or with a key that is not text",
    "range": "before the login: a value beyond the bounds of its field",
    "unknown": "before the login: an unknown tag; while playing: the third within a minute",
    "state": "a message at the wrong time",
    "version": "the two sides have no version in common; the text names the side to upgrade",
    "invite": "the realm is private: a new name needs an invite's code",
    "full": "as many players as the dungeon holds, or as many watchers as it takes",
    "busy": "accounts cannot be read now, or too many passwords wait to be checked: try again",
    "banned": "the host keeps this name, or a new name from its device, out; the text says until when",
    "too-many": "too many connections",
    "rate": "a flood of messages that went on for 10 s",
    "slow": "a flood of chat, now or less than 2 minutes ago",
    "ack": "an acknowledgement of a patch that was never sent, or one that goes back",
    "replaced": "a newer login or resume took over",
    "kicked": "the host has sent the player away",
    "fault": "a fault of the server; the text says what it cost and how to go on",
    "stopping": "the server stops; everything is kept",
    "goodbye": "the answer to `Goodbye`",
}
"""The meaning of each code of `Bye`."""
