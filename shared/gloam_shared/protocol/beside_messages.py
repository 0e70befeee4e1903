"""The message about who may begin a life beside a player (rule F92). It needs the ability "beside-choice"."""

from typing import Final, Literal, TypeAlias

from gloam_shared.protocol.message_base import Message

WhoBeside: TypeAlias = Literal["party", "all", "none"]
"""The players who may begin beside a player: their party, or everyone while they are in none; everyone; no other
player."""

BESIDE_CHOICE: Final = "beside-choice"
"""The ability of a side that knows the message."""


class SetBeside(Message, frozen=True, tag=59):
    """A player says who may begin a life beside them; after each login "party" holds until they say so."""

    who: WhoBeside
