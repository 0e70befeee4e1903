"""How levels come into being: terrain, stairs, the repair of what is cut off, and who lives there. All of it pure."""

from gloam_server.world.generation.caves import terrain
from gloam_server.world.generation.population import Spawn, difficulty, population
from gloam_server.world.generation.realm import LevelMap, NoDungeon, arrival_place, generate

__all__ = [
    "LevelMap",
    "NoDungeon",
    "Spawn",
    "arrival_place",
    "difficulty",
    "generate",
    "population",
    "terrain",
]
