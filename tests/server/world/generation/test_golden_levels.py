"""The catalogue of golden levels: a seed promises the same levels for ever, to the cell.

With GLOAM_UPDATE_GOLDEN=1 the catalogue is written anew; a change of it is a change of the rules' version.
"""

import os
from collections import Counter
from pathlib import Path

import pytest

from gloam_server.content.campaigns import SHIPPED
from gloam_server.world.dungeon import Dungeon, found, populate
from gloam_shared.appearance import TERRAIN_LOOKS, Terrain
from server.content.shipped import campaign

CATALOGUE = Path(__file__).parents[3] / "golden" / "levels"
SEEDS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 2**64 - 1)


def text(dungeon: Dungeon) -> str:
    """Return all levels as text: each one's map, then what a map does not show."""
    lines = []
    for _, level in sorted(dungeon.levels.items()):
        lines.append(f"{level.place} {level.kind} {level.width}x{level.height} difficulty {level.difficulty}")
        signs = "".join(TERRAIN_LOOKS[Terrain(cell)].ascii for cell in level.terrain)
        # The wall at the end of a row is left out: it is most of what there is.
        rows = (signs[at : at + level.width].rstrip("#") for at in range(0, len(signs), level.width))
        lines += [f"{row}#" for row in rows]
        if level.arrival >= 0:
            lines.append(f"arrival {level.arrival}")
        if any(level.dark):
            lines.append(f"dark {sum(level.dark)}")
        lines += [f"trap {cell} {spell}" for cell, spell in sorted(level.traps.items())]
        lines += [f"link {cell} {other}" for cell, other in sorted(level.links.items())]
        lines += [f"{body.kind} {body.cell} level {body.level}" for body in level.creatures.values()]
        lying = Counter((item.name, cell) for cell, item in level.lying())
        lines += [f"{times} {name} {cell}" for (name, cell), times in lying.items()]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("key", sorted(SHIPPED))
def test_levels_are_those_of_the_catalogue(key: str, seed: int) -> None:
    dungeon = found(campaign(key), seed)
    populate(dungeon)
    file = CATALOGUE / f"{key}-{seed}.txt"
    if os.environ.get("GLOAM_UPDATE_GOLDEN") == "1":
        file.write_text(text(dungeon))

    assert text(dungeon) == file.read_text()


def test_the_catalogue_holds_nothing_else() -> None:
    expected = sorted(f"{key}-{seed}.txt" for seed in SEEDS for key in SHIPPED)

    assert sorted(file.name for file in CATALOGUE.iterdir()) == expected
