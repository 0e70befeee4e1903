"""The kind of level of each depth of a realm. Pure: the same campaign and seed give the same kinds."""

from operator import attrgetter
from typing import Final

from gloam_server.content.campaign import Campaign
from gloam_server.content.fights.tempers import Temper
from gloam_server.content.levels import LevelKind
from gloam_server.rules.dice import Dice
from gloam_shared.level_numbers import PartitionId

_ALWAYS: Final = 100
"""The percentage at which a kind of level is as likely below one of its own as elsewhere."""

_SEALED_ROOM_EVERY: Final = 4
"""One of this number of depths has a sealed room."""


def choose_level_kinds(
    campaign: Campaign, seed: int, depths: int, first: PartitionId = 1
) -> tuple[LevelKind, ...]:
    """Return the kind of level on each depth from 1 to `depths`: one of the kinds that may be there, drawn by weight.

    The kind of the depth above has `repeats_percent` of its weight, where there is another (rule F161). `first` is the
    number in the realm of the level on depth 1: another one in the rounds after the first.
    """
    chosen: list[LevelKind] = []
    for depth in range(1, depths + 1):
        kinds = campaign.levels_at(depth)
        if not kinds:
            raise ValueError(f"campaign {campaign.key} has no level for depth {depth}")
        dice = Dice(seed, first + depth - 1, 0)
        chosen.append(_draw_kind(dice, kinds, chosen[-1] if chosen else None, campaign.repeats_percent))
    return tuple(chosen)


def _draw_kind(
    dice: Dice, kinds: tuple[LevelKind, ...], above: LevelKind | None, repeats_percent: int
) -> LevelKind:
    """Return one of these kinds by weight; the one above counts for less, where there is another."""
    if above not in kinds or len(kinds) == 1:
        return dice.weighted("kind of level", 0, kinds, attrgetter("weight"))
    return dice.weighted(
        "kind of level",
        0,
        kinds,
        lambda kind: kind.weight * (repeats_percent if kind is above else _ALWAYS),
    )


def draw_temper(campaign: Campaign, seed: int, depth: int, partition: PartitionId) -> Temper | None:
    """Return the temper of a depth: one of those for it, drawn by weight; None if there is none (rule F124)."""
    fitting = [temper for temper in campaign.tempers if temper.depths[0] <= depth <= temper.depths[1]]
    return Dice(seed, partition, 0).weighted("temper", 0, fitting, attrgetter("weight")) if fitting else None


def has_sealed_room(seed: int, depth: int, partition: PartitionId) -> bool:
    """Return whether a level is the one of its four depths that has a sealed room (rule F180)."""
    place = (depth - 1) % _SEALED_ROOM_EVERY
    return Dice(seed, partition - place, 0).roll("sealed", 0, _SEALED_ROOM_EVERY) == place
