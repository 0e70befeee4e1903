"""Population: which creatures stand where on a level, and how much harder each depth makes them. Pure and bounded."""

from typing import NamedTuple

from gloam_server.content.definitions import Campaign
from gloam_server.rules.dice import Dice
from gloam_server.world.generation.kinds import level_kind
from gloam_shared.appearance import Terrain


class Spawn(NamedTuple):
    """A creature to be: its kind's key, its cell, and the levels that it has above its kind's own."""

    kind: str
    cell: int
    levels: int


def difficulty(campaign: Campaign, seed: int, depth: int) -> int:
    """Return the levels that each monster of a depth (from 1) has above its kind's own (rule J14.14: depth - 1)."""
    return (depth - 1) * level_kind(campaign, seed, depth).levels_per_depth


def population(
    campaign: Campaign,
    seed: int,
    depth: int,
    terrain: bytes,
    *,
    monsters: int,
    difficulty: int,
    avoid: bytes | None = None,
    number: int = 0,
) -> tuple[Spawn, ...]:
    """Return so many random creatures on plain floor cells, none twice (rules J14.14, J7.9, J7.12).

    All kinds that spawn are equally likely, each raised by `difficulty` levels. Stairs are never a place, nor cells
    that are not 0 in `avoid` (one byte a cell). With fewer cells than monsters, each cell gets one: nothing is
    retried. `number` is the input that asks, so that a later population of the same level differs.
    """
    places = [
        cell
        for cell, what in enumerate(terrain)
        if what == Terrain.FLOOR and (avoid is None or not avoid[cell])
    ]
    kinds = campaign.spawnable
    if not kinds:
        return ()
    dice = Dice(seed, depth, number)
    return tuple(
        Spawn(dice.pick("kind", 0, kinds).key, cell, difficulty)
        for cell in dice.shuffled("place", 0, places, monsters)
    )
