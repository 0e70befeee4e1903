"""The messages that a replay holds: what a player saw and heard, without secrets and without answers to requests."""

from typing import Final

from gloam_shared.protocol.chat_messages import Spoken
from gloam_shared.protocol.messages import (
    Answer,
    ChatLine,
    Died,
    FromServer,
    Joined,
    MapPinged,
    Notice,
    Pace,
    Update,
    Welcome,
)
from gloam_shared.protocol.recap_messages import Recap

_KEPT: Final = (
    Welcome, Joined, Update, Answer, Pace, ChatLine, Spoken, Died, Recap, MapPinged, Notice
)  # fmt: skip


def is_kept(message: FromServer) -> bool:
    """Return whether a replay holds a message: nothing that asks the player for something, and no token."""
    return isinstance(message, _KEPT)
