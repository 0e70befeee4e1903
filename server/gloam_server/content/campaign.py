"""A whole campaign as frozen data, checked when loaded. It holds no rule and opens no file."""

from functools import cached_property
from typing import Literal, NamedTuple

from msgspec import field
from msgspec.structs import astuple

from gloam_server.content.campaign_schema import CampaignSchema
from gloam_server.content.creatures import CreatureKind, Gain
from gloam_server.content.field_types import Group
from gloam_server.content.growth.bents import Bent
from gloam_server.content.growth.learning import People, Trait
from gloam_server.content.growth.trophies import Trophy
from gloam_server.content.items import Brand, Found, ItemKind
from gloam_server.content.levels import LevelKind, LevelLook
from gloam_server.content.places.devices import DeviceKind
from gloam_server.content.places.drawn_rooms import DrawnRoom
from gloam_server.content.powers import DamageType, PowerWord
from gloam_server.content.spells import Spell
from gloam_server.content.surfaces import SurfaceKind
from gloam_shared.geometry import DIRECTIONS, ORTHOGONAL, Direction


class PowerSources(NamedTuple):
    """The kinds, traits, items and brands that have a power, by key."""

    kinds: frozenset[str]
    traits: frozenset[str]
    items: frozenset[str]
    brands: frozenset[str]


class Campaign(CampaignSchema, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A whole campaign, checked. `digest` is the hash of the files that it was loaded from, as 64 hex digits."""

    creatures: dict[str, CreatureKind]
    items: dict[str, ItemKind]
    spells: dict[str, Spell]
    levels: dict[str, LevelKind]
    digest: str
    peoples: dict[str, People] = field(default_factory=dict)
    traits: dict[str, Trait] = field(default_factory=dict)
    trophies: dict[str, Trophy] = field(default_factory=dict)
    bents: dict[str, Bent] = field(default_factory=dict)
    rooms: dict[str, DrawnRoom] = field(default_factory=dict)
    surfaces: dict[str, SurfaceKind] = field(default_factory=dict)
    devices: dict[str, DeviceKind] = field(default_factory=dict)

    @cached_property
    def surfaces_by_damage(self) -> dict[DamageType | Literal[""], tuple[SurfaceKind, ...]]:
        """The kinds of surfaces that each type of damage brings about or ends, in the order of their file."""
        found: dict[DamageType | Literal[""], tuple[SurfaceKind, ...]] = {}
        for kind in self.surfaces.values():
            for damage_type in {kind.kindled_by, kind.ended_by} - {""}:
                found[damage_type] = (*found.get(damage_type, ()), kind)
        return found

    @cached_property
    def items_with_powers(self) -> dict[str, ItemKind]:
        """The kinds of items that have powers, by key."""
        return {key: kind for key, kind in self.items.items() if kind.powers}

    @cached_property
    def brands_with_powers(self) -> dict[str, Brand]:
        """The brands that have powers, by key."""
        return {brand.key: brand for brand in self.brands if brand.powers}

    @cached_property
    def power_sources(self) -> dict[PowerWord, PowerSources]:
        """The sources of each power; no entry for a power that nothing has."""
        having = (self.creatures, self.traits, self.items, self.brands_with_powers)
        words = {power.does for kinds in having for kind in kinds.values() for power in kind.powers}
        return {
            does: PowerSources(
                *[
                    frozenset(
                        key for key, kind in kinds.items() if any(each.does == does for each in kind.powers)
                    )
                    for kinds in having
                ]
            )
            for does in sorted(words)
        }

    @cached_property
    def learners(self) -> dict[str, frozenset[str]]:
        """The kinds of creatures that may learn a trait, by the trait's key; no entry for one that only players learn."""
        learners: dict[str, set[str]] = {}
        for kind in self.creatures.values():
            for trait in kind.learns:
                learners.setdefault(trait, set()).add(kind.key)
        return {trait: frozenset(kinds) for trait, kinds in learners.items()}

    @property
    def directions(self) -> tuple[Direction, ...]:
        """The steps that bodies may take."""
        return DIRECTIONS if self.movement == "eight" else ORTHOGONAL

    @property
    def player_kind(self) -> CreatureKind:
        """The kind that players are."""
        return self.creatures[self.player]

    @property
    def terrain_words(self) -> tuple[str, ...]:
        """Its own words for terrain, by their numbers, "" for the common ones; nothing where all are common."""
        words = ("", *astuple(self.terrain))
        return words if any(words) else ()

    def gains_of(self, kind: str) -> tuple[Gain, ...]:
        """Return what a level may bring to a kind of creature here, in the order in which it is offered (rule J14.5)."""
        rules, creature = self.experience, self.creatures[kind]
        can_gain = rules.offers if rules.offers_all and creature.grows else creature.gains
        return tuple([gain for gain in rules.offers if gain in can_gain and getattr(rules.gains, gain)])

    @property
    def depths(self) -> int:
        """The deepest depth that a kind of level is for."""
        return max(kind.depths[1] for kind in self.levels.values())

    def look_of(self, level_kind: str) -> LevelLook | None:
        """Return the look of a kind of level; None for an unknown kind, and for one without a look."""
        kind = self.levels.get(level_kind)
        return kind.look if kind else None

    def arrival_words(self, level_kind: str, depth: int) -> str:
        """Return what a player reads who arrives at a depth of this kind of level for the first time; "" without a look."""
        kind = self.levels.get(level_kind)
        if kind is None or kind.look is None:
            return ""
        lines = (kind.look.words, *kind.look.deeper)
        return lines[(depth - kind.depths[0]) % len(lines)]

    def levels_at(self, depth: int) -> tuple[LevelKind, ...]:
        """Return the kinds of level that may be on a depth, by key."""
        kinds = (kind for _, kind in sorted(self.levels.items()))
        return tuple(kind for kind in kinds if kind.depths[0] <= depth <= kind.depths[1])

    def rooms_at(self, place: str, depth: int, *, sealed: bool = False) -> tuple[DrawnRoom, ...]:
        """Return the drawn rooms that a kind of level may have on a depth, by key: the sealed ones, or all others."""
        return tuple(
            room
            for _, room in sorted(self.rooms.items())
            if room.sealed == sealed
            and place in room.places
            and (room.depths is None or room.depths[0] <= depth <= room.depths[1])
        )

    @property
    def spawnable(self) -> tuple[CreatureKind, ...]:
        """The kinds that the random population is drawn from, by key."""
        return tuple(kind for _, kind in sorted(self.creatures.items()) if kind.spawns)

    @property
    def land_dwellers(self) -> tuple[CreatureKind, ...]:
        """The spawning kinds that do not live in water, by key."""
        return tuple(kind for kind in self.spawnable if not kind.lives_in_water)

    @property
    def feuds(self) -> list[tuple[str, str]]:
        """Each two peoples that hate each other, by key."""
        return [
            (one, other)
            for one in sorted(self.peoples)
            for other in sorted(self.peoples[one].hates)
            if one < other and one in self.peoples[other].hates
        ]

    def land_dwellers_of(self, people: str) -> tuple[CreatureKind, ...]:
        """Return the spawning kinds of a people that do not live in water, by key."""
        return tuple(kind for kind in self.land_dwellers if kind.people == people)

    @property
    def common_items(self) -> tuple[ItemKind, ...]:
        """The kinds of items that are scattered on every level, by key."""
        return self._items_by_origin("common")

    @property
    def unique_items(self) -> tuple[ItemKind, ...]:
        """The kinds with exactly one item in the whole dungeon, by key."""
        return self._items_by_origin("once")

    def items_of(self, group: Group) -> tuple[ItemKind, ...]:
        """Return the kinds of items of a group, by key."""
        return tuple(kind for _, kind in sorted(self.items.items()) if kind.group == group)

    def _items_by_origin(self, found: Found) -> tuple[ItemKind, ...]:
        return tuple(kind for _, kind in sorted(self.items.items()) if kind.found == found)
