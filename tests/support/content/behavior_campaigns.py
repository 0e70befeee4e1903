"""Campaigns for behaviors: rltut with nothing beside them, and the arena with a kind for each behavior."""

from functools import cache

from msgspec.structs import replace

from gloam_server.content.campaign import Campaign
from gloam_server.content.campaign_schema import HungerRules, RegenerationRules
from gloam_server.content.loader import load
from support.content.campaigns import arena_files, shipped

KINDS = """
[thief]
tasks = ["steal", "hunt"]
[coward]
tasks = ["flee", "hunt"]
flees_percent = 30
[veteran]
tasks = ["rest", "hunt", "wander"]
flees_percent = 30
[wolf]
tasks = ["pack", "hunt"]
[slinger]
tasks = ["keep_distance", "shoot", "hunt"]
ranged = 4
reach = 7
keeps_off = 3
[mender]
tasks = ["mend", "wander"]
casts = ["patch"]
mana = 10
[mage]
tasks = ["cast", "hunt"]
casts = ["bolt"]
mana = 6
[bomber]
tasks = ["cast", "hunt"]
casts = ["blast"]
mana = 9
[mole]
tasks = ["hunt", "tunnel"]
digs = true
[mimic]
tasks = ["ambush", "hunt"]
[crier]
tasks = ["call", "hunt"]
calls = "rat"
calls_percent = 100
calls_max = 2
[warden]
tasks = ["guard", "hunt", "wander"]
guards_within = 3
[hound]
tasks = ["hunt", "prowl"]
[magpie]
tasks = ["quaff", "gather", "hunt"]
[squire]
tasks = ["follow", "hunt"]
[pike]
tasks = ["swim"]
swims = true
[stalker]
tasks = ["stalk", "hunt"]
[shade]
tasks = ["lurk", "hunt"]
[zapper]
tasks = ["zap", "wander"]
starts_with = ["any wand"]
"""
LOOKS = """
name = "{key}"
glyph = "x"
colour = "white"
hp = 20
attack = 4
sight = 9
spawns = false
"""
SPELLS = """
[patch]
name = "patch"
words = "It heals."
cost = 4
target = "creature"
range = 6
effects = [{ does = "heal", amount = 5 }]
[bolt]
name = "bolt"
words = "It hurts."
cost = 3
target = "creature"
range = 6
harms = true
effects = [{ does = "harm", amount = 3 }]
[blast]
name = "blast"
words = "It hurts all near."
cost = 3
target = "cell"
range = 6
radius = 1
harms = true
effects = [{ does = "harm", amount = 4 }]
[mending]
name = "mending"
words = "It heals."
effects = [{ does = "heal", amount = 9 }]
"""
THINGS = """
[draught]
name = "draught"
glyph = "!"
colour = "red"
group = "potion"
quaffs = "mending"
[bolts]
name = "wand of bolts"
glyph = "/"
colour = "red"
group = "wand"
zaps = "bolt"
charges = [2, 2]
[patches]
name = "wand of patches"
glyph = "/"
colour = "red"
group = "wand"
weight = 0
zaps = "patch"
charges = [2, 2]
[knife]
name = "knife"
glyph = ")"
colour = "gray"
group = "weapon"
attack = 2
thrown = 3
wieldable = true
"""


@cache
def caves() -> Campaign:
    """Return rltut where no one hungers and no one grows back, so that neither hides what is asked."""
    return replace(shipped("rltut"), hunger=HungerRules(), regeneration=RegenerationRules())


@cache
def bestiary() -> Campaign:
    """Return the arena with one kind more for each behavior, named after what it does."""
    files = arena_files()
    kinds = "".join(
        f"{line}\n{LOOKS.format(key=line[1:-1])}" if line.startswith("[") else f"{line}\n"
        for line in KINDS.strip().splitlines()
    )
    return load(
        {
            **files,
            "creatures.toml": files["creatures.toml"] + kinds.encode(),
            "items.toml": files["items.toml"] + THINGS.encode(),
            "spells.toml": SPELLS.encode(),
        }
    )
