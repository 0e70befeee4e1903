"""Fixed workloads: the same inputs from the same seed each time, so that their calls can be counted."""

from collections.abc import Callable
from functools import partial
from typing import Final

from benchmarks.counts.counter import count_calls
from benchmarks.parts.hall import Hall, wide_arena
from gloam_lab.bots.walker import Walker
from gloam_server.engine.recovery.replay import batch_records, create_world, snapshot
from gloam_server.world.generation import generate_round
from gloam_server.world.model.inputs import UnattendedTurn
from gloam_shared.protocol.codec import decode_from_client, decode_from_server, encode
from gloam_shared.protocol.commands import Wait
from gloam_shared.protocol.framing import frame
from gloam_shared.protocol.messages.play import SubmitCommand
from gloam_shared.protocol.updates import UpdateReader, UpdateWriter
from support.content.campaigns import arena
from support.server.sim_server import SimServer
from support.storage.memory_store import MemoryStore

TURNS: Final = 50


def counts() -> dict[str, int]:
    """Return the calls of each workload, by its name."""
    return {name: work() for name, work in _WORKLOADS.items()}


def _turns(players: int, creatures: int) -> int:
    hall = Hall(players, creatures, width=60, height=30)

    def play() -> None:
        for _ in range(TURNS):
            hall.apply(hall.step_of(hall.next_player()))

    return count_calls(play)


def _wild() -> int:
    hall = Hall(1, 30)

    def play() -> None:
        for _ in range(TURNS):
            hall.dungeon.apply_input(1, UnattendedTurn())

    return count_calls(play)


def _updates(players: int) -> int:
    hall = Hall(players, 10, width=60, height=30)
    writers = {body.number: UpdateWriter(references=True) for body in hall.players}

    def show() -> None:
        for _ in range(TURNS):
            body = hall.next_player()
            hall.apply(hall.step_of(body))
            frame(encode(writers[body.number].write(hall.view(body), 0)))

    return count_calls(show)


def _read_updates() -> int:
    hall = Hall(10, 10, width=60, height=30)
    writer, reader = UpdateWriter(references=True), UpdateReader()
    bodies = []
    for _ in range(TURNS):
        hall.apply(hall.step_of(hall.next_player()))
        bodies.append(encode(writer.write(hall.view(hall.players[0]), 0)))

    def read() -> None:
        for body in bodies:
            message = decode_from_server(body)
            reader.read(message)  # type: ignore[arg-type]  # all are updates

    return count_calls(read)


def _commands() -> int:
    body = encode(SubmitCommand(1, 0, Wait()))
    return count_calls(lambda: [decode_from_client(body) for _ in range(TURNS)])


def _batch() -> int:
    hall = Hall(4, 10, width=60, height=30)
    for _ in range(TURNS):
        hall.apply(hall.step_of(hall.next_player()))
    applied = hall.take().applied
    return count_calls(lambda: (batch_records(hall.dungeon, applied), snapshot(hall.dungeon, 1)))


def _served(players: int) -> int:
    """Count a whole server under a manual clock: each player waits for a turn, ten times."""
    server = SimServer(wide_arena(60, 30), 3)
    clients = [server.join(f"Bench{at}") for at in range(players)]

    def play() -> None:
        for _ in range(10):
            for client in clients:
                client.command(Wait())
            server.pass_time(60)

    return count_calls(play)


def _walked(players: int) -> int:
    """Count only the server's work for walkers on one level: each takes ten steps, and all get their updates."""
    server = SimServer(wide_arena(150, 60), 3, compressed=False)
    clients = [server.join(f"Bench{at}") for at in range(players)]
    walkers = [Walker(at) for at in range(players)]

    def serve(steps: list[bytes]) -> None:
        for client, step in zip(clients, steps, strict=True):
            client.connection.dataReceived(step)
        for _ in range(6):
            server.clock.advance(0.01)

    calls = 0
    for _ in range(10):
        for client, walker in zip(clients, walkers, strict=True):
            client.link.command(walker.stroll(client.view), server.now_ms)
        calls += count_calls(partial(serve, [client.link.outgoing() for client in clients]))
        server.pass_time(60)
    return calls


_WORKLOADS: Final[dict[str, Callable[[], int]]] = {
    "50 turns, 1 player": lambda: _turns(1, 0),
    "50 turns, 30 players": lambda: _turns(30, 0),
    "50 turns, 10 players and 20 creatures": lambda: _turns(10, 20),
    "50 unattended turns, 30 creatures": _wild,
    "50 turns with an update, 1 player": lambda: _updates(1),
    "50 turns with an update, 30 players": lambda: _updates(30),
    "50 updates read by a client": _read_updates,
    "50 commands decoded": _commands,
    "a batch of 50 inputs and a snapshot": _batch,
    "a whole server, 10 turns each of 1 player": lambda: _served(1),
    "a whole server, 10 turns each of 6 players": lambda: _served(6),
    "a server alone, 10 steps each of 30 players": lambda: _walked(30),
    "a round of 2 caves made": lambda: count_calls(lambda: generate_round(arena(), 3)),
    "a world of 2 caves founded": lambda: count_calls(lambda: create_world(MemoryStore(), arena(), 3, 0)),
}
