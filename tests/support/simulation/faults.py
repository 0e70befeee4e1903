"""Faults of every kind: in connections, programs, the server's process, its disk and its clocks."""

from collections import Counter
from collections.abc import Callable
from typing import Final, TypeAlias

from gloam_shared.protocol.commands import Move
from support.simulation.clients import Person, Program
from support.simulation.faulty_disk import FAULTS
from support.simulation.machine import Machine
from support.simulation.randomness import Chance
from support.simulation.virtual_time import VirtualLoop

LYING: Final = "disk: lying fsync and power cut"

Fault: TypeAlias = Callable[[], bool]
"""Lets something happen; False when there was nothing for it to happen to."""


class BadLuck:
    """Makes faults happen, by their weights, `every_s` seconds apart on average, until `over`.

    `counts` counts them by kind.
    """

    def __init__(
        self, loop: VirtualLoop, chance: Chance, machine: Machine, people: list[Person], every_s: float
    ) -> None:
        self.counts: Counter[str] = Counter()
        self.over = False
        self.on_lost_tail: Callable[[int], None] = lambda *_: None
        self._loop = loop
        self._chance = chance
        self._machine = machine
        self._people = people
        self._every_s = every_s
        self._kinds: list[tuple[str, int, Fault]] = [
            ("connection reset", 8, self._reset),
            ("half-open line", 6, self._half_open),
            ("one-way loss", 6, self._one_way_loss),
            ("delay of 0 to 30 s", 6, self._delay),
            ("reorder across connections", 6, self._reorder),
            ("slow reader", 6, self._slow_reader),
            ("slow writer", 6, self._slow_writer),
            ("duplicate login", 6, self._duplicate_login),
            ("client crash mid-frame", 6, self._client_crash),
            ("server crash", 3, self._server_crash),
            ("clean restart", 1, self._restart),
            *((f"disk: {kind}", 2, self._disk_trouble(kind)) for kind in FAULTS),
            (LYING, 3, self._lying_disk),
            ("wall clock jump", 2, self._clock_jump),
            ("stall of the server", 3, self._stall),
        ]

    def add(self, kind: str, weight: int, fault: Fault) -> None:
        """Let one more kind of fault happen."""
        self._kinds.append((kind, weight, fault))

    @property
    def kinds(self) -> list[str]:
        """The kinds of faults."""
        return [kind for kind, _, _ in self._kinds]

    def begin(self) -> None:
        """Let the first fault be not far."""
        self._loop.call_later(self._chance.uniform(0, 2 * self._every_s), self._strike)

    def _strike(self) -> None:
        if self.over:
            return
        kind, _, fault = self._chance.choices(self._kinds, [weight for _, weight, _ in self._kinds])[0]
        if fault():
            self.counts[kind] += 1
        self.begin()

    def _later(self, seconds: float, call: Callable[[], object]) -> None:
        self._loop.call_later(seconds, lambda: None if self.over else call())

    def _program(self) -> Program | None:
        """Return someone's program that has a line."""
        programs = [each for person in self._people for each in person.programs]
        stands = [each for each in programs if each.line is not None and each.line.stands]
        return self._chance.choice(stands) if stands else None

    # Lines.

    def _reset(self) -> bool:
        program = self._program()
        if program is None or program.line is None:
            return False
        program.line.reset()
        return True

    def _half_open(self) -> bool:
        program = self._program()
        if program is None or program.line is None:
            return False
        if self._chance.random() < 0.5:
            program.line.reset(notified="server")
        else:
            program.line.reset(notified="client" if self._chance.random() < 0.5 else "nobody")
        return True

    def _one_way_loss(self) -> bool:
        program = self._program()
        if program is None or program.line is None:
            return False
        line = program.line
        pipe = self._chance.choice((line.up, line.down))
        pipe.blocked = True
        seconds = self._chance.choice((0.5, 3, 9, 14, 40))
        self._later(seconds, line.heal if seconds < 20 else line.reset)
        return True

    def _delay(self) -> bool:
        program = self._program()
        if program is None or program.line is None:
            return False
        line = program.line
        line.up.latency_s, line.down.latency_s = self._chance.uniform(0, 30), self._chance.uniform(0, 30)
        self._later(self._chance.uniform(1, 40), line.heal)
        return True

    def _reorder(self) -> bool:
        """Let the bytes of one line arrive behind the bytes of the next."""
        program = self._program()
        if program is None or program.line is None or not program.link.joined:
            return False
        program.line.up.blocked = True
        program.command(Move(self._chance.randint(-1, 1), self._chance.randint(-1, 1)))
        program.line.wander(self._chance.uniform(0.2, 6))
        return True

    def _slow_reader(self) -> bool:
        program = self._program()
        if program is None or program.line is None:
            return False
        line = program.line
        if self._chance.random() < 0.5:
            line.down.slice_max, line.down.gap_s = 60, self._chance.choice((0.04, 0.2, 1.0))
        else:
            line.down.reads = False
        self._later(self._chance.uniform(2, 30), line.heal)
        return True

    def _slow_writer(self) -> bool:
        program = self._program()
        if program is None or program.line is None:
            return False
        line = program.line
        line.up.slice_max, line.up.gap_s = self._chance.choice((1, 3)), self._chance.choice((0.02, 0.1, 0.9))
        self._later(self._chance.uniform(2, 20), line.heal)
        return True

    # Programs.

    def _duplicate_login(self) -> bool:
        program = self._program()
        if program is None:
            return False
        for _ in range(self._chance.choice((1, 1, 1, 2, 5))):
            program.person.run_program()
        return True

    def _client_crash(self) -> bool:
        program = self._program()
        if program is None or program.line is None or not program.link.joined:
            return False
        program.link.say("What I always wanted to tell you is")
        frame = program.link.outgoing()
        program.line.client_end.write(frame[: self._chance.randrange(1, len(frame))])
        if self._chance.random() < 0.5:
            program.line.client_aborts()
        program.crash()
        return True

    # The server, its disk, its clocks.

    def _server_crash(self) -> bool:
        if not self._machine.is_up:
            return False
        silently = self._chance.random() < 0.3
        if self._chance.random() < 0.5:  # when a beat is on the disk, and no player knows it yet
            self._machine.kill_when_durable(silently=silently)
        else:
            self._machine.kill(silently=silently)
        return True

    def _restart(self) -> bool:
        if not self._machine.is_up:
            return False
        self._machine.stop()
        return True

    def _disk_trouble(self, kind: str) -> Fault:
        def trouble() -> bool:
            times, landed = self._chance.choice((1, 1, 2, 6)), self._chance.random() < 0.5
            self._machine.disk.trouble(kind, times, landed=landed)
            return True

        return trouble

    def _lying_disk(self) -> bool:
        """Let the disk lie, and its power be cut once it has: it counts when something is lost."""
        machine = self._machine
        if not machine.is_up or machine.disk.is_lying:
            return False
        machine.disk.begin_lying(self._chance.choice((0, 0, 1, 5)))

        def cut() -> None:
            if not machine.is_up:
                machine.disk.be_well()
            elif not machine.disk.mishaps.lost_inputs:
                self._later(1, cut)
            else:
                machine.kill(silently=True)
                self.on_lost_tail(machine.disk.power_cut())
                self.counts[LYING] += 1

        self._later(self._chance.uniform(0.5, 10), cut)
        return False

    def _clock_jump(self) -> bool:
        self._machine.wall_shift_s += self._chance.choice((-86_400, -3_600, -5, 5, 3_600, 90_000, 700_000))
        self._machine.tell_time()
        return True

    def _stall(self) -> bool:
        if not self._machine.is_up:
            return False
        self._machine.stall(self._chance.choice((0.1, 0.3, 1, 3, 20)))
        return True
