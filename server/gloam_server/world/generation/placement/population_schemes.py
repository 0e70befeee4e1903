"""The schemes by which a level gets its creatures: one class for each that `populace` of a level kind names.

Pure and bounded.

A scheme answers for the whole life of a level: which creatures it is made with, which are scattered when it is first
entered, and which one appears when it fills up again.
"""

from dataclasses import replace
from itertools import cycle
from typing import Final

from msgspec.structs import replace as replace_fields

from gloam_server.content.campaign import Campaign
from gloam_server.content.creatures import CreatureKind
from gloam_server.content.levels import LevelKind, Populace
from gloam_server.rules import difficulty_budget
from gloam_server.rules.dice import Dice
from gloam_server.world.generation.draft import LevelDraft, PlannedCreature
from gloam_server.world.generation.placement.creature_tables import choose_kind, quota_sizes
from gloam_shared.appearance import Terrain


class PopulationScheme:
    """One way to populate levels. This one adds nothing to what a level kind counts (rule TG.13)."""

    def choose(self, campaign: Campaign, dice: Dice, draft: LevelDraft, wins: int) -> None:
        """Add the creatures of a level to its draft; `wins` are the rounds that were won before (rule RG.32)."""

    def count_scattered(self, _kind: LevelKind) -> int:
        """Return how many creatures are scattered over a level when it is first entered."""
        return 0

    def choose_newcomer(
        self, campaign: Campaign, dice: Dice, kind: LevelKind, depth: int, _difficulty: int
    ) -> PlannedCreature | None:
        """Return one more creature for a level that exists; None when no kind is for it."""
        counted = [share.kind for share in kind.creatures if not campaign.creatures[share.kind].boss]
        return _any_of(dice, counted, kind, depth)


class _Uniform(PopulationScheme):
    """All kinds are equally likely, each raised by depth (rule J14.14)."""

    def count_scattered(self, kind: LevelKind) -> int:
        """Return what the level kind says."""
        return kind.monsters

    def choose_newcomer(
        self, campaign: Campaign, dice: Dice, kind: LevelKind, depth: int, _difficulty: int
    ) -> PlannedCreature | None:
        """Return a creature of any kind that spawns."""
        return _any_of(dice, [each.key for each in campaign.spawnable], kind, depth)


class _ByDifficulty(PopulationScheme):
    """Draws a creature's level by the tracker's difficulty first, and then a kind that may be of it."""

    def choose_newcomer(
        self, campaign: Campaign, dice: Dice, _kind: LevelKind, depth: int, difficulty: int
    ) -> PlannedCreature | None:
        """Return one creature of the difficulty."""
        level = difficulty_budget.level_to_spawn(campaign.difficulty, dice, difficulty)
        return choose_kind(campaign, dice, level, depth, alone=True)


class _Rooms(_ByDifficulty):
    """Gives each room but the first in half of the cases 1 to 1, 2 or 3 creatures, by depth, and more by wins (rule RG.10)."""

    def choose(self, campaign: Campaign, dice: Dice, draft: LevelDraft, wins: int) -> None:
        """Add the creatures of each room."""
        most = (1 if draft.depth <= 2 else 2 if draft.depth <= 4 else 3) + wins
        for room in draft.rooms[1:]:
            if room in draft.taken or not dice.chance("room lives", 0, 50):
                continue
            for _ in range(1 + dice.roll("in room", 0, most)):
                level = difficulty_budget.level_to_spawn(campaign.difficulty, dice, draft.difficulty)
                drawn = choose_kind(campaign, dice, level, draft.depth, room, alone=True)
                if drawn is not None:
                    draft.creatures.append(drawn)


class _Levelled(_ByDifficulty):
    """Draws groups of creatures until the level has its number; the last group may be cut short.

    Those in drawn rooms count for up to half of them.
    """

    def choose(self, campaign: Campaign, dice: Dice, draft: LevelDraft, wins: int) -> None:
        """Add groups, of water dwellers too where there is water."""
        left = draft.kind.monsters + 2 * wins - _housed(draft)
        everyone = campaign.spawnable if Terrain.WATER in draft.terrain else campaign.land_dwellers
        sides = cycle(_draw_feud(campaign, dice, draft) or (everyone,))
        while left > 0:
            kinds = next(sides) or everyone
            level = difficulty_budget.level_to_spawn(campaign.difficulty, dice, draft.difficulty)
            drawn = choose_kind(campaign, dice, level, draft.depth, kinds=kinds)
            if drawn is None:
                return
            draft.creatures.append(
                replace(drawn, count=min(drawn.count, left), at_odds=kinds is not everyone)
            )
            left -= drawn.count


POPULATION_SCHEMES: Final[dict[Populace, PopulationScheme]] = {
    "uniform": _Uniform(),
    "counts": PopulationScheme(),
    "rooms": _Rooms(),
    "levelled": _Levelled(),
    "none": PopulationScheme(),
}
"""Every scheme. A new one needs its class here and its word in `content.levels`."""


def choose_creatures(
    campaign: Campaign, dice: Dice, draft: LevelDraft, wins: int = 0, feud_percent: int | None = None
) -> None:
    """Add the creatures of a level to its draft: as its scheme says, and those that its kind counts.

    `feud_percent` stands for the campaign's, if given.
    """
    if feud_percent is not None:
        campaign = replace_fields(
            campaign, learning=replace_fields(campaign.learning, feud_percent=feud_percent)
        )
    POPULATION_SCHEMES[draft.kind.populace].choose(campaign, dice, draft, wins)
    draft.creatures += quota_sizes(draft.kind, draft.depth)


def _draw_feud(campaign: Campaign, dice: Dice, draft: LevelDraft) -> tuple[tuple[CreatureKind, ...], ...]:
    """Return the kinds to draw in turns where two peoples are at odds: of one, the other, any (empty); else nothing (rule F67).

    Both peoples have kinds that are made at the difficulty of the level.
    """
    if not dice.chance("feud", 0, campaign.learning.feud_percent):
        return ()
    at = max(1, draft.difficulty // 100)
    sides = {
        people: tuple(
            kind
            for kind in campaign.land_dwellers_of(people)
            if kind.levels is not None and kind.levels[0] <= at <= kind.levels[1]
        )
        for people in campaign.peoples
    }
    pairs = [(one, other) for one, other in campaign.feuds if sides[one] and sides[other]]
    if not pairs:
        return ()
    one, other = dice.pick("feud", 0, pairs)
    return sides[one], sides[other], ()


def _housed(draft: LevelDraft) -> int:
    """Return how many of a level's creatures stand in its drawn rooms already: at most half of all."""
    housed = sum(drawn.count for drawn in draft.creatures if drawn.cell is not None and not drawn.captive)
    return min(housed, draft.kind.monsters // 2)


def _any_of(dice: Dice, kinds: list[str], kind: LevelKind, depth: int) -> PlannedCreature | None:
    if not kinds:
        return None
    return PlannedCreature(dice.pick("respawn", 0, kinds), (depth - 1) * kind.levels_per_depth)
