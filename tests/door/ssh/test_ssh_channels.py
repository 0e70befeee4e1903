"""Channels of ssh that are over while a visit still draws."""

import asyncio
from typing import Any

import asyncssh
import pytest

from gloam_door.ssh.terminal_session import TerminalSession


def test_a_closed_channel_takes_no_frame() -> None:
    """A terminal may be gone when a frame is drawn for it: asyncssh raises an error then, and no visit has failed."""
    channels: list[Any] = []

    class Keeper(asyncssh.SSHServerSession[bytes]):
        def connection_made(self, chan: Any) -> None:
            channels.append(chan)

        def shell_requested(self) -> bool:
            return True

    class Host(asyncssh.SSHServer):
        def begin_auth(self, username: str) -> bool:
            return username == ""

        def session_requested(self) -> Any:
            return Keeper()

    async def main() -> None:
        key = asyncssh.generate_private_key("ssh-ed25519")
        async with asyncssh.listen(
            "127.0.0.1", 0, server_factory=Host, server_host_keys=[key], encoding=None
        ) as host:
            async with asyncssh.connect(
                "127.0.0.1", host.get_port(), username="ann", known_hosts=None, config=None, agent_path=None
            ) as line:
                await line.create_process(term_type="xterm", encoding=None)
            await channels[0].wait_closed()
        unused: Any = None
        session = TerminalSession(unused, unused, unused, "ann", unused)
        session.connection_made(channels[0])
        with pytest.raises(BrokenPipeError):
            channels[0].write(b"frame")
        session.send(b"frame")

    asyncio.run(main())
