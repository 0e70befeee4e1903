"""The simulation: a whole server, its clients and their connections in virtual time, with all faults and all checks.

One seed decides everything. After the faults there is a quiet time, in which all must be mended.
"""

import asyncio
import hashlib
import logging
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from gloam_lab.invariants import check_invariants
from gloam_server.engine.recovery import snapshot_schedule as snapshots_module
from gloam_server.engine.recovery.replay import verify
from gloam_server.storage.store import Store
from gloam_server.world.model.creature import new_creature
from gloam_server.world.model.ids import new_id
from gloam_server.world.model.inputs import Arrive, Remove
from gloam_server.world.transition import dungeon as dungeon_module
from gloam_server.world.transition.dungeon import Dungeon
from gloam_shared.kept import checking
from support.fuzz.forger import Forger
from support.server.sim_server import SimServer
from support.simulation.checkers import check_bodies, check_quiet
from support.simulation.clients import Person, Program
from support.simulation.durable_state import Shadow
from support.simulation.faults import BadLuck
from support.simulation.frame_checks import Watch
from support.simulation.machine import Machine
from support.simulation.players.companies import ADVENTURERS, Company
from support.simulation.randomness import Chance
from support.simulation.rule_faults import PLANTED, Curse, curses
from support.simulation.virtual_time import VirtualLoop

FAULT_EVERY_S: Final = 2.5
QUIET_S: Final = 45.0
CROWDED: Final = 60
DEAR_EVERY: Final = 60
"""Every this many steps in which something became durable the dear checkers look at everything."""

SNAPSHOT_EVERY: Final = 80
HASH_EVERY: Final = 50
_CONJURER: Final = 1_000
_EXPECTED_LOGS: Final = (
    "the journal refuses",
    "who was seen is not noted",
    "the last snapshots were not written",
)
_EXPECTED_BYES: Final = frozenset({"replaced", "goodbye", "stopping", "fault"})
CURSE: Final = "exception in a creature's turn"


class Broken(AssertionError):
    """Something that must hold does not."""


class Simulation:
    """One run of this many simulated seconds with a company of players. With `forges` the last player's client is a modified one.

    `faults` counts what happened by kind; `digest` covers everything that ever happened.
    """

    def __init__(
        self,
        seed: int,
        seconds: float,
        *,
        clients: int = 5,
        company: Company = ADVENTURERS,
        forges: bool = True,
    ) -> None:
        self.seed = seed
        self.seconds = seconds
        self.chance = Chance(seed)
        self.loop = VirtualLoop()
        self.broken: list[str] = []
        self.campaign = company.campaign(seed)
        self.machine = Machine(self.loop, self.chance, self.campaign, seed, self._tap)
        self.forger = Forger(Chance(f"forger {seed}"), tuple(f"Player{at}" for at in range(clients)))
        forgers = [None] * (clients - 1) + [self.forger if forges else None]
        self.people = [
            Person(at, self.loop, self.chance, self.machine, company, forger)
            for at, forger in enumerate(forgers)
        ]
        self.watch = Watch(self.people, self.report)
        self.luck = BadLuck(self.loop, self.chance, self.machine, self.people, FAULT_EVERY_S)
        self.luck.on_lost_tail = self._lose_tail
        self.curse = Curse(self._living)
        self.luck.add(CURSE, 5, self._curse_somebody)
        if company.days:
            self.luck.add("a day", 5, self._begin_day)
        self.digest = ""
        self.simulated_s = 0.0
        self.steps = 0
        self.lost_inputs = 0
        self._missing = 0
        self._conjured = 0
        self._foes_up_to = company.foes
        self._inputs_seen = 0
        self._changes = 0
        self._saved: tuple[Any, ...] | None = None
        self._compared: dict[int, int] = {}
        self.shadow: Shadow

    @property
    def faults(self) -> Counter[str]:
        """The faults that happened, by kind."""
        return self.luck.counts

    def run(self) -> "Simulation":
        """Live through all of it. Raises `Broken` when something that must hold does not."""
        began_s = self.loop.time()
        with _shorter_intervals(), _log_watch(self._logged), curses(self.curse), checking(self.report):
            try:
                self._begin()
                self.loop.virtual.on_step = self._step
                self.loop.run_until_complete(self._live())
                self._end()
            finally:
                self.simulated_s = self.loop.time() - began_s
                self.loop.virtual.on_step = None
                self.loop.run_until_complete(self._hang_up())
                self.loop.close()
        return self

    def report(self, text: str) -> None:
        """Note that something does not hold; the run ends after the present step."""
        self.broken.append(f"at {self.loop.time() - 1_000:.3f} s: {text}")

    # What happens.

    def _begin(self) -> None:
        self.loop.dial = self._dial
        self.machine.on_start = self._started
        self.machine.start()
        self._conjure()
        self.luck.begin()

    async def _live(self) -> None:
        await asyncio.sleep(self.seconds)
        self.luck.over = True
        self.machine.disk.be_well()
        for line in list(self.machine.lines):
            line.heal()
        for person in self.people:
            person.rests = True
            for program in person.programs[1:]:
                program.crash()
        await asyncio.sleep(QUIET_S)

    async def _dial(self, protocol_factory: Any) -> Any:
        task = asyncio.current_task()
        dialling = [each for person in self.people for each in person.programs if each.task is task]
        program: Program = dialling[0]
        return await program.dial(protocol_factory)

    def _tap(self, line: Any, data: bytes) -> None:
        self.watch.written(line, data)

    def _started(self, server: SimServer) -> None:
        """A process runs on what the disk holds: it must have become exactly what is durable."""
        disk = self.machine.disk
        if not hasattr(self, "shadow"):
            self.shadow = self.watch.shadow = Shadow(disk, self.campaign)
            self.shadow.on_act = self.watch.carried_out
            disk.mishaps.on_durable = self.shadow.follow
            disk.mishaps.on_platter = self._keep
        if self._missing:
            self.report(f"{self._missing} inputs are missing, and the server says nothing of it")
        self.watch.new_process(server)
        self._compared.clear()
        self._compare(server)

    def _keep(self) -> None:
        self._saved = self.shadow.saved()

    def _lose_tail(self, lost_inputs: int) -> None:
        """The disk has lost what did not last: so has the shadow, and the next process must notice."""
        if lost_inputs:
            assert self._saved is not None
            self.shadow.go_back(self._saved)
            self.watch.lost_tail()
            self.lost_inputs += lost_inputs
            self._missing += lost_inputs

    def _living(self) -> Dungeon | None:
        return None if self.machine.server is None else self.machine.server.dungeon

    def _begin_day(self) -> bool:
        """Let the host's calendar go on, so that beacons go out."""
        self.machine.wall_shift_s += 90_000
        return True

    def _curse_somebody(self) -> bool:
        """Curse a creature where players are: it counts when the server has reported the fault."""
        dungeon = self._living()
        levels = [level for level in dungeon.levels.values() if level.players()] if dungeon else []
        if levels:
            self.curse.victim = self.chance.choice(sorted(self.chance.choice(levels).creatures))
        return False

    def _conjure(self) -> None:
        """Let something dangerous appear now and then, so that lives are short and eventful."""
        if self.luck.over or not self._foes_up_to:
            return
        self.loop.call_later(self.chance.uniform(0.5, 4), self._conjure)
        server = self.machine.server
        if server is None or self.machine.stalled_s():
            return
        partition = self.chance.choice((1, 1, 2))
        level = server.dungeon.levels[partition]
        self._conjured = max(self._conjured, level.state.heard.get(_CONJURER, (0, 0))[0]) + 1
        source = (_CONJURER, self._conjured, 0)
        if len(level.creatures) > CROWDED:  # who arrives needs a free cell
            oldest = min(body.number for body in level.creatures.values() if not body.account)
            server.engine.loop.submit(partition, Remove(oldest, "banished", source))
        elif len(level.creatures) < self._foes_up_to:
            kinds = [kind for kind in ("kobold", "kobold", "bat", "ogre") if kind in self.campaign.creatures]
            prey = [body.cell for body in level.players()] or [
                -1 if partition > 1 else server.dungeon.realm.arrival
            ]
            kind = self.campaign.creatures[self.chance.choice(kinds)]
            creature = new_creature(kind, new_id(_CONJURER, self._conjured * 16 + partition))
            server.engine.loop.submit(partition, Arrive(creature, max(0, self.chance.choice(prey)), source))

    # What must hold.

    def _logged(self, record: logging.LogRecord) -> None:
        """An error that no fault explains is one; the report of lost data must be exact."""
        text = record.getMessage()
        if "inputs are missing" in text:
            if not text.startswith(f"{self._missing} inputs are missing"):
                self.report(f"{self._missing} inputs are missing, and the server says: {text}")
            self._missing = 0
        elif PLANTED in text and self.curse.struck > self.luck.counts[CURSE]:
            self.luck.counts[CURSE] += 1
        elif not text.startswith(_EXPECTED_LOGS):
            trace = "" if record.exc_info is None else f": {record.exc_info[1]!r}"
            self.report(f"the server logs an error: {text}{trace}")

    def _step(self) -> None:
        """Check after everything that was due at one moment has run."""
        self.steps += 1
        if self.loop.faults:
            raise self.loop.faults[0]
        server = self.machine.server
        if server is not None and server.fatal:
            self.report(f"the server gave up: {server.fatal[0]}")
        if self.shadow.inputs != self._inputs_seen:
            self._inputs_seen = self.shadow.inputs
            self._changes += 1
            self._guarded(lambda: check_bodies(self.shadow.dungeon))
            if self._changes % DEAR_EVERY == 0 and server is not None:
                self._guarded(lambda: self._look_at_all(server))
        if self.broken:
            raise Broken(self.broken[0])

    def _guarded(self, call: Any) -> None:
        try:
            call()
        except AssertionError as error:
            self.report(str(error))

    def _look_at_all(self, server: SimServer) -> None:
        """Run the expensive checks: levels are consistent, things and experience are conserved, the live
        state is the durable one.
        """
        self.shadow.check_things()
        self.shadow.check_experience()
        self._compare(server)

    def _compare(self, server: SimServer) -> None:
        """Compare the server's state with a replay of the durable inputs, as far as they go."""
        shadow = self.shadow.dungeon
        assert server.dungeon.partitions() == shadow.partitions() or not self._compared, "a level is missing"
        for partition in shadow.partitions():
            sequence = shadow.sequence(partition)
            if server.dungeon.sequence(partition) != sequence or self._compared.get(partition) == sequence:
                assert server.dungeon.sequence(partition) >= sequence, (
                    f"partition {partition} lacks durable inputs"
                )
                continue
            self._compared[partition] = sequence
            frozen = hashlib.blake2b(server.dungeon.serialize(partition), digest_size=16).digest()
            assert frozen == self.shadow.hash_of(partition), (
                f"partition {partition} is not what its journal leads to"
            )
            if partition:
                check_invariants(server.dungeon.levels[partition])

    def _end(self) -> None:
        """After the quiet time all is mended."""
        server = self.machine.server
        assert server is not None
        assert len(self.machine.lines) >= len(self.people)
        self._compared.clear()
        self._look_at_all(server)
        for person in self.people:
            check_quiet(server, person)
        strange = set(self.watch.byes) - _EXPECTED_BYES
        assert not strange, f"a player was disconnected: {strange}"
        assert server.connections.open == len(self.people), "a line that has ended is still counted"
        assert len(server.clock.calls) <= 3 * len(self.people), "timers pile up"
        replayed, state = verify(self.machine.disk, self.campaign)
        assert state == server.dungeon.state_hash(), "the replay leads to another state"
        assert server.again().dungeon.state_hash() == state, "what is rebuilt is another state"
        assert replayed
        self.digest = digest_of(self.machine.disk)

    async def _hang_up(self) -> None:
        tasks = [program.task for person in self.people for program in person.programs]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def tell(company: Company, seconds: float, seeds: Iterable[int], wanted: frozenset[str]) -> Counter[str]:
    """Run the seeds, one after another, until all of these kinds of deeds have happened; return how often each did."""
    told: Counter[str] = Counter()
    for seed in seeds:
        told += Simulation(seed, seconds, company=company, forges=False).run().shadow.told
        if told.keys() >= wanted:
            break
    return told


def digest_of(store: Store) -> str:
    """Return a hash of all records of a journal, place by place."""
    digest = hashlib.blake2b(digest_size=16)
    for partition in store.partitions():
        for record in store.journal.read(partition, 0):
            digest.update(b"%d:%d:%d:" % (partition, record.sequence, len(record.body)) + record.body)
    return digest.hexdigest()


@contextmanager
def _shorter_intervals() -> Iterator[None]:
    """Snapshot and hash more often than in play, so that a short run sees it."""
    former = snapshots_module.SNAPSHOT_EVERY, dungeon_module.HASH_EVERY
    snapshots_module.SNAPSHOT_EVERY, dungeon_module.HASH_EVERY = SNAPSHOT_EVERY, HASH_EVERY  # type: ignore[misc]
    try:
        yield
    finally:
        snapshots_module.SNAPSHOT_EVERY, dungeon_module.HASH_EVERY = former  # type: ignore[misc]


@contextmanager
def _log_watch(logged: Callable[[logging.LogRecord], None]) -> Iterator[None]:
    """Tell of every error that the server logs."""

    class Handler(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if record.levelno >= logging.ERROR:
                logged(record)

    handler = Handler()
    log = logging.getLogger("gloam_server")
    propagates, log.propagate = log.propagate, False
    log.addHandler(handler)
    try:
        yield
    finally:
        log.removeHandler(handler)
        log.propagate = propagates
