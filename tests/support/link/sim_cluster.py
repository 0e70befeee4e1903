"""A turn process with view processes and standbys under faults: batches that are lost, repeated, late or spoiled, cuts, deaths and hangs.

One seed decides everything that happens. After the faults there is a quiet time, in which all must be mended.
"""

from collections import Counter
from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace
from twisted.internet.task import Clock

from gloam_server.engine.recovery.replay import verify
from gloam_server.link.link_messages import DurableBatch, DurableRecord, decode_to_views, encode
from gloam_server.storage.errors import StorageFault
from gloam_server.world.model import inputs
from gloam_server.world.model.ids import REALM_PARTITION
from gloam_shared.protocol.commands import Move, Wait
from gloam_shared.protocol.messages.play import Update
from support.link.sim_takeover import StandbyServer
from support.link.sim_views import SimView
from support.simulation.durable_state import Shadow
from support.simulation.randomness import Chance
from support.simulation.simulate import Broken

PLAYERS: Final = ("Anna", "Bert", "Carl")
VIEWS: Final = 2
FAULT_PERCENT: Final = 12
"""The chance of a fault in each step."""
BATCH_PERMILLE: Final = 10
"""The chance that a batch is lost, that it is repeated, and that it is spoiled, for each."""
QUIET_MS: Final = 6_000
"""The time without faults in which players play on, and as much in which they wait."""
_REST_MS: Final = 500
_STRIKES: Final = (
    "death", "death in a gap", "hang", "cut", "view dies", "unknown append", "refused append", "disk",
)  # fmt: skip
_BATCHES: Final = ("batch lost", "batch repeated", "batch spoiled")
KINDS: Final = (*_STRIKES, *_BATCHES)
"""All kinds of faults."""
_HASH_EVERY: Final = 8
"""The steps between two comparisons of whole states."""
_STEPS_MS: Final = (10, 20, 60, 200, 700)
_LATE_S: Final = (0.0, 0.0, 0.0, 0.01, 0.1, 0.4)
_WRITES_S: Final = (0.0, 0.005, 0.03, 0.2)


class _LateClock:
    """The clock of a link whose messages arrive late, in their order."""

    def __init__(self, clock: Clock, late_s: Callable[[], float]) -> None:
        self._clock = clock
        self._late_s = late_s

    def callLater(self, _: float, call: Callable[[], None]) -> None:  # noqa: N802  # as Twisted names it
        self._clock.callLater(self._late_s(), call)


class ClusterSimulation:
    """One run with this many steps. `faults` counts what happened by kind."""

    def __init__(self, seed: int, steps: int) -> None:
        self.seed = seed
        self.steps = steps
        self.faults: Counter[str] = Counter()
        self._chance = Chance(seed)
        self._faulty = True
        self.server = StandbyServer(VIEWS, seed=seed % 3 + 1)
        self.clients = [self.server.join(name) for name in PLAYERS]
        self.shadow = Shadow(self.server.store, self.server.campaign)
        self.shadow.on_act = self._acted
        self._hangs = 0
        self._began_ms = self.server.now_ms
        for view in self.server.views:
            self._disturb(view)

    @property
    def hours(self) -> float:
        """The simulated time."""
        return (self.server.now_ms - self._began_ms) / 3_600_000

    @property
    def updates(self) -> int:
        """The number of updates that the players got."""
        return sum(len(client.of_kind(Update)) for client in self.clients)

    def run(self) -> "ClusterSimulation":
        """Live through all of it. Raises `Broken`."""
        for step in range(self.steps):
            if self._chance.randrange(100) < FAULT_PERCENT:
                self._strike()
            self._play()
            self.server.pass_time(self._chance.choice(_STEPS_MS))
            self._look(whole=step % _HASH_EVERY == 0)
        self._rest()
        self._end()
        return self

    # What happens.

    def _strike(self) -> None:
        kind = self._chance.choice(_STRIKES)
        self.faults[kind] += 1
        match kind:
            case "death":
                self._take_over()
            case "death in a gap":
                self.server.writer.unplugged = True
                for view in self._open_views():
                    view.up.cut()
                self.server.pass_time(self._chance.choice(_STEPS_MS))
                self._take_over()
            case "hang":
                former = self.server.engine
                self._take_over(cuts=False)
                self._hangs += 1
                former.loop.submit(1, inputs.UnattendedTurn())
            case "cut":
                view = self._chance.choice(self.server.views)
                view.up.cut()
                self.server.pass_time(self._chance.choice(_STEPS_MS))
                if not view.ended:
                    self._come_back(view)
            case "view dies":
                self._chance.choice(self.server.views).kill()
            case "unknown append" | "refused append":
                landed = kind == "unknown append"
                self.server.store.journal.fail_next(StorageFault("a planted fault"), landed=landed)
            case _:
                self.server.writer.delay_s = self._chance.choice(_WRITES_S)
                self.server.writer.answer_s = self._chance.choice(_WRITES_S)

    def _take_over(self, *, cuts: bool = True) -> None:
        self._drop_ended()
        self.server.take_over(cuts=cuts)
        self.shadow.store = self.server.store
        for view in self.server.views:
            self._disturb(view)

    def _come_back(self, view: SimView) -> None:
        view.come_to(self.server.process)
        self._disturb(view)

    def _play(self) -> None:
        self._mend()
        for client in self.clients:
            if client.up and client.link.joined and client.link.unanswered is None:
                way = self._chance.randrange(-1, 2), self._chance.randrange(-1, 2)
                client.command(Move(*way) if any(way) else Wait())

    def _mend(self) -> None:
        """Begin view processes for those that ended, and let players dial who were cut."""
        self._drop_ended()
        while len(self.server.views) < VIEWS:
            view = self.server.new_view(len(self.server.views) + 1)
            self.server.views.append(view)
            self._disturb(view)
        for client in self.clients:
            if not client.up and any(each.parts is not None for each in self._open_views()):
                client.dial()

    def _drop_ended(self) -> None:
        for view in list(self.server.views):
            if view.ended or (not view.up.is_open and view.parts is None):
                view.kill()
                self.server.views.remove(view)
            elif not view.up.is_open:
                self._come_back(view)

    def _open_views(self) -> list[SimView]:
        return [view for view in self.server.views if view.up.is_open]

    def _disturb(self, view: SimView) -> None:
        """Let the messages of a new link arrive late, and batches be lost, repeated or spoiled."""
        for peer in (view.down, view.up):
            peer._clock = _LateClock(self.server.clock, self._late_s)  # type: ignore[assignment]  # its one method in use
        send = view.down.send

        def send_with_faults(body: bytes) -> None:
            for each in self._arrives(body):
                send(each)

        view.down.send = send_with_faults  # type: ignore[method-assign]

    def _late_s(self) -> float:
        return self._chance.choice(_LATE_S) if self._faulty else 0.0

    def _arrives(self, body: bytes) -> list[bytes]:
        message = decode_to_views(body) if self._faulty else None
        if not isinstance(message, DurableBatch) or not message.records:
            return [body]
        struck = self._chance.randrange(1_000) // BATCH_PERMILLE
        if struck >= len(_BATCHES):
            return [body]
        self.faults[_BATCHES[struck]] += 1
        *before, last = message.records
        spoiled = encode(replace(message, records=[*before, _spoiled(last)]))
        return ([], [body, body], [spoiled])[struck]

    # What must hold.

    def _acted(self, name: str, life: int, number: int, command: Any, times: int) -> None:
        self._require(times == 1, f"{name} did command {number} ({command}) of life {life} {times} times")

    def _look(self, *, whole: bool) -> None:
        """Compare each replica with what is durable: it is never ahead, and of the same numbers it has the same states."""
        store, shadow = self.server.store, self.shadow
        for partition in store.journal.partitions():
            after = shadow.dungeon.sequence(partition) if partition in shadow.dungeon.partitions() else 0
            shadow.follow(list(store.journal.read(partition, after)))
        for view in self._open_views():
            if view.replica is None or view.ended:
                continue
            replica = view.replica.dungeon
            for partition in replica.partitions():
                sequence, durable = replica.sequence(partition), store.journal.last_sequence(partition)
                self._require(
                    sequence <= durable,
                    f"a replica shows input {sequence} of partition {partition}, {durable} are durable",
                )
                if whole and sequence == durable:
                    same = replica.serialize(partition) == shadow.dungeon.serialize(partition)
                    self._require(same, f"a replica differs at input {sequence} of partition {partition}")

    def _rest(self) -> None:
        """Let all be mended: the players play on for a while, and then wait."""
        self._faulty = False
        self.server.writer.delay_s = self.server.writer.answer_s = 0.0
        self.server.store.journal.end_faults()
        for _ in range(QUIET_MS // _REST_MS):
            self._play()
            self.server.pass_time(_REST_MS)
        self._end_gaps()
        for _ in range(QUIET_MS // _REST_MS):
            self._mend()
            self.server.pass_time(_REST_MS)

    def _end_gaps(self) -> None:
        """End view processes whose last batch was lost: no record follows that would show the gap. A real link loses none."""
        durable = self.server.dungeon
        for view in self._open_views():
            replica = None if view.replica is None else view.replica.dungeon
            if replica is None or any(
                replica.sequence(each) < durable.sequence(each) for each in replica.partitions()
            ):
                assert self.faults["batch lost"], "a batch did not arrive that was not lost"
                view.kill()

    def _end(self) -> None:
        self._look(whole=True)
        for client in self.clients:
            self._require(client.up and client.link.joined, f"{client.link.name} is not in play")
            self._require(client.link.unanswered is None, f"{client.link.name} got no answer")
        self._require(
            len(self.server.fatal) <= self._hangs,
            f"a turn process stopped that did not hang: {self.server.fatal}",
        )
        _, state = verify(self.server.store, self.server.campaign)
        self._require(state == self.server.dungeon.state_hash(), "the dungeon is not the journal's")
        for view in self._open_views():
            same = view.replica is not None and view.replica.dungeon.state_hash() == state
            self._require(same, "a replica is not the journal's dungeon")

    def _require(self, holds: bool, words: str) -> None:
        if not holds:
            raise Broken(f"seed {self.seed}, after {self.hours * 3_600:.2f} s: {words}")


def _spoiled(record: DurableRecord) -> DurableRecord:
    """Return a record with another input, whose result has another digest."""
    if record.partition == REALM_PARTITION:
        return replace(record, digest=None if record.digest is None else record.digest ^ 1)
    return replace(record, body=inputs.encode(inputs.UnattendedTurn()))
