"""A small campaign with every property of surfaces: the campaign of magic, with spells of fire and cold, and imps that fire spares."""

from functools import cache
from typing import Final

from gloam_server.content.campaign import Campaign
from gloam_server.content.loader import load
from support.content.magic_campaign import academy_files

_SPELLS: Final = """
[firebolt]
name = "firebolt"
words = "It burns."
cost = 1
target = "cell"
range = 9
harms = true
[[firebolt.effects]]
does = "harm"
amount = 4
damage_type = "fire"
[blaze]
name = "blaze"
words = "It burns all around."
cost = 1
target = "cell"
range = 9
radius = 2
harms = true
[[blaze.effects]]
does = "harm"
amount = 4
damage_type = "fire"
[frost]
name = "frost"
words = "It freezes."
cost = 1
target = "cell"
range = 9
radius = 2
harms = true
[[frost.effects]]
does = "harm"
amount = 4
damage_type = "cold"
[gas_cloud]
name = "gas cloud"
words = "It chokes."
cost = 1
target = "cell"
range = 9
radius = 1
harms = true
[[gas_cloud.effects]]
does = "lay"
surface = "marsh_gas"
"""

_BOOK: Final = """
[red_book]
name = "red book"
glyph = "+"
colour = "red"
group = "book"
teaches = ["firebolt", "blaze", "frost", "gas_cloud"]
"""

SURFACES: Final = """
[fire]
name = "fire"
words = "It burns."
begins = "Fire takes hold!"
made = "lit"
sign = "^"
unicode = "^"
colour = "orange"
harm = 5
damage_type = "fire"
lasts = 6
leaves = "smoke"
burns = { grass = 60, door_closed = 30, door_open = 30, oil = 100, web = 100, marsh_gas = 100 }
kindled_by = "fire"
lights = 3
spares = ["imp"]

[smoke]
name = "smoke"
words = "It hides what is behind it."
sign = "%"
unicode = "%"
colour = "gray"
lasts = 4
drifts_percent = 50
hides = true

[ice]
name = "ice"
words = "It bears."
begins = "The water freezes!"
sign = "="
unicode = "="
colour = "white"
over_water = true
lasts = 10
leaves = "thin_ice"
kindled_by = "cold"
ended_by = "fire"

[thin_ice]
name = "thin ice"
words = "It breaks."
sign = "-"
unicode = "-"
colour = "cyan"
harm = 6
damage_type = "cold"
over_water = true
lasts = 3
ended_by = "fire"

[oil]
name = "oil"
words = "It burns well."
sign = ","
unicode = ","
colour = "brown"

[web]
name = "web"
words = "It holds."
sign = "x"
unicode = "x"
colour = "white"
holds = true
spares = ["bat"]

[rubble]
name = "rubble"
words = "It slows."
sign = ":"
unicode = ":"
colour = "gray"
slows = 100

[glow]
name = "glow"
words = "It wakes."
sign = "f"
unicode = "f"
colour = "green"
wakes = 3

[marsh_gas]
name = "marsh gas"
words = "It chokes."
begins = "Gas spreads!"
made = "loosed"
sign = "*"
unicode = "*"
colour = "green"
harm = 2
damage_type = "venom"
lasts = 12
drifts_percent = 60
"""


@cache
def tinder() -> Campaign:
    """Return the campaign."""
    return load(tinder_files())


def tinder_files(surfaces: str = SURFACES) -> dict[str, bytes]:
    """Return the campaign's files, with these surfaces."""
    files = academy_files()
    files["spells.toml"] += _SPELLS.encode()
    files["items.toml"] += _BOOK.encode()
    files["surfaces.toml"] = surfaces.encode()
    return files
