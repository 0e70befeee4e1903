"""The dungeon: all levels and the realm, and the routing of outputs from one to another as inputs.

It applies and collects; it writes nothing to disk. The journal stores a batch in one transaction.
"""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, assert_never

from msgspec.structs import replace

from gloam_server.content.campaign import Campaign
from gloam_server.world.generation import LevelMap, generate_round
from gloam_server.world.growth.sounds import hearers_of
from gloam_server.world.model import inputs
from gloam_server.world.model.context import RuleFault
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.events import (
    Archived,
    ChangedLevel,
    Event,
    LifeRestored,
    PlayerDied,
    RoundAdvanced,
    SentIntoPlay,
)
from gloam_server.world.model.ids import REALM_PARTITION
from gloam_server.world.model.level import Level
from gloam_server.world.population.new_levels import difficulty_offset, initial_population, make_levels
from gloam_server.world.population.respawning import needs_refill
from gloam_server.world.realm.chronicle import RealmEvent
from gloam_server.world.realm.realm import Realm, apply_realm
from gloam_server.world.transition.apply import apply
from gloam_server.world.transition.routing import (
    full_destination,
    route_around,
)
from gloam_server.world.transition.serialization import (
    record_hash,
    serialize_level,
    serialize_realm,
    state_hash,
)
from gloam_shared.level_numbers import PartitionId, level_number, round_of_level

HASH_EVERY: Final = 1_000
"""The number of inputs of a partition between two records with a hash of the state."""


@dataclass(frozen=True, slots=True)
class Applied:
    """One input as the journal stores it: partition, sequence, bytes, sometimes the state's hash."""

    partition: PartitionId
    sequence: int
    body: bytes
    state_hash: bytes | None


@dataclass(slots=True)
class Batch:
    """The results of a batch: inputs for the journal, events by level, ended lives, news, and new levels.

    `opened` has each new level's state before its first input, from which a replay begins. `archive` are the parts of
    lives that went out of memory, and the lives that are in it again.
    """

    applied: list[Applied] = field(default_factory=list)
    events: list[tuple[int, Event]] = field(default_factory=list)
    deaths: list[PlayerDied] = field(default_factory=list)
    opened: dict[int, bytes] = field(default_factory=dict)
    news: list[RealmEvent] = field(default_factory=list)
    archive: list[Archived | LifeRestored] = field(default_factory=list)
    crossed: bool = False
    """Whether an input had consequences in another place. The game loop clears it before the turns, which see those."""

    def changed_levels(self) -> set[int]:
        """Return the levels that an input reached: the players there may see a change.

        What changed on a level, and which players see it, belongs here once publishing needs it.
        """
        return {each.partition for each in self.applied if each.partition != REALM_PARTITION}


@dataclass(slots=True)  # made for every input, and frozen ones take three times as long
class Savepoint:
    """The sizes of the collected outputs at a moment: inputs, events, deaths, new levels, news and the archive."""

    applied: int
    events: int
    deaths: int
    opened: int
    news: int
    archive: int


@dataclass(slots=True)
class Dungeon:
    """The realm and its levels by partition. `maps` are the maps of new levels until they are populated.

    A `closed` level accepts no arrivals and no other inputs; senders keep what they wanted to send there. While `revision`
    is the same, no state has changed and no level was closed.
    """

    campaign: Campaign
    seed: int
    realm: Realm
    levels: dict[int, Level]
    batch: Batch = field(default_factory=Batch)
    maps: dict[int, LevelMap] = field(default_factory=dict)
    closed: set[int] = field(default_factory=set)
    revision: int = field(default=0, compare=False)

    def apply_input(self, partition: PartitionId, input_: inputs.Input) -> None:
        """Apply an input and all its consequences on other levels, in their order.

        Raises RuleFault if a rule fails: then `rollback` to the earlier savepoint returns what to rebuild.
        """
        queue: deque[tuple[int, inputs.Input]] = deque([(partition, input_)])
        while queue:
            at, next_input = queue.popleft()
            self.revision += 1
            _check_partition(at, next_input)
            self.batch.crossed = self.batch.crossed or at != partition
            body = b""
            try:
                body = inputs.encode(next_input)
                outputs = self._apply(at, next_input)
                sequence = self._sequence(at)
                self.batch.applied.append(Applied(at, sequence, body, self._due_hash(at, sequence)))
                for index, output in enumerate(outputs):
                    queue.extend(self._route_output(output, (at, sequence, index)))
            except RuleFault as fault:
                fault.partition, fault.body = at, body
                raise
            except Exception as error:
                raise RuleFault(0, at, body) from error

    def savepoint(self) -> Savepoint:
        """Return the sizes of what was collected until now."""
        held = self.batch
        return Savepoint(
            len(held.applied),
            len(held.events),
            len(held.deaths),
            len(held.opened),
            len(held.news),
            len(held.archive),
        )

    def rollback(self, mark: Savepoint) -> list[int]:
        """Drop what was collected after a savepoint; return the partitions ahead of their records, rising."""
        self.revision += 1
        held = self.batch
        ahead = {applied.partition for applied in held.applied[mark.applied :]}
        for opened in list(held.opened)[mark.opened :]:
            del held.opened[opened], self.levels[opened]
        del held.applied[mark.applied :], held.events[mark.events :], held.deaths[mark.deaths :]
        del held.news[mark.news :], held.archive[mark.archive :]
        return sorted(
            partition for partition in ahead if partition == REALM_PARTITION or partition in self.levels
        )

    def set_state(self, partition: PartitionId, state: Realm | Level) -> None:
        """Replace the state of the realm or a level."""
        self.revision += 1
        if isinstance(state, Level):
            self.levels[partition] = state
        else:
            self.realm = state

    def close(self, partition: PartitionId) -> None:
        """Close a level."""
        self.revision += 1
        self.closed.add(partition)

    def replay_input(self, partition: PartitionId, input_: inputs.Input) -> None:
        """Apply an input from the journal; its consequences elsewhere are in the journal, too."""
        _check_partition(partition, input_)
        self._apply(partition, input_)
        self.take_batch()

    def follow_input(self, partition: PartitionId, input_: inputs.Input, body: bytes) -> None:
        """Apply an input that another process has decided, and collect its results; its consequences elsewhere follow as inputs."""
        self.revision += 1
        _check_partition(partition, input_)
        outputs = self._apply(partition, input_)
        self.batch.applied.append(Applied(partition, self._sequence(partition), body, None))
        self.batch.deaths += [each for each in outputs if isinstance(each, PlayerDied)]

    def take_batch(self) -> Batch:
        """Return what was collected since the last call, and start again."""
        taken, self.batch = self.batch, Batch()
        return taken

    def serialize(self, partition: PartitionId) -> bytes:
        """Return the state of a partition as bytes."""
        return (
            serialize_realm(self.realm)
            if partition == REALM_PARTITION
            else serialize_level(self.levels[partition])
        )

    def state(self, partition: PartitionId) -> Realm | Level:
        """Return the realm or a level."""
        return self.realm if partition == REALM_PARTITION else self.levels[partition]

    def sequence(self, partition: PartitionId) -> int:
        """Return the number of inputs of a partition."""
        return self._sequence(partition)

    def partitions(self) -> list[int]:
        """Return the realm's partition and every level's, rising."""
        return [REALM_PARTITION, *sorted(self.levels)]

    def state_hash(self) -> bytes:
        """Return one hash of the whole state: of the hashes of all partitions, in order."""
        return state_hash(b"".join(state_hash(self.serialize(partition)) for partition in self.partitions()))

    def _sequence(self, partition: PartitionId) -> int:
        return self.realm.sequence if partition == REALM_PARTITION else self.levels[partition].state.sequence

    def _apply(self, partition: PartitionId, input_: inputs.Input) -> tuple[inputs.Output, ...]:
        if partition == REALM_PARTITION and isinstance(input_, inputs.RealmInput):
            return self._apply_realm(input_)
        assert isinstance(input_, inputs.LevelInput)
        result = apply(self.levels[partition], input_)
        self.batch.events += [(partition, event) for event in result.events]
        return result.outputs

    def _apply_realm(self, input_: inputs.RealmInput) -> tuple[inputs.Output, ...]:
        written = self.realm.events.written
        try:
            outputs = apply_realm(self.realm, self.campaign, input_)
            self.batch.news += self.realm.events.since(written)
            return outputs
        except Exception as error:
            raise RuleFault(self._acting_player(input_), REALM_PARTITION) from error

    def _acting_player(self, input_: inputs.RealmInput) -> int:
        """Return the number of the body of an input of the realm; 0 if it is on no level yet."""
        match input_:
            case inputs.StoreBody(body):
                return body.number
            case inputs.RecordDeath(fallen):
                return fallen.number
            case inputs.RecordMove(account) if account in self.realm.lives:
                return self.realm.lives[account].number
            case _:
                return 0

    def _due_hash(self, partition: PartitionId, sequence: int) -> bytes | None:
        return record_hash(self.serialize(partition)) if sequence % HASH_EVERY == 0 else None

    def _route_output(self, output: inputs.Output, source: inputs.Source) -> list[tuple[int, inputs.Input]]:
        """Return the inputs that an output becomes; one that cannot be sent raises a RuleFault."""
        try:
            shut = self.closed | full_destination(output, self.levels)
            around = route_around(output, source, shut, self.levels) if shut else None
            return self._route(output, source) if around is None else around
        except Exception as error:
            sent = output.input if isinstance(output, inputs.Envelope) else output
            who = getattr(sent, "creature", None) or getattr(sent, "body", None)
            raise RuleFault(who.number if isinstance(who, Creature) else 0) from error

    def _route(self, output: inputs.Output, source: inputs.Source) -> list[tuple[int, inputs.Input]]:
        match output:
            case ChangedLevel(creature, partition, cell):
                arrival: list[tuple[int, inputs.Input]] = [(partition, inputs.Arrive(creature, cell, source))]
                if creature.account:
                    arrival.append((REALM_PARTITION, inputs.RecordMove(creature.account, partition, source)))
                elif creature.title:
                    arrival.append(
                        (REALM_PARTITION, inputs.RecordNamedMove(creature.number, partition, source))
                    )
                return arrival
            case inputs.Envelope(partition, inputs.Refill()) if not needs_refill(self.levels[partition]):
                return []
            case inputs.Envelope(partition, inputs.Resound(sound, cell, cells)) if not (
                partition in self.levels and hearers_of(self.levels[partition], sound, cell, cells)
            ):
                return []  # where no player hears it, it is no input
            case inputs.Envelope(partition, inputs.SetBeacons()) if partition not in self.levels:
                return []  # an older world has fewer depths than its campaign has now
            case inputs.Envelope(partition, input_):
                return [(partition, replace(input_, source=source))]
            case PlayerDied():
                self.batch.deaths.append(output)
                return [(REALM_PARTITION, inputs.RecordDeath(output, source))]
            case SentIntoPlay(body, partition, cell, catches_up):
                return [(partition, inputs.Arrive(body, cell, source, catches_up))]
            case Archived() | LifeRestored():
                self.batch.archive.append(output)
                return []
            case RoundAdvanced(creature, round_):
                partition = level_number(round_, 1)
                arrived: list[tuple[int, inputs.Input]] = [
                    *self._open_round(round_),
                    (partition, inputs.Arrive(creature, -1, source)),
                    (REALM_PARTITION, inputs.RecordMove(creature.account, partition, source)),
                ]
                return arrived
            case _:
                assert_never(output)

    def _open_round(self, round_: int) -> list[tuple[int, inputs.Input]]:
        """Make the levels of a further round, if no player was there before.

        Return the inputs that populate them (rule RG.32). Gear improves with the earlier rounds' difficulty.
        """
        if level_number(round_, 1) in self.levels:
            return []
        maps = generate_round(self.campaign, self.seed, round_, difficulty_offset(self.levels.values()))
        opened = make_levels(self.campaign, self.seed, maps)
        for level in opened.values():
            level.state.rules_version, level.state.libraries = self.realm.rules_version, self.realm.libraries
        frozen = {partition: serialize_level(level) for partition, level in opened.items()}
        peopled: list[tuple[int, inputs.Input]] = [
            (floor.partition, initial_population(opened[floor.partition], floor, len(maps))) for floor in maps
        ]
        self.levels.update(opened)  # nothing above leaves a round half made
        self.batch.opened.update(frozen)
        return peopled


def _check_partition(partition: PartitionId, input_: inputs.Input) -> None:
    if partition == REALM_PARTITION and not isinstance(input_, inputs.RealmInput):
        raise TypeError(f"{type(input_).__name__} is no input of the realm")
    if partition != REALM_PARTITION and not isinstance(input_, inputs.LevelInput):
        raise TypeError(f"{type(input_).__name__} is no input of a level")


def new_dungeon(campaign: Campaign, seed: int) -> Dungeon:
    """Return a new dungeon, made from one seed: every level's terrain, the stairs between them, no creatures yet."""
    maps = generate_round(campaign, seed)
    levels = make_levels(campaign, seed, maps)
    return Dungeon(
        campaign,
        seed,
        Realm(arrival=levels[1].state.arrival),
        levels,
        maps={each.partition: each for each in maps},
    )


def regenerate_partition(
    campaign: Campaign, seed: int, partition: PartitionId, others: Mapping[int, Realm | Level]
) -> Realm | Level | None:
    """Return a partition's state before its first input, made again from the seed; None if it does not exist.

    `others` are states of other partitions: gear of a later round depends on the rounds before.
    """
    if partition == REALM_PARTITION:
        return new_dungeon(campaign, seed).realm
    round_ = round_of_level(partition)
    before = [
        level
        for level in others.values()
        if isinstance(level, Level) and round_of_level(level.partition) < round_
    ]
    maps = generate_round(campaign, seed, round_, difficulty_offset(before))
    return make_levels(campaign, seed, maps).get(partition)


def populate(dungeon: Dungeon) -> None:
    """Create every level's creatures and items; creatures of level 1 out of sight of the arrival cell."""
    for floor in dungeon.maps.values():
        dungeon.apply_input(
            floor.partition, initial_population(dungeon.levels[floor.partition], floor, len(dungeon.maps))
        )
