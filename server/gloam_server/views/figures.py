"""Attack and defence as they are shown: whole points, whatever the units that a campaign keeps them in (rule R3). Pure."""

from gloam_server.content.definitions import Campaign


def in_points(campaign: Campaign, amount: int) -> int:
    """Return an attack or a defence in points, rounded to the nearest, halves up."""
    scale = campaign.combat.scale
    return (2 * amount + scale) // (2 * scale)
