"""A visit at a door with the client of asyncssh."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import asyncssh

from support.door.running_door import RunningDoor

PATIENCE_S = 60


def visit(
    door: RunningDoor, user: str, play: Callable[[asyncssh.SSHClientConnection], Coroutine[Any, Any, None]]
) -> None:
    """Log in with a new key, and do something there."""

    async def run() -> None:
        async with asyncio.timeout(PATIENCE_S), asyncssh.connect(
            "127.0.0.1", door.door.ssh_port, username=user, known_hosts=None, config=None, agent_path=None,
            client_keys=[asyncssh.generate_private_key("ssh-ed25519")],
        ) as line:  # fmt: skip
            await play(line)

    asyncio.run(run())


async def read_until(process: Any, words: bytes) -> bytes:
    """Return what a terminal gets until these words; fail at its end."""
    shown = b""
    while words not in shown:
        more = await process.stdout.read(4_096)
        assert more, shown
        shown += more
    return shown
