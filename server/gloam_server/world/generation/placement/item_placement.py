"""Items: what lies on a level at the beginning, and the levels of unique items. Pure and bounded."""

from typing import Final, NamedTuple

from gloam_server.content.campaign import Campaign
from gloam_server.rules.dice import Dice
from gloam_server.world.generation.draft import PlannedItem
from gloam_server.world.generation.level_kinds import choose_level_kinds
from gloam_server.world.generation.placement.loot_schemes import LOOT_SCHEMES
from gloam_shared.appearance import Terrain
from gloam_shared.level_numbers import PartitionId

_DRY: Final = (Terrain.FLOOR, Terrain.GRASS)


class PlacedItem(NamedTuple):
    """An item to be placed: its kind's key and its cell, its own level and bonus if it scales, its choice, its own name."""

    kind: str
    cell: int
    power: int = 0
    bonus: int = 0
    choice: int = 0
    name: str = ""


def unique_things(campaign: Campaign, seed: int, depth: int, deepest: int = 0) -> tuple[str, ...]:
    """Return the kinds of the unique items on a depth, by key (rule JG.17).

    Each is on exactly one depth of the realm, equally likely among the depths with items; it does
    not depend on the other kinds. The campaign's prize is on the deepest of them (rules TG.14, R14). `deepest` is the
    last depth of the realm where that is not the campaign's.
    """
    depths = [
        each
        for each, kind in enumerate(choose_level_kinds(campaign, seed, deepest or campaign.depths), start=1)
        if LOOT_SCHEMES[kind.goods].holds_unique
    ]
    kinds = {kind.key for kind in campaign.unique_items}
    prize = campaign.victory.item
    found = [
        key for key in sorted(kinds - {prize}) if Dice(seed, 0, 0).pick(f"depth of {key}", 0, depths) == depth
    ]
    return (*found, prize) if prize and depths and depths[-1] == depth else tuple(found)


def place_items(
    seed: int,
    partition: PartitionId,
    width: int,
    terrain: bytes,
    goods: tuple[PlannedItem, ...],
    number: int = 0,
) -> tuple[PlacedItem, ...]:
    """Return the cells of chosen items: on plain floor or grass of their room if there is any, else anywhere on floor.

    One with a cell of its own lies there.
    """
    everywhere = [cell for cell, what in enumerate(terrain) if what == Terrain.FLOOR]
    dice = Dice(seed, partition, number)
    finds = []
    for good in goods:
        if good.cell is not None:
            finds.append(PlacedItem(good.kind, good.cell, good.power, good.bonus, good.choice, good.name))
            continue
        inside = () if good.room is None else good.room.cells(width)
        cells = [cell for cell in inside if terrain[cell] in _DRY] or everywhere
        if cells:
            cell = dice.pick("laid", 0, cells)
            finds.append(PlacedItem(good.kind, cell, good.power, good.bonus, good.choice, good.name))
    return tuple(finds)


def scatter_items(
    campaign: Campaign,
    seed: int,
    depth: int,
    terrain: bytes,
    *,
    items: int,
    unique: tuple[str, ...] = (),
    number: int = 0,
) -> tuple[PlacedItem, ...]:
    """Return random common items, and these unique ones, on plain floor cells (rules JG.17, JG.18, J7.9).

    All common kinds are equally likely. Items may share a cell, so no cell is retried; without floor there are
    none. `number` is the number of the input.
    """
    cells = [cell for cell, what in enumerate(terrain) if what == Terrain.FLOOR]
    if not cells:
        return ()
    dice = Dice(seed, depth, number)
    common = campaign.common_items
    kinds = [dice.pick("thing", 0, common).key for _ in range(items)] if common else []
    scattered = [PlacedItem(kind, dice.pick("thing's place", 0, cells)) for kind in kinds]
    return (*scattered, *(PlacedItem(kind, dice.pick(f"place of {kind}", 0, cells)) for kind in unique))
