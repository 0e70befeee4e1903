"""All levels of a round in one call, and where new lives begin.

Pure: the same campaign and seed give the same bytes.
"""

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from gloam_server.content.campaign import Campaign
from gloam_server.content.levels import Feature
from gloam_server.rules import difficulty_budget
from gloam_server.rules.dice import Dice
from gloam_server.world.generation.connectivity import stair_building
from gloam_server.world.generation.connectivity.regions import find_regions
from gloam_server.world.generation.connectivity.repair import repair_connectivity
from gloam_server.world.generation.draft import (
    LevelDraft,
    PlannedCreature,
    PlannedDevice,
    PlannedItem,
    Room,
    StampedRoom,
    cells_of,
)
from gloam_server.world.generation.drawn_rooms import add_drawn_rooms
from gloam_server.world.generation.features import add_features
from gloam_server.world.generation.finishing import (
    add_doors,
    add_exit,
    choose_darkness,
    draw_surfaces,
    draw_traps,
    shut_gates,
)
from gloam_server.world.generation.guarantees import Guarantees, draw_guarantees, limit_items
from gloam_server.world.generation.level_kinds import choose_level_kinds, draw_temper, has_sealed_room
from gloam_server.world.generation.placement.creature_tables import creature_difficulty
from gloam_server.world.generation.placement.loot_schemes import choose_items
from gloam_server.world.generation.placement.population_schemes import choose_creatures
from gloam_server.world.generation.terrain.generators import make_draft
from gloam_shared.appearance import Terrain
from gloam_shared.geometry import DIRECTIONS, Grid
from gloam_shared.level_numbers import PartitionId, level_number

ATTEMPTS_MAX: Final = 100
"""The number of attempts to generate levels that all have floor, and sites for all guaranteed places.

Nearly half of the flagship's seeds need more than one, and one in 200 more than 16: its first depths have few sites for a
treasury or a cage. An attempt without a site ends at that depth, so it is short.
"""


class NoDungeon(ValueError):
    """A campaign's numbers leave a level without floor. The text names the numbers to change."""


@dataclass(frozen=True, slots=True)
class LevelMap:
    """One level at the beginning. `depth` counts from 1 within its round, `partition` is its number in the realm.

    `terrain` has one byte a cell, row by row, and so has `dark`, 1 without light of its own. `traps` are cells
    with the spell that each springs. `links` are the cells of the other level that staircases lead to, by their own
    cell; a staircase without one leads to the same cell. `difficulty` is the tracker's, in hundredths of a level.
    `creatures` and `goods` are the creatures and items to place, besides those that are scattered. `features` are its
    special places, `temper` is the key of its temper. `stamped` are its drawn rooms. `surfaces` are cells with the key of
    the surface that lies there. `devices` stand in its drawn rooms; `sealed` are the cells that their gates shut off. In
    `terrain` all gates are shut.
    """

    depth: int
    kind: str
    width: int
    height: int
    terrain: bytes
    partition: PartitionId = 0
    dark: bytes = b""
    traps: tuple[tuple[int, str], ...] = ()
    links: tuple[tuple[int, int], ...] = ()
    rooms: tuple[Room, ...] = ()
    difficulty: int = 100
    creatures: tuple[PlannedCreature, ...] = ()
    goods: tuple[PlannedItem, ...] = ()
    features: tuple[Feature, ...] = ()
    temper: str = ""
    stamped: tuple[StampedRoom, ...] = ()
    surfaces: tuple[tuple[int, str], ...] = ()
    devices: tuple[PlannedDevice, ...] = ()
    sealed: tuple[int, ...] = ()

    @property
    def kept(self) -> frozenset[int]:
        """The cells of its drawn rooms."""
        return cells_of(self.stamped)

    @property
    def grid(self) -> Grid:
        """Its cells."""
        return Grid(self.width, self.height)


def generate_round(campaign: Campaign, seed: int, round_: int = 1, base: int = 0) -> tuple[LevelMap, ...]:
    """Return all levels of a round, from depth 1 down (rules J7.3-J7.7, TG.1, TG.2, RG.1, JG.2, R14, and the repair).

    Gear of a later round is `base` hundredths of a level above the difficulty (rule RG.32).
    Every walkable cell of them can be reached on foot from the arrival place, over floor, doors, stairs and holes.
    Raises NoDungeon when in ATTEMPTS_MAX attempts some level was without floor, or a guaranteed place without a site.
    """
    for attempt in range(ATTEMPTS_MAX):
        guarantees = draw_guarantees(campaign, seed, round_, attempt)
        drafts = _drafts(campaign, seed, round_, base, attempt, guarantees)
        if guarantees.missed:
            continue
        limit_items(guarantees, Dice(seed, level_number(round_, 1), attempt), drafts)
        _join(campaign, drafts, seed, attempt)
        if all(Terrain.FLOOR in draft.terrain for draft in drafts):
            return tuple(_level_map(campaign, draft, seed, attempt) for draft in drafts)
    raise NoDungeon(
        f"campaign {campaign.key} leaves a level without floor, or finds no site for a guaranteed place: raise the "
        "level's fill_percent, lower its region_min, or widen the depths of the place"
    )


def arrival_cell(campaign: Campaign, seed: int, first_level: LevelMap | LevelDraft) -> int:
    """Return the cell where new lives begin: the middle of the first room (rule RG.1).

    Without rooms it is a random plain floor cell of the first level's largest region.
    """
    for room in first_level.rooms[:1]:
        x, y = room.centre
        if first_level.terrain[y * first_level.width + x] == Terrain.FLOOR:
            return y * first_level.width + x
    regions = find_regions(first_level.terrain, first_level.grid, campaign.directions)
    terrain, kept = first_level.terrain, first_level.kept
    floor = [
        cell for cell in regions.cells[regions.largest] if terrain[cell] == Terrain.FLOOR and cell not in kept
    ]
    return Dice(seed, first_level.partition, 0).pick("arrival", 0, floor)


def prize_cell(last_level: LevelMap) -> int:
    """Return the cell where a prize lies: where the stairs down would be, in the middle of the last room (rule R14).

    -1 on a level without rooms, or if its only room holds the stairs up: then the prize may be anywhere.
    """
    for room in last_level.rooms[-1:]:
        x, y = room.centre
        if last_level.terrain[y * last_level.width + x] == Terrain.FLOOR:
            return y * last_level.width + x
    return -1


def _drafts(
    campaign: Campaign, seed: int, round_: int, base: int, attempt: int, guarantees: Guarantees
) -> list[LevelDraft]:
    """Return the levels of a round before stairs connect them: terrain, special places, and requests for creatures and items.

    Those from the depth on at which a guarantee was missed are left out: the round is made again.
    The tracker gains a depth's experience when the next one is made, so a depth's difficulty never changes (rule R9).
    """
    rules = campaign.difficulty
    drafts: list[LevelDraft] = []
    used: Counter[str] = Counter()
    paid = 0
    kinds = choose_level_kinds(campaign, seed, campaign.depths, level_number(round_, 1))
    for depth, kind in enumerate(kinds, start=1):
        if len(drafts) > 1 and difficulty_budget.is_last(rules, drafts[-2].difficulty):
            break
        partition = level_number(round_, depth)
        temper = draw_temper(campaign, seed, depth, partition)
        draft = make_draft(
            campaign, temper.applied_to(kind) if temper else kind, seed, partition, depth, attempt
        )
        draft.temper = temper.key if temper else ""
        draft.difficulty = (
            difficulty_budget.difficulty_of(campaign.experience, paid) if rules.tracked else depth * 100
        )
        draft.features = add_features(
            campaign,
            Dice(seed, partition, attempt),
            draft,
            (*guarantees.features(depth), *(temper.features if temper else ())),
        )
        sealed = has_sealed_room(seed, depth, partition)
        add_drawn_rooms(campaign, Dice(seed, partition, attempt), draft, used, sealed=sealed)
        feuds = None if temper is None else temper.feud_percent
        choose_creatures(campaign, Dice(seed, partition, attempt), draft, round_ - 1, feuds)
        choose_items(campaign, Dice(seed, partition, attempt), draft, seed, wins=round_ - 1, base=base)
        guarantees.settle(Dice(seed, partition, attempt), draft)
        if guarantees.missed:
            break
        pays = rules.pays_percent if draft.kind.pays_percent is None else draft.kind.pays_percent
        made = temper.monsters_percent if temper else 100
        paid += creature_difficulty(campaign, draft.creatures) * pays // max(1, made)
        drafts.append(draft)
    return drafts


def _join(campaign: Campaign, drafts: list[LevelDraft], seed: int, attempt: int) -> None:
    """Build the stairs of all levels and repair unreachable regions; below a hole, another series of levels begins."""
    stretches: list[list[LevelDraft]] = []
    for draft in drafts:
        if stretches and not draft.kind.hole:
            stretches[-1].append(draft)
        else:
            stretches.append([draft])
    for stretch in stretches:
        _join_levels(campaign, stretch, seed, attempt)
    for upper, lower in pairwise(stretches):
        _dig_hole(Dice(seed, lower[0].partition, attempt), upper[-1], lower[0])


def _join_levels(campaign: Campaign, drafts: list[LevelDraft], seed: int, attempt: int) -> None:
    """Connect consecutive levels by stairs; if the first has no floor, leave them unchanged."""
    if Terrain.FLOOR not in drafts[0].terrain:
        return
    # Rule J7.5 connects regions in eight directions for every `movement`; the repair connects them as bodies step.
    regions = [find_regions(draft.terrain, draft.grid, DIRECTIONS) for draft in drafts]
    for at, (above, below) in enumerate(pairwise(drafts)):
        dice = Dice(seed, above.partition, attempt)
        pair = regions[at], regions[at + 1]
        if stair_building.aligned_regions(above.kind, below.kind):
            stair_building.connect(
                dice,
                above.terrain,
                below.terrain,
                pair,
                above.kind.stairs_share,
                above.kept | below.kept,
            )
        elif pair[0].cells and pair[1].cells:
            stair_building.connect_unaligned(dice, above, below, pair)
    repair_connectivity(Dice(seed, drafts[0].partition - 1, attempt), drafts, campaign.directions)


def _dig_hole(dice: Dice, above: LevelDraft, below: LevelDraft) -> None:
    """Join a level to the one below by a hole in a random floor cell; stairs lead back up at the landing (rules JG.2, F06)."""
    upper, lower = above.floor(), below.floor()
    if upper and lower:
        hole, landing = dice.pick("hole", 0, upper), dice.pick("landing", 0, lower)
        stair_building.build_unaligned_stairs(above, below, hole, landing)
        above.terrain[hole] = Terrain.HOLE


def _level_map(campaign: Campaign, draft: LevelDraft, seed: int, attempt: int) -> LevelMap:
    """Return a joined level in its final form."""
    dice = Dice(seed, draft.partition, attempt)
    arrival = arrival_cell(campaign, seed, draft) if draft.depth == 1 else -1
    if draft.kind.exit:
        add_exit(draft, dice, but=arrival)
    add_doors(draft, dice)
    shut_gates(campaign, draft)
    return LevelMap(
        depth=draft.depth,
        kind=draft.kind.key,
        width=draft.width,
        height=draft.kind.height,
        terrain=bytes(draft.terrain),
        partition=draft.partition,
        dark=choose_darkness(draft, dice),
        traps=draw_traps(draft, dice, but=arrival),
        links=tuple(sorted(draft.links.items())),
        rooms=draft.rooms,
        difficulty=draft.difficulty,
        creatures=tuple(draft.creatures),
        goods=tuple(draft.goods),
        features=draft.features,
        temper=draft.temper,
        stamped=tuple(draft.stamped),
        surfaces=draw_surfaces(draft, dice, but=arrival),
        devices=tuple(sorted(draft.devices)),
        sealed=tuple(sorted(draft.sealed)),
    )
