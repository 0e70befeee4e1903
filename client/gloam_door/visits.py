"""Visits: each is one hosted client, alone with its faults; and all of them together, with their limits."""

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable
from concurrent.futures import Executor
from contextlib import suppress
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Final, NamedTuple, Protocol

from msgspec.structs import replace

from gloam_client.app import App
from gloam_client.app_start import agent, begin
from gloam_client.net.launch_options import ExitStatus, LaunchOptions, NameMeans
from gloam_client.net.tls_connect import TrustedStream
from gloam_client.player_store import PlayerStore
from gloam_client.services.visitor import Visitor
from gloam_client.state.model import Model
from gloam_client.surface.surface import Surface
from gloam_client.user_files.address import Address
from gloam_door.identity import Identity
from gloam_door.own_links import OwnLinks
from gloam_door.paced_reader import PacedReader, Turns
from gloam_door.player_folders import PlayerFolders, read_name, write_name
from gloam_door.statistics import Statistics
from gloam_door.surfaces.paced_frames import PacedFrames
from gloam_door.upstream import Upstream
from gloam_door.upstream import Visitor as Origin
from gloam_shared.protocol.invite_code import Ticket

GONE: Final = (
    "Something went wrong in this visit; nothing of yours is lost. Come again; the host has a report."
)
FOLDER_FAULT: Final = "This door cannot keep anything for you now; tell its host, and try again later."
_log: Final = logging.getLogger(__name__)


class TooMany(Exception):
    """There is no room for another visit; the text is a sentence for the visitor, `reason` a word for the host."""

    def __init__(self, reason: str, text: str) -> None:
        super().__init__(text)
        self.reason = reason


class Limits(NamedTuple):
    """The limits of a door: all visits, and those from one address."""

    visits: int = 200
    of_an_address: int = 8


class Arrival(NamedTuple):
    """A visitor at the door: identity, origin, and the name and invite that they gave.

    Without `titled` they join immediately under `name`. With a `replay`, or a `watched` player, they watch that, and play
    nothing. `key` belongs to an own link.
    """

    identity: Identity
    origin: Origin
    name: str = ""
    ticket: Ticket | None = None
    titled: bool = True
    replay: Path | None = None
    watched: str = ""
    key: str = ""

    @property
    def means(self) -> NameMeans:
        """The means by which this visitor keeps a name."""
        if self.origin.door == "web":
            return "link"
        return "password" if self.identity.folder is None else "key"


class HostedSurface(Surface, Protocol):
    """The surface of a visitor, whose frames have a pace."""

    frames: PacedFrames


class _GameLine:
    """The line of one visitor to the game server: it is there only while the visitor is."""

    def __init__(self, host: "Visits", origin: Origin, frames: PacedFrames) -> None:
        self.present: Final = asyncio.Event()
        self.present.set()
        self._host = host
        self._origin = origin
        self._frames = frames
        self._writer: asyncio.StreamWriter | None = None

    async def dial(self) -> TrustedStream:
        """Open a connection to the game server, once the visitor is here. Raises ConnectFailed."""
        await self.present.wait()
        reader = PacedReader(self._frames, self._host.turns)
        stream = await self._host.upstream.dial(self._origin, reader)
        self._writer = stream.writer
        return stream

    def cut(self) -> None:
        """Cut the line, and open none before the visitor is back."""
        self.present.clear()
        if self._writer is not None:
            self._writer.transport.abort()


class Visit:
    """One hosted client. `ended` is called once with the last words, "" for none.

    Nothing that a visit owns refers to it once it is over, so its memory is free without a search for garbage.
    """

    def __init__(self, host: "Visits", arrival: Arrival, surface: HostedSurface) -> None:
        self.identity = arrival.identity
        self.surface: Final = surface
        self.over = False
        self.ended: Callable[[str], object] = _nothing
        self.origin: Final = arrival.origin
        self._host = host
        self._line = _GameLine(host, arrival.origin, surface.frames)
        folder = host.folders.open(self.identity)
        store = PlayerStore(folder, folder / "options.toml", host.writer)
        options, faults = store.load_options()
        start = LaunchOptions(
            arrival.name or read_name(folder),
            agent(),
            self.identity.token,
            folder,
            host.address,
            ticket=arrival.ticket or Ticket(""),
            titled=arrival.titled,
            replay=arrival.replay,
            watch=bool(arrival.watched),
            watched=arrival.watched,
            password=arrival.key,
            means=arrival.means,
        )
        links = OwnLinks(self.identity, folder, host.link)
        services = HostedVisitor(host.address, self._line.dial, folder, links)
        self.app: App = begin(start, surface, services, store, replace(options, replays="off"), faults)
        self._running: asyncio.Task[ExitStatus] | None = None

    def start(self) -> None:
        """Begin to play. A fault in the first frame ends the visit, too."""
        self._running = asyncio.get_running_loop().create_task(self._play())
        self._running.add_done_callback(self._end)

    def leave(self) -> None:
        """The visitor's line is cut: so is the line to the game, whose body then leaves as after any cut."""
        self._line.cut()

    def reattach(self) -> None:
        """The visitor is here again: the client joins the game again, and shows everything."""
        self._line.present.set()
        self.app.resize()

    @property
    def is_here(self) -> bool:
        """Whether the visitor's line is open."""
        return self._line.present.is_set()

    def end(self) -> None:
        """End the visit in order."""
        self.app.finish(ExitStatus())

    async def _play(self) -> ExitStatus:
        self.app.first_paint()
        return await self.app.run()

    def _end(self, task: "asyncio.Task[ExitStatus]") -> None:
        self.over = True
        self.surface.frames.stop()
        words = ""
        if not task.cancelled():
            fault = task.exception()
            if fault is not None:
                self._host.statistics.faults += 1
                _log.error("a visit by %s failed", self.origin.door, exc_info=fault)
                words = GONE
            else:
                words = task.result().text
        self._host.forget(self)
        ended, self.ended = self.ended, _nothing
        ended(words)


class HostedVisitor(Visitor):
    """The services of a visitor, who finds their name again at the next visit, and may have links of their own."""

    def __init__(
        self, address: Address, dial: Callable[[], Awaitable[TrustedStream]], folder: Path, links: OwnLinks
    ) -> None:
        super().__init__(address, dial)
        self._folder = folder
        self._links = links
        self._name = ""
        self._linked = ""

    def own_link(self, name: str, *, fresh: bool) -> str:
        """Return the own link for a name, a new one if asked; "" without any."""
        return self._links.make(name) if fresh else self._links.of(name)

    def note(self, start: LaunchOptions, model: Model) -> None:  # noqa: ARG002  # as every client's
        """Remember the name under which this visitor plays, and which link the server has confirmed."""
        if model.connection.state == "joined" and model.name and model.name != self._name:
            self._name = model.name
            with suppress(OSError):  # a full disk ends writing, not play
                write_name(self._folder, model.name)
        if model.login.linked != self._linked:
            self._linked = model.login.linked
            with suppress(OSError):
                self._note_link(model.name)

    def _note_link(self, name: str) -> None:
        if self._linked == "yes":
            self._links.confirm(name)
        elif self._linked == "no":
            self._links.forget(name)


class Visits:
    """All visits of a door."""

    def __init__(
        self,
        upstream: Upstream,
        folders: PlayerFolders,
        address: Address,
        writer: Executor,
        limits: Limits,
        link: str = "",
    ) -> None:
        self.upstream: Final = upstream
        self.folders: Final = folders
        self.address: Final = address
        self.link: Final = link
        self.writer: Final = writer
        self.statistics: Final = Statistics()
        self.turns: Final = Turns()
        self.limits: Final = limits
        self._all: dict[Visit, None] = {}
        self._by_network: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self._all)

    def begin(self, arrival: Arrival, surface: HostedSurface) -> Visit:
        """Return a new visit, which has not started. Raises TooMany, or OSError if its folder cannot be used."""
        network = network_of(arrival.origin.host)
        try:
            self._require_room(network)
            visit = Visit(self, arrival, surface)
        except TooMany as full:
            self.statistics.refusals[full.reason] += 1
            raise
        except OSError:
            self.statistics.refusals["folder"] += 1
            raise
        self.statistics.visits[arrival.origin.door] += 1
        self._all[visit] = None
        self._by_network[network] += 1
        return visit

    def _require_room(self, network: str) -> None:
        if self.statistics.is_late:
            raise TooMany("late", "This door is busy; come again in a moment.")
        if len(self._all) >= self.limits.visits:
            raise TooMany("full", "This door is full; come again in a few minutes.")
        if self._by_network[network] >= self.limits.of_an_address:
            raise TooMany("address", "Too many visits come from your address; end one of them first.")

    def metrics(self) -> str:
        """Return the numbers of this door in the text format of Prometheus."""
        here: Counter[str] = Counter(visit.origin.door for visit in self._all)
        return self.statistics.metrics(here, sum(visit.surface.frames.count for visit in self._all))

    def health(self) -> dict[str, object]:
        """Return whether all is well, for the host's programs."""
        late = self.statistics.is_late
        return {"ok": not late, "wrong": ["the loop is late"] if late else [], "visits": len(self._all)}

    def left_by(self, identity: Identity) -> Visit | None:
        """Return the visit of an identity whose line is cut; None without one."""
        return next((visit for visit in self._all if visit.identity == identity and not visit.is_here), None)

    def forget(self, visit: Visit) -> None:
        """Forget a visit that is over."""
        if visit in self._all:
            del self._all[visit]
            self.statistics.frames += visit.surface.frames.count
            network = network_of(visit.origin.host)
            self._by_network[network] -= 1
            if not self._by_network[network]:
                del self._by_network[network]
            if not any(other.identity == visit.identity for other in self._all):
                self.folders.close(visit.identity)

    async def close(self) -> None:
        """End all visits in order."""
        for visit in list(self._all):
            visit.end()
        for _ in range(100):
            if not self._all:
                return
            await asyncio.sleep(0.02)


def _nothing(_: str) -> None:
    """Do nothing."""


def network_of(host: str) -> str:
    """Return the network by which an address is counted: itself, or the /64 of an IPv6 address."""
    ip = ip_address(host)
    ip = getattr(ip, "ipv4_mapped", None) or ip
    return str(ip) if ip.version == 4 else str(ip_network(f"{ip}/64", strict=False))
