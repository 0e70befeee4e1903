"""The cost of a step to the client: bytes to the terminal and processor time, in a real game under a manual clock.

The model, the drawing and the painter are the client's own; only network and terminal are missing.
"""

import statistics
import time
from pathlib import Path
from typing import Final, NamedTuple

from msgspec.structs import replace

from benchmarks.figures import Figure
from gloam_client.game_session import messages_received
from gloam_client.render.frame import draw
from gloam_client.screens.play import Play
from gloam_client.state import client_events
from gloam_client.state.client_events import ClientEvent
from gloam_client.state.model import Model
from gloam_client.state.records import SurfaceFacts
from gloam_client.terminal.painter import Painter
from gloam_client.update import update
from gloam_shared.protocol.commands import AnyCommand, Choose, Climb, Explore, Fight, Move, Wait
from support.content.campaigns import shipped
from support.server.sim_server import SimServer

STEPS: Final = 1_000
SEEDS: Final = (3, 5)
"""The worlds in which the steps are played."""
SIZE: Final = (80, 24)
TURN_MS: Final = 60
_CLOSES: Final = "ESC"
"""The key that closes the story before the first step."""


class FrameCosts(NamedTuple):
    """The costs of the frames of a game: bytes of each, and mean processor time in milliseconds."""

    sizes: list[int]
    paint_ms: float
    update_ms: float


def recorded(campaign: str = "gloam", seed: int = 5, steps: int = STEPS) -> list[tuple[int, ClientEvent]]:
    """Play some steps of a campaign: explore, fight, begin again; return the client's inputs with their times."""
    server = SimServer(shipped(campaign), seed)
    player = server.join("Bench")
    model = _new()
    inputs: list[tuple[int, ClientEvent]] = []

    def happen(event: ClientEvent) -> Model:
        inputs.append((server.now_ms, event))
        return update(model, event, server.now_ms)[0]

    model = happen(client_events.JoinStarted("Bench", "here"))
    for _ in range(steps):
        if model.top.state == "story":
            model = happen(client_events.KeyPressed(_CLOSES))
        if model.dead:
            player.begin_again()
        elif not model.pace.plan:
            command = _decide(model)
            player.command(command)
            model = happen(client_events.CommandSent(command, player.link.unanswered_since_ms))
        server.advance(TURN_MS)
        model = happen(messages_received(player.link, player.hear()))
    return inputs


def costs(inputs: list[tuple[int, ClientEvent]], depth: str = "256") -> FrameCosts:
    """Return what the client spends on these inputs, on a terminal of 80x24 with this color depth.

    A frame is drawn after all messages from the server. The client draws one after a key, too, which is left out:
    almost nothing changes in it. The clock of the processor is read only twice: on some machines a reading takes longer
    than a frame.
    """
    model, shown = _new(), list[Model]()
    began_s = time.process_time()
    for now_ms, event in inputs:
        model = update(model, event, now_ms)[0]
        if isinstance(event, client_events.MessagesReceived):
            shown.append(model)
    update_s = time.process_time() - began_s
    painter = Painter(depth, synchronized=True)
    shown = [replace(model, surface=replace(model.surface, lights=painter.lights)) for model in shown]
    painter.paint(draw(_new()))
    began_s = time.process_time()
    texts = [painter.paint(draw(model)) for model in shown]
    paint_s = time.process_time() - began_s
    frames = len(texts)
    return FrameCosts(
        [len(text.encode()) for text in texts], 1_000 * paint_s / frames, 1_000 * update_s / frames
    )


def frame_costs(_: Path) -> list[Figure]:
    """Return the mean bytes and processor time of a step on a terminal of 80x24 with 256 colors."""
    halves = [costs(recorded(seed=seed, steps=STEPS // len(SEEDS))) for seed in SEEDS]
    sizes = [size for half in halves for size in half.sizes]
    paint_ms = statistics.mean(half.paint_ms for half in halves)
    return [
        Figure(
            f"client: bytes to the terminal a step, mean of {STEPS:,}",
            round(statistics.mean(sizes), 1),
            "B",
            "<= 400",
            "80x24, 256 colors, with fights",
        ),
        Figure("client: processor time to draw a frame", round(paint_ms, 3), "ms", "<= 0.3"),
        Figure(
            "client: processor time of a step besides",
            round(statistics.mean(half.update_ms for half in halves), 3),
            "ms",
        ),
    ]


def _new() -> Model:
    return Model(screens=(Play(),), name="Bench", surface=SurfaceFacts(size=SIZE, unicode=True, lights=True))


def _decide(model: Model) -> AnyCommand:
    """Return the next command: take what a level brings, attack a foe that holds the player, explore."""
    view = model.view
    if view.choices:
        return Choose(0)
    if model.hunted:
        return Wait()
    if model.holders:
        dx, dy = view.place.grid.towards(view.cell, model.holders[0].cell)
        return Move(dx, dy) if model.badly_hurt else Fight()
    return Explore(pick_up=True) if model.memory.explored.get(view.place.depth) is None else Climb(down=True)
