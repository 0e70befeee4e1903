"""The dungeon: all levels and the realm together, and the way of outputs from one to another as inputs.

It applies and collects; it keeps nothing on disk. What it collects in a beat, the journal takes as one transaction.
"""

from collections import deque
from dataclasses import dataclass, field
from typing import Final, assert_never

from gloam_server.content.definitions import Campaign
from gloam_server.world.apply import apply
from gloam_server.world.events import (
    Advanced,
    Bequeathed,
    Claimed,
    Climbed,
    Event,
    Forgotten,
    Output,
    Perished,
    Restored,
    Sent,
    Withdrew,
)
from gloam_server.world.founding import base_of, first_population, make_levels
from gloam_server.world.freeze import freeze_level, freeze_realm, state_hash
from gloam_server.world.generation import LevelMap, generate
from gloam_server.world.inputs import (
    Arrive,
    Bestow,
    Bury,
    Claim,
    Input,
    Keep,
    LevelInput,
    Moved,
    RealmInput,
    Remove,
    Restore,
    Source,
    encode,
)
from gloam_server.world.level import Level
from gloam_server.world.numbers import REALM_PLACE, place_at
from gloam_server.world.realm import Realm, apply_realm

HASH_EVERY: Final = 1_000
"""Every so many inputs of a place its record carries the hash of the state that it led to."""


@dataclass(frozen=True, slots=True)
class Applied:
    """One input as the journal keeps it: its place, its number there, its bytes, now and then the state's hash."""

    place: int
    sequence: int
    body: bytes
    state_hash: bytes | None


@dataclass(slots=True)
class Harvest:
    """What a beat led to: inputs for the journal, events by level, lives that ended, and levels that came to be.

    Of each of these `opened` has the state before its first input, from which a replay begins.
    """

    applied: list[Applied] = field(default_factory=list)
    events: list[tuple[int, Event]] = field(default_factory=list)
    deaths: list[Perished] = field(default_factory=list)
    opened: dict[int, bytes] = field(default_factory=dict)


@dataclass(slots=True)
class Dungeon:
    """The realm and its levels by place. `maps` are what new levels were made from, until they are populated."""

    campaign: Campaign
    seed: int
    realm: Realm
    levels: dict[int, Level]
    harvest: Harvest = field(default_factory=Harvest)
    maps: dict[int, LevelMap] = field(default_factory=dict)

    def run(self, place: int, input_: Input) -> None:
        """Apply an input and everything that follows from it on other levels, in the order in which it follows."""
        queue: deque[tuple[int, Input]] = deque([(place, input_)])
        while queue:
            at, next_input = queue.popleft()
            body = encode(next_input)
            outputs = self._apply(at, next_input)
            sequence = self._sequence(at)
            self.harvest.applied.append(Applied(at, sequence, body, self._due_hash(at, sequence)))
            for index, output in enumerate(outputs):
                queue.extend(self._route(output, (at, sequence, index)))

    def replay(self, place: int, input_: Input) -> None:
        """Apply an input that the journal kept; what it leads to elsewhere stands in the journal itself."""
        self._apply(place, input_)
        self.reap()

    def reap(self) -> Harvest:
        """Return what was collected since the last time, and begin anew."""
        reaped, self.harvest = self.harvest, Harvest()
        return reaped

    def freeze(self, place: int) -> bytes:
        """Return the state of a place as bytes."""
        return freeze_realm(self.realm) if place == REALM_PLACE else freeze_level(self.levels[place])

    def sequence(self, place: int) -> int:
        """Return how many inputs a place has had."""
        return self._sequence(place)

    def places(self) -> list[int]:
        """Return the realm's place and every level's, rising."""
        return [REALM_PLACE, *sorted(self.levels)]

    def state_hash(self) -> bytes:
        """Return one hash of the whole state: of the hashes of all places, in order."""
        return state_hash(b"".join(state_hash(self.freeze(place)) for place in self.places()))

    def _sequence(self, place: int) -> int:
        return self.realm.sequence if place == REALM_PLACE else self.levels[place].sequence

    def _apply(self, place: int, input_: Input) -> tuple[Output, ...]:
        if place == REALM_PLACE:
            if not isinstance(input_, RealmInput):
                raise TypeError(f"{type(input_).__name__} is no input of the realm")
            return apply_realm(self.realm, self.campaign, input_)
        if not isinstance(input_, LevelInput):
            raise TypeError(f"{type(input_).__name__} is no input of a level")
        result = apply(self.levels[place], input_)
        self.harvest.events.extend((place, event) for event in result.events)
        return result.outputs

    def _due_hash(self, place: int, sequence: int) -> bytes | None:
        return state_hash(self.freeze(place)) if sequence % HASH_EVERY == 0 else None

    def _route(self, output: Output, source: Source) -> list[tuple[int, Input]]:
        match output:
            case Climbed(creature, place, cell):
                arrival: list[tuple[int, Input]] = [(place, Arrive(creature, cell, source))]
                if creature.account:
                    arrival.append((REALM_PLACE, Moved(creature.account, place, source)))
                return arrival
            case Withdrew(body, place):
                return [(REALM_PLACE, Keep(body, place, source))]
            case Perished():
                self.harvest.deaths.append(output)
                return [(REALM_PLACE, Bury(output, source))]
            case Sent(body, place, cell):
                return [(place, Arrive(body, cell, source))]
            case Forgotten(number, place):
                return [(place, Remove(number, "", source))]
            case Claimed(place, item, cell, heir, heir_place):
                return [(place, Claim(item, cell, heir, heir_place, source))]
            case Bequeathed(thing, heir, place):
                return [(place, Bestow(heir, thing, source))]
            case Restored(kind, place):
                return [(place, Restore(kind, source))]
            case Advanced(creature, round_):
                place = place_at(round_, 1)
                arrived: list[tuple[int, Input]] = [
                    *self._open(round_),
                    (place, Arrive(creature, -1, source)),
                    (REALM_PLACE, Moved(creature.account, place, source)),
                ]
                return arrived
            case _:
                assert_never(output)

    def _open(self, round_: int) -> list[tuple[int, Input]]:
        """Make the levels of a further round, if nobody came there before; return what populates them (rule RG.32).

        Its gear is better by the difficulty that the rounds before came to.
        """
        if place_at(round_, 1) in self.levels:
            return []
        maps = generate(self.campaign, self.seed, round_, base_of(self.levels.values()))
        opened = make_levels(self.campaign, self.seed, maps)
        for place, level in opened.items():
            level.rules_version, level.libraries = self.realm.rules_version, self.realm.libraries
            self.levels[place] = level
            self.harvest.opened[place] = freeze_level(level)
        return [(floor.place, first_population(opened[floor.place], floor, len(maps))) for floor in maps]


def found(campaign: Campaign, seed: int) -> Dungeon:
    """Return a new dungeon, made from one seed: every level's terrain, the stairs between them, no creatures yet."""
    maps = generate(campaign, seed)
    levels = make_levels(campaign, seed, maps)
    return Dungeon(
        campaign, seed, Realm(arrival=levels[1].arrival), levels, maps={each.place: each for each in maps}
    )


def populate(dungeon: Dungeon) -> None:
    """Bring every level's creatures and things into being; creatures of level 1 out of sight of the arrival place."""
    for floor in dungeon.maps.values():
        dungeon.run(floor.place, first_population(dungeon.levels[floor.place], floor, len(dungeon.maps)))
