"""The generator of each kind of level. Pure: the same kind, seed, place and attempt give the same draft."""

from gloam_server.content.campaign import Campaign
from gloam_server.content.levels import LevelKind
from gloam_server.rules.dice import Dice
from gloam_server.world.generation.draft import LevelDraft
from gloam_server.world.generation.terrain.cavern import build_boss_cavern
from gloam_server.world.generation.terrain.caves import cave_terrain
from gloam_server.world.generation.terrain.corridors import join_regions
from gloam_server.world.generation.terrain.mixed import build_mixed
from gloam_server.world.generation.terrain.old_caves import old_cave_terrain
from gloam_server.world.generation.terrain.rooms import HALLS, ROOMS, WARREN, build_rooms
from gloam_shared.appearance import Terrain
from gloam_shared.level_numbers import PartitionId


def make_draft(
    campaign: Campaign, kind: LevelKind, seed: int, partition: PartitionId, depth: int, attempt: int
) -> LevelDraft:
    """Return the generator's level: without stairs, perhaps without floor."""
    draft = LevelDraft(kind, partition, depth, bytearray([Terrain.WALL]) * (kind.width * kind.height))
    dice = Dice(seed, partition, attempt)
    match kind.generator:
        case "caves":
            draft.terrain[:] = cave_terrain(kind, seed, partition, attempt)
            if kind.joined:
                join_regions(draft, dice, campaign.directions)
        case "old_caves":
            draft.terrain[:] = old_cave_terrain(kind, seed, partition, attempt)
        case "rooms":
            build_rooms(draft, dice, ROOMS)
        case "halls":
            build_rooms(draft, dice, HALLS)
        case "warren":
            build_rooms(draft, dice, WARREN)
        case "mixed":
            build_mixed(draft, dice, seed, attempt, campaign.directions)
        case "cavern":
            build_boss_cavern(draft, dice)
    return draft
