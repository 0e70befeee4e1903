"""The shipped campaigns, and the paths of their files in the package.

Reading them is the application's job.
"""

from typing import Final

SHIPPED: Final = ("gloam", "jsrogue", "rltut", "ruggrogue")
"""The keys of the campaigns that ship: each is a folder of `DATA`."""

DATA: Final = "data"
"""The folder of the campaigns' folders, inside the package `gloam_server.content`."""

OUTLINE_FILE: Final = "campaign.toml"
CREATURES_FILE: Final = "creatures.toml"
ITEMS_FILE: Final = "items.toml"
SPELLS_FILE: Final = "spells.toml"
LEVELS_FILE: Final = "levels.toml"
PEOPLES_FILE: Final = "peoples.toml"
TRAITS_FILE: Final = "traits.toml"
TROPHIES_FILE: Final = "trophies.toml"
CARDS_FILE: Final = "cards.toml"
BENTS_FILE: Final = "bents.toml"
KITS_FILE: Final = "kits.toml"
ROOMS_FILE: Final = "rooms.toml"
SURFACES_FILE: Final = "surfaces.toml"
DEVICES_FILE: Final = "devices.toml"

FILES: Final = (OUTLINE_FILE, LEVELS_FILE, CREATURES_FILE, ITEMS_FILE, SPELLS_FILE)
"""The files that every campaign consists of."""

OPTIONAL_FILES: Final = (
    PEOPLES_FILE,
    TRAITS_FILE,
    TROPHIES_FILE,
    CARDS_FILE,
    BENTS_FILE,
    KITS_FILE,
    ROOMS_FILE,
    SURFACES_FILE,
    DEVICES_FILE,
)
"""The files that a campaign may have besides."""
