"""The cost of logins: the processor time of one, and the delay of the players by nearly a thousand of them."""

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from benchmarks.figures import Figure
from benchmarks.load.measure import measure
from benchmarks.load.options import LoadOptions
from benchmarks.load.report import LoadResult
from gloam_shared.protocol.messages.login import PasswordStatus, SetPassword
from support.client.fake_client import FakeClient
from support.processes.process_usage import Usage
from support.processes.server_process import ServerProcess

RUSH: Final = LoadOptions(clients=50, newcomers=950, join_rate=25, seconds=1, warm_s=4, pin=True)
"""The largest realm fills while 50 of its players walk."""

_NAMES: Final = 20
_PASSWORD: Final = "a word of many letters"
_SETTLED_S: Final = 0.06
"""After this time a login or a departure causes no more work."""


def logins(scratch: Path) -> list[Figure]:
    """Let players log in and leave, one after another, in three ways."""
    with ServerProcess(scratch / "logins", campaign="gloam", seed=3) as server:
        usage = Usage(server.process.pid)
        dials = [partial(FakeClient, server.port, f"Bench{at}") for at in range(_NAMES)]
        new = [_login(usage, dial) for dial in dials]
        again = [_login(usage, dial, _set_password) for dial in dials]
        elsewhere = [
            _login(usage, partial(dial, token=b"%032d" % at, password=_PASSWORD))
            for at, dial in enumerate(dials)
        ]
    return [
        _figure("processor time of a login, a new life", new),
        _figure("processor time of a login, a life goes on", again),
        _figure("processor time of a login, by password", elsewhere),
    ]


def rush(_: Path) -> list[Figure]:
    """Let the realm fill while 50 players walk."""
    return _rush_figures(measure(RUSH, quiet=True))


def _login(
    usage: Usage, dial: Callable[[], FakeClient], then: Callable[[FakeClient], None] | None = None
) -> tuple[float, float]:
    """Log in and leave. Return the server's processor time until the first view: without and in the thread that hashes."""
    before = usage.threads_s()
    with dial() as client:
        time.sleep(_SETTLED_S)
        grown = {thread: spent - before.get(thread, 0.0) for thread, spent in usage.threads_s().items()}
        if then is not None:
            then(client)
    time.sleep(_SETTLED_S)
    most = max(grown.values())
    hashing = most if most > 0.01 else 0.0
    return sum(grown.values()) - hashing, hashing


def _set_password(client: FakeClient) -> None:
    client.send(SetPassword(_PASSWORD))
    client.wait_for(lambda: client.of_kind(PasswordStatus))


def _figure(name: str, times: list[tuple[float, float]]) -> Figure:
    work_ms, hash_ms = (1_000 * sum(each) / len(times) for each in zip(*times, strict=True))
    note = f"mean of {len(times)}"
    note += f"; besides, the hash takes {hash_ms:.0f} ms in a thread of its own" if hash_ms else ""
    return Figure(name, round(work_ms, 2), "ms", "<= 2", note)


def _rush_figures(result: LoadResult) -> list[Figure]:
    everybody = result.options.everybody
    name = f"{result.options.clients} walking while {result.options.newcomers} come in"
    share = 100 * result.server_cpu_s / result.seconds
    return [
        Figure(f"{name}: clients in play at the end", result.tally["clients"], "", f">= {everybody}"),
        Figure(f"{name}: until all are in", round(result.tally["came_in_s"], 1), "s", "<= 60"),
        *result.latencies.figures(f"{name}: due turn to patch", "<= 50"),
        Figure(f"{name}: server: processor share", round(share, 1), "%"),
        Figure(f"{name}: server: memory", result.after.resident_mb, "MB", "<= 400"),
    ]
