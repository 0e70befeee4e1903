"""How levels come into being: terrain, stairs, repair, who lives there and what lies about. All of it pure."""

from gloam_server.world.generation.generate import LevelMap, NoDungeon, arrival_place, generate, prize_place
from gloam_server.world.generation.placement.creature_placement import Spawn, difficulty, population, settled
from gloam_server.world.generation.placement.item_placement import Find, laid, strewn, unique_things
from gloam_server.world.generation.terrain.caves import terrain

__all__ = [
    "Find",
    "LevelMap",
    "NoDungeon",
    "Spawn",
    "arrival_place",
    "difficulty",
    "generate",
    "laid",
    "population",
    "prize_place",
    "settled",
    "strewn",
    "terrain",
    "unique_things",
]
