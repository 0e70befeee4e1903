"""No key stands on the bottom line of play that would be refused if it were pressed now: asked of bots' lives in all campaigns.

`SHOWN_KEYS=SEEDSxTURNS` plays more, as in `SHOWN_KEYS=100x250`.
"""

import os

import pytest

from support.run.effort import CI
from support.simulation.bot_clients import Party

CAMPAIGNS = ("gloam", "jsrogue", "rltut", "ruggrogue")
SEEDS, TURNS = map(int, os.environ.get("SHOWN_KEYS", "1x80" if CI else "1x20").split("x"))
FOUND = [("rltut", 2, 34), ("gloam", 3, 19), ("gloam", 5, 8), ("gloam", 50, 48)]
FOUND_LATE = [("rltut", 6, 94), ("gloam", 9, 129), ("gloam", 10, 191)]
"""The places where keys were once shown to one of two players that would have been refused: campaign, seed, and turns
until then."""


def refused(campaign: str, seed: int, players: int, turns: int) -> list[str]:
    """Return which shown keys would be refused in a game of bots."""
    found = set()
    judged = 0
    for player in Party(campaign, seed, players).moments(turns):
        judged += 1
        found.update(player.refusals())
    assert judged
    return sorted(found)


@pytest.mark.thorough
@pytest.mark.parametrize("players", [1, 2])
@pytest.mark.parametrize("campaign", CAMPAIGNS)
@pytest.mark.parametrize("seed", range(SEEDS))
def test_no_shown_key_would_be_refused(campaign: str, seed: int, players: int) -> None:
    found = refused(campaign, seed, players, TURNS)
    assert not found, "\n".join(found)


@pytest.mark.thorough
@pytest.mark.parametrize(("campaign", "seed", "turns"), [*FOUND, *(FOUND_LATE if CI else [])])
def test_none_where_one_once_was(campaign: str, seed: int, turns: int) -> None:
    assert refused(campaign, seed, 2, turns) == []
