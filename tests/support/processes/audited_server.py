"""gloam-server that logs each file, name look-up and process that its reactor's thread asks the system for."""

import os
import sys
import threading

from gloam_server.cli.main import cli

MARK = "asked in the reactor's thread: "
_REACTOR = threading.main_thread()
_EVENTS = (
    "import", "open", "os.chmod", "os.listdir", "os.mkdir", "os.remove", "os.rename", "os.scandir", "os.system",
    "socket.getaddrinfo", "socket.gethostbyaddr", "socket.gethostbyname", "sqlite3.connect", "subprocess.Popen",
)  # fmt: skip


def _log(event: str, args: tuple[object, ...]) -> None:
    if event in _EVENTS and threading.current_thread() is _REACTOR:
        os.write(2, f"{MARK}{event} {args[:1]}\n".encode())


if __name__ == "__main__":
    sys.addaudithook(_log)
    sys.exit(cli())
