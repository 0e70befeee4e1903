"""The program of a turn process and of a standby, which a supervisor starts: it is no command for hosts."""

import gc
import os
import signal
import socket
import sys
from threading import Thread

from gloam_server import logs
from gloam_server.cli.output import open_standard_streams
from gloam_server.cli.processes.server_reactor import install_reactor
from gloam_server.cli.processes.serving import Signals, serve, stand_by
from gloam_server.cli.processes.supervisor import options_from
from gloam_server.engine.server_statistics import Histogram


def main(words: list[str]) -> int:
    """Run a turn process or a standby until it stops. `words` is the descriptor of the supervisor's line."""
    gc.disable()
    open_standard_streams()
    signals = Signals()
    line = socket.socket(fileno=int(words[0]))
    options = options_from(line)
    logs.begin(options.settings.log_format)
    Thread(target=_end_with, args=(options.life,), name="gloam-supervisor", daemon=True).start()

    def ready() -> None:
        line.sendall(b".")

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
            sockets=sockets,
            ready=ready,
        )
    return stand_by(config, busy, begin_listening, signals, sockets, ready)


def _end_with(life: int) -> None:
    """Stop this process when its supervisor has ended."""
    os.read(life, 1)
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
