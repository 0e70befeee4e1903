"""Which generator makes which kind of level. Pure: the same kind, seed, place and attempt give the same draft."""

from gloam_server.content.definitions import Campaign
from gloam_server.content.levels import LevelKind
from gloam_server.rules.dice import Dice
from gloam_server.world.generation.cavern import build_cavern
from gloam_server.world.generation.caves import terrain
from gloam_server.world.generation.corridors import join_regions
from gloam_server.world.generation.layout import Draft
from gloam_server.world.generation.mixed import build_mixed
from gloam_server.world.generation.old_caves import old_terrain
from gloam_server.world.generation.rooms import HALLS, ROOMS, WARREN, build_rooms
from gloam_shared.appearance import Terrain


def lay_out(campaign: Campaign, kind: LevelKind, seed: int, place: int, depth: int, attempt: int) -> Draft:
    """Return a level as its generator makes it: no stairs yet, and perhaps no floor."""
    draft = Draft(kind, place, depth, bytearray([Terrain.WALL]) * (kind.width * kind.height))
    dice = Dice(seed, place, attempt)
    match kind.generator:
        case "caves":
            draft.terrain[:] = terrain(kind, seed, place, attempt)
            if kind.joined:
                join_regions(draft, dice, campaign.directions)
        case "old_caves":
            draft.terrain[:] = old_terrain(kind, seed, place, attempt)
        case "rooms":
            build_rooms(draft, dice, ROOMS)
        case "halls":
            build_rooms(draft, dice, HALLS)
        case "warren":
            build_rooms(draft, dice, WARREN)
        case "mixed":
            build_mixed(draft, dice, seed, attempt, campaign.directions)
        case "cavern":
            build_cavern(draft, dice)
    return draft
