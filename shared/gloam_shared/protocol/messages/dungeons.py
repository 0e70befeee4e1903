"""Messages about the dungeons of a host, each with a server of its own. They need the ability "dungeons"."""

from typing import Final

from msgspec import Struct

from gloam_shared.protocol.messages.base import Count, Message, ServerMessage, Text

DUNGEONS: Final = "dungeons"
"""The ability to ask for the dungeons of a host. Only a connection that lets its player choose one offers it."""


# From the client.


class AskDungeons(Message, frozen=True, tag=51):
    """After `Hello`, before a login: ask which dungeons this host has. Needs the ability "dungeons".

    A connection asks once. Answered by `Dungeons`; a login may follow until its deadline.
    """


# From the server.


class DungeonRow(Struct, frozen=True, array_like=True):
    """A dungeon of the host: its name, the title of its campaign, its port, and whether a server has it open now.

    The port is the one at this host; 0 for the dungeon that was asked, where its server knows none.
    """

    name: Text
    title: Text
    port: Count
    served: bool


class Dungeons(ServerMessage, frozen=True, tag=115):
    """The dungeons of this host, by name, at most `limits.DUNGEONS_MAX`; `here` is the name of the one that was asked.

    Without rows the server does not know them now.
    """

    here: Text
    rows: tuple[DungeonRow, ...] = ()
