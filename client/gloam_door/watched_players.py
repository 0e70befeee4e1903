"""The players that guests watch by a link: one hosted client for each, however many pages show it."""

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import Final, NamedTuple

from gloam_client.net.tls_connect import ConnectFailed
from gloam_door.guest_admission import require_admission
from gloam_door.identity import guest
from gloam_door.surfaces.shared_surface import SharedSurface, WatchPage
from gloam_door.upstream import Visitor
from gloam_door.visits import Arrival, TooMany, Visit, Visits, network_of
from gloam_shared.protocol.messages.watching import CountGuests
from gloam_shared.text import clean, fold

GUESTS_MAX: Final = 400
"""The most guests of a door; a page costs it what has changed on it, and no client."""
_COUNT_S: Final = 3
"""The time after which the server learns again how many watch."""


class Guest(NamedTuple):
    """A visitor who watches: their origin, and the token of their device."""

    origin: Visitor
    token: bytes


class WatchedPlayers:
    """All players that guests of a door watch now."""

    def __init__(self, visits: Visits) -> None:
        self._visits = visits
        self._players: dict[str, _WatchedPlayer] = {}
        self._by_network: Counter[str] = Counter()

    async def require_admission(self, guest: Guest) -> None:
        """Ask the server whether a guest may watch. Raises ConnectFailed, or TooMany before it asks."""
        self._require_room(network_of(guest.origin.host))
        await require_admission(self._visits.upstream, self._visits.address, *guest)

    def join(
        self, name: str, guest: Guest, page: WatchPage, ended: Callable[[str], object]
    ) -> Callable[[], None]:
        """Show a player on a page; `ended` takes the last words. Return what takes the page away.

        Raises TooMany, or OSError if a folder cannot be used.
        """
        network = network_of(guest.origin.host)
        self._require_room(network)
        player = self._players.get(fold(name))
        if player is None:
            player = self._players[fold(name)] = _WatchedPlayer(
                self._visits, name, guest.origin, self._forget
            )
        player.show_on(page, guest, ended)
        self._by_network[network] += 1
        return lambda: self._leave(player, page, network)

    def _require_room(self, network: str) -> None:
        if self._by_network.total() >= GUESTS_MAX:
            raise TooMany("full", "Too many watch at this door; come again in a few minutes.")
        if self._by_network[network] >= self._visits.limits.of_an_address:
            raise TooMany("address", "Too many visits come from your address; end one of them first.")

    def _leave(self, player: "_WatchedPlayer", page: WatchPage, network: str) -> None:
        self._by_network -= Counter({network: 1})
        player.take_away(page)

    def _forget(self, player: "_WatchedPlayer") -> None:
        if self._players.get(fold(player.name)) is player:
            del self._players[fold(player.name)]


class _WatchedPlayer:
    """One watched player: the hosted client, and the pages that show it."""

    def __init__(
        self, visits: Visits, name: str, first: Visitor, forget: Callable[["_WatchedPlayer"], None]
    ) -> None:
        self.name: Final = name
        self._forget = forget
        self._visits = visits
        self._guests: dict[WatchPage, Guest] = {}
        self._checking: asyncio.Task[None] | None = None
        self._surface = SharedSurface(self._check_again)
        self._visit: Visit = visits.begin(Arrival(guest(), first, titled=False, watched=name), self._surface)
        self._visit.ended = self._ended
        self._visit.start()
        self._timer = asyncio.get_running_loop().call_later(_COUNT_S, self._count)

    def show_on(self, page: WatchPage, guest: Guest, ended: Callable[[str], object]) -> None:
        """Show the player on one more page."""
        self._guests[page] = guest
        self._surface.add(page, ended)

    def take_away(self, page: WatchPage) -> None:
        """Show the player on this page no longer; without any page the client ends."""
        self._guests.pop(page, None)
        if self._surface.pages.pop(page, None) is not None and not self._surface.pages:
            self._forget(self)
            self._visit.end()

    def _count(self) -> None:
        """Tell the server how many watch. It takes the same number again, since it may have restarted."""
        if self._surface.is_watching:
            self._visit.app.session.send(CountGuests(len(self._surface.pages)))
        self._timer = asyncio.get_running_loop().call_later(_COUNT_S, self._count)

    def _check_again(self) -> None:
        """The host has banned a name: ask for all guests again, from the first one if that was going on."""
        if self._checking is not None:
            self._checking.cancel()
        self._checking = asyncio.get_running_loop().create_task(self._end_banned())

    async def _end_banned(self) -> None:
        """Ask for one guest after another, and end the pages of guests who may watch no longer."""
        for page, known in list(self._guests.items()):
            try:
                await require_admission(self._visits.upstream, self._visits.address, *known)
            except ConnectFailed as refused:
                ended = self._surface.pages.get(page)
                if refused.code == "banned" and ended is not None:
                    ended(clean(refused.text))

    def _ended(self, words: str) -> None:
        self._timer.cancel()
        if self._checking is not None:
            self._checking.cancel()
        self._forget(self)
        pages, self._surface.pages = self._surface.pages, {}
        for ended in pages.values():
            ended(words)
