"""The base of all messages: their base classes, and the types of their fields with their bounds."""

from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from gloam_shared import limits

Number = Annotated[int, Meta(ge=0, le=2**31 - 1)]

Count = Annotated[int, Meta(ge=0, le=2**31 - 1)]

Text = Annotated[str, Meta(max_length=limits.STRING_MAX)]

Word = Literal["come", "danger", "mine", "thanks", "heal"]
"""The words of pings: short, the same for all players, and shown on the map at the pinged cell."""

Token = Annotated[bytes, Meta(min_length=limits.TOKEN_SIZE, max_length=limits.TOKEN_SIZE)]

PlayerName = Annotated[str, Meta(max_length=64)]

Ability = Annotated[str, Meta(max_length=limits.ABILITY_MAX)]

if TYPE_CHECKING:
    from gloam_shared.protocol import codes

    AnswerCode: TypeAlias = codes.AnswerCode
    AnswerReason: TypeAlias = codes.AnswerReason
    ByeCode: TypeAlias = codes.ByeCode
    ErrorCode: TypeAlias = codes.ErrorCode
else:
    # a newer server may send a code that this client does not know
    AnswerCode = AnswerReason = ByeCode = ErrorCode = Text


class Message(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The base of the client's messages: frozen, a positional array on the wire. Extra fields are refused."""


class ServerMessage(Struct, frozen=True, array_like=True):
    """The base of the server's messages: the same, but a client ignores unknown fields at the end."""
