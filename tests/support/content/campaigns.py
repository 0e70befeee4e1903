"""Campaigns for tests: the shipped ones, and small ones in a few lines of TOML."""

from functools import cache
from typing import Any

from msgspec.structs import replace

from gloam_server.app.campaign_files import read_campaign
from gloam_server.content.campaign import Campaign
from gloam_server.content.loader import load

ARENA = """
key = "arena"
title = "The Arena"
story = "Two kinds that hate each other, and whoever comes to see."
player = "human"
movement = "{movement}"
[experience]
award = "worth_minus_level_gap"
threshold = "square"
heal = "full"
[time]
wild_every = {wild_every}
[hunger]
rule = "{hunger}"
start = 30
max = 200
"""

LEVELS = """
[caves]
depths = [1, 2]
generator = "caves"
width = 30
height = 12
fill_percent = 60
monsters = {monsters}
"""

CREATURES = """
[human]
name = "human"
glyph = "@"
colour = "white"
hp = 40
attack = 10
sight = 6
spawns = false
picks_points = true
digs = true
[kobold]
name = "kobold"
glyph = "k"
colour = "white"
hp = 6
attack = 4
tasks = ["hunt", "wander"]
hates = ["rat"]
[rat]
name = "rat"
glyph = "r"
colour = "brown"
hp = 3
attack = 1
tasks = ["wander"]
[ogre]
name = "ogre"
glyph = "O"
colour = "red"
hp = 200
attack = 60
tasks = ["hunt"]
spawns = false
[bat]
name = "bat"
glyph = "B"
colour = "white"
hp = 5
attack = 4
sight = 0
speed = 2000
tasks = ["wander"]
[statue]
name = "statue"
glyph = "S"
colour = "gray"
hp = 1000
attack = 1
spawns = false
[goblin]
name = "goblin"
glyph = "g"
colour = "green"
hp = 20
attack = 5
tasks = ["hunt"]
opens = true
spawns = false
[eel]
name = "eel"
glyph = "e"
colour = "blue"
hp = 8
attack = 3
tasks = ["hunt"]
swims = true
spawns = false
[glowworm]
name = "glowworm"
glyph = "w"
colour = "yellow"
hp = 3
light = 2
spawns = false
[fungus]
name = "fungus"
glyph = "F"
colour = "green"
hp = 10
sight = 0
speed = 250
tasks = ["spread"]
children = 5
spread_percent = 100
corpse = false
"""

ITEMS = """
[corpse]
name = "{name} corpse"
glyph = "%"
food = 75
[grave]
name = "grave of {name}"
glyph = "&"
colour = "gray"
fixed = true
[apple]
name = "apple"
glyph = "%"
colour = "red"
food = 50
found = "common"
[melon]
name = "melon"
glyph = "%"
colour = "lightgreen"
food = 35
bites = 4
found = "common"
[pumpkin]
name = "pumpkin"
glyph = "%"
colour = "orange"
food = 50
attack = 2
defence = 2
wieldable = true
wearable = true
found = "common"
[sword]
name = "sword"
glyph = ")"
colour = "white"
attack = 10
wieldable = true
[tunic]
name = "tunic"
glyph = "["
colour = "green"
defence = 2
wearable = true
[torch]
name = "torch"
glyph = "("
colour = "yellow"
light = 3
wieldable = true
[rock]
name = "rock"
glyph = "*"
colour = "white"
"""

SPELLS = """
[dart]
name = "dart"
words = "A dart that wounds."
range = 6
target = "creature"
harms = true
[[dart.effects]]
does = "harm"
amount = 5
"""


@cache
def shipped(name: str) -> Campaign:
    """Return a campaign that is shipped with the game."""
    return read_campaign(name)


def with_rules(campaign: Campaign, part: str, **numbers: Any) -> Campaign:
    """Return a campaign with some rules of a part of its outline changed, as in `with_rules(arena(), "experience", credit="full")`."""
    return replace(campaign, **{part: replace(getattr(campaign, part), **numbers)})


@cache
def arena(
    *, movement: str = "eight", wild_every: int = 1, monsters: int = 0, hunger: str = "none"
) -> Campaign:
    """Return the small test campaign: kobolds that hate rats, an ogre that kills, a statue that only stands.

    It has no items on the floor, and no hunger unless `hunger` says so; then lives begin with 30 food of 200.
    """
    return load(arena_files(movement=movement, wild_every=wild_every, monsters=monsters, hunger=hunger))


@cache
def arena_with(
    *, outline: str = "", creatures: str = "", items: str = "", levels: str = "", spells: str = ""
) -> Campaign:
    """Return the test campaign with more lines: at the head of its outline, and at the ends of its other files."""
    files = arena_files()
    more = {"creatures.toml": creatures, "items.toml": items, "levels.toml": levels, "spells.toml": spells}
    for name, text in more.items():
        files[name] += text.encode()
    at = files["campaign.toml"].index(b"[experience]")
    head, tables = files["campaign.toml"][:at], files["campaign.toml"][at:]
    return load({**files, "campaign.toml": head + outline.encode() + b"\n" + tables})


def arena_files(
    *, movement: str = "eight", wild_every: int = 1, monsters: int = 0, hunger: str = "none"
) -> dict[str, bytes]:
    """Return the test campaign's files, to be written into a folder or loaded."""
    files = {
        "campaign.toml": ARENA.format(movement=movement, wild_every=wild_every, hunger=hunger),
        "levels.toml": LEVELS.format(monsters=monsters),
        "creatures.toml": CREATURES,
        "items.toml": ITEMS,
        "spells.toml": SPELLS,
    }
    return {name: text.encode() for name, text in files.items()}


BEAR = """
[bear]
name = "teddy bear"
glyph = "*"
colour = "brown"
found = "once"
"""


def prize(rule: str, *, again: bool = False) -> Campaign:
    """Return a campaign that is won with a teddy bear."""
    more = "\nagain = true" if again else ""
    return arena_with(
        outline=f'[victory]\nrule = "{rule}"\nitem = "bear"\nwords = "The bear is home."{more}', items=BEAR
    )
