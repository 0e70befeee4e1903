"""A small campaign full of magic: rltut's potions and books, ruggrogue's scrolls, and further spells."""

from functools import cache
from typing import Final

from gloam_server.content.campaign import Campaign
from gloam_server.content.loader import load
from support.content.campaigns import arena_files

APPEARANCES: Final = ("red", "yellow", "green", "cyan", "blue", "magenta", "dark", "grey", "light")

POTIONS: Final = ("health", "mana", "slow_health", "poison", "warrior", "archer", "experience")

_CREATURES: Final = """
[mage]
name = "mage"
glyph = "m"
colour = "blue"
hp = 12
attack = 2
mana = 20
casts = ["missile", "sleep_ray", "call_imps"]
spawns = false
[imp]
name = "imp"
glyph = "i"
colour = "red"
hp = 15
attack = 5
tasks = ["hunt", "wander"]
spawns = false
"""

_SPELLS: Final = """
health | self | 0 0 | heal amount=15
mana | self | 0 0 | mana amount=10
slow_health | self | 0 0 | heal amount=1 turns=100 word="mending"
poison | self | 0 0 harms | harm amount=1 turns=20 word="poisoned"
warrior | self | 0 0 | strengthen attack=5 defence=5 turns=20 word="mighty"
archer | self | 0 0 | strengthen sight=3 turns=20 word="keen-eyed"
experience | self | 0 0 | learn amount=5
draught | self | 0 0 | heal amount=20 or_max=2
missile 3 | creature | 6 0 harms | harm amount=8
fireball 5 | cell | 6 3 harms | harm amount=20
sleep_ray 3 | cell | 6 1 harms | sleep amount=36
minor_heal 4 | creature | 6 0 | heal amount=20
major_heal 8 | creature | 6 0 | heal amount=50
slow_heal 12 | creature | 6 0 | heal amount=2 turns=50 word="mending"
inner_strength 16 | creature | 6 0 | strengthen attack=2 defence=2 sight=1 regeneration=10 mana_regeneration=-10 percent=25 amount=1 turns=50 word="strong within"
blood_to_mana 1 | self | 0 0 | blood_to_mana
blink 6 | self | 0 0 | blink amount=5
call_bats 11 | self | 0 0 | summon kind="bat" amount=8
call_imps 4 | self | 0 0 | summon kind="imp" amount=3 turns=6
detect 16 | self | 0 0 | detect turns=75 word="sensing"
teleport 1 | self | 0 0 | teleport
swap 1 | creature | 6 0 harms | swap
push 1 | cell | 6 2 harms | push amount=2
drain 1 | creature | 6 0 harms | drain amount=6
haste 1 | creature | 6 0 | strengthen speed=1000 turns=10 word="hasty"
slow 1 | creature | 6 0 harms | strengthen speed=-500 turns=10 word="slow"
weaken 1 | creature | 6 0 harms | strengthen attack=-50 defence=-50 turns=10 word="weak"
fear 1 | creature | 6 0 harms | fear turns=10 word="afraid"
cure 1 | creature | 6 0 | cure
bore 1 | cell | 9 0 | dig amount=4
quake 1 | self | 0 2 | dig
chart 1 | self | 0 0 | map
glance 1 | self | 0 0 | map amount=3
light 1 | self | 0 4 | light
reveal 1 | self | 0 4 | reveal
know 1 | self | 0 0 | know
feed 1 | self | 0 0 | feed amount=30
blessing 1 | self | 0 5 | heal amount=10
venom 1 | creature | 6 0 harms | harm amount=2 turns=5 word="poisoned"
"""


@cache
def academy(*, hunger: str = "none") -> Campaign:
    """Return the campaign: the arena with a mage and imps, a potion, a scroll and a book of everything.

    A potion is called "health potion", a scroll "missile scroll"; a spell without a cost has no scroll and stands in no book.
    """
    return load(academy_files(hunger=hunger))


def academy_files(*, hunger: str = "none") -> dict[str, bytes]:
    """Return the campaign's files."""
    files = arena_files(hunger=hunger)
    creatures = files["creatures.toml"].decode().replace("hp = 40", "hp = 40\nmana = 20", 1)
    outline = f"appearances = {list(APPEARANCES)}\n".replace("'", '"') + files["campaign.toml"].decode()
    files["campaign.toml"] = outline.encode()
    files["creatures.toml"] = (creatures + _CREATURES).encode()
    files["items.toml"] += "".join(_items()).encode()
    files["spells.toml"] += "".join(_spell(*_parts(line)) for line in _lines()).encode()
    return files


def _lines() -> list[str]:
    return _SPELLS.strip().splitlines()


def _parts(line: str) -> tuple[str, str, str, str]:
    name, target, reach, effect = (part.strip() for part in line.split("|"))
    return name, target, reach, effect


def _spell(name: str, target: str, reach: str, effect: str) -> str:
    key, _, cost = name.partition(" ")
    numbers = reach.split()
    does, _, fields = effect.partition(" ")
    word = ""
    if 'word="' in fields:
        fields, _, word = fields.partition('word="')
        word = f'word = "{word}\n'
    return f"""
[{key}]
name = "{key.replace("_", " ")}"
words = "It is said to do {does}."
cost = {cost or 0}
target = "{target}"
range = {numbers[0]}
radius = {numbers[1]}
harms = {str("harms" in numbers).lower()}
[[{key}.effects]]
does = "{does}"
{chr(10).join(fields.split())}
{word}"""


def _items() -> list[str]:
    keys = [_parts(line)[0].partition(" ") for line in _lines()]
    taught = [key for key, _, cost in keys if cost]
    made = [_thing(f"{key}_potion", "potion", f'quaffs = "{key}"', looks=True) for key in POTIONS]
    made.append(_thing("draught_potion", "potion", 'quaffs = "draught"'))
    made += [_thing(f"{key}_scroll", "scroll", f'reads = "{key}"') for key in taught]
    made.append(_thing("white_book", "book", f"teaches = {taught}".replace("'", '"')))
    return made


def _thing(key: str, group: str, use: str, *, looks: bool = False) -> str:
    return f"""
[{key}]
name = "{key.replace("_", " ")}"
glyph = "!"
colour = "white"
group = "{group}"
found = "common"
looks = {str(looks).lower()}
{use}
"""
