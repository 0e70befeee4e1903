"""Attack and defense as displayed: whole points, for the units of every campaign (rule R3). Pure."""

from gloam_server.content.campaign import Campaign
from gloam_server.content.creatures import Gain


def in_points(campaign: Campaign, amount: int) -> int:
    """Return an attack or a defense in points, rounded to the nearest, halves up."""
    scale = campaign.combat.scale
    return (2 * amount + scale) // (2 * scale)


def gain_in_words(campaign: Campaign, gain: Gain, amount: int) -> str:
    """Return a level-up choice's gain as displayed: attack and defense in points and tenths, as "0.6"."""
    scale = campaign.combat.scale
    if gain not in ("attack", "defence") or amount % scale == 0:
        return str(amount // scale if gain in ("attack", "defence") else amount)
    return f"{amount // scale}.{amount % scale * 10 // scale}"
