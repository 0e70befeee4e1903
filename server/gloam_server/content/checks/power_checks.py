"""Checks of powers: each must name something that it is against, and change something."""

from collections.abc import Iterator
from typing import Final

from gloam_server.content.campaign import Campaign
from gloam_server.content.content_errors import alternatives, invalid_value
from gloam_server.content.powers import AGAINST_DAMAGE, AGAINST_PEOPLES, DAMAGE_TYPES, HABITS, Power
from gloam_server.content.shipped import CREATURES_FILE, ITEMS_FILE, OUTLINE_FILE, TRAITS_FILE, TROPHIES_FILE

REACH_MOST: Final = 5
"""The farthest that blows reach, in cells."""


def check_powers(campaign: Campaign) -> None:
    """Raise CampaignError for the first power that is against nothing known, or that changes nothing."""
    for file, path, power in _all_powers(campaign):
        known = DAMAGE_TYPES if power.does == "deals" else (*DAMAGE_TYPES, "")
        if power.does in AGAINST_DAMAGE and power.against not in known:
            mend = alternatives(power.against, DAMAGE_TYPES)
            raise invalid_value(file, f"{path}.against", power.against, mend)
        if power.does in AGAINST_PEOPLES and power.against not in campaign.peoples:
            mend = alternatives(power.against, campaign.peoples)
            raise invalid_value(file, f"{path}.against", power.against, mend)
        if power.does == "inflicts" and power.against not in campaign.spells:
            mend = alternatives(power.against, campaign.spells)
            raise invalid_value(file, f"{path}.against", power.against, mend)
        if power.does == "resist" and not power.percent:
            mend = "write a whole number from -400 to 75 that is not 0"
            raise invalid_value(file, f"{path}.percent", 0, mend)
        if power.does in HABITS and power.does != "reach" and not 0 < power.percent <= 100:
            mend = "write a whole number from 1 to 100"
            raise invalid_value(file, f"{path}.percent", power.percent, mend)
        if power.does in ("quiet", "stabs") and not (
            power.amount if power.does == "quiet" else power.percent > 0
        ):
            field = "amount" if power.does == "quiet" else "percent"
            raise invalid_value(file, f"{path}.{field}", 0, "write a whole number above 0")
        if power.does == "reach" and not 2 <= power.amount <= REACH_MOST:
            mend = f"write a whole number from 2 to {REACH_MOST}"
            raise invalid_value(file, f"{path}.amount", power.amount, mend)
    for item in campaign.items.values():
        if item.powers and not (
            item.trophy or item.wieldable or item.wearable or item.is_ring or item.thrown
        ):
            mend = "write true, for its powers hold neither in hand nor on the body"
            raise invalid_value(ITEMS_FILE, f"{item.key}.trophy", value=False, mend=mend)


def _all_powers(campaign: Campaign) -> Iterator[tuple[str, str, Power]]:
    """Yield every power with its file and its key path."""
    for file, table in (
        (CREATURES_FILE, campaign.creatures),
        (TRAITS_FILE, campaign.traits),
        (TROPHIES_FILE, campaign.trophies),
        (ITEMS_FILE, {key: kind for key, kind in campaign.items.items() if key not in campaign.trophies}),
    ):
        for key, kind in table.items():
            for at, power in enumerate(kind.powers):
                yield file, f"{key}.powers[{at}]", power
    for brand in campaign.brands:
        for at, power in enumerate(brand.powers):
            yield OUTLINE_FILE, f"brands.{brand.key}.powers[{at}]", power
