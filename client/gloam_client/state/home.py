"""The data of the title screen: this user's worlds, the servers they know, and the line for friends. Data only."""

from typing import NamedTuple

from gloam_client.net.daily import DailyResult
from gloam_client.net.guest.server_questions import ServerStatus
from gloam_client.net.own_worlds import OwnWorld
from gloam_client.replays.replay_library import KeptReplay
from gloam_client.user_files.address import Address
from gloam_client.user_files.recent_servers import RecentServer
from gloam_client.user_files.title_news import TitleNews


class Home(NamedTuple):
    """All of it; empty for a client that began at a server."""

    campaign: str = ""
    """The campaign that continues; "" for the default."""
    worlds: tuple[OwnWorld, ...] = ()
    servers: tuple[RecentServer, ...] = ()
    statuses: tuple[tuple[str, ServerStatus | str], ...] = ()
    """By address: what a server answered, or why it did not."""
    day: str = ""
    """The date of the seed of the day."""
    results: tuple[DailyResult, ...] = ()
    """The own results in seeds of the day, the newest first."""
    invite: str = ""
    """The command to send to friends."""
    invite_fault: str = ""
    replays: tuple[KeptReplay, ...] | None = None
    """This user's replays, the newest first; None before they are read."""
    news: TitleNews = TitleNews()
    """The newest line of the chronicle where this user played last."""
    visits: Address | None = None
    """The one server of a client that a host runs for a visitor: its title offers nothing else."""

    @property
    def result(self) -> DailyResult | None:
        """The own result in the seed of the day; None before its life is over."""
        wanted = self.day, self.campaign or "gloam"
        return next((each for each in self.results if (each.date, each.campaign) == wanted), None)

    def status(self, place: str) -> ServerStatus | str | None:
        """Return what is known of a server now; None before it has answered."""
        return dict(self.statuses).get(place)
