"""Contents of drawn rooms: the creatures, items, captives, graves and traps of the letters of their legends."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from gloam_server.content.campaign import Campaign
from gloam_server.content.creatures import CreatureKind
from gloam_server.content.growth.learning import at_depth
from gloam_server.content.items import GRAVE
from gloam_server.content.places.drawn_rooms import ANY, LegendEntry
from gloam_server.rules.dice import Dice
from gloam_server.world.generation.draft import LevelDraft, PlannedCreature, PlannedItem
from gloam_server.world.generation.placement.creature_tables import choose_kind
from gloam_server.world.generation.placement.loot_tables import choose_item, item_of_kind

_DRAWS_MAX: Final = 8
"""The further draws for an item that would be the same as another of its choice: two of a kind leave nothing to choose."""


def add_contents(
    campaign: Campaign, dice: Dice, draft: LevelDraft, cells: Sequence[tuple[int, LegendEntry]]
) -> None:
    """Request the contents of these cells of one drawn room, each as its entry of the legend says."""
    for cell, entry in cells:
        if not dice.chance("content", cell, entry.percent):
            continue
        if entry.lives:
            _add_creature(campaign, dice, draft, cell, entry)
        if entry.holds:
            _add_item(campaign, dice, draft, cell, entry)
        if entry.ground:
            draft.grounds.append((cell, entry.ground))
        if entry.feature == "trap":
            draft.traps.append((cell, entry.spell))


def _add_creature(campaign: Campaign, dice: Dice, draft: LevelDraft, cell: int, entry: LegendEntry) -> None:
    """Request a creature for a cell: as others of the depth, or a few levels more, but too few to make it leave."""
    drawn = _draw_creature(campaign, dice, draft, _kinds_of(campaign, entry))
    if drawn is not None:
        stays = at_depth(campaign.learning.leaves_above, draft.depth) or entry.levels  # rule F66
        levels = drawn.levels + min(entry.levels, stays)
        captive = entry.feature == "captive"
        draft.creatures.append(replace(drawn, levels=levels, captive=captive, cell=cell))


def _draw_creature(
    campaign: Campaign, dice: Dice, draft: LevelDraft, kinds: tuple[CreatureKind, ...]
) -> PlannedCreature | None:
    """Return a creature of these kinds: by the level's difficulty if any of them has levels, else each as likely."""
    if any(kind.levels for kind in kinds):
        return choose_kind(
            campaign, dice, max(1, draft.difficulty // 100), draft.depth, kinds=kinds, alone=True
        )
    if not kinds:
        return None
    return PlannedCreature(dice.pick("kind", 0, kinds).key, (draft.depth - 1) * draft.kind.levels_per_depth)


def _kinds_of(campaign: Campaign, entry: LegendEntry) -> tuple[CreatureKind, ...]:
    """Return the kinds of creatures that a letter may mean."""
    if entry.creature == ANY:
        return campaign.land_dwellers
    if entry.creature:
        return (campaign.creatures[entry.creature],)
    if entry.people:
        return campaign.land_dwellers_of(entry.people)
    return tuple(kind for kind in campaign.spawnable if "cage" in kind.haunts)


def _add_item(campaign: Campaign, dice: Dice, draft: LevelDraft, cell: int, entry: LegendEntry) -> None:
    """Request an item for a cell."""
    difficulty = draft.difficulty + 100 * entry.better
    if entry.feature == "grave":
        epitaph = dice.pick("epitaph", cell, campaign.epitaphs)
        words = campaign.items[GRAVE].name.format(name=epitaph.name, end=epitaph.end)
        draft.goods.append(PlannedItem(GRAVE, name=words, cell=cell))
        return
    choice = len(draft.taken) if entry.choice else 0
    others = {item.kind for item in draft.goods if choice and item.choice == choice}
    found = _draw_item(campaign, dice, entry, difficulty)
    for _ in range(_DRAWS_MAX):
        if found is None or found.kind not in others:
            break
        found = _draw_item(campaign, dice, entry, difficulty)
    if found is not None:
        draft.goods.append(replace(found, choice=choice, cell=cell))


def _draw_item(campaign: Campaign, dice: Dice, entry: LegendEntry, difficulty: int) -> PlannedItem | None:
    """Return an item as an entry names it: of its kind, of its group, or any."""
    if entry.item in ("", ANY):
        return choose_item(campaign, dice, entry.group or None, difficulty)
    return item_of_kind(campaign, entry.item, difficulty)
