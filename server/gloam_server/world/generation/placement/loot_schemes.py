"""The schemes by which a level gets its items: one class for each that `goods` of a level kind names. Pure."""

from typing import Final

from gloam_server.content.campaign import Campaign
from gloam_server.content.items import ItemKind
from gloam_server.content.levels import Goods, LevelKind
from gloam_server.rules.dice import Dice
from gloam_server.world.generation.draft import LevelDraft
from gloam_server.world.generation.placement import loot_tables


class LootScheme:
    """One way to lay items on levels. This one adds nothing to what a level kind counts (rule TG.14)."""

    holds_unique: bool = True
    """Whether a unique item may be there, if the level is on its depth."""

    def choose(
        self, campaign: Campaign, dice: Dice, draft: LevelDraft, seed: int, wins: int, base: int
    ) -> None:
        """Add the items of a level to its draft; `wins` and `base` as in `choose_items`."""

    def count_scattered(self, _kind: LevelKind) -> int:
        """Return how many common items are scattered over a level when it is first entered."""
        return 0

    def count_food(self, _campaign: Campaign, _kind: LevelKind) -> int:
        """Return about how much food there is besides what the level kind counts."""
        return 0

    def choose_food(self, campaign: Campaign, dice: Dice, _difficulty: int) -> ItemKind | None:
        """Return a kind of food for a level that exists; None where the campaign has none."""
        foods = campaign.items_of("food") or _common_foods(campaign)
        return dice.pick("provisions", 0, foods) if foods else None


class _Nothing(LootScheme):
    """Nothing lies there but what the level kind counts, not even a unique item."""

    holds_unique = False


class _Uniform(LootScheme):
    """All common kinds are equally likely (rule JG.18)."""

    def count_scattered(self, kind: LevelKind) -> int:
        """Return what the level kind says."""
        return kind.items

    def count_food(self, campaign: Campaign, kind: LevelKind) -> int:
        """Return the share of food among the common items."""
        common = len(campaign.common_items)
        return kind.items * len(_common_foods(campaign)) // common if common else 0


class _Rooms(LootScheme):
    """Items in rooms, a ration, and gear on some depths (rules RG.10, RG.12, RG.13)."""

    def choose(
        self, campaign: Campaign, dice: Dice, draft: LevelDraft, seed: int, wins: int, base: int
    ) -> None:
        """Add the items of the rooms, and those that are sure."""
        loot_tables.add_room_items(campaign, dice, draft, wins, base)
        loot_tables.add_sure_items(campaign, dice, draft, seed, base)

    def count_food(self, _campaign: Campaign, _kind: LevelKind) -> int:
        """Return the one ration of each level."""
        return 1


class _Levelled(LootScheme):
    """Items by the tracker's difficulty, and food by the number of monsters."""

    def choose(
        self, campaign: Campaign, dice: Dice, draft: LevelDraft, _seed: int, _wins: int, base: int
    ) -> None:
        """Add both."""
        loot_tables.add_levelled_items(campaign, dice, draft, base)

    def count_food(self, _campaign: Campaign, kind: LevelKind) -> int:
        """Return one food item for every `monsters_per_food` monsters, and at least one."""
        return max(1, kind.monsters // kind.monsters_per_food) if kind.monsters_per_food else 0

    def choose_food(self, campaign: Campaign, dice: Dice, difficulty: int) -> ItemKind | None:
        """Return a kind of food of the difficulty."""
        good = loot_tables.choose_item(campaign, dice, "food", difficulty)
        return None if good is None else campaign.items[good.kind]


LOOT_SCHEMES: Final[dict[Goods, LootScheme]] = {
    "uniform": _Uniform(),
    "counts": LootScheme(),
    "rooms": _Rooms(),
    "levelled": _Levelled(),
    "none": _Nothing(),
}
"""Every scheme. A new one needs its class here and its word in `content.levels`."""


def choose_items(
    campaign: Campaign, dice: Dice, draft: LevelDraft, seed: int, *, wins: int = 0, base: int = 0
) -> None:
    """Add the items of a level to its draft: as its scheme says, and those that its kind counts.

    `wins` are the rounds that were won before. `base` are the levels that gear has above the difficulty, in hundredths:
    the sum over those rounds (rule RG.32).
    """
    LOOT_SCHEMES[draft.kind.goods].choose(campaign, dice, draft, seed, wins, base)
    loot_tables.add_counted_items(campaign, dice, draft, base)
    loot_tables.add_assured_items(campaign, dice, draft, base)


def _common_foods(campaign: Campaign) -> tuple[ItemKind, ...]:
    return tuple(kind for kind in campaign.common_items if kind.food > 0)
