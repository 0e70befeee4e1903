"""Census: the creatures of a depth, before they get cells. Pure; the difficulty tracker counts them."""

from dataclasses import replace
from operator import attrgetter

from gloam_server.content.campaign import Campaign
from gloam_server.content.creatures import CreatureKind
from gloam_server.content.levels import LevelKind
from gloam_server.rules import difficulty_budget
from gloam_server.rules.dice import Dice
from gloam_server.world.generation.draft import LevelDraft, PlannedCreature, Room
from gloam_shared.appearance import Terrain


def choose_creatures(campaign: Campaign, dice: Dice, draft: LevelDraft, wins: int = 0) -> None:
    """Add the creatures of a level to its draft, as its populace says; "uniform" ones are not part of it.

    `wins` are the rounds that were won before (rule RG.32). A populace that draws kinds by level draws a creature's
    level first, and then a kind that may be of it.
    """
    match draft.kind.populace:
        case "rooms":
            _by_rooms(campaign, dice, draft, wins)
        case "levelled":
            _raise_level(campaign, dice, draft, wins)
        case "counts" | "uniform" | "none":
            pass
    draft.creatures += quota_sizes(draft.kind, draft.depth)


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
    """Return creatures of a level, of a kind drawn by weight among those that may be of it, as many as come together.

    The kinds are those that spawn on land, or the given ones; above the highest level of any kind it is one of the highest
    (rule R12). None if no kind is left.
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


def _by_rooms(campaign: Campaign, dice: Dice, draft: LevelDraft, wins: int) -> None:
    """Give each room but the first in half of the cases 1 to 1, 2 or 3 creatures, by depth, and more by wins (rule RG.10)."""
    most = (1 if draft.depth <= 2 else 2 if draft.depth <= 4 else 3) + wins
    for room in draft.rooms[1:]:
        if room in draft.taken or not dice.chance("room lives", 0, 50):
            continue
        for _ in range(1 + dice.roll("in room", 0, most)):
            level = difficulty_budget.level_to_spawn(campaign.difficulty, dice, draft.difficulty)
            _add(draft, choose_kind(campaign, dice, level, draft.depth, room, alone=True))


def _raise_level(campaign: Campaign, dice: Dice, draft: LevelDraft, wins: int) -> None:
    """Draw creatures until the level has its number; the last group may be cut short."""
    left = draft.kind.monsters + 2 * wins
    kinds = campaign.spawnable if Terrain.WATER in draft.terrain else campaign.land_dwellers
    while left > 0:
        level = difficulty_budget.level_to_spawn(campaign.difficulty, dice, draft.difficulty)
        drawn = choose_kind(campaign, dice, level, draft.depth, kinds=kinds)
        if drawn is None:
            return
        _add(draft, replace(drawn, count=min(drawn.count, left)))
        left -= drawn.count


def _add(draft: LevelDraft, drawn: PlannedCreature | None) -> None:
    if drawn is not None:
        draft.creatures.append(drawn)
