"""A campaign with drawn rooms, for their checks and for levels that have them."""

from functools import cache
from typing import Final

from gloam_server.content.campaign import Campaign
from gloam_server.content.loader import load

OUTLINE: Final = """
key = "drawn"
title = "The Drawn"
story = "Rooms that an author has drawn."
player = "human"
[experience]
award = "level_plus_9"
threshold = "compound"
heal = "full"
[[epitaphs]]
name = "Odo"
end = "read a stone"
"""

CREATURES: Final = """
[human]
name = "human"
glyph = "@"
colour = "white"
hp = 40
attack = 10
sight = 6
spawns = false
picks_points = true
corpse = false
[rat]
name = "rat"
glyph = "r"
colour = "brown"
hp = 10
attack = 3
tasks = ["hunt", "wander"]
levels = [1, 9]
corpse = false
people = "vermin"
haunts = ["cage"]
[eel]
name = "eel"
glyph = "e"
colour = "teal"
hp = 10
attack = 3
sight = 5
swims = true
tasks = ["swim"]
levels = [1, 9]
corpse = false
[legend]
name = "legend"
glyph = "L"
colour = "white"
hp = 10
attack = 3
spawns = false
corpse = false
"""

ITEMS: Final = """
[grave]
name = "grave of {name}, who {end}"
glyph = "_"
colour = "gray"
fixed = true
[apple]
name = "apple"
glyph = "%"
colour = "red"
food = 50
group = "food"
[axe]
name = "axe"
glyph = ")"
colour = "gray"
attack = 2
wieldable = true
group = "weapon"
levels = [1, 9]
"""

SPELLS: Final = """
[spike]
name = "spike"
words = "A spike hurts."
harms = true
[[spike.effects]]
does = "harm"
amount = 3
"""

PEOPLES: Final = """
[vermin]
name = "vermin"
hates = []
syllables_first = ["Nib"]
syllables_last = ["ber"]
"""

LEVEL: Final = """
[{key}]
depths = [{depth}, {depth}]
generator = "{generator}"
joined = true
width = {width}
height = {height}
populace = "levelled"
monsters = 6
goods = "levelled"
items = 6
drawn_rooms = [2, 3]
"""

LEVELS: Final = "".join(
    LEVEL.format(key=generator, depth=depth, generator=generator, width=54, height=30)
    for depth, generator in enumerate(("caves", "rooms", "mixed", "warren", "halls"), start=1)
)

ROOMS: Final = '''
[pool]
name = "the pool"
places = ["caves", "rooms", "mixed", "warren", "halls"]
lit = true
drawing = """
  #######
 ##..g..##
##.,~~~,.##
:..~~e~~..+
##.,~~~,.##
 ##..w..##
  #######
  #######
"""
[pool.legend]
e = { terrain = "water", creature = "eel" }
g = { feature = "grave" }
w = { group = "weapon", better = 2 }

[cell]
name = "the cell"
places = ["caves", "rooms", "mixed", "warren", "halls"]
drawing = """
########
#c.#..t#
#..+..h#
####.rr#
#a.#...#
#..+...#
####.b.#
####:###
"""
[cell.legend]
c = { feature = "captive" }
r = { people = "vermin", levels = 1 }
h = { creature = "any", terrain = "grass" }
t = { feature = "trap", spell = "spike" }
a = { item = "apple", choice = true }
b = { item = "any", choice = true, percent = 50 }

[hall]
name = "the hall"
places = ["rooms", "mixed", "warren", "halls"]
depths = [2, 5]
drawing = """
########################
#......&........&......#
:......................:
#..##..............##..#
#..##..............##..#
#......................#
#......&........&......#
########################
"""
'''

SEALED_DEVICES: Final = """
[plate]
name = "plate"
words = "It sinks."
mechanism = "plate"
sign = "_"
unicode = "_"
colour = "yellow"
[lever]
name = "lever"
words = "It opens."
mechanism = "lever"
sign = "/"
unicode = "/"
colour = "yellow"
force = 2
[seal]
name = "seal"
words = "It is shut."
mechanism = "gate"
sign = "#"
unicode = "#"
colour = "blue"
needs = 2
stays = true
"""

SEALED: Final = '''
[sealed]
name = "the treasury"
places = ["caves", "rooms", "mixed", "warren", "halls"]
sealed = true
drawing = """
###########
#...###...#
#.p.###.i.#
:....S..a.#
#.p.###..##
#..###l..##
##b########
###########
"""
[sealed.legend]
p = { device = "plate", works = "S" }
S = { device = "seal" }
l = { device = "lever", works = "S" }
b = { device = "lever", works = "S" }
i = { item = "any" }
a = { creature = "rat", ground = "moss" }
'''
"""A room that two plates open together, or one lever: not among the campaign's own, and its ground is moss."""


def room_files(**changed: str) -> dict[str, bytes]:
    """Return the files of the campaign, some of them changed: `room_files(rooms="")`."""
    files = {
        "campaign": OUTLINE,
        "creatures": CREATURES,
        "items": ITEMS,
        "spells": SPELLS,
        "peoples": PEOPLES,
        "levels": LEVELS,
        "rooms": ROOMS,
    } | changed
    return {f"{name}.toml": text.encode() for name, text in files.items()}


@cache
def drawn_campaign() -> Campaign:
    """Return the campaign."""
    return load(room_files())
