"""Faults of processes under bots, in a file and in a cluster: each answered command was carried out once.

python tests/support/crash/faults.py view leader --times 50 --bots 200 --cluster
"""

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from gloam_shared import limits
from gloam_shared.protocol.messages.login import Joined
from gloam_shared.protocol.messages.play import Update
from gloam_shared.protocol.registry import FromServer
from support.content.campaigns import shipped
from support.crash.auditor import Auditor
from support.crash.bots import Bot, Crowd
from support.crash.fault_kinds import FAULTS, Fault
from support.crash.place import Place
from support.link.view_processes import is_whole
from support.processes.server_process import run_server_command
from support.simulation.randomness import Chance

CAMPAIGN = "jsrogue"
PATIENCE_S = 60
_LOOK_S = 0.05


class PlayingBot(Bot):
    """A bot that notes when it was taken in again, and whether the server then knew every command that it had answered.

    It sends a command each `pause_s` at most.
    """

    def __init__(self, at: int, chance: Chance, pause_s: float = 0) -> None:
        super().__init__(at, chance)
        self.joins = 0
        self.forgotten = 0
        self.updated = 0
        """The number of commands that an update has answered: what is refused is answered also while nothing can be kept."""
        self._pause_s = pause_s
        self._due_s = time.monotonic() + chance.random() * pause_s

    def act(self) -> None:
        """Send the next command when it is due; acknowledge updates without delay."""
        if self._pause_s and (now_s := time.monotonic()) < self._due_s:
            self._flush()
            return
        if self._pause_s and (self.link.unanswered is None or not self.link.joined):
            self._due_s = now_s + self._pause_s
        super().act()

    def _note(self, message: FromServer) -> None:
        if isinstance(message, Joined):
            self.joins += 1
            self.forgotten += message.life == self._life and message.number < self.carried_out
        before = self.answered
        super()._note(message)
        if isinstance(message, Update):
            self.updated += self.answered - before


@dataclass
class Report:
    """The findings of a run. Times are in milliseconds, for each fault: until all players who had to be taken in
    again were, and the longest without a command that was carried out for anyone.
    """

    faults: tuple[str, ...] = ()
    times: int = 0
    bots: int = 0
    answered: int = 0
    cut: int = 0
    forgotten: int = 0
    lost: int = 0
    doubled: int = 0
    vanished: int = 0
    back_ms: tuple[int, ...] = ()
    silent_ms: tuple[int, ...] = ()
    state: str = ""
    verified: str = ""

    @property
    def is_clean(self) -> bool:
        """Whether nothing was lost, and no connection but those that a fault ends."""
        found = self.cut or self.forgotten or self.lost or self.doubled or self.vanished
        return not found and self.state == self.verified


def run(
    faults: Sequence[str],
    times: int,
    count: int,
    folder: Path,
    *,
    cluster: bool = False,
    pause_s: float = 0,
    campaign: str = CAMPAIGN,
) -> Report:
    """Cause the faults in their order, so often, and compare the world with what the bots were answered."""
    bots = [PlayingBot(at, Chance(at), pause_s) for at in range(count)]
    crowd, back_ms, silent_ms, cut = Crowd(list(bots)), [], [], 0
    with ExitStack() as stack:
        place = Place(folder, stack, frozenset(faults), cluster=cluster, campaign=campaign)
        stack.callback(crowd.hang_up)
        _enter(crowd, place.server.port)
        for kind in [*faults] * times:
            _play_until_whole(crowd, place)
            watch = _Watch(bots, crowd, FAULTS[kind])
            watch.look(place)
            back_ms.append(watch.back_ms)
            silent_ms.append(watch.silent_ms)
            cut += watch.cut
            if count > 20:
                sys.stderr.write(f"{kind}: back {watch.back_ms} ms, silent {watch.silent_ms} ms\n")
            if cluster:
                for each in place.nats.servers:
                    if not each.runs:
                        each.start()
        crowd.play(1)
        crowd.hang_up()
        code = place.server.stop()
        assert code == 0, place.server.errors.read_text()[-4_000:]
        copy = place.export()
    auditor = Auditor(shipped(campaign))
    found = auditor.look(copy, list(bots))
    if found.words:
        sys.stderr.write("\n".join(found.words) + "\n")
    verified = run_server_command("verify", "--data", str(copy), timeout_s=600).stdout
    return Report(
        faults=tuple(faults),
        times=times,
        bots=count,
        answered=sum(bot.answered for bot in bots),
        cut=cut,
        forgotten=sum(bot.forgotten for bot in bots),
        lost=found.lost,
        doubled=found.doubled,
        vanished=found.vanished,
        back_ms=tuple(back_ms),
        silent_ms=tuple(silent_ms),
        state=auditor.state_hash().hex(),
        verified=verified.split()[-1],
    )


class _Watch:
    """The crowd from a fault on, until all play again."""

    def __init__(self, bots: list[PlayingBot], crowd: Crowd, fault: Fault) -> None:
        self._fault = fault
        self.back_ms = self.silent_ms = self.cut = 0
        self._bots, self._crowd = bots, crowd
        self._joins = [bot.joins for bot in bots]
        self._began_s = self._heard_s = time.monotonic()
        self._updated = self._before = sum(bot.updated for bot in bots)
        self._again: set[int] = set()

    def look(self, place: Place) -> None:
        """Cause the fault and play on; who is cut dials again. A cut of the network ends after its time."""
        fault = self._fault
        fault.begin(place)
        lasts = fault.lasts_s > 0
        if fault.joins_again:
            self._again.update(range(len(self._bots)))
        while lasts or not self._is_over():
            now_s = time.monotonic()
            assert now_s < self._began_s + PATIENCE_S, self._missing(place)
            if lasts and now_s >= self._began_s + fault.lasts_s:
                fault.end(place)
                lasts = False
            for at, bot in enumerate(self._bots):
                if bot.socket is None:
                    self.cut += not fault.cuts
                    self._again.add(at)
                    try:
                        bot.dial(place.server.port)
                    except OSError:
                        bot.hang_up()
            self._crowd.play(_LOOK_S, self._note)
            if not self.back_ms and self._again and self._are_in():
                self.back_ms = round((time.monotonic() - self._began_s) * 1_000)

    def _note(self) -> bool:
        updated, now_s = sum(bot.updated for bot in self._bots), time.monotonic()
        if updated != self._updated:
            self.silent_ms = max(self.silent_ms, round((now_s - self._heard_s) * 1_000))
            self._updated, self._heard_s = updated, now_s
        return False

    def _is_over(self) -> bool:
        """Return whether all are in again, and commands were carried out after that."""
        if self._fault.cuts and not self._again:
            return False
        return self._are_in() and self._updated >= self._before + len(self._bots)

    def _missing(self, place: Place) -> str:
        """Return who does not play again, with the last that one of them heard, and the end of the server's log."""
        away = [
            bot for at, bot in enumerate(self._bots) if at in self._again and bot.joins == self._joins[at]
        ]
        words = [bot.name for bot in away] + [bot.story()[-2_000:] for bot in away[:1]]
        answers = f"{self._updated - self._before} commands carried out since the fault"
        return "\n".join(["not all play again", answers, *words, place.server.errors.read_text()[-6_000:]])

    def _are_in(self) -> bool:
        bots = ((self._bots[at], self._joins[at]) for at in self._again)
        return all(bot.joins > joins and bot.socket is not None for bot, joins in bots)


def _enter(crowd: Crowd, port: int) -> None:
    """Let the players log in, as quickly as a server takes new names from one machine."""
    for at, bot in enumerate(crowd.bots):
        bot.dial(port)
        crowd.play(0.05 if at < limits.CREATIONS_EXEMPT_BURST else limits.CREATIONS_EXEMPT_EVERY_S + 0.05)
    assert crowd.play(PATIENCE_S, crowd.are_in), "not all came in"


def _play_until_whole(crowd: Crowd, place: Place) -> None:
    """Play until another process can take over, and each copy of NATS is current."""
    end = time.monotonic() + PATIENCE_S
    while not is_whole(place.server):
        assert time.monotonic() < end, "not all processes are ready"
        crowd.play(0.5)
    while place.store is not None and not place.nats.is_whole():
        assert time.monotonic() < end, "the servers of NATS elect no leader"
        crowd.play(0.2)
    crowd.play(0.5)


def main() -> int:
    """Run, and tell."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("faults", choices=sorted(FAULTS), nargs="+")
    parser.add_argument("--times", type=int, default=10)
    parser.add_argument("--bots", type=int, default=20)
    parser.add_argument("--pause", type=float, default=0, help="seconds between the commands of a bot")
    parser.add_argument("--cluster", action="store_true", help="with NATS and PostgreSQL instead of a file")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        report = run(
            options.faults, options.times, options.bots, Path(folder), cluster=options.cluster, pause_s=options.pause
        )  # fmt: skip
    sys.stdout.write(f"{json.dumps(asdict(report))}\n")
    return 0 if report.is_clean else 1


if __name__ == "__main__":
    sys.exit(main())
