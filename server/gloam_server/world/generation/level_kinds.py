"""The kind of level of each depth of a realm. Pure: the same campaign and seed give the same kinds."""

from operator import attrgetter

from gloam_server.content.campaign import Campaign
from gloam_server.content.fights.tempers import Temper
from gloam_server.content.levels import LevelKind
from gloam_server.rules.dice import Dice
from gloam_shared.level_numbers import PartitionId


def choose_level_kind(campaign: Campaign, seed: int, depth: int, partition: PartitionId = 0) -> LevelKind:
    """Return the kind of level on a depth (from 1): one of the kinds that may be there, drawn by weight.

    `partition` is the level's number in the realm where that is not its depth: in the rounds after the first.
    """
    kinds = campaign.levels_at(depth)
    if not kinds:
        raise ValueError(f"campaign {campaign.key} has no level for depth {depth}")
    return Dice(seed, partition or depth, 0).weighted("kind of level", 0, kinds, attrgetter("weight"))


def draw_temper(campaign: Campaign, seed: int, depth: int, partition: PartitionId) -> Temper | None:
    """Return the temper of a depth: one of those for it, drawn by weight; None if there is none (rule F124)."""
    fitting = [temper for temper in campaign.tempers if temper.depths[0] <= depth <= temper.depths[1]]
    return Dice(seed, partition, 0).weighted("temper", 0, fitting, attrgetter("weight")) if fitting else None
