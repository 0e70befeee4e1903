"""Beginning beside a friend: whether the server offers it, and beside which friend (rule F92)."""

from typing import Final

from msgspec.structs import replace

from gloam_client.state.client_effects import ClientEffect, RememberChoice, SendMessage
from gloam_client.state.model import Model
from gloam_shared.protocol.messages.lives import JoinFriend
from gloam_shared.view.view import Friend, Stat

_ABILITY: Final = "beside"
_ASKED: Final = "asked for a friend's side"
"""The key under which the newest request is remembered: its life, the depth to go to, and the turn in which it was
sent."""
_WENT: Final = "went to a friend's side"
"""The key under which a life that has gone to a friend is remembered: it does so once."""
_PATIENCE_TURNS: Final = 5
"""The number of commands after a request without effect before another way to the friend is tried first."""


def friend_to_join(model: Model) -> Friend | None:
    """Return the friend for a life beside them: the deepest of the party, else of all; None without one or the ability.

    Whether that friend allows it, only the server knows: it takes the next who does, or says no.
    """
    if _ABILITY not in model.world.abilities:
        return None
    own = [
        replace(friend, depth=member.depth, level=member.level)  # the news of the party go on after a death
        for friend in model.friends
        if (member := model.company.party.member(friend.name)) is not None and member.depth
    ]
    return max(
        own or model.friends, key=lambda friend: (friend.depth, friend.level, friend.name), default=None
    )


def can_go_at_once(model: Model, friend: Friend) -> bool:
    """Return whether the player can ask to go to a friend on another level right now: a life on level 1, once."""
    return (
        _ABILITY in model.world.abilities
        and model.in_dungeon
        and model.fact(Stat.LEVEL) == 1
        and model.memory.choices.get(_WENT) != str(model.login.life)
        and friend.depth != model.view.place.depth
    )


def has_just_asked(model: Model) -> bool:
    """Return whether the server was asked a few commands ago at most, and the player still stands here: it said no."""
    life, _, turn = _asked(model)
    return life == model.login.life and model.turn - turn < _PATIENCE_TURNS


def ask_to_join(model: Model, friend: Friend) -> tuple[ClientEffect, ...]:
    """Return the effects that ask the server. A refusal, such as that the friend is in danger, ends nothing."""
    asked = f"{model.login.life} {friend.depth} {model.turn}"
    return (SendMessage(JoinFriend(model.login.life, None, friend.name)), RememberChoice(_ASKED, asked))


def note_arrival(before: Model, model: Model) -> Model:
    """Return the model that remembers that this life has gone to a friend, if the new view shows that."""
    life, depth, turn = _asked(model)
    here, there = before.view.place.depth, model.view.place.depth
    if here == there or (life, depth, turn) != (model.login.life, there, model.turn):
        return model
    return replace(model, memory=replace(model.memory, choices={**model.memory.choices, _WENT: str(life)}))


def _asked(model: Model) -> tuple[int, int, int]:
    """Return life, depth and turn of the newest request; zeros without one."""
    life, depth, turn = map(int, model.memory.choices.get(_ASKED, "0 0 0").split())
    return life, depth, turn


def friends_below(model: Model) -> str:
    """Return who can be joined right now, such as "3 players on depth 2"; "" for no friend."""
    friend = friend_to_join(model)
    if friend is None or not can_go_at_once(model, friend):
        return ""
    count = sum(each.depth == friend.depth for each in model.friends)
    return f"{count} player{'s' if count > 1 else ''} on depth {friend.depth}"
