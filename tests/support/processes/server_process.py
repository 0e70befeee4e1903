"""A real gloam-server in a process of its own, on a free port, with its world in a folder of the test's."""

import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Final, Self

from support.processes.server_forks import ForkedServer

AS_A_HOST: Final = ("-m", "gloam_server")
"""The program as a host starts it."""
VIEWS: Final = os.environ.get("GLOAM_TEST_VIEWS", "")
"""The number of view processes of each server in tests that do not say it; "" for one process."""
_LISTENING_JSON = re.compile(
    r'\{.*"event": "listening", "host": "(\S+)", "port": (\d+), "pin": "([\w-]*)"\}\n'
)
_METRICS = re.compile(r"metrics on http://127\.0\.0\.1:(\d+)/")
_LOG_S = 30
_LISTENING = re.compile(r"gloam-server: listening on (\S+):(\d+)(?: with TLS, pin ([\w-]{43}))?\n")


class ServerProcess:
    """Starts the server and waits for its one line; stops it at the end. `program` is what Python starts for it, if that counts.

    A new world is of the campaign whose levels are made most quickly, unless another is named. The log goes to the
    descriptor `stderr`, or into the file `errors` beside the data.
    """

    def __init__(
        self,
        data: Path,
        *flags: str,
        campaign: str | None = None,
        seed: int | None = 7,
        program: tuple[str, ...] | None = None,
        stderr: int | None = None,
    ) -> None:
        self.data = data
        self.errors = data.with_name(data.name + ".log")
        self._earlier = self.errors.stat().st_size if self.errors.exists() else 0
        command = ["run", "--data", str(data), "--port", "0", *flags]
        if VIEWS and not {"--private", "--views"} & set(flags):
            command += ["--views", VIEWS]
        if campaign is None and seed is not None and not (data / "world.sqlite3").exists():
            campaign = "jsrogue"
        if campaign is not None:
            command += ["--campaign", campaign]
        if seed is not None:
            command += ["--seed", str(seed), "--exact-seed"]
        environment = clean_environment()
        self.process: subprocess.Popen[str] | ForkedServer
        with self.errors.open("ab") as log:
            errors = log.fileno() if stderr is None else stderr
            if program is None:
                self.process = ForkedServer(command, errors, environment)
            else:
                self.process = subprocess.Popen(
                    [sys.executable, *program, *command],
                    stdout=subprocess.PIPE,
                    stderr=errors,
                    text=True,
                    env=environment,
                    start_new_session=True,
                )
        assert self.process.stdout is not None
        self.line = self.process.stdout.readline()
        found = _LISTENING.fullmatch(self.line) or _LISTENING_JSON.fullmatch(self.line)
        if found is None:
            self.kill()
            raise AssertionError(
                f"the server said {self.line!r}; its log: {self.errors.read_text()[-2_000:]}"
            )
        self.port = int(found[2])
        self.pin = found[3] or ""

    def __enter__(self) -> Self:
        """Return the running server."""
        return self

    def __exit__(self, *_: object) -> None:
        """Stop it, also after an error."""
        self.stop()

    def log_line(self, pattern: str | re.Pattern[str]) -> re.Match[str]:
        """Wait until the log of this start holds a pattern, and return the match.

        A thread of the server writes the log, so a line may arrive later than the message that it tells of.
        """
        deadline = time.monotonic() + _LOG_S
        while (found := re.search(pattern, self._log())) is None:
            assert time.monotonic() < deadline, f"no {pattern!r} in the server's log: {self._log()[-2_000:]}"
            time.sleep(0.02)
        return found

    def metrics_port(self) -> int:
        """Return the port of the page of metrics; the server was started with `--metrics-port 0`."""
        return int(self.log_line(_METRICS)[1])

    def stop(self) -> int:
        """Ask it to stop, as a service manager would; wake it for that if it hangs. Returns its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.process.send_signal(signal.SIGCONT)
        return self._finish()

    def hang(self) -> None:
        """Suspend the process, but not during a write: it would keep the file's lock, and no other could
        write.
        """
        for _ in range(1_000):
            self._halt()
            if self._writable():
                return
            self.wake()
            time.sleep(0.01)
        raise AssertionError("the server writes without end")

    def wake(self) -> None:
        """Let it go on."""
        self.process.send_signal(signal.SIGCONT)

    def kill(self) -> None:
        """Pull the plug."""
        self.process.kill()
        self._finish()

    def _log(self) -> str:
        return self.errors.read_bytes()[self._earlier :].decode()

    def _halt(self) -> None:
        self.process.send_signal(signal.SIGSTOP)
        state = Path(f"/proc/{self.process.pid}/stat")
        while state.read_text().rpartition(")")[2].split()[0] != "T":
            assert self.process.poll() is None, f"the server ended; its log: {self._log()[-2_000:]}"

    def _writable(self) -> bool:
        place = f"file:{self.data / 'world.sqlite3'}?mode=rw"
        with closing(sqlite3.connect(place, uri=True, timeout=0, isolation_level=None)) as world:
            try:
                world.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError:
                return False
            world.execute("ROLLBACK")
            return True

    def _finish(self) -> int:
        try:
            return self.process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise
        finally:
            if self.process.stdout is not None:
                self.process.stdout.close()


def run_server_command(*arguments: str, timeout_s: float = 60) -> subprocess.CompletedProcess[str]:
    """Run a gloam-server command to its end. Raises TimeoutExpired, and kills it then."""
    with TemporaryFile() as output, TemporaryFile() as errors:
        process = ForkedServer([*arguments], errors.fileno(), clean_environment(), output.fileno())
        try:
            code = process.wait(timeout_s)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
        return subprocess.CompletedProcess(arguments, code, _read(output), _read(errors))


def clean_environment() -> dict[str, str]:
    """Return the environment without the variables of Gloam."""
    return {key: value for key, value in os.environ.items() if not key.startswith("GLOAM_")}


def _read(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode()
