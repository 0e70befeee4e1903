"""The work of a door for the keys of one visitor among others, whose inputs are recorded under a manual clock."""

from collections.abc import Callable
from typing import Final

from benchmarks.at_door.caves import cave_files
from benchmarks.at_door.page_visitor import WALK
from gloam_client.game_session import messages_received
from gloam_client.screens.play import Play
from gloam_client.state import client_events
from gloam_client.state.client_events import ClientEvent
from gloam_client.state.model import Model
from gloam_client.state.records import SurfaceFacts
from gloam_client.terminal.own_cache import CacheStore, using_store
from gloam_client.update import update
from gloam_door.surfaces.cell_surface import CellSurface
from gloam_lab.bots.walker import Walker
from gloam_server.content.loader import load
from gloam_shared.protocol.commands import Move
from support.server.sim_server import SimServer

SIZE: Final = (100, 30)
KEYS: Final = 20
_VISITORS: Final = 6
_GAP_MS: Final = 80
"""The time between the steps of two visitors: each takes two in a second."""
_SPREAD: Final = 30
"""The steps of each visitor before the first key."""
_UNASKED: Final = frozenset({"kits", "story"})
"""The screens that open by themselves: each is closed immediately, since it would hide the game from then on."""
_UNASKED_MS: Final = 1_000
"""The time after which a screen that has opened unasked takes keys."""
_KEY_OF: Final = {(right, down): key for key, (down, right) in WALK.items()}


class HostedClient:
    """One client of a door, without its loop and its lines. `sizes` are the sizes of the texts that its page got."""

    def __init__(self) -> None:
        self.sizes: list[int] = []
        self._surface = CellSurface(SIZE, lambda text: self.sizes.append(len(text)), say=False)
        self._surface.frames.sent = lambda: None  # type: ignore[method-assign]  # it asks the loop for the time
        self._surface.frames.accepts = _accepts  # type: ignore[method-assign]
        self._model = Model(screens=(Play(),), name="Bench", surface=SurfaceFacts(kind="browser", size=SIZE))
        self._caches: CacheStore = {}

    def take(self, now_ms: int, *events: ClientEvent) -> None:
        """Take inputs of the same moment, and then show the newest state, if the surface accepts a frame."""
        with using_store(self._caches):
            self._take(now_ms, events)

    def _take(self, now_ms: int, events: tuple[ClientEvent, ...]) -> None:
        for event in events:
            self._model = update(self._model, event, now_ms)[0]
        if self._model.top.state in _UNASKED:
            self._model = update(self._model, client_events.KeyPressed("ESC"), now_ms + _UNASKED_MS)[0]
        if self._surface.accepts_frame(self._model, lambda: None):
            self._surface.show(self._model)


def _accepts(resume: Callable[[], object], answer_due_s: float = 0.0) -> bool:  # noqa: ARG001  # as PacedFrames
    """Return whether no answer is due: no page here is slow."""
    return not answer_due_s


def recorded_keys() -> list[tuple[int, tuple[ClientEvent, ...]]]:
    """Let visitors walk through a cave, and return all inputs of the client of one of them, with their times."""
    server = SimServer(load(cave_files(1)), seed=3)
    clients = [server.join(f"Guest{number}") for number in range(_VISITORS)]
    walkers = [Walker(number) for number in range(_VISITORS)]
    first = clients[0]
    for _ in range(_SPREAD):
        for client, walker in zip(clients, walkers, strict=True):
            client.command(walker.stroll(client.view))
        server.pass_time(60)
    first.hear()
    happened: list[tuple[int, tuple[ClientEvent, ...]]] = [
        (server.now_ms, (client_events.JoinStarted("Bench", "here"), messages_received(first.link, [])))
    ]
    for _ in range(KEYS):
        for client, walker in zip(clients, walkers, strict=True):
            command = walker.stroll(client.view)
            if client is first:
                key = _KEY_OF[command.dx, command.dy] if isinstance(command, Move) else "."
                client.link.command(command, server.now_ms)
                sent = client_events.CommandSent(command, client.link.unanswered_since_ms)
                happened.append((server.now_ms, (client_events.KeyPressed(key), sent)))
                server.settle()
            else:
                client.command(command)
            server.pass_time(_GAP_MS)
            if heard := first.hear():
                happened.append((server.now_ms, (messages_received(first.link, heard),)))
    return happened


def play(happened: list[tuple[int, tuple[ClientEvent, ...]]]) -> HostedClient:
    """Let a new client take everything that was recorded."""
    client = HostedClient()
    for now_ms, events in happened:
        client.take(now_ms, *events)
    return client
