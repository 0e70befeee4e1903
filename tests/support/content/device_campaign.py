"""A small campaign with every mechanism of devices: the campaign of surfaces, with plates, levers, gates and a key."""

from functools import cache
from typing import Final

from gloam_server.content.campaign import Campaign
from gloam_server.content.loader import load
from support.content.surface_campaign import tinder_files

DEVICES: Final = """
[plate]
name = "plate"
words = "It sinks under a body, and opens a gate."
mechanism = "plate"
sign = "_"
unicode = "_"
colour = "yellow"

[hot_plate]
name = "hot plate"
words = "It sets alight who steps on it."
mechanism = "plate"
sign = "_"
unicode = "_"
colour = "red"
spell = "firebolt"

[lever]
name = "lever"
words = "Walk into it."
mechanism = "lever"
sign = "/"
unicode = "/"
colour = "yellow"
force = 2

[bell]
name = "bell rope"
words = "It wakes all."
mechanism = "lever"
sign = "/"
unicode = "/"
colour = "yellow"
wakes = 9
force = 2

[altar]
name = "altar"
words = "It takes a book."
mechanism = "altar"
sign = "_"
unicode = "_"
colour = "white"
group = "book"
force = 2

[keyhole]
name = "lock"
words = "It takes an iron key."
mechanism = "lock"
sign = "?"
unicode = "?"
colour = "white"
takes = "iron_key"
force = 2

[gate]
name = "iron gate"
words = "It is shut."
mechanism = "gate"
sign = "#"
unicode = "#"
colour = "cyan"

[seal]
name = "stone seal"
words = "It is shut, and needs two."
mechanism = "gate"
sign = "#"
unicode = "#"
colour = "blue"
needs = 2
stays = true

[cage]
name = "iron cage"
words = "It is shut."
mechanism = "cage"
sign = "0"
unicode = "0"
colour = "gray"
stays = true
"""

_KEY: Final = """
[iron_key]
name = "iron key"
glyph = "-"
colour = "gray"
"""


def device_files(devices: str = DEVICES, rooms: str = "") -> dict[str, bytes]:
    """Return the campaign's files, with these devices and drawn rooms."""
    files = tinder_files()
    files["items.toml"] += _KEY.encode()
    files["devices.toml"] = devices.encode()
    if rooms:
        files["rooms.toml"] = rooms.encode()
    return files


@cache
def machines() -> Campaign:
    """Return the campaign."""
    return load(device_files())
