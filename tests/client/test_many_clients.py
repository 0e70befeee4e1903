"""Fifty clients in one process beside each other, as a door hosts them: each has its own dungeon, and all have one loop."""

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from gloam_client import app
from gloam_client.update import update
from gloam_shared.protocol.commands import Move
from gloam_shared.protocol.messages.play import SubmitCommand
from support.client.fake_dungeon import ServerThread
from support.client.fake_server import FakeServer, level_view
from support.client.headless_client import HeadlessClient
from support.processes.pty import PATIENCE_S
from support.run.fault_seam import FaultSeam

NAMES = [f"Ann{number}" for number in range(50)]


@pytest.fixture
def dungeons() -> Iterator[list[FakeServer]]:
    thread = ServerThread()
    servers = [FakeServer(level_view(name)) for name in NAMES]

    async def each(work: str) -> None:
        for server in servers:
            await getattr(server, work)()

    asyncio.run_coroutine_threadsafe(each("start"), thread.loop).result(PATIENCE_S)
    yield servers
    asyncio.run_coroutine_threadsafe(each("stop"), thread.loop).result(PATIENCE_S)
    thread.stop()


@pytest.mark.thorough
def test_a_fault_ends_one_of_fifty_clients(
    dungeons: list[FakeServer], tmp_path: Path, seam: FaultSeam
) -> None:
    """The host of them gets the fault of the one, and the others play on."""

    def failing(model: Any, *rest: Any) -> Any:
        if model.name == NAMES[0]:
            raise RuntimeError("planted")
        return update(model, *rest)

    with ExitStack() as stack:
        clients = [
            HeadlessClient(tmp_path / name, server.port, name)
            for name, server in zip(NAMES, dungeons, strict=True)
        ]
        unlucky, *others = clients
        for client in others:
            stack.enter_context(client)
        for name, client in zip(NAMES, clients, strict=True):
            client.wait_for(f"{name} HP 40/40")
        with seam.fault(update, failing, within=app):
            unlucky.type("i")
            with pytest.raises(RuntimeError, match="planted"):
                unlucky.wait_exit()
            with pytest.raises(RuntimeError, match="planted"):
                unlucky.close()
            for client in others:
                client.type("l")
            for server, client in zip(dungeons[1:], others, strict=True):
                client.wait_for(
                    lambda _, server=server: any(isinstance(one, SubmitCommand) for one in server.heard)  # type: ignore[misc]
                )
                assert [one.command for one in server.heard if isinstance(one, SubmitCommand)] == [
                    Move(1, 0, pick_up=True)
                ]
            for name, client in zip(NAMES[1:], others, strict=True):
                client.type("@")
                client.wait_for("Attack")
                client.type("\x1b")
                client.wait_for(f"{name} HP 40/40")
