"""The test campaign with peoples, whose monsters earn names: few, and seldom."""

from functools import cache

from gloam_server.content.campaign import Campaign
from gloam_server.content.loader import load
from support.content.campaigns import arena_files

PEOPLES = """
[kobolds]
name = "kobolds"
syllables_first = ["Ska", "Kri"]
syllables_last = ["rn", "zat"]
[giants]
name = "giants"
syllables_first = ["Gro"]
syllables_last = ["m"]
"""

_NAMED = """
[named]
max = {most}
turns_between = {turns_between}
levels = 2
"""


@cache
def named_arena(*, most: int = 2, turns_between: int = 0) -> Campaign:
    """Return the arena whose kobolds and ogres have peoples, with room for a few names."""
    files = arena_files()
    creatures = files["creatures.toml"].decode()
    for kind, people in (("kobold", "kobolds"), ("ogre", "giants")):
        creatures = creatures.replace(f'name = "{kind}"', f'name = "{kind}"\npeople = "{people}"', 1)
    outline = files["campaign.toml"].decode() + _NAMED.format(most=most, turns_between=turns_between)
    return load(
        {
            **files,
            "campaign.toml": outline.encode(),
            "creatures.toml": creatures.encode(),
            "peoples.toml": PEOPLES.encode(),
        }
    )


TROPHY = """
[fang]
name = "fang"
glyph = ")"
colour = "red"
attack = 10
scales = true
wieldable = true
"""


@cache
def trophy_arena() -> Campaign:
    """Return the arena where a named creature leaves a fang, and each level that it gained pays half of its award."""
    files = arena_files()
    outline = files["campaign.toml"].decode() + _NAMED.format(most=2, turns_between=0)
    outline += 'revenge_percent = 50\ntrophies = ["fang"]\nheir_levels = 3\n'
    items = files["items.toml"].decode() + TROPHY
    return load({**files, "campaign.toml": outline.encode(), "items.toml": items.encode()})
