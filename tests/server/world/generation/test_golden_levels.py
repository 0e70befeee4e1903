"""The catalog of golden levels: a seed promises the same levels for ever, to the cell.

Two seeds a campaign are kept as text that people can read and compare, all seeds as hashes of such a text.
With CI=true GLOAM_UPDATE_GOLDEN=1 the catalog is written again; a change of it is a change of the rules' version.
"""

import os
from collections import Counter
from hashlib import sha256
from pathlib import Path

import pytest

from gloam_server.content.shipped import SHIPPED
from gloam_server.world.transition.dungeon import Dungeon, new_dungeon, populate
from gloam_shared.appearance import TERRAIN_LOOKS, Terrain
from support.content.shipped_files import campaign
from support.run.effort import effort

CATALOGUE = Path(__file__).parents[3] / "golden" / "levels"
HASHES = CATALOGUE / "hashes.txt"
READABLE = (1, 2**64 - 1)
SEEDS = (*READABLE, 2, 3, 4, 5, 6, 7, 8, 9)
"""All of them with CI=true, else the first three."""


def text(dungeon: Dungeon) -> str:
    """Return all levels as text: each one's map, then what a map does not show."""
    lines = []
    for _, level in sorted(dungeon.levels.items()):
        lines.append(
            f"{level.partition} {level.state.kind} {level.grid.width}x{level.grid.height} difficulty {level.state.difficulty}"
        )
        signs = "".join(TERRAIN_LOOKS[Terrain(cell)].ascii for cell in level.terrain)
        # The wall at the end of a row is left out: it is most of what there is.
        rows = (
            signs[at : at + level.grid.width].rstrip("#") for at in range(0, len(signs), level.grid.width)
        )
        lines += [f"{row}#" for row in rows]
        if level.state.arrival >= 0:
            lines.append(f"arrival {level.state.arrival}")
        if any(level.dark):
            lines.append(f"dark {sum(level.dark)}")
        lines += [f"trap {cell} {spell}" for cell, spell in sorted(level.traps.items())]
        if level.state.surfaces:
            kinds, cells = level.state.surfaces.kinds, level.state.surfaces.cells
            lines += [f"surface {cell} {kinds[kind - 1]}" for cell, kind in enumerate(cells) if kind]
        if level.state.devices:
            placed = level.state.devices.placed.items()
            lines += [f"device {cell} {device.kind} works {device.works}" for cell, device in placed]
        lines += [f"link {cell} {other}" for cell, other in sorted(level.state.links.items())]
        lines += [f"{body.kind} {body.cell} level {body.level}" for body in level.creatures.values()]
        lying = Counter((item.name, cell) for cell, item in level.items_at())
        lines += [f"{times} {name} {cell}" for (name, cell), times in lying.items()]
    return "\n".join(lines) + "\n"


def hashes() -> dict[str, str]:
    """Return the catalog's hashes by campaign and seed."""
    return dict(row.split() for row in HASHES.read_text().splitlines())


def record(name: str, expected: str) -> None:
    """Write a text and its hash into the catalog; one process at a time."""
    file = CATALOGUE / f"{name}.txt"
    if file.exists():
        file.write_text(expected)
    kept = {**hashes(), name: sha256(expected.encode()).hexdigest()}
    HASHES.write_text("".join(f"{each} {kept[each]}\n" for each in sorted(kept)))


@pytest.mark.parametrize("seed", SEEDS[: effort(3, len(SEEDS))])
@pytest.mark.parametrize("key", sorted(SHIPPED))
def test_levels_are_those_of_the_catalogue(key: str, seed: int) -> None:
    dungeon = new_dungeon(campaign(key), seed)
    populate(dungeon)
    sentence = text(dungeon)
    name = f"{key}-{seed}"
    if os.environ.get("GLOAM_UPDATE_GOLDEN") == "1":
        record(name, sentence)
    if seed in READABLE:
        assert sentence == (CATALOGUE / f"{name}.txt").read_text()
    assert sha256(sentence.encode()).hexdigest() == hashes()[name]


def test_the_catalogue_holds_nothing_else() -> None:
    samples = [f"{key}-{seed}.txt" for seed in READABLE for key in SHIPPED]
    assert sorted(file.name for file in CATALOGUE.iterdir()) == sorted([*samples, HASHES.name])
    assert set(hashes()) == {f"{key}-{seed}" for seed in SEEDS for key in SHIPPED}
