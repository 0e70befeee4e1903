"""The arena with two beacons: its kobold guards the one on depth 1, its ogre the one on depth 2, and its rat is to be slain."""

from functools import cache

from gloam_server.content.campaign import Campaign
from gloam_server.content.loader import load
from support.content.campaigns import arena_files

BEACONS = """
guaranteed = [
  {depths = [1, 1], creatures = ["kobold"]},
  {depths = [2, 2], creatures = ["ogre"]},
]
"""
PLACES = """
[beacons]
weakens_percent = 10
lasts_days = 7
fire = "beacon"
unlit = "dark_beacon"
places = [
  {name = "the fire of the gate", depth = 1, warden = "kobold", level = 2},
  {name = "the fire of the deep", depth = 2, warden = "ogre", level = 4},
]
[victory]
rule = "slay"
creature = "rat"
words = "The rat is dead."
"""
FIRE = """
[beacon]
name = "a beacon"
words = "It burns."
begins = "The beacon flares up!"
sign = "&"
unicode = "&"
colour = "yellow"
lights = "level"

[dark_beacon]
name = "a dark beacon"
words = "Cold ash."
sign = "&"
unicode = "&"
colour = "gray"
"""


def beacon_files(places: str = PLACES) -> dict[str, bytes]:
    """Return the files of the campaign, with other beacons if wanted."""
    files = arena_files()
    return {
        **files,
        "surfaces.toml": FIRE.encode(),
        "campaign.toml": BEACONS.encode() + files["campaign.toml"] + places.encode(),
    }


@cache
def beacon_arena() -> Campaign:
    """Return the campaign."""
    return load(beacon_files())
