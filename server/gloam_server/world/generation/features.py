"""Special places: lairs, vaults, shrines and the like. Each changes a draft and requests creatures and items."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from gloam_server.content.campaign import Campaign
from gloam_server.content.field_types import Group
from gloam_server.content.growth.learning import at_depth
from gloam_server.content.items import GRAVE
from gloam_server.content.levels import Feature
from gloam_server.rules.dice import Dice
from gloam_server.world.generation.connectivity.regions import find_regions
from gloam_server.world.generation.draft import LevelDraft, PlannedItem, Room
from gloam_server.world.generation.feature_sites import enclose, find_site
from gloam_server.world.generation.placement.creature_tables import choose_kind
from gloam_server.world.generation.placement.loot_tables import choose_item
from gloam_server.world.generation.terrain.lakes import add_lakes, add_river
from gloam_shared.appearance import Terrain
from gloam_shared.geometry import Direction

_LEADER_LEVELS: Final = 2
_VAULT_LEVELS: Final = 300
"""The levels of a vault's items above its depth, in hundredths."""

Build = Callable[[Campaign, Dice, LevelDraft, Room], None]


def add_features(
    campaign: Campaign, dice: Dice, draft: LevelDraft, due: Sequence[Feature] = ()
) -> tuple[Feature, ...]:
    """Put up to `features_max` special places on a level, different ones, where there is room; return which.

    Those that are `due` come first, and besides. A place that would cut the level apart, or for which there is no site,
    is left out.
    """
    built: list[Feature] = []
    wished = draft.kind.features_max
    drawn = dice.shuffle("features", 0, draft.kind.features, wished)
    for feature in (*due, *(each for each in drawn if each not in due)):
        if feature in _WATERS:
            done = _WATERS[feature](draft, dice, campaign.directions)
        else:
            done = _add_creatures(campaign, dice, draft, feature)
        if done:
            built.append(feature)
    return tuple(built)


def _add_creatures(campaign: Campaign, dice: Dice, draft: LevelDraft, feature: Feature) -> bool:
    """Find a site for a place that needs one, and build it there."""
    room = find_site(draft, dice, campaign.directions, walled=feature in _WALLED)
    if room is None:
        return False
    draft.taken.append(room)
    _BUILDERS[feature](campaign, dice, draft, room)
    return True


def _lair(campaign: Campaign, dice: Dice, draft: LevelDraft, room: Room) -> None:
    """Place a den of one kind: four to seven creatures, one of a higher level, and the items that they gathered."""
    kinds = tuple(kind for kind in campaign.spawnable if "lair" in kind.haunts)
    drawn = choose_kind(campaign, dice, draft.difficulty // 100, draft.depth, room, kinds=kinds, alone=True)
    if drawn is not None:
        draft.creatures.append(replace(drawn, count=3 + dice.roll("den", 0, 4)))
        stays = at_depth(campaign.learning.leaves_above, draft.depth) or _LEADER_LEVELS
        above = min(_LEADER_LEVELS, stays)  # it is not to leave (rule F66)
        draft.creatures.append(replace(drawn, levels=drawn.levels + above))
    _add_items(draft, [choose_item(campaign, dice, None, draft.difficulty, room) for _ in range(3)])


def _vault(campaign: Campaign, dice: Dice, draft: LevelDraft, room: Room) -> None:
    """Place a walled room with doors, and better items than the depth has."""
    enclose(draft, room)
    count = 3 + dice.roll("vault", 0, 3)
    better = draft.difficulty + _VAULT_LEVELS
    _add_items(draft, [choose_item(campaign, dice, None, better, room) for _ in range(count)])


def _treasury(campaign: Campaign, dice: Dice, draft: LevelDraft, room: Room) -> None:
    """Place a walled room with three good items of different sorts, of which one can be had."""
    enclose(draft, room)
    better = draft.difficulty + _VAULT_LEVELS
    sorts: tuple[tuple[Group, ...], ...] = (
        ("weapon", "armour"),
        ("scroll", "book", "wand"),
        ("potion", "ring"),
    )
    choice = len(draft.taken)
    for groups in sorts:
        item = choose_item(campaign, dice, dice.pick("treasure", 0, groups), better, room)
        _add_items(draft, [item and replace(item, choice=choice)])


def _tomb(campaign: Campaign, dice: Dice, draft: LevelDraft, room: Room) -> None:
    """Place a grave that can be read, and what was laid beside it."""
    grave = campaign.items.get(GRAVE)
    if grave is not None and campaign.epitaphs:
        epitaph = dice.pick("epitaph", 0, campaign.epitaphs)
        _add_items(
            draft, [PlannedItem(GRAVE, room, name=grave.name.format(name=epitaph.name, end=epitaph.end))]
        )
    groups: tuple[Group, ...] = ("weapon", "armour")
    group = dice.pick("grave goods", 0, groups)
    _add_items(
        draft, [choose_item(campaign, dice, each, draft.difficulty, room) for each in (group, "potion")]
    )


def _cage(campaign: Campaign, dice: Dice, draft: LevelDraft, room: Room) -> None:
    """Place a closed room with a captive, and two or three guards of a people that hates it (rule F116)."""
    enclose(draft, room)
    level = draft.difficulty // 100
    kinds = tuple(kind for kind in campaign.spawnable if "cage" in kind.haunts)
    captive = choose_kind(campaign, dice, level, draft.depth, room, kinds=kinds, alone=True)
    if captive is None:
        return
    draft.creatures.append(replace(captive, captive=True))
    people = campaign.creatures[captive.kind].people
    haters = tuple(
        kind
        for kind in campaign.land_dwellers
        if kind.people in campaign.peoples and people in campaign.peoples[kind.people].hates
    )
    for _ in range(2 + dice.roll("guards", 0, 2)):
        guard = choose_kind(campaign, dice, level, draft.depth, room, kinds=haters, alone=True)
        if guard is not None:
            draft.creatures.append(guard)


def _shrine(campaign: Campaign, _dice: Dice, draft: LevelDraft, room: Room) -> None:
    """Place a shrine in the middle, between two braziers if they block no way."""
    x, y = room.centre
    middle = y * draft.width + x
    draft.terrain[middle] = Terrain.SHRINE
    whole = len(find_regions(draft.terrain, draft.grid, campaign.directions).cells)
    for cell in (middle - 2, middle + 2):
        if draft.terrain[cell] == Terrain.FLOOR:
            draft.terrain[cell] = Terrain.BRAZIER
            if len(find_regions(draft.terrain, draft.grid, campaign.directions).cells) != whole:
                draft.terrain[cell] = Terrain.FLOOR


def _graveyard(campaign: Campaign, dice: Dice, draft: LevelDraft, room: Room) -> None:
    """Undead creatures, if the campaign has any, and the equipment of the dead."""
    kinds = tuple(kind for kind in campaign.spawnable if "graveyard" in kind.haunts)
    for _ in range(2 + dice.roll("dead", 0, 3)):
        drawn = choose_kind(
            campaign, dice, draft.difficulty // 100, draft.depth, room, kinds=kinds, alone=True
        )
        if drawn is not None:
            draft.creatures.append(drawn)
    groups: tuple[Group | None, ...] = ("weapon", "armour", None)
    _add_items(draft, [choose_item(campaign, dice, group, draft.difficulty, room) for group in groups])


def _library(campaign: Campaign, dice: Dice, draft: LevelDraft, room: Room) -> None:
    """Place a room of scrolls, and a book if the campaign has any."""
    scrolls: list[Group] = ["scroll"] * (2 + dice.roll("shelves", 0, 3))
    groups: tuple[Group, ...] = (*scrolls, "book")
    _add_items(draft, [choose_item(campaign, dice, group, draft.difficulty, room) for group in groups])


def _garden(campaign: Campaign, dice: Dice, draft: LevelDraft, room: Room) -> None:
    """Pale grass with food."""
    count = 2 + dice.roll("crop", 0, 2)
    cells = draft.floor(room)
    for cell in dice.shuffle("grass", 0, cells, len(cells) * 3 // 4):
        draft.terrain[cell] = Terrain.GRASS
    _add_items(draft, [choose_item(campaign, dice, "food", draft.difficulty, room) for _ in range(count)])


def _add_items(draft: LevelDraft, goods: list[PlannedItem | None]) -> None:
    draft.goods += [good for good in goods if good is not None]


_BUILDERS: Final[dict[Feature, Build]] = {
    "lair": _lair,
    "vault": _vault,
    "shrine": _shrine,
    "graveyard": _graveyard,
    "library": _library,
    "garden": _garden,
    "treasury": _treasury,
    "tomb": _tomb,
    "cage": _cage,
}
_WALLED: Final[tuple[Feature, ...]] = ("vault", "treasury", "cage")
_WATERS: Final[dict[Feature, Callable[[LevelDraft, Dice, tuple[Direction, ...]], bool]]] = {
    "flood": add_lakes,
    "crossing": add_river,
}
