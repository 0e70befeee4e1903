"""The messages about the kits of a campaign, of which a new life may choose one. They need the ability "kits"."""

from typing import Annotated

from msgspec import Meta, Struct

from gloam_shared.protocol.message_base import Message, Number, Text


class KitOffer(Struct, frozen=True, array_like=True):
    """A kit that a life may begin with, by name, and a sentence about it."""

    name: Text
    words: Text


class ChooseKit(Message, frozen=True, tag=57):
    """Before its first command, life `life` takes the offered kit of this index instead of the usual one.

    If `life` is not the newest life, nothing happens. A kit that cannot be had any more is refused with `Error` "kit".
    """

    life: Number
    kit: Annotated[int, Meta(ge=0, le=25)]
