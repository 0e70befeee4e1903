"""The dungeons of a host, as a server lists them: made safe to show, and the end of a conversation in which there are several."""

from typing import Final, NamedTuple

from gloam_client.user_files.address import PORT_MAX, Address
from gloam_shared import limits
from gloam_shared.protocol.messages.dungeons import Dungeons
from gloam_shared.text import clean


class ManyDungeons(Exception):
    """The host has several dungeons, and nothing was sent after their list."""

    def __init__(self, found: Dungeons) -> None:
        super().__init__()
        self.found: Final = found


class Dungeon(NamedTuple):
    """A dungeon of a host: its name and title, safe to show, and the address of its server, if one has it open."""

    name: str
    title: str
    address: Address
    served: bool


def safe_dungeons(address: Address, found: Dungeons) -> tuple[Dungeon, ...]:
    """Return the dungeons in the list of the server at an address, which keeps this address; never none.

    No one has checked that server: its texts are made safe, and rows above the limit are left out.
    """
    rows = [
        Dungeon(
            clean(row.name),
            clean(row.title),
            address if row.name == found.here or not row.port else Address(address.host, row.port),
            row.served,
        )
        for row in found.rows[: limits.DUNGEONS_MAX]
        if row.port <= PORT_MAX
    ]
    return tuple(rows) or (Dungeon(clean(found.here), "", address, served=True),)
