"""kill -9 of the turn process under bots: the standby takes over, connections stay, and each answered command was carried out once.

python tests/support/crash/takeovers.py --kills 50 --bots 25
"""

import argparse
import json
import os
import signal
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from gloam_shared.protocol.messages.login import Joined
from gloam_shared.protocol.registry import FromServer
from support.content.campaigns import shipped
from support.crash.auditor import Auditor, copied
from support.crash.bots import Bot, Crowd
from support.link.view_processes import has_standby, turn_processes
from support.processes.server_process import ServerProcess, run_server_command
from support.simulation.randomness import Chance

CAMPAIGN = "jsrogue"
PATIENCE_S = 60


class PlayingBot(Bot):
    """A bot that notes when it was taken in again, and whether the server then knew every command that it had answered."""

    def __init__(self, at: int, chance: Chance) -> None:
        super().__init__(at, chance)
        self.joins = 0
        self.forgotten = 0

    def _note(self, message: FromServer) -> None:
        if isinstance(message, Joined):
            self.joins += 1
            self.forgotten += message.life == self._life and message.number < self.carried_out
        super()._note(message)


@dataclass
class Report:
    """The findings of a run. Times are in milliseconds, from the kill until the last player was taken in again."""

    kills: int = 0
    bots: int = 0
    answered: int = 0
    cut: int = 0
    forgotten: int = 0
    lost: int = 0
    doubled: int = 0
    vanished: int = 0
    gaps_ms: tuple[int, ...] = ()
    state: str = ""
    verified: str = ""


def run(kills: int, count: int, folder: Path, *, hang: bool = False, campaign: str = CAMPAIGN) -> Report:
    """Kill the turn process so often, or let it hang, and compare the world with what the bots were answered."""
    bots = [PlayingBot(at, Chance(at)) for at in range(count)]
    crowd, gaps = Crowd(list(bots)), []
    server = ServerProcess(folder / "world", "--views", "2", "--standby", campaign=campaign, seed=3)
    try:
        crowd.dial(server.port)
        assert crowd.play(PATIENCE_S, crowd.are_in), "not all came in"
        for _ in range(kills):
            play_until_standby(crowd, server)
            victim, joins = turn_processes(server)[0], [bot.joins for bot in bots]
            began_s = time.monotonic()
            os.kill(victim, signal.SIGSTOP if hang else signal.SIGKILL)
            back = crowd.play(
                PATIENCE_S,
                lambda joins=joins: all(bot.joins > before for bot, before in zip(bots, joins, strict=True)),  # type: ignore[misc]
            )
            gaps.append(round((time.monotonic() - began_s) * 1_000))
            assert back or any(bot.socket is None for bot in bots), "a player was not taken in again"
        crowd.play(1)
        cut = sum(bot.socket is None for bot in bots)
    finally:
        crowd.hang_up()
        code = server.stop()
    assert code == 0, server.errors.read_text()[-4_000:]
    auditor = Auditor(shipped(campaign))
    found = auditor.look(copied(folder / "world", folder / "copy"), list(bots))
    verified = run_server_command("verify", "--data", str(folder / "world")).stdout
    return Report(
        kills,
        count,
        sum(bot.answered for bot in bots),
        cut,
        sum(bot.forgotten for bot in bots),
        found.lost,
        found.doubled,
        found.vanished,
        tuple(gaps),
        auditor.state_hash().hex(),
        verified.split()[-1],
    )


def play_until_standby(crowd: Crowd, server: ServerProcess) -> None:
    """Play until another process can take over."""
    end = time.monotonic() + PATIENCE_S
    while not has_standby(server):
        assert time.monotonic() < end, "no standby is ready"
        crowd.play(0.5)


def main() -> int:
    """Run, and tell."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--bots", type=int, default=20)
    parser.add_argument(
        "--hang", action="store_true", help="stop the process with SIGSTOP instead of SIGKILL"
    )
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        report = run(options.kills, options.bots, Path(folder), hang=options.hang)
    sys.stdout.write(f"{json.dumps(asdict(report))}\n")
    clean = not (report.cut or report.forgotten or report.lost or report.doubled or report.vanished)
    return 0 if clean and report.state == report.verified else 1


if __name__ == "__main__":
    sys.exit(main())
