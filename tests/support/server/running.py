"""A simulated server as its host's tools see it."""

from collections.abc import Sequence
from typing import cast

from gloam_server.engine.server_statistics import ViewCounts
from gloam_server.ops.admin import RunningServer
from gloam_server.ops.entrance import Entrance, ProcessState
from gloam_server.storage.writer import Writer
from support.server.sim_server import SimServer


class SimEntrance:
    """The entrance of a simulated server; `views` are its view processes."""

    def __init__(self, server: SimServer, views: Sequence[ProcessState] = ()) -> None:
        self._server = server
        self._views = views

    def counts(self) -> ViewCounts:
        """Return the counts of all connections."""
        return self._server.front.counts({"ssh": 0, "web": 0})

    def processes(self) -> Sequence[ProcessState]:
        """Return the view processes."""
        return self._views

    def describe_encryption(self) -> str:
        """Return that there is none."""
        return "connections: plain"

    def address(self) -> tuple[str, int]:
        """Return that it does not listen."""
        return "", 0


def running(
    server: SimServer, views: Sequence[ProcessState] = (), *, began_ms: int | None = None
) -> RunningServer:
    """Return the parts that the host may inspect."""
    writer, entrance = cast(Writer, server.writer), cast(Entrance, SimEntrance(server, views))
    began_ms = server.now_ms if began_ms is None else began_ms
    return RunningServer(server.engine, server.host, entrance, writer, 64, "test", began_ms)
