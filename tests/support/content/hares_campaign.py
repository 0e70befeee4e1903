"""A small world where one blow brings a level: hares run to the player, and each is worth enough."""

from pathlib import Path

from support.content.campaigns import arena_files

_LEVELS = """
[meadow]
name = "the meadow"
depths = [1, 2]
generator = "rooms"
width = 30
height = 14
populace = "counts"
creatures = [{ kind = "hare", base = 8 }]
goods = "none"
"""
_HARE = """
[hare]
name = "hare"
glyph = "h"
colour = "brown"
hp = 1
attack = 1
tasks = ["hunt"]
opens = true
spawns = false
"""


def write_hares(folder: Path) -> str:
    """Write the campaign into a new folder, and return its name for the command line."""
    files = arena_files()
    files["levels.toml"] = _LEVELS.encode()
    files["creatures.toml"] += _HARE.encode()
    files["campaign.toml"] = files["campaign.toml"].replace(b"[time]", b"points_per_level = 0\n[time]")
    folder.mkdir()
    for name, raw in files.items():
        (folder / name).write_bytes(raw)
    return f"{folder}/"
