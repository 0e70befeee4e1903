"""The world of the visitors of a load test: caves without monsters, so that only they move."""

from typing import Final

from support.content.campaigns import arena_files

_LEVEL: Final = """
[cave]
depths = [1, {levels}]
generator = "caves"
joined = true
stairs_share = 40
width = 60
height = 24
fill_percent = 60
monsters = 0
goods = "none"
"""


def cave_files(levels: int) -> dict[str, bytes]:
    """Return the files of a campaign of this many levels."""
    return {**arena_files(), "levels.toml": _LEVEL.format(levels=levels).encode()}
