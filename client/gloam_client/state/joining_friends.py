"""Beginning beside a friend: whether the server offers it, and beside which friend (rule F92)."""

from typing import Final

from gloam_client.state.client_effects import ClientEffect, RememberChoice, SendMessage
from gloam_client.state.model import Model
from gloam_shared.protocol.messages import JoinFriend
from gloam_shared.view.view import Friend, Stat

_ABILITY: Final = "beside"
_ASKED: Final = "joined in life"


def friend_to_join(model: Model) -> Friend | None:
    """Return the friend for a life beside them: the deepest of the party, else of all; None without one or the ability.

    Whether that friend allows it, only the server knows: it takes the next who does, or says no.
    """
    if _ABILITY not in model.abilities:
        return None
    own = [friend for friend in model.friends if model.party.member(friend.name) is not None]
    return max(
        own or model.friends, key=lambda friend: (friend.depth, friend.level, friend.name), default=None
    )


def can_go_at_once(model: Model, friend: Friend) -> bool:
    """Return whether the player can ask to go to a friend on another level at once: a life on level 1, once."""
    return (
        _ABILITY in model.abilities
        and model.in_dungeon
        and model.fact(Stat.LEVEL) == 1
        and model.remembered.get(_ASKED) != str(model.life)
        and friend.depth != model.view.place.depth
    )


def ask_to_join(model: Model, friend: Friend) -> tuple[ClientEffect, ...]:
    """Return the effects that ask the server, once in a life: if it refuses, the next key press leads by stairs."""
    return (SendMessage(JoinFriend(model.life, None, friend.name)), RememberChoice(_ASKED, str(model.life)))


def friends_below(model: Model) -> str:
    """Return who can be joined at once, such as "3 players on level 2"; "" for no friend."""
    friend = friend_to_join(model)
    if friend is None or not can_go_at_once(model, friend):
        return ""
    count = sum(each.depth == friend.depth for each in model.friends)
    return f"{count} player{'s' if count > 1 else ''} on level {friend.depth}"
