"""Golden lives: a seed gives the same lives for as long as rules, content and bots are the same, however fast they are played."""

import json
import os
from hashlib import sha256
from pathlib import Path
from typing import Final

import msgspec
import pytest
from _pytest.mark import ParameterSet

from gloam_lab.balance.runs import realm_seed
from gloam_lab.balance.simulation import Simulation
from support.content.campaigns import shipped

KEPT: Final = Path(__file__).with_name("lives.json")
AGAIN: Final = (
    "Bots no longer live the same lives. If rules, content or bots were changed on purpose, re-record with "
    "GLOAM_UPDATE_GOLDEN=1; a change for speed must change nothing."
)
SERIES: Final = (
    ("gloam", 1, 3, 40_000),
    ("gloam", 4, 0, 60),
    ("jsrogue", 1, 0, 300),
    ("jsrogue", 3, 1, 60),
    ("rltut", 1, 0, 200),
    ("rltut", 2, 2, 60),
    ("ruggrogue", 1, 0, 300),
    ("ruggrogue", 4, 1, 60),
)
"""Campaigns, the players of a realm, the realm's place in a series, and the most turns of a life."""

_SHORT: Final = 300


def record(campaign: str, players: int, realm: int, turns: int) -> str:
    """Return a hash of all results of a realm, and of its whole state in the end."""
    played = Simulation(shipped(campaign), realm_seed(1, realm), players, turns)
    results = msgspec.json.encode(played.play())
    return sha256(results + played.dungeon.state_hash()).hexdigest()


def name(series: tuple[str, int, int, int]) -> str:
    return "-".join(map(str, series))


if os.environ.get("GLOAM_UPDATE_GOLDEN") == "1":
    KEPT.write_text(json.dumps({name(each): record(*each) for each in SERIES}, indent=2) + "\n")


def marked(series: tuple[str, int, int, int]) -> ParameterSet:
    """Return a parameter of the test; a life that is played to its end takes long."""
    return pytest.param(series, id=name(series), marks=[pytest.mark.thorough] if series[3] > _SHORT else [])


@pytest.mark.parametrize("series", [marked(each) for each in SERIES])
def test_a_seed_gives_the_lives_that_were_recorded(series: tuple[str, int, int, int]) -> None:
    assert record(*series) == json.loads(KEPT.read_text())[name(series)], AGAIN
