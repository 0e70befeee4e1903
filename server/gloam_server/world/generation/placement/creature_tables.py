"""Tables of creatures: which kinds a level may have, by their levels and weights, and what they pay. Pure.

A creature that lives in water is helpless or invisible on dry land. So it is chosen only for a level with water, and
starts in it.
"""

from operator import attrgetter

from gloam_server.content.campaign import Campaign
from gloam_server.content.creatures import CreatureKind
from gloam_server.content.levels import LevelKind
from gloam_server.rules import difficulty_budget
from gloam_server.rules.dice import Dice
from gloam_server.world.generation.draft import PlannedCreature, Room


def creature_difficulty(campaign: Campaign, drawn: list[PlannedCreature]) -> int:
    """Return what such creatures add to the tracker (rule R9)."""
    return sum(
        each.count * difficulty_budget.creature_worth(campaign.creatures[each.kind].level + each.levels)
        for each in drawn
    )


def quota_sizes(kind: LevelKind, depth: int) -> list[PlannedCreature]:
    """Return the creatures that a kind of level counts one by one (rule TG.13): a base number, and more for each depth."""
    levels = (depth - 1) * kind.levels_per_depth
    return [
        PlannedCreature(share.kind, levels)
        for share in kind.creatures
        for _ in range(share.base + share.per_depth * (depth - 1))
    ]


def choose_kind(
    campaign: Campaign,
    dice: Dice,
    level: int,
    depth: int,
    room: Room | None = None,
    *,
    kinds: tuple[CreatureKind, ...] = (),
    alone: bool = False,
) -> PlannedCreature | None:
    """Return creatures of a level, of a kind drawn by weight among those that may be of it, as many as appear together.

    The kinds are those that spawn on land, or the given ones; above the highest level of any kind it is one of the
    highest (rule R12). None if no kind is left.
    """
    fitting = kinds_at_level(kinds or campaign.land_dwellers, level, depth)
    if not fitting:
        return None
    kind = weighted_kind(dice, "kind", fitting)
    least, most = kind.group
    count = 1 if alone else least + dice.roll("group", 0, most - least + 1)
    return PlannedCreature(kind.key, max(0, level - kind.level), count, room)


def kinds_at_level(kinds: tuple[CreatureKind, ...], level: int, depth: int) -> list[CreatureKind]:
    """Return the kinds that may be of a level on a depth; the nearest below or above where there is none (rule R12)."""
    ranged = [
        (kind, kind.levels)
        for kind in kinds
        if kind.levels
        and not kind.boss
        and (kind.depths is None or kind.depths[0] <= depth <= kind.depths[1])
    ]
    if not ranged:
        return []
    gap = min(_difficulty_gap(levels, level) for _, levels in ranged)
    return [kind for kind, levels in ranged if _difficulty_gap(levels, level) == gap]


def weighted_kind(dice: Dice, purpose: str, kinds: list[CreatureKind]) -> CreatureKind:
    """Return one of these kinds by their weights; all are equally likely if no weight is left."""
    if not any(kind.weight for kind in kinds):
        return dice.pick(purpose, 0, kinds)
    return dice.weighted(purpose, 0, kinds, attrgetter("weight"))


def _difficulty_gap(levels: tuple[int, int], level: int) -> int:
    return max(levels[0] - level, level - levels[1], 0)
