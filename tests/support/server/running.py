"""A simulated server as its host's tools see it."""

from typing import cast

from gloam_server.ops.admin import RunningServer
from gloam_server.storage.writer import Writer
from support.server.sim_server import SimServer


def running(server: SimServer) -> RunningServer:
    """Return the parts that the host may inspect."""
    writer = cast(Writer, server.writer)
    return RunningServer(server.engine, server.host, server.front, writer, 64, "test", server.now_ms)
