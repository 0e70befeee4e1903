"""How levels come into being: terrain, stairs, repair, who lives there and what lies about. All of it pure."""

from gloam_server.world.generation.caves import terrain
from gloam_server.world.generation.population import Spawn, difficulty, population, settled
from gloam_server.world.generation.realm import LevelMap, NoDungeon, arrival_place, generate, prize_place
from gloam_server.world.generation.things import Find, laid, strewn, unique_things

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
