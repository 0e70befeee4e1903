"""Checks of a campaign's beacons."""

from gloam_server.content.campaign import Campaign
from gloam_server.content.content_errors import alternatives, invalid_value
from gloam_server.content.shipped import OUTLINE_FILE


def check_beacons(campaign: Campaign) -> None:
    """Raise CampaignError for a beacon without its warden, off the campaign's depths, or beside another one."""
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
