"""The begin and the end of a run of the client. Data only."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal, NamedTuple, TypeAlias

from gloam_client.net.daily import daily_folder, daily_seed
from gloam_client.user_files.address import Address
from gloam_client.user_files.user_folders import world_folder
from gloam_shared.protocol.invite_code import Ticket

NameMeans: TypeAlias = Literal["password", "link", "key"]
"""The means by which a player keeps a name: a password; also a link of their own; or a key that they have already."""
NO_TICKET: Final = Ticket("")


class ExitStatus(NamedTuple):
    """The end of the program: its exit code, and a sentence for the user or ""."""

    code: int = 0
    text: str = ""


@dataclass(frozen=True, slots=True)
class LaunchOptions:
    """The choices of the command line.

    Without an address, the user's private server is used, with `campaign` or the default one.
    """

    name: str
    agent: str
    token: bytes
    data: Path
    address: Address | None = None
    record: Path | None = None
    replay: Path | None = None
    ticket: Ticket = NO_TICKET
    campaign: str = ""
    seed: int | None = None
    """The seed of a new world."""
    watch: bool = False
    """Whether the client connects to watch."""
    watched: str = ""
    """The player that a guest without a name watches."""
    titled: bool = False
    """Whether the session began with the title, to which it then returns."""
    daily: str = ""
    """The date of the seed of the day that is played; "" for none."""
    friends: bool = False
    """Whether the private server listens to other machines."""
    password: str = field(default="", repr=False)
    """The password of the name, if it is known before the server asks for it."""
    asks_dungeons: bool = False
    """Whether the server is asked first which dungeons its host has."""
    means: NameMeans = "password"
    """The means by which this client lets a player keep the name."""

    @property
    def world_seed(self) -> int | None:
        """The seed of a new world: the seed of the day, or the chosen one."""
        return daily_seed(self.daily, self.campaign) if self.daily else self.seed

    @property
    def world(self) -> Path:
        """The folder of the private world, with its server's address and log."""
        if self.daily:
            return daily_folder(self.data, self.daily, self.campaign)
        return world_folder(self.data, self.campaign)
