"""Things: what lies about a level at the beginning, and on which level the unique ones are. Pure and bounded."""

from typing import NamedTuple

from gloam_server.content.definitions import Campaign
from gloam_server.rules.dice import Dice
from gloam_shared.appearance import Terrain


class Find(NamedTuple):
    """A thing to be: its kind's key and its cell."""

    kind: str
    cell: int


def unique_things(campaign: Campaign, seed: int, depth: int) -> tuple[str, ...]:
    """Return the kinds of the unique things on a depth, by key (rule JG.17).

    Each is on exactly one depth of the realm, all equally likely; what lies where does not depend on the other kinds.
    """
    depths = campaign.depths
    return tuple(
        kind.key
        for kind in campaign.unique_items
        if Dice(seed, 0, 0).roll(f"depth of {kind.key}", 0, depths) + 1 == depth
    )


def strewn(
    campaign: Campaign,
    seed: int,
    depth: int,
    terrain: bytes,
    *,
    items: int,
    unique: tuple[str, ...] = (),
    number: int = 0,
) -> tuple[Find, ...]:
    """Return so many random common things, and these unique ones, on plain floor cells (rules JG.17, JG.18, J7.9).

    All common kinds are equally likely. Things may lie on each other, so no cell is retried; without floor there are
    none. `number` is the input that asks.
    """
    places = [cell for cell, what in enumerate(terrain) if what == Terrain.FLOOR]
    if not places:
        return ()
    dice = Dice(seed, depth, number)
    common = campaign.common_items
    kinds = [dice.pick("thing", 0, common).key for _ in range(items)] if common else []
    scattered = [Find(kind, dice.pick("thing's place", 0, places)) for kind in kinds]
    return (*scattered, *(Find(kind, dice.pick(f"place of {kind}", 0, places)) for kind in unique))
