"""Generation of levels: terrain, stairs, repair, creatures and items. Pure."""

from gloam_server.world.generation.generate import (
    LevelMap,
    NoDungeon,
    arrival_cell,
    generate_round,
    prize_cell,
)
from gloam_server.world.generation.placement.creature_placement import (
    PlacedCreature,
    difficulty,
    place_creatures,
    scatter_creatures,
)
from gloam_server.world.generation.placement.item_placement import (
    PlacedItem,
    place_items,
    scatter_items,
    unique_things,
)
from gloam_server.world.generation.terrain.caves import cave_terrain

__all__ = [
    "LevelMap",
    "NoDungeon",
    "PlacedCreature",
    "PlacedItem",
    "arrival_cell",
    "cave_terrain",
    "difficulty",
    "generate_round",
    "place_creatures",
    "place_items",
    "prize_cell",
    "scatter_creatures",
    "scatter_items",
    "unique_things",
]
