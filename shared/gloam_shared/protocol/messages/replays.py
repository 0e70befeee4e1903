"""Messages about replays that a host shares: files of lives, fetched in parts. They need the ability "replays"."""

from typing import Annotated, Final

from msgspec import Meta

from gloam_shared import limits
from gloam_shared.protocol.messages.base import Message, ServerMessage

REPLAYS: Final = "replays"
"""The ability to ask for a replay. Only a connection that fetches one offers it."""

ReplayId = Annotated[str, Meta(max_length=limits.REPLAY_ID_MAX)]

PartNumber = Annotated[int, Meta(ge=0, le=limits.REPLAY_PARTS_MAX - 1)]


# From the client.


class AskReplay(Message, frozen=True, tag=58):
    """After `Hello`, instead of a login: ask for one part of a shared replay, from 0. Needs the ability "replays".

    Answered by `ReplayPart`, or by `Error` "replay" or "slow"; the connection stays open for further parts.
    """

    id: ReplayId
    part: PartNumber = 0


# From the server.


class ReplayPart(ServerMessage, frozen=True, tag=108):
    """One part of a shared replay: part `part` of `parts`, of a file of `size` bytes.

    All parts have `limits.REPLAY_PART_BYTES` bytes, except the last.
    """

    part: PartNumber
    parts: Annotated[int, Meta(ge=1, le=limits.REPLAY_PARTS_MAX)]
    size: Annotated[int, Meta(ge=0, le=limits.REPLAY_PARTS_MAX * limits.REPLAY_PART_BYTES)]
    data: Annotated[bytes, Meta(max_length=limits.REPLAY_PART_BYTES)]
