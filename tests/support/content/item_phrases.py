"""The names that an item of a campaign may have in a sentence."""

from typing import Final

from gloam_server.content.campaign import Campaign
from gloam_server.content.items import ItemKind

CAMPAIGNS: Final = ("gloam", "jsrogue", "rltut", "ruggrogue")


def names(campaign: Campaign, kind: ItemKind) -> list[str]:
    """Return every name that a player may use for an item of a kind."""
    own = kind.name.format(name="kobold", end="was killed by a rat")
    lines = [f"+{power} {own}" for power in (1, 8, 11)] if kind.scales else [own]
    if kind.bites > 1:
        lines.append(f"partly eaten {own}")
    if kind.looks:
        lines += [f"{look} {kind.group}" for look in campaign.appearances]
    return lines
