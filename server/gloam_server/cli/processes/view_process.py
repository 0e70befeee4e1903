"""A view process, which a server with `--views` starts, as a fork or as a program: it is no command for hosts."""

import asyncio
import os
import sys
from pathlib import Path
from typing import Any, cast

import msgspec

from gloam_server import logs
from gloam_server.app import file_permissions
from gloam_server.app.views.view_entrance import ViewOptions
from gloam_server.cli.output import open_standard_streams
from gloam_server.cli.processes.forks import VIEW, name_process
from gloam_server.cli.processes.server_reactor import install_reactor
from gloam_server.engine.server_statistics import Histogram


def run(options: ViewOptions) -> int:
    """Run a view process until its link ends, and return its exit code."""
    name_process(f"{VIEW}{options.view_number}")
    open_standard_streams()
    busy = Histogram()
    reactor, begin_listening = install_reactor(busy)
    from gloam_server.app import garbage_collection
    from gloam_server.app.views.view_process import ViewProcess

    log = logs.begin_in_thread(options.log_format, f"view {options.view_number}")
    logs.observe_twisted(redirect=True)
    os.umask(file_permissions.PRIVATE_UMASK)
    try:
        garbage_collection.begin()
        process = ViewProcess(
            Path(options.data),
            options.view_number,
            options.doors if options.doors >= 0 else None,
            reactor,
            busy,
            begin_listening,
            lambda: log.lost,
        )
        running = cast(Any, reactor)
        running.addSystemEventTrigger("before", "shutdown", process.stop)
        running.callLater(0, process.start)
        if options.life >= 0:
            asyncio.get_event_loop().add_reader(options.life, process.end, "the server is gone")
        running.run(installSignalHandlers=False)
        return 0 if process.failure is None else 1
    finally:
        log.drain()


if __name__ == "__main__":
    sys.exit(run(msgspec.json.decode(sys.argv[1], type=ViewOptions)))
