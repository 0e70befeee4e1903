"""The private server of bare `gloam`: found by its address file, else started, detached from this terminal."""

import asyncio
import contextlib
import importlib.util
import json
import os
import signal
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from gloam_client.net.tls_connect import ConnectFailed, dial_plainly
from gloam_client.user_files.address import PORT, Address

if TYPE_CHECKING:
    from subprocess import Popen

START_S: Final = 60
OPEN_ELSEWHERE_S: Final = 30
"""The time that a server may take to release the world, or a server of another client to answer."""
EVERYWHERE: Final = "0.0.0.0"  # noqa: S104  # only where the player lets friends in
"""The address to listen at for other machines."""
_PIDS: Final = 1 << 31
"""An upper limit of process numbers."""
_ATTEMPTS: Final = 5
"""The most attempts to start a server while servers of other clients win the start and then stop."""


_STARTED: Final[list[object]] = []
"""Servers that outlive this program; a reference avoids Python's warning about processes still running."""


class NoLocalServer(Exception):
    """There is no private server and none can be started; the text says what to do."""


class LostStartRace(NoLocalServer):
    """Another server opened the world first."""


class LocalServer(NamedTuple):
    """A private server that answers."""

    address: Address
    pid: int


def address(data: Path) -> LocalServer | None:
    """Return the content of the world's address file, or None; the server may have died anyway."""
    try:
        record = json.loads((data / "private.json").read_text(encoding="utf-8"))
        host = str(record["host"]).replace(EVERYWHERE, "127.0.0.1")
        running = LocalServer(Address(host, int(record["port"])), int(record["pid"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return running if 0 < running.pid < _PIDS else None


async def find(data: Path) -> LocalServer | None:
    """Return this user's private server if it answers.

    The address of a killed server may belong to another program now, so the world must be open and the
    process that wrote the address alive.
    """
    running = address(data)
    if running is None or not is_open(data) or not _is_alive(running.pid):
        return None
    try:
        line = await dial_plainly(running.address)
    except ConnectFailed:
        return None
    line.writer.close()
    return running


async def ensure(
    data: Path, campaign: str = "", seed: int | None = None, *, friends: bool = False, one_life: bool = False
) -> LocalServer:
    """Return this user's private server of the world in a folder; start one if none is running.

    Raises NoLocalServer.

    A new world gets that campaign, or the server's default, and the seed. With `friends` a server that is started
    here listens to other machines, too. With `one_life` the seed is the whole seed, and the world has one life.
    """
    if not all(importlib.util.find_spec(name) for name in ("twisted", "tcod")):
        raise NoLocalServer(
            "Playing alone needs the server; in a clone of Gloam install it with: pip install '.[server]'"
        )
    deadline, attempts = time.monotonic() + OPEN_ELSEWHERE_S, 0
    while time.monotonic() < deadline and attempts < _ATTEMPTS:
        running = await find(data)
        if running is not None:
            return running
        if not is_open(data):
            with contextlib.suppress(LostStartRace):
                return await _start_anywhere(
                    data, _flags(data, campaign, seed, friends=friends, one_life=one_life)
                )
            deadline, attempts = time.monotonic() + OPEN_ELSEWHERE_S, attempts + 1
        await asyncio.sleep(0.1)
    if attempts == _ATTEMPTS:
        raise NoLocalServer(
            f"Others start the world in {data} again and again; try once more when they are done."
        )
    raise NoLocalServer(f"The world in {data} is open in another server; stop that one first.")


def server_command(*arguments: str) -> list[str]:
    """Return the command that runs gloam-server with this interpreter, and no code of the current folder.

    Without -P, `python -m` takes modules of the current folder before Python's.
    """
    return [sys.executable, "-P", "-m", "gloam_server", *arguments]


def stop(running: LocalServer) -> None:
    """Ask a private server to stop; it keeps its world."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(running.pid, signal.SIGTERM)


def _is_alive(pid: int) -> bool:
    try:
        with contextlib.suppress(PermissionError):  # another user's
            os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def is_open(data: Path) -> bool:
    """Return whether a server has the world open, even one that is about to stop or not yet listening."""
    import fcntl  # noqa: PLC0415  # only where a server is looked for

    try:
        with (data / "world.sqlite3-lock").open("rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


class _Flags(NamedTuple):
    """The arguments with which a server is started, besides its port."""

    campaign: str
    options: tuple[str, ...]


def _flags(data: Path, campaign: str, seed: int | None, *, friends: bool, one_life: bool) -> _Flags:
    new = not (data / "world.sqlite3").exists()
    seeded = ("--seed", str(seed)) if seed is not None and new else ()
    once = ("--one-life", "--exact-seed") if one_life else ()
    return _Flags(campaign, ("--listen", EVERYWHERE if friends else "127.0.0.1", *seeded, *once))


async def _start_anywhere(data: Path, flags: _Flags) -> LocalServer:
    """Start a server on the usual port, or on a free one if that is taken."""
    usual = await _start(data, PORT, flags)
    if usual is not None:
        return usual
    if is_open(data):
        raise LostStartRace
    anywhere = await _start(data, 0, flags)
    assert anywhere is not None, "any port is never taken"
    return anywhere


async def _start(data: Path, port: int, flags: _Flags) -> LocalServer | None:
    """Start a server and wait until it listens; None when the port is taken."""
    import subprocess  # noqa: PLC0415  # only where a server is started

    said = (
        data / f"server-{os.getpid()}-{time.monotonic_ns()}.out"
    )  # of this start alone: others may start one, too
    listen = (*flags.options, "--port", str(port))
    try:
        data.mkdir(parents=True, exist_ok=True)
        with (data / "server.log").open("ab") as log, said.open("wb") as out:
            process = subprocess.Popen(  # noqa: S603  # returns immediately; the arguments are ours
                server_command("run", "--private", "--status-json", "--data", str(data), *listen),
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=log,
                start_new_session=True,
                env={**os.environ, "GLOAM_CAMPAIGN": flags.campaign, "PYTHONUNBUFFERED": "1"},
            )
    except OSError as error:
        raise NoLocalServer(
            f"{data} cannot be used ({error.strerror}); give another folder with --data."
        ) from error
    try:
        address = await _read_announcement(process, said, data, port)
    finally:
        said.unlink(missing_ok=True)
        if process.poll():
            _tidy_up(data)
    if address is None:
        return None
    _STARTED.append(process)
    return LocalServer(address, process.pid)


def _tidy_up(data: Path) -> None:
    """Remove the files of a server that ended before it created a world, as for an unknown campaign."""
    if not any(data.glob("world.sqlite3*")):
        (data / "server.log").unlink(missing_ok=True)
        with contextlib.suppress(OSError):  # other files there do not belong to the server
            data.rmdir()


async def _read_announcement(process: "Popen[bytes]", said: Path, data: Path, port: int) -> Address | None:
    """Wait until the started server reports its address; return None if its port is taken."""
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline:
        code = process.poll()  # before its output is read: it may write and then end
        status = _status(said)
        if status.get("status") == "listening":
            host = str(status["host"]).replace(EVERYWHERE, "127.0.0.1")
            return Address(host, int(status["port"]))
        if code is not None and status.get("code") == "port_taken" and port:  # it has released the world, too
            return None
        if code is not None:
            words = str(status["text"]) if "text" in status else _last_words(data / "server.log")
            forestalled = status.get("code") == "world_open" or is_open(data)
            raise (
                LostStartRace if forestalled else NoLocalServer(f"The private server did not start: {words}")
            )
        await asyncio.sleep(0.02)
    raise NoLocalServer(
        f"The private server did not answer in {START_S} s; {data / 'server.log'} shows more."
    )


def _status(out: Path) -> dict[str, Any]:
    """Return the JSON object in which a server reports the result of its start; empty before that."""
    line, end, _ = _read(out).partition("\n")
    try:
        status = json.loads(line) if end else {}
    except ValueError:
        return {}
    return status if isinstance(status, dict) else {}


def _last_words(log: Path) -> str:
    last = next(
        (line.strip() for line in reversed(_read(log).split("\n")) if line.strip()), "it gives no reason."
    )
    return last.removeprefix("gloam-server: ")


def _read(file: Path) -> str:
    """Return a file's text; "" if another client has removed it."""
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
