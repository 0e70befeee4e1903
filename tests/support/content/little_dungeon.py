"""A small dungeon that is won in a few minutes: two levels of rooms with doors, a potion, a fight, stairs and a prize."""

from pathlib import Path

from support.content.campaigns import arena_files

_LEVELS = """
[upper]
name = "the upper rooms"
depths = [1, 1]
generator = "rooms"
width = 40
height = 18
doors_percent = 100
populace = "none"
goods = "counts"
things = [{ kind = "balm", base = 5 }]
[lower]
name = "the lower rooms"
depths = [2, 2]
generator = "rooms"
width = 40
height = 18
doors_percent = 100
populace = "counts"
creatures = [{ kind = "warden", base = 5 }]
goods = "counts"
things = [{ kind = "bell", base = 1 }]
"""
_WARDEN = """
[warden]
name = "warden"
glyph = "w"
colour = "red"
hp = 20
attack = 9
tasks = ["hunt"]
opens = true
spawns = false
"""
_ITEMS = """
[balm]
name = "potion of balm"
glyph = "!"
colour = "cyan"
quaffs = "balm"
group = "potion"
[bell]
name = "silver bell"
glyph = "*"
colour = "white"
"""
_SPELLS = """
[balm]
name = "balm"
words = "Heals you."
target = "self"
[[balm.effects]]
does = "heal"
amount = 20
"""
_VICTORY = """
[victory]
rule = "use"
item = "bell"
words = "The bell rings, and the rooms are yours."
"""


def write_little_dungeon(folder: Path) -> str:
    """Write the campaign into a new folder, and return its name for the command line."""
    files = arena_files()
    files["levels.toml"] = _LEVELS.encode()
    more = {
        "campaign.toml": _VICTORY,
        "creatures.toml": _WARDEN,
        "items.toml": _ITEMS,
        "spells.toml": _SPELLS,
    }
    for name, text in more.items():
        files[name] += text.encode()
    folder.mkdir()
    for name, raw in files.items():
        (folder / name).write_bytes(raw)
    return f"{folder}/"
