"""A turn process or a standby, which a supervisor starts, as a fork or as a program: it is no command for hosts."""

import gc
import os
import signal
import socket
import sys
from threading import Thread

from gloam_server import logs
from gloam_server.cli.output import open_standard_streams
from gloam_server.cli.processes.forks import STANDBY, TURNS, name_process
from gloam_server.cli.processes.server_reactor import install_reactor
from gloam_server.cli.processes.serving import Signals, block_signals, serve, stand_by
from gloam_server.cli.processes.turn_options import READY, RENEWED, options_from
from gloam_server.cli.processes.view_starter import ViewStarter
from gloam_server.engine.server_statistics import Histogram


def run(number: int) -> int:
    """Run a turn process or a standby until it stops, and return its exit code. `number` is the descriptor of its supervisor's line."""
    gc.disable()
    open_standard_streams()
    block_signals()
    line = socket.socket(fileno=number)
    options = options_from(line)
    name_process(TURNS if options.role == "serves" else STANDBY)
    logs.begin(options.settings.log_format)

    def ready() -> None:
        line.sendall(READY)

    def renewed() -> None:
        line.sendall(RENEWED)

    views = ViewStarter(renewed)
    signals = Signals()
    Thread(target=_end_with, args=(options.life,), name="gloam-supervisor", daemon=True).start()
    busy = Histogram()
    _, begin_listening = install_reactor(busy)
    config, sockets = options.config(), options.sockets()
    if options.role == "serves":
        return serve(
            config,
            busy,
            begin_listening,
            signals,
            status_json=options.status_json,
            views=views,
            sockets=sockets,
            ready=ready,
        )
    return stand_by(config, busy, begin_listening, signals, views, sockets, ready)


def _end_with(life: int) -> None:
    """Stop this process when its supervisor has ended."""
    os.read(life, 1)
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    sys.exit(run(int(sys.argv[1])))
