"""A real gloam-server in a process of its own, on a free port, with its world in a folder of the test's."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Self

_LISTENING = re.compile(r"gloam-server: listening on (\S+):(\d+)(?: with TLS, pin ([\w-]{43}))?\n")


class ServerProcess:
    """Starts the server and waits for its one line; stops it at the end. `program` is what Python runs for it."""

    def __init__(
        self,
        data: Path,
        *flags: str,
        campaign: str | None = None,
        seed: int | None = 7,
        program: tuple[str, ...] = ("-m", "gloam_server"),
    ) -> None:
        self.data = data
        self.errors = data.with_name(data.name + ".log")
        command = [sys.executable, *program, "run", "--data", str(data), "--port", "0", *flags]
        if campaign is not None:
            command += ["--campaign", campaign]
        if seed is not None:
            command += ["--seed", str(seed)]
        environment = {key: value for key, value in os.environ.items() if not key.startswith("GLOAM_")}
        with self.errors.open("ab") as log:
            self.process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=log, text=True, env=environment
            )
        assert self.process.stdout is not None
        self.line = self.process.stdout.readline()
        found = _LISTENING.fullmatch(self.line)
        assert found is not None, (
            f"the server said {self.line!r}; its log: {self.errors.read_text()[-2_000:]}"
        )
        self.port = int(found[2])
        self.pin = found[3] or ""

    def __enter__(self) -> Self:
        """Return the running server."""
        return self

    def __exit__(self, *_: object) -> None:
        """Stop it, whatever happened."""
        self.stop()

    def stop(self) -> int:
        """Ask it to stop, as a service manager would; return its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        return self._finish()

    def kill(self) -> None:
        """Pull the plug."""
        self.process.kill()
        self._finish()

    def _finish(self) -> int:
        code = self.process.wait(timeout=15)
        if self.process.stdout is not None:
            self.process.stdout.close()
        return code


def run_server_command(*arguments: str, timeout_s: float = 60) -> subprocess.CompletedProcess[str]:
    """Run a gloam-server command to its end."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("GLOAM_")}
    return subprocess.run(
        [sys.executable, "-m", "gloam_server", *arguments],
        capture_output=True,
        text=True,
        timeout=timeout_s,
        env=environment,
        check=False,
    )
