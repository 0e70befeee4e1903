"""kill -9 at a real server under twenty bots, again and again: `make crash` calls it, and the test does.

The seed decides the order of the moments, the delays, and what the bots want; the machine's own haste decides the rest.
After each kill the auditor reads the disk; at the end the server's own `verify` does, and a clean stop must be clean.
"""

import argparse
import json
import logging
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from support.content.campaigns import shipped
from support.crash.auditor import Auditor, copied
from support.crash.bots import Bot, Crowd
from support.crash.keeping import Keeping
from support.crash.moments import Moment, Victim
from support.processes.server_process import run_server_command
from support.simulation.randomness import Chance

BOTS = 20
_JOINED_WITHIN_S = 60.0
_SNAPSHOT_WITHIN_S = 30.0
_WHILE_S = 4.0
_START_S = 0.15
"""A forked server listens after 0.07 s, and later if it has much to recover."""
_BACKUP_S = 0.3
_TOGETHER = 5
_AT_REST = frozenset({Moment.SALVAGE, Moment.UPGRADE})
"""Moments at which no server plays: they are met on copies of the world."""
_ORDER = [*Moment] * 2 + [Moment.PLAY, Moment.COMMIT, Moment.COMMIT]
"""The moments of one turn, in an order that the seed decides."""


@dataclass
class Crash:
    """One run of kills on one world."""

    kills: int
    seed: int
    folder: Path
    only: Moment | None = None
    """The one moment at which to kill, after the kill in play that leaves a world."""
    killed: Counter[str] = field(default_factory=Counter)
    lost: int = 0
    doubled: int = 0
    vanished: int = 0
    inputs: int = 0
    seconds: float = 0.0

    def run(self) -> "Crash":
        """Kill, look, start again; raises AssertionError if anything differs from the answers."""
        began = time.monotonic()
        self._chance = Chance(self.seed)
        self._campaign = ("gloam", "jsrogue")[self.seed % 2]
        self._auditor = Auditor(shipped(self._campaign))
        self._bots = [Bot(at, Chance(self.seed * 1_000 + at)) for at in range(BOTS)]
        self._crowd = Crowd(self._bots)
        data, scratch = self.folder / "world", self.folder / "copy"
        self._keeping = Keeping(self._campaign, self._chance, self.folder / "keeping")
        for moment in self._moments():
            if moment in _AT_REST:
                self._kill_at_rest(moment, scratch, min(_TOGETHER, self.kills - self.killed.total()))
                continue
            victim = Victim(data, self._campaign, self.seed)
            try:
                hit = self._live_until(moment, victim)
            finally:
                victim.kill()
            self.killed[hit.value] += 1
            self._crowd.play(0.2)  # what was on its way is heard
            self._crowd.hang_up()
            self._look(copied(data, scratch))
            if hit is Moment.BACKUP:
                self._keeping.look_at_backup(scratch)
        self._end(data, scratch)
        self.seconds = time.monotonic() - began
        return self

    @property
    def half_salvaged(self) -> int:
        """The number of kills that left a salvage half done."""
        return self._keeping.inside

    @property
    def answered(self) -> int:
        """The number of commands that were answered in all."""
        return sum(bot.answered for bot in self._bots)

    def _kill_at_rest(self, moment: Moment, world: Path, kills: int) -> None:
        """Kill what works on a world that no server has open. Some kills in salvage share a damage."""
        if moment is not self.only or moment is not Moment.SALVAGE:
            kills = 1
        if self._auditor.is_unfounded:
            moment = Moment.START  # there is nothing yet to work on
        elif moment is Moment.SALVAGE:
            self._keeping.salvage(world, kills)
        else:
            self._keeping.upgrade(world)
        self.killed[moment.value] += kills

    def _moments(self) -> list[Moment]:
        order: list[Moment] = []
        if self.only is not None:
            together = _TOGETHER if self.only is Moment.SALVAGE else 1
            return [Moment.PLAY, *[self.only] * -(-(self.kills - 1) // together)]
        while len(order) < self.kills:
            # Even a short run meets each moment: the first turn has each once, after a kill that leaves a world.
            turn = list(_ORDER if order else Moment)
            self._chance.shuffle(turn)
            order += turn if order else [Moment.PLAY, *turn]
        return order[: self.kills]

    def _live_until(self, moment: Moment, victim: Victim) -> Moment:
        """Let the server live until a moment; return which was hit: a snapshot may be too far away to be waited for."""
        chance = self._chance
        if moment is Moment.START:
            time.sleep(chance.uniform(0, _START_S))
            return moment
        self._crowd.dial(victim.port())
        if moment is Moment.JOINING:
            self._crowd.play(chance.uniform(0, 0.4))
            return moment
        assert self._crowd.play(_JOINED_WITHIN_S, self._crowd.are_in), "not everybody came in"
        match moment:
            case Moment.PLAY:
                self._play_a_while()
            case Moment.COMMIT:
                self._play_a_while()
                victim.wait_for_a_write(0.3)
                time.sleep(chance.choice((0, 0, 0.0005, 0.002)))
            case Moment.SNAPSHOT:
                if not self._crowd.play(_SNAPSHOT_WITHIN_S, victim.is_near_a_snapshot):
                    return Moment.PLAY
                for _ in range(chance.randrange(25)):
                    self._crowd.play(0.01)
                victim.wait_for_a_write(0.3)
            case Moment.BACKUP:
                self._play_a_while()
                self._kill_about_a_backup(victim)
            case Moment.STOP:
                self._play_a_while()
                victim.process.terminate()
                time.sleep(chance.uniform(0, 0.25))
        return moment

    def _kill_about_a_backup(self, victim: Victim) -> None:
        """Begin a backup under play; kill it, or else the server, which does not concern it."""
        backup = self._keeping.backup_begins(victim.data)
        try:
            self._crowd.play(self._chance.uniform(0, _BACKUP_S))
            if self._chance.random() < 0.5:
                backup.kill()
            else:
                victim.process.kill()
                backup.wait(_JOINED_WITHIN_S)
        finally:
            backup.kill()
            backup.wait()

    def _play_a_while(self) -> None:
        """Play until some more commands are answered: the same for a slow machine and a fast one."""
        enough = self.answered + self._chance.randint(5, 160)
        self._crowd.play(_WHILE_S, lambda: self.answered >= enough)
        self._crowd.play(self._chance.uniform(0, 0.03))

    def _look(self, copy: Path) -> None:
        report = self._auditor.look(copy, self._bots)
        self.lost += report.lost
        self.doubled += report.doubled
        self.vanished += report.vanished
        self.inputs += report.inputs
        assert (report.lost, report.doubled, report.vanished) == (0, 0, 0), "\n".join(
            map(str, (report[:3], *report.words))
        )
        for bot in self._bots:
            bot.looked_at()

    def _end(self, data: Path, scratch: Path) -> None:
        """Let the last server live and stop as it should; then its own check must agree."""
        victim = Victim(data, self._campaign, self.seed)
        try:
            self._crowd.dial(victim.port())
            assert self._crowd.play(_JOINED_WITHIN_S, self._crowd.are_in), "not everybody came in"
            self._crowd.play(0.5)
            code = victim.stop()
        finally:
            victim.kill()
        assert code == 0, f"a clean stop ended with {code}"
        assert "Traceback" not in victim.log(), victim.log()[-3_000:]
        self._crowd.play(0.2)
        self._crowd.hang_up()
        self._look(copied(data, scratch))
        verified = run_server_command("verify", "--data", str(data), timeout_s=600)
        assert verified.returncode == 0, verified.stderr


def main() -> int:
    """Run, and tell."""
    options = _options()
    logging.getLogger("gloam_server").addHandler(
        logging.NullHandler()
    )  # what starts in this process would tell
    only = Moment[options.moment.upper()] if options.moment else None
    with tempfile.TemporaryDirectory() as folder:
        crash = Crash(options.kills, options.seed, Path(folder), only)
        try:
            crash.run()
        except AssertionError as error:
            print(f"After {crash.killed.total()} kills: {error}", file=sys.stderr)
            print(f"Once more: make crash SEED={options.seed} N={options.kills}", file=sys.stderr)
            raise
    names = {
        "kills": crash.kills,
        "moments": dict(crash.killed),
        "half_salvaged": crash.half_salvaged,
        "answered": crash.answered,
        "inputs": crash.inputs,
        "lost": crash.lost,
        "doubled": crash.doubled,
        "vanished": crash.vanished,
        "seconds": round(crash.seconds, 1),
    }
    print(json.dumps(names) if options.json else _words(names, crash), flush=True)
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--moment", choices=[moment.name.lower() for moment in Moment])
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


def _words(entry: dict[str, object], crash: Crash) -> str:
    moments = ", ".join(f"{count} {moment}" for moment, count in sorted(crash.killed.items()))
    half = f", {entry['half_salvaged']} of them half done" if entry["half_salvaged"] else ""
    return (
        f"{entry['kills']} kills ({moments}{half}) under {BOTS} bots: {entry['answered']:,} commands answered, {entry['inputs']:,} "
        f"inputs durable, {entry['lost']} lost, {entry['doubled']} doubled, {entry['vanished']} vanished, in {entry['seconds']} s"
    )


if __name__ == "__main__":
    sys.exit(main())
