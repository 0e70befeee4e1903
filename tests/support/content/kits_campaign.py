"""The test campaign with kits: a life has an apple, or chooses a sword, or two apples and a sword."""

from functools import cache

from gloam_server.content.campaign import Campaign
from gloam_server.content.loader import load
from support.content.campaigns import arena_files

_OUTLINE = b"""
kit = ["apple"]
[[kits]]
name = "a fighter's kit"
words = "A sword, for those who strike first and ask no questions at all."
items = ["sword"]
[[kits]]
name = "a wanderer's kit"
words = "Food for a long way, and a sword in case of need."
items = ["apple", "apple", "sword"]
"""


@cache
def arena_with_kits() -> Campaign:
    """Return the arena whose lives begin with an apple, or with one of two kits."""
    return load(kits_files())


def kits_files() -> dict[str, bytes]:
    """Return that campaign's files, to be written into a folder."""
    files = arena_files()
    outline = files["campaign.toml"].replace(b"[experience]", _OUTLINE + b"[experience]", 1)
    return {**files, "campaign.toml": outline}
