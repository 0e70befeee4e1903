"""A campaign of many kinds of levels, for generation, populations and the difficulty tracker."""

from functools import cache, lru_cache

from gloam_server.content.campaign import Campaign
from gloam_server.content.loader import load
from gloam_server.world.generation import LevelMap, generate_round

OUTLINE = """
key = "grounds"
title = "The Grounds"
story = "All manners of levels, one below the other."
player = "human"
[experience]
award = "level_plus_9"
threshold = "compound"
heal = "full"
[difficulty]
tracked = true
last = {last}
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
corpse = false
"""

CREATURE = """
[{key}]
name = "{key}"
glyph = "{glyph}"
colour = "white"
hp = 10
attack = 3
tasks = ["hunt", "wander"]
levels = [{least}, {most}]
corpse = false
{more}
"""

ITEMS = """
[apple]
name = "apple"
glyph = "%"
colour = "red"
food = 50
group = "food"
[crown]
name = "crown"
glyph = "*"
colour = "yellow"
found = "once"
"""

ITEM = """
[{key}]
name = "{key}"
glyph = "?"
colour = "white"
group = "{group}"
{more}
"""

MANNERS = (
    "caves",
    "old_caves",
    "rooms",
    "halls",
    "warren",
    "mixed",
    "caves",
    "rooms",
    "mixed",
    "old_caves",
    "halls",
    "warren",
)
"""The generators from the first depth down; below them all is the cavern."""

LEVEL = """
[level{depth}]
depths = [{depth}, {depth}]
generator = "{manner}"
width = {width}
height = {height}
passes = {passes}
populace = "levelled"
monsters = 6
goods = "levelled"
items = 5
lit_percent = 50
doors_percent = 50
traps = 4
springs = ["spark"]
features = ["lair", "vault", "shrine", "flood", "graveyard", "library", "garden", "crossing"]
features_max = 4
exit = {exit}
"""

CAVERN = """
[cavern]
depths = [{depth}, {depth}]
generator = "cavern"
hole = true
width = 60
height = 26
populace = "counts"
goods = "none"
"""

RUGGED = """
[rooms]
depths = [1, 40]
generator = "rooms"
width = 80
height = 50
populace = "rooms"
goods = "rooms"
"""

SPELLS = """
[spark]
name = "spark"
words = "It stings."
harms = true
[[spark.effects]]
does = "harm"
amount = 1
"""


def _levels() -> str:
    lines = [
        LEVEL.format(
            depth=depth, manner=manner, width=50 + 3 * depth, height=28 + depth, passes=8 if manner == "old_caves" else 3,
            exit="true" if depth == 1 else "false",
        )
        for depth, manner in enumerate(MANNERS, start=1)
    ]  # fmt: skip
    return "".join(lines) + CAVERN.format(depth=len(MANNERS) + 1)


def _creatures() -> str:
    """Return 25 kinds, each of one level, the names of which tell it; the kinds of level 5 appear in groups."""
    kinds = [
        CREATURE.format(
            key=f"beast{level}",
            glyph=chr(96 + level),
            least=level,
            most=level,
            more="group = [3, 3]" if level == 5 else "",
        )
        for level in range(1, 26)
    ]
    return CREATURES + "".join(kinds)


def _items() -> str:
    gear = [
        ITEM.format(
            key=f"{group}{at:02}", group=group, more=f"{use} = true\nscales = true\nlevels = [{at}, {at}]"
        )
        for group, use in (("weapon", "wieldable"), ("armour", "wearable"))
        for at in range(1, 11)
    ]
    rest = [
        ITEM.format(key="draught", group="potion", more='weight = 3\nquaffs = "spark"'),
        ITEM.format(key="bolt", group="scroll", more='weight = 3\nreads = "spark"'),
        ITEM.format(key="blaze", group="scroll", more='weight = 2\nreads = "spark"'),
        ITEM.format(key="slumber", group="scroll", more='weight = 2\nreads = "spark"'),
        ITEM.format(key="tome", group="book", more='weight = 0\nteaches = ["spark"]'),
    ]
    return ITEMS + "".join(gear + rest)


def _loaded(levels: str, last: int, more: str = "") -> Campaign:
    files = {
        "campaign.toml": OUTLINE.format(last=last) + more,
        "levels.toml": levels,
        "creatures.toml": _creatures(),
        "items.toml": _items(),
        "spells.toml": SPELLS,
    }
    return load({name: text.encode() for name, text in files.items()})


@cache
def grounds() -> Campaign:
    """Return a campaign with every generator, sizes that differ, and special places on every level."""
    return _loaded(_levels(), 0)


@cache
def rugged(last: int = 25) -> Campaign:
    """Return a campaign of rooms with the tracker's rules: 25 kinds of one level each, ten weapons and ten armors."""
    return _loaded(RUGGED, last, '[victory]\nrule = "use"\nitem = "crown"\n')


@lru_cache(maxsize=32)
def levels_of_grounds(seed: int) -> tuple[LevelMap, ...]:
    """Return the levels of `grounds`, made once for the tests of one process that look at them."""
    return tuple(generate_round(grounds(), seed))


@lru_cache(maxsize=32)
def levels_of_rugged(seed: int) -> tuple[LevelMap, ...]:
    """Return the levels of `rugged`, made once like the levels of `grounds`."""
    return tuple(generate_round(rugged(), seed))
