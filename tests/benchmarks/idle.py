"""The processor time of four idle programs: they run side by side, for as long as one of them would take."""

import sys
import threading
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from benchmarks.figures import Figure
from benchmarks.load.server_side import empty_cave
from gloam_shared.protocol.codec import encode
from gloam_shared.protocol.framing import frame
from gloam_shared.protocol.messages.play import Heartbeat
from support.client.fake_client import FakeClient
from support.processes.process_usage import Usage
from support.processes.pty import PtyTerminal
from support.processes.server_process import ServerProcess

_IDLE_S: Final = 20
_ARRIVED_S: Final = 6
"""After this time all players know of each other's arrival."""
_AWAY: Final = 10


def idle(scratch: Path) -> list[Figure]:
    """Measure a server without players, one with ten who do nothing, one whose player stands, and a client left alone."""
    with ExitStack() as stack:
        empty = stack.enter_context(ServerProcess(scratch / "idle", campaign="jsrogue"))
        with FakeClient(empty.port, "Bench") as client:
            client.settle(0.2)
        crowded = stack.enter_context(ServerProcess(scratch / "away", campaign="gloam", seed=3))
        away = [stack.enter_context(FakeClient(crowded.port, f"Bench{at}")) for at in range(_AWAY)]
        still = stack.enter_context(
            ServerProcess(scratch / "standing", campaign=empty_cave(scratch / "still"), seed=3)
        )
        player = stack.enter_context(FakeClient(still.port, "Bench", compressed=False))
        terminal = stack.enter_context(_terminal(scratch, still.port))
        listeners = [*away, player]
        _settle(listeners, terminal, _ARRIVED_S)

        woken = Usage(empty.process.pid)
        usages = [Usage(crowded.process.pid), Usage(terminal.process.pid)]
        spent_s = [_spent_s(usage) for usage in usages]
        beats = player.received_bytes, len(player.of_kind(Heartbeat))
        _settle(listeners, terminal, _IDLE_S)
        shares = [
            100 * (_spent_s(usage) - before_s) / _IDLE_S
            for usage, before_s in zip(usages, spent_s, strict=True)
        ]
        return [
            _bytes_while_standing(player, *beats),
            Figure(f"wake-ups of an idle server in {_IDLE_S} s, all threads", woken.wakeups(), ""),
            Figure("memory of an idle server", woken.resident_mb(), "MB", "<= 120"),
            Figure(f"{_AWAY} players connected and away", round(shares[0], 3), "% core", "<= 0.3"),
            Figure(f"client: processor share while idle, over {_IDLE_S} s", round(shares[1], 3), "%", "<= 1"),
        ]


def _settle(listeners: list[FakeClient], terminal: PtyTerminal, seconds: float) -> None:
    """Let time pass. Everybody answers heartbeats, else the server would close their connections after 15 s."""
    threads = [threading.Thread(target=each.settle, args=(seconds,)) for each in listeners]
    for thread in threads:
        thread.start()
    end_s = time.monotonic() + seconds
    while (left_s := end_s - time.monotonic()) > 0:
        terminal.pump(min(0.5, left_s))
    for thread in threads:
        thread.join()
    assert not any(each.closed for each in listeners), "a server closed the connection of an idle player"


def _spent_s(usage: Usage) -> float:
    return sum(usage.threads_s().values())


def _bytes_while_standing(player: FakeClient, before: int, pings: int) -> Figure:
    beats = player.of_kind(Heartbeat)[pings:]
    other = player.received_bytes - before - sum(len(frame(encode(ping))) for ping in beats)
    note = f"besides {len(beats)} heartbeats"
    return Figure(f"bytes in {_IDLE_S} s of standing still", other, "B", "<= 0", note)


def _terminal(scratch: Path, port: int) -> PtyTerminal:
    """Return a client on a terminal, in play."""
    environment = {"GLOAM_HOME": str(scratch / "home"), "HOME": str(scratch)}
    command = [sys.executable, "-m", "gloam_client", f"127.0.0.1:{port}", "--name", "Beside"]
    return PtyTerminal(command, env=environment)
