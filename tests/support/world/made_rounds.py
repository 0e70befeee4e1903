"""Rounds of levels, generated once in a process: many tests begin with the same realm, and to make one takes half a second."""

from typing import Final

from gloam_server.content.campaign import Campaign
from gloam_server.world.generation import LevelMap
from gloam_server.world.generation.generate import generate_round
from gloam_server.world.transition import dungeon

_MADE: Final[dict[tuple[int, int, int, int], tuple[Campaign, tuple[LevelMap, ...]]]] = {}
"""The rounds made so far, by the campaign as an object, which is held so that its number stays its own, and the arguments."""


def make_round_once(campaign: Campaign, seed: int, round_: int = 1, base: int = 0) -> tuple[LevelMap, ...]:
    """Return all levels of a round, as `generate_round` does: it is pure, and what it returns cannot change."""
    key = id(campaign), seed, round_, base
    if key not in _MADE:
        _MADE[key] = campaign, generate_round(campaign, seed, round_, base)
    return _MADE[key][1]


def remember_rounds() -> None:
    """Let dungeons of this process be made of rounds that were made before; tests of generation call it themselves."""
    setattr(dungeon, "generate_round", make_round_once)  # noqa: B010  # it is imported there
