"""The server processes of a worker: forked from a fork server that has imported and read everything, so that a takeover waits for neither."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing import forkserver, get_context, resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from typing import Final

from gloam_server.cli.processes.forks import SERVER_MODULES, keep_one_thread
from gloam_server.cli.processes.realm_start import RealmStart, Step
from gloam_server.cli.processes.serving import block_signals
from gloam_server.storage.workers import Respond

_IMPORTED: Final = [
    *SERVER_MODULES,
    "gloam_server.cli.processes.realm_process",
    "gloam_server.cli.processes.shipped_campaigns",
    "gloam_server.storage.cluster.cluster_store",
]
"""The modules that a server would import as it starts, and the campaigns that it would read."""

_CODE_S: Final = 2.0


@dataclass(slots=True)
class RealmChild:
    """The server process of a realm. `respond` answers the request by which the realm is being moved here."""

    realm: str
    process: ForkServerProcess
    line: Connection
    respond: Respond | None
    listens: bool = False
    stops: bool = False

    def signal(self, number: int) -> None:
        """Send it a signal, if it runs."""
        if self.process.pid is not None and self.process.is_alive():
            os.kill(self.process.pid, number)

    def stop(self) -> None:
        """Let it finish its batch, write its snapshots and release the realm."""
        self.stops = True
        self.process.terminate()

    def steps(self) -> Iterator[Step | None]:
        """Yield what it has told; None at its end."""
        try:
            while self.line.poll():
                yield self.line.recv()
        except (EOFError, OSError):
            yield None

    def code(self) -> int:
        """Return its exit code, once it has ended."""
        self.process.join(_CODE_S)
        self.line.close()
        return self.process.exitcode if self.process.exitcode is not None else -1


class RealmChildren:
    """Starts processes. Make it before signals are handled: the fork server and all processes have them blocked."""

    def __init__(self) -> None:
        keep_one_thread()
        self._context: Final = get_context("forkserver")
        self._context.set_forkserver_preload(_IMPORTED)
        resource_tracker.ensure_running()
        block_signals()
        forkserver.ensure_running()
        first = self._context.Process(target=int)  # its fork waits for all imports
        first.start()
        first.join()

    def start(self, options: RealmStart, respond: Respond | None) -> RealmChild:
        """Start the server of a realm."""
        ours, theirs = self._context.Pipe()
        with theirs:
            process = self._context.Process(target=_begin, args=(options, theirs), name=options.realm)
            process.start()
        return RealmChild(options.realm, process, ours, respond)


def _begin(start: RealmStart, line: Connection) -> None:
    """Run the server of a realm in this process, until it stops."""
    from gloam_server.cli.processes.realm_process import run_realm  # noqa: PLC0415  # the fork server has it already

    run_realm(start, line)
