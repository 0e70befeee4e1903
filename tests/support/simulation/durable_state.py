"""The durable state alone, which applies one record after another, and the lists of what its events name.

Nothing in it comes from the server's memory. So what the server shows, and what it has become, can be held against it.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from gloam_server.content.campaign import Campaign
from gloam_server.engine.recovery.replay import oldest_states
from gloam_server.storage.journal import Record
from gloam_server.storage.store import Store
from gloam_server.world.model import inputs
from gloam_server.world.model.creature import Creature, Item
from gloam_server.world.model.events import (
    Archived,
    ExperienceGained,
    ItemCreated,
    ItemDestroyed,
    LifeRestored,
    Narration,
    SentIntoPlay,
)
from gloam_server.world.model.ids import REALM_PARTITION
from gloam_server.world.realm.archived_life import decode_life
from gloam_server.world.transition.dungeon import Batch, Dungeon
from gloam_server.world.transition.serialization import deserialize_level, deserialize_realm, state_hash


class Ledger:
    """The items that there must be, and how much experience each creature must have: what events report, added up."""

    def __init__(self) -> None:
        self.things: set[int] = set()
        self.ever: set[int] = set()
        self.experience: dict[int, int] = {}

    def make(self, number: int) -> None:
        """An item is created."""
        assert number not in self.ever, f"thing {number} is made twice"
        self.ever.add(number)
        self.things.add(number)

    def unmake(self, number: int) -> None:
        """An item is destroyed."""
        assert number in self.things, f"thing {number} is unmade, and there is none"
        self.things.remove(number)

    def copy(self) -> "Ledger":
        """Return the same again."""
        other = Ledger()
        other.things, other.ever = set(self.things), set(self.ever)
        other.experience = dict(self.experience)
        return other


class Shadow:
    """A dungeon that knows only the journal.

    `on_act` hears of every numbered command that was carried out, with its player and in which of their lives.

    `exchanges` counts the trades that were carried out. `done` is the newest of the commands by name, `acts` how often each number of a body was carried out.
    """

    def __init__(self, store: Store, campaign: Campaign) -> None:
        self.store = store
        self.campaign = campaign
        self.ledger = Ledger()
        self.inputs = 0
        self.exchanges = 0
        self.told: Counter[str] = Counter()
        self.done: Counter[str] = Counter()
        self.acts: Counter[tuple[int, int]] = Counter()
        self.on_act: Callable[[str, int, int, Any, int], None] = lambda *_: None
        identity = store.directory.identity()
        assert identity is not None
        self.seed = identity.seed
        self.dungeon: Dungeon = oldest_states(store, campaign, identity.seed)
        self._hashes: dict[int, tuple[int, bytes]] = {}
        self._whose: dict[int, tuple[str, int]] = {}
        self._archived: dict[int, Creature] = {}
        self.follow(
            [record for partition in self.dungeon.partitions() for record in store.journal.read(partition, 0)]
        )

    def follow(self, records: Sequence[Record]) -> None:
        """Apply what has become durable."""
        for record in records:
            if record.partition not in self.dungeon.levels and record.partition != REALM_PARTITION:
                first = self.store.snapshots.oldest(record.partition)
                assert first is not None
                self.dungeon.levels[record.partition] = deserialize_level(
                    first.body, self.campaign, self.seed
                )
            input_ = inputs.decode(record.body)
            self._enter_acts(input_)
            former = self._pack_for_kit(record.partition, input_)
            outputs = self.dungeon._apply(record.partition, input_)
            assert self.dungeon.sequence(record.partition) == record.sequence, "a record is missing"
            self.inputs += 1
            self._enter_archive(input_, outputs)
            batch = self.dungeon.take_batch()
            self._enter_things(input_, outputs, batch)
            self._enter_kit(former, self._pack_for_kit(record.partition, input_))
            self._enter_exchanges(batch)
            self._enter_beacons(input_, outputs)
            self._enter_experience(record.partition, batch)

    def hash_of(self, partition: int) -> bytes:
        """Return the hash of a place's durable state, computed once for each of its states."""
        sequence = self.dungeon.sequence(partition)
        known = self._hashes.get(partition)
        if known is None or known[0] != sequence:
            known = self._hashes[partition] = (sequence, state_hash(self.dungeon.serialize(partition)))
        return known[1]

    def check_things(self) -> None:
        """Check that each existing item is in exactly one place, and no other item exists."""
        there = Counter(item.number for item in self._items())
        twice = [number for number, times in there.items() if times > 1]
        assert not twice, f"things are in two places: {twice}"
        missing, surplus = self.ledger.things - set(there), set(there) - self.ledger.things
        assert not missing, f"things have vanished: {sorted(missing)}"
        assert not surplus, f"things came from nowhere: {sorted(surplus)}"

    def check_experience(self) -> None:
        """Everybody has as much experience as was awarded to them."""
        for body in self._bodies():
            experience = self.ledger.experience.get(body.number)
            assert body.experience == experience, (
                f"creature {body.number} ({body.name}) has {body.experience} experience and was awarded {experience}"
            )

    def saved(self) -> tuple[Any, ...]:
        """Return all of it, to go back to."""
        bodies = {partition: self.dungeon.serialize(partition) for partition in self.dungeon.partitions()}
        return (
            bodies,
            self.ledger.copy(),
            self.inputs,
            Counter(self.done),
            Counter(self.acts),
            {**self._archived},
        )

    def go_back(self, saved: tuple[Any, ...]) -> None:
        """Be what was saved: the journal has lost its tail."""
        bodies, ledger, self.inputs, done, acts, archived = saved
        self._archived = {**archived}
        self.ledger, self.done, self.acts = ledger.copy(), Counter(done), Counter(acts)
        levels = {
            partition: deserialize_level(body, self.campaign, self.seed)
            for partition, body in bodies.items()
            if partition != REALM_PARTITION
        }
        self.dungeon = Dungeon(self.campaign, self.seed, deserialize_realm(bodies[REALM_PARTITION]), levels)
        self._hashes.clear()

    def _bodies(self) -> Iterator[Creature]:
        for level in self.dungeon.levels.values():
            yield from level.creatures.values()
        for life in self.dungeon.realm.lives.values():
            if life.kept is not None:
                yield life.kept
        yield from self._archived.values()

    def _items(self) -> Iterator[Item]:
        for body in self._bodies():
            yield from body.carried
        for level in self.dungeon.levels.values():
            for pile in level.piles.values():
                yield from pile

    def _enter_exchanges(self, batch: Batch) -> None:
        """Count the narrations by kind, and the trades that were carried out."""
        told = Counter(event.kind for _, event in batch.events if isinstance(event, Narration))
        self.told += told
        self.exchanges += told["trades"]

    def _enter_beacons(self, input_: inputs.Input, outputs: Sequence[Any]) -> None:
        """Count what beacons do. A life that begins at one rises there without an award."""
        match input_:
            case inputs.RecordBeacon():
                self.told["lights"] += 1
            case inputs.PassDay():
                out = any(
                    isinstance(each, inputs.Envelope) and isinstance(each.input, inputs.Respawn)
                    for each in outputs
                )
                self.told["goes_out"] += out
            case inputs.Arrive(creature, _, _, catches_up) if catches_up:
                self.told["begins_at_beacon"] += 1
                self.ledger.experience[creature.number] = creature.experience
            case _:
                pass

    def _enter_archive(self, input_: inputs.Input, outputs: Sequence[Any]) -> None:
        """Keep the bodies that are out of memory: their items are in no other place."""
        for output in outputs:
            if isinstance(output, Archived) and not output.partition:
                self._archived[output.account] = decode_life(output.body).body
            if isinstance(output, LifeRestored) and isinstance(input_, inputs.RestoreLife):
                body = self._archived.pop(output.account)
                assert input_.life is None or input_.life.body == body, "another life came back"

    def _enter_acts(self, input_: inputs.Input) -> None:
        match input_:
            case inputs.Arrive(creature) if creature.account:
                self._whose[creature.number] = (creature.name, self.dungeon.realm.born[creature.account])
            case inputs.Turn(acts):
                for act in acts:
                    self._carried_out(act)
            case inputs.FreeAction(number, command_number, command):
                self._carried_out(inputs.PlayerAction(number, command_number, command))  # type: ignore[arg-type]  # it is one too
            case _:
                pass

    def _carried_out(self, act: inputs.PlayerAction) -> None:
        if act.number:
            name, life = self._whose[act.player]
            self.done[name] = max(self.done[name], act.number)
            self.acts[act.player, act.number] += 1
            self.on_act(name, life, act.number, act.command, self.acts[act.player, act.number])

    def _enter_things(self, input_: inputs.Input, outputs: Sequence[Any], batch: Batch) -> None:
        for _, event in batch.events:
            if isinstance(event, ItemCreated):
                self.ledger.make(event.item)
            elif isinstance(event, ItemDestroyed):
                self.ledger.unmake(event.item)
        if isinstance(input_, inputs.EnterPlay):
            for output in outputs:  # a new life's kit is created with it
                if isinstance(output, SentIntoPlay) and output.body.number not in self.ledger.experience:
                    for item in output.body.carried:
                        self.ledger.make(item.number)

    def _pack_for_kit(self, partition: int, input_: inputs.Input) -> set[int]:
        """Return what a life carries that exchanges its starting kit by this input, or is forgotten with it."""
        match input_:
            case inputs.TakeKit(player):
                body = self.dungeon.levels[partition].creatures.get(player)
            case inputs.ForgetLife(account):
                life = self.dungeon.realm.lives.get(account)
                body = life.kept if life is not None else None
            case _:
                body = None
        return set() if body is None else {item.number for item in body.carried}

    def _enter_kit(self, former: set[int], present: set[int]) -> None:
        """Enter the exchange of a starting kit: items that are gone, and items in their place."""
        self.told["takes_kit"] += bool(present) and former != present
        for number in former - present:
            self.ledger.unmake(number)
        for number in present - former:
            self.ledger.make(number)

    def _enter_experience(self, partition: int, batch: Batch) -> None:
        if partition == REALM_PARTITION:
            return
        ledger = self.ledger.experience
        gained: Counter[int] = Counter()
        for _, event in batch.events:
            if isinstance(event, ExperienceGained):
                gained[event.creature] += event.amount
        for number, amount in gained.items():
            if number in ledger:
                ledger[number] += amount
        for number, body in self.dungeon.levels[partition].creatures.items():
            if number not in ledger:
                ledger[number] = body.experience
