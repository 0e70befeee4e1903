"""The contents of every realm as a whole: what its depths are to hold (`guaranteed`), and the most of a kind. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from gloam_server.content.campaign import Campaign
from gloam_server.content.levels import Feature
from gloam_server.rules.dice import Dice
from gloam_server.world.generation.draft import LevelDraft, PlannedCreature, PlannedItem
from gloam_shared.level_numbers import level_number


@dataclass(slots=True)
class Guarantees:
    """The guarantees that the depths made so far have not kept yet, each with the depth that is to keep it."""

    campaign: Campaign
    due: dict[int, int]
    """The depth from which on each guarantee is due, by its index."""
    missed: list[int] = field(default_factory=list)
    items: list[PlannedItem] = field(default_factory=list)
    """The items that were added."""

    def features(self, depth: int) -> tuple[Feature, ...]:
        """Return the special places that a depth is to hold."""
        return tuple(
            feature for at in self._due(depth) if (feature := self.campaign.guaranteed[at].feature) != ""
        )

    def settle(self, dice: Dice, draft: LevelDraft) -> None:
        """Add the creatures and items that a level is to hold; a place for which it had no site is due on the next depth."""
        for at in self._due(draft.depth):
            guarantee = self.campaign.guaranteed[at]
            if guarantee.feature and guarantee.feature not in draft.features:
                if draft.depth >= guarantee.depths[1]:
                    self.missed.append(at)
                continue
            if guarantee.creatures:
                draft.creatures.append(PlannedCreature(dice.pick("guaranteed", at, guarantee.creatures), 0))
            if guarantee.items:
                self.items.append(PlannedItem(dice.pick("guaranteed item", at, guarantee.items)))
                draft.goods.append(self.items[-1])
            del self.due[at]

    def _due(self, depth: int) -> list[int]:
        return [at for at, first in sorted(self.due.items()) if first <= depth]


def draw_guarantees(campaign: Campaign, seed: int, round_: int, attempt: int) -> Guarantees:
    """Return the guarantees of a round, each due on a depth that the seed draws."""
    dice = Dice(seed, level_number(round_, 1), attempt)
    due = {
        at: least + dice.roll("due depth", at, most - least + 1)
        for at, (least, most) in enumerate(each.depths for each in campaign.guaranteed)
    }
    return Guarantees(campaign, due)


def limit_items(guarantees: Guarantees, dice: Dice, drafts: Sequence[LevelDraft]) -> None:
    """Leave out the items beyond the `realm_max` of their kind, drawn among all levels of a round (rule F135).

    None that is guaranteed is left out.
    """
    kept = [id(good) for good in guarantees.items]
    for kind in [each for each in guarantees.campaign.items.values() if each.realm_max]:
        of_kind = [(draft, good) for draft in drafts for good in draft.goods if good.kind == kind.key]
        spare = [(draft, good) for draft, good in of_kind if id(good) not in kept]
        for _ in range(min(len(spare), len(of_kind) - kind.realm_max)):
            draft, good = spare.pop(dice.roll("left out", 0, len(spare)))
            _leave_out(draft.goods, good)


def _leave_out(goods: list[PlannedItem], good: PlannedItem) -> None:
    """Remove this very item: equal ones may stay."""
    del goods[next(at for at, each in enumerate(goods) if each is good)]
