"""Loot tables: which items a level may have, by their groups, levels and weights. Pure."""

from operator import attrgetter
from typing import Final

from gloam_server.content.campaign import Campaign
from gloam_server.content.field_types import Group
from gloam_server.content.items import ItemKind
from gloam_server.content.levels import Quota
from gloam_server.rules import difficulty_budget
from gloam_server.rules.dice import Dice
from gloam_server.world.generation.draft import LevelDraft, PlannedItem, Room

_GEAR: Final[tuple[Group, ...]] = ("weapon", "armour")
_ITEM_PERCENT: Final = 25
_GEAR_IN: Final = 11
"""Rule RG.12: one item in this number is a weapon or an armor."""

_BONUS_MAX: Final = 3
_GEAR_EVERY: Final = 4
"""Rule RG.13: a weapon and an armor once in this number of depths."""

_LIST_LEVELS: Final = 24
"""The number of levels that the lists of weapons and armors span (rule RG.14)."""


def gear_kinds(
    campaign: Campaign, dice: Dice, group: Group, difficulty: int, bonus: int = 0, base: int = 0
) -> tuple[str, int] | None:
    """Return the kind of a weapon or an armor of a difficulty in hundredths, and its level with the bonus (rules R13, RG.14).

    The list of a group goes by the lowest level of each kind and then by key; it is walked over the difficulties from
    1 to 25, rounded by chance. Neither the bonus nor the `base` of the rounds before bears on the kind (rules R13,
    RG.32). None when the group is empty.
    """
    kinds = sorted(campaign.items_of(group), key=lambda kind: (kind.levels or (1, 1), kind.key))
    if not kinds:
        return None
    hundredths = max(0, difficulty - difficulty_budget.FIRST) * (len(kinds) - 1) // _LIST_LEVELS
    at = min(len(kinds) - 1, difficulty_budget.round_level(dice, "which gear", hundredths))
    return kinds[at].key, difficulty_budget.round_level(dice, "gear level", difficulty) + base // 100 + bonus


def choose_item(
    campaign: Campaign,
    dice: Dice,
    group: Group | None,
    difficulty: int,
    room: Room | None = None,
    base: int = 0,
) -> PlannedItem | None:
    """Return an item of a difficulty in hundredths, of a group or of any, by `levels` and `weight`; None if there is none."""
    level = difficulty_budget.round_level(dice, "thing level", difficulty)
    kinds = [
        kind
        for _, kind in sorted(campaign.items.items())
        if kind.group and (not group or kind.group == group) and kind.weight and kind.found != "once"
    ]
    if not kinds:
        return None
    gaps = [_gap(kind, level) for kind in kinds]
    least = min(gaps)
    kind = _by_weight(dice, [kind for kind, gap in zip(kinds, gaps, strict=True) if gap == least])
    power = level + base // 100 if kind.scales else 0
    return PlannedItem(kind.key, room, power)


def item_of_kind(campaign: Campaign, kind: str, difficulty: int) -> PlannedItem:
    """Return an item of a kind, of a difficulty in hundredths if it scales."""
    return PlannedItem(kind, power=difficulty // 100 if campaign.items[kind].scales else 0)


def _by_weight(dice: Dice, kinds: list[ItemKind]) -> ItemKind:
    return dice.weighted("which thing", 0, kinds, attrgetter("weight"))


def _gap(kind: ItemKind, level: int) -> int:
    least, most = kind.levels or (1, level)
    return max(least - level, level - most, 0)


def add_room_items(campaign: Campaign, dice: Dice, draft: LevelDraft, wins: int, base: int) -> None:
    """Give each room but the first an item in a quarter of the cases, and up to one more for each round that was won (rule RG.10)."""
    for room in draft.rooms[1:]:
        if room in draft.taken or not dice.chance("room holds", 0, _ITEM_PERCENT):
            continue
        for _ in range(1 + dice.roll("more by wins", 0, wins + 1)):
            if dice.roll("gear", 0, _GEAR_IN) == 0:
                group = dice.pick("kind of gear", 0, _GEAR)
                bonus = 1 + dice.roll("bonus", 0, _BONUS_MAX)
                _add_gear(campaign, dice, draft, group, room, bonus, base)
            else:
                _add(draft, _consumable(campaign, dice, room))


def add_sure_items(campaign: Campaign, dice: Dice, draft: LevelDraft, seed: int, base: int) -> None:
    """Add a ration, and on one depth in four a weapon, on one an armor (rule RG.13), in any room."""
    anywhere = dice.pick("ration's room", 0, draft.rooms) if draft.rooms else None
    food = campaign.items_of("food")
    if food:
        _add(draft, PlannedItem(food[0].key if len(food) == 1 else dice.pick("food", 0, food).key, anywhere))
    for group in _GEAR:
        if is_gear_depth(seed, group, draft.partition):
            room = dice.pick(f"{group}'s room", 0, draft.rooms) if draft.rooms else None
            _add_gear(campaign, dice, draft, group, room, 0, base)


def is_gear_depth(seed: int, group: Group, depth: int) -> bool:
    """Return whether a depth is guaranteed gear of a group (rule RG.13): one of each four, never one with rest 3.

    The seed decides, by group, which four belong together; the depth is drawn for each four. Depths
    of later rounds are counted by their place in the realm.
    """
    dice = Dice(seed, 0, 0)
    offset = dice.roll(f"offset of {group}", 0, _GEAR_EVERY)
    four = (depth + offset) // _GEAR_EVERY
    return depth % _GEAR_EVERY == dice.roll(f"guaranteed {group}", four, _GEAR_EVERY - 1)


def add_levelled_items(campaign: Campaign, dice: Dice, draft: LevelDraft, base: int) -> None:
    """Add items by level, and food by the number of monsters.

    What lies in drawn rooms counts: food for food, the rest for up to half of the items.
    """
    lying = [campaign.items[good.kind].group for good in draft.goods if good.cell is not None]
    food = lying.count("food")
    for _ in range(draft.kind.items - min(len(lying) - food, draft.kind.items // 2)):
        _add(draft, choose_item(campaign, dice, None, draft.difficulty, base=base))
    if draft.kind.monsters_per_food and campaign.items_of("food"):
        mouths = sum(each.count for each in draft.creatures)
        for _ in range(max(1, mouths // draft.kind.monsters_per_food) - food):
            _add(draft, choose_item(campaign, dice, "food", draft.difficulty))


def add_counted_items(campaign: Campaign, dice: Dice, draft: LevelDraft, base: int) -> None:
    """Add the items that a kind of level lists (rule TG.14): each item of a group is drawn separately, all kinds equally likely."""
    for share in draft.kind.things:
        _add_share(campaign, dice, draft, share, base)


def add_assured_items(campaign: Campaign, dice: Dice, draft: LevelDraft, base: int) -> None:
    """Add an item for each entry of `assures` of which the level has none yet (rule F79)."""
    for groups in draft.kind.assures:
        if all(campaign.items[good.kind].group not in groups for good in draft.goods):
            group = dice.pick("assured group", 0, groups)
            _add(draft, choose_item(campaign, dice, group, draft.difficulty, base=base))


def _add_share(campaign: Campaign, dice: Dice, draft: LevelDraft, share: Quota, base: int) -> None:
    for _ in range(share.base + share.per_depth * (draft.depth - 1)):
        if share.kind:
            draft.goods.append(item_of_kind(campaign, share.kind, draft.difficulty + base))
            continue
        kinds = [
            kind for _, kind in sorted(campaign.items.items()) if kind.group == share.group and kind.weight
        ]
        if kinds:
            kind = _by_weight(dice, kinds)
            draft.goods.append(item_of_kind(campaign, kind.key, draft.difficulty + base))


def _consumable(campaign: Campaign, dice: Dice, room: Room) -> PlannedItem | None:
    """Return a potion or a scroll by weight (rule RG.12)."""
    kinds = [
        kind
        for _, kind in sorted(campaign.items.items())
        if kind.group in ("potion", "scroll", "book", "tool") and kind.weight and kind.found != "once"
    ]
    return PlannedItem(_by_weight(dice, kinds).key, room) if kinds else None


def _add_gear(
    campaign: Campaign, dice: Dice, draft: LevelDraft, group: Group, room: Room | None, bonus: int, base: int
) -> None:
    found = gear_kinds(campaign, dice, group, draft.difficulty, bonus, base)
    if found is not None:
        _add(draft, PlannedItem(found[0], room, found[1], bonus))


def _add(draft: LevelDraft, good: PlannedItem | None) -> None:
    if good is not None:
        draft.goods.append(good)
