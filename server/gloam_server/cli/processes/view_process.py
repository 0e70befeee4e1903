"""The program of a view process, which a server with `--views` starts: it is no command for hosts."""

import asyncio
import os
import sys
from pathlib import Path
from typing import Any, cast

from gloam_server import logs
from gloam_server.app import file_permissions
from gloam_server.cli.output import open_standard_streams
from gloam_server.cli.processes.server_reactor import install_reactor
from gloam_server.engine.server_statistics import Histogram


def main(words: list[str]) -> int:
    """Run a view process until its link ends. `words` are the data folder, its number, the socket of doors, the descriptor that ends with the server, and the log's format."""
    data, view_number, doors, life, log_format = words
    open_standard_streams()
    busy = Histogram()
    reactor, begin_listening = install_reactor(busy)
    from gloam_server.app import garbage_collection
    from gloam_server.app.views.view_process import ViewProcess

    log = logs.begin_in_thread(log_format, f"view {view_number}")
    logs.observe_twisted(redirect=True)
    os.umask(file_permissions.PRIVATE_UMASK)
    try:
        garbage_collection.begin()
        process = ViewProcess(
            Path(data),
            int(view_number),
            int(doors) if int(doors) >= 0 else None,
            reactor,
            busy,
            begin_listening,
            lambda: log.lost,
        )
        running = cast(Any, reactor)
        running.addSystemEventTrigger("before", "shutdown", process.stop)
        running.callLater(0, process.start)
        if int(life) >= 0:
            asyncio.get_event_loop().add_reader(int(life), process.end, "the server is gone")
        running.run(installSignalHandlers=False)
        return 0 if process.failure is None else 1
    finally:
        log.drain()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
