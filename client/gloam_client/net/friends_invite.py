"""Letting friends into one's own world: a server that other machines reach, and the line to send to them."""

import asyncio
import json
import socket
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Final

from gloam_client.net import local_server

USES: Final = 20
"""The number of new names that one line admits."""
_STOP_S: Final = 20


async def invite_friends(data: Path, campaign: str) -> str:
    """Return the command that lets friends in. Raises NoLocalServer.

    A server of this world that only this machine reaches is stopped and started again; it keeps its world.
    """
    running = await local_server.find(data)
    if running is not None and not _is_reachable(data):
        local_server.stop(running)
        for _ in range(_STOP_S * 10):
            if not local_server.is_open(data):
                break
            await asyncio.sleep(0.1)
    running = await local_server.ensure(data, campaign, friends=True)
    where = f"{own_address()}:{running.address.port}"
    made = await asyncio.create_subprocess_exec(
        *local_server.server_command("invite", "--data", str(data), "--host", where, "--uses", str(USES)),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    out, error = await made.communicate()
    if made.returncode:
        raise local_server.NoLocalServer(
            error.decode(errors="replace").strip().removeprefix("gloam-server: ")
        )
    return out.decode(errors="replace").strip()


def own_address() -> str:
    """Return the address at which machines of the same network reach this one; no packet is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as trial, suppress(OSError):
        trial.connect(("192.0.2.1", 9))
        return str(trial.getsockname()[0])
    return socket.gethostname()


def _is_reachable(data: Path) -> bool:
    """Return whether the running server of a world listens to other machines."""
    with suppress(OSError, ValueError, TypeError, AttributeError):
        return bool(
            json.loads((data / "private.json").read_text(encoding="utf-8")).get("host") != "127.0.0.1"
        )
    return False
