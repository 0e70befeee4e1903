"""The catalogue of golden levels: a seed promises the same levels for ever, to the cell.

With GLOAM_UPDATE_GOLDEN=1 the catalogue is written anew; a change of it is a change of the rules' version.
"""

import os
from pathlib import Path

import pytest

from gloam_server.world.generation import (
    arrival_place,
    difficulty,
    generate,
    population,
    strewn,
    unique_things,
)
from server.content.shipped import campaign
from server.world.generation.levels import drawn

CATALOGUE = Path(__file__).parents[3] / "golden" / "levels"
SEEDS = (1, 7, 2**64 - 1)
DEPTHS = range(1, 7)


def text(seed: int, depth: int) -> str:
    """Return one level as text: its map, where new lives begin, who lives there, and what lies about."""
    level = generate(campaign(), seed)[depth - 1]
    lines = [f"jsrogue, seed {seed}, depth {depth}", *drawn(level)]
    if depth == 1:
        lines.append(f"arrival {arrival_place(campaign(), seed, level)}")
    harder = difficulty(campaign(), seed, depth)
    spawns = population(campaign(), seed, depth, level.terrain, monsters=15, difficulty=harder)
    lines += [f"{spawn.kind} {spawn.cell} +{spawn.levels}" for spawn in spawns]
    unique = unique_things(campaign(), seed, depth)
    finds = strewn(campaign(), seed, depth, level.terrain, items=15, unique=unique)
    lines += [f"{find.kind} {find.cell}" for find in finds]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize("seed", SEEDS)
def test_levels_are_those_of_the_catalogue(seed: int, depth: int) -> None:
    file = CATALOGUE / f"jsrogue-{seed}-{depth}.txt"
    if os.environ.get("GLOAM_UPDATE_GOLDEN") == "1":
        file.write_text(text(seed, depth))

    assert text(seed, depth) == file.read_text()


def test_the_catalogue_holds_nothing_else() -> None:
    expected = sorted(f"jsrogue-{seed}-{depth}.txt" for seed in SEEDS for depth in DEPTHS)

    assert sorted(file.name for file in CATALOGUE.iterdir()) == expected
