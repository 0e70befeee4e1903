"""Checks of a campaign's beacons."""

from gloam_server.content.campaign import Campaign
from gloam_server.content.content_errors import alternatives, invalid_value
from gloam_server.content.shipped import OUTLINE_FILE


def check_beacons(campaign: Campaign) -> None:
    """Raise CampaignError for a beacon without its warden, off the campaign's depths, or beside another one.

    Also for a surface of a beacon that is none, or that ends, harms, spreads or moves by itself.
    """
    _check_surface(campaign, "fire", campaign.beacons.fire)
    _check_surface(campaign, "unlit", campaign.beacons.unlit)
    depths: set[int] = set()
    for at, beacon in enumerate(campaign.beacons.places):
        key = f"beacons.places[{at}]"
        kind = campaign.creatures.get(beacon.warden)
        if kind is None:
            mend = alternatives(beacon.warden, campaign.creatures)
            raise invalid_value(OUTLINE_FILE, f"{key}.warden", beacon.warden, mend)
        if beacon.depth in depths or beacon.depth > campaign.depths:
            mend = f"write a depth up to {campaign.depths} that has no other beacon"
            raise invalid_value(OUTLINE_FILE, f"{key}.depth", beacon.depth, mend)
        depths.add(beacon.depth)
        if not any(
            each.creatures == (beacon.warden,) and each.depths == (beacon.depth, beacon.depth)
            for each in campaign.guaranteed
        ):
            mend = f"let `guaranteed` place it on depth {beacon.depth} alone: without its warden a beacon stays dark"
            raise invalid_value(OUTLINE_FILE, f"{key}.warden", beacon.warden, mend)


def _check_surface(campaign: Campaign, name: str, key: str) -> None:
    kind = campaign.surfaces.get(key)
    if key and kind is None:
        raise invalid_value(OUTLINE_FILE, f"beacons.{name}", key, alternatives(key, campaign.surfaces))
    if kind is not None and (
        kind.is_active or kind.over_water or kind.kindled_by or kind.holds or kind.hides
    ):
        mend = "name a surface that stays as it is, and harms, holds and hides nothing"
        raise invalid_value(OUTLINE_FILE, f"beacons.{name}", key, mend)
