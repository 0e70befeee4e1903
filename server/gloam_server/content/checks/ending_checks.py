"""Checks that the start and the end of a campaign refer to existing content."""

from gloam_server.content.campaign import Campaign
from gloam_server.content.content_errors import alternatives, invalid_value
from gloam_server.content.creatures import ANY_ARMOUR, ANY_WAND, ANY_WEAPON
from gloam_server.content.items import GRAVE
from gloam_server.content.kit_entry import parse_kit_entry
from gloam_server.content.lessons import LESSONS
from gloam_server.content.shipped import ITEMS_FILE, OUTLINE_FILE

"""The key of the stone where a player died."""


def check_endings(campaign: Campaign) -> None:
    """Raise CampaignError for a victory, a kit or a grave that refers to an unknown creature or item, or a grave that can be carried."""
    rules = campaign.victory
    if rules.rule == "slay" and rules.creature not in campaign.creatures:
        mend = alternatives(rules.creature, campaign.creatures)
        raise invalid_value(OUTLINE_FILE, "victory.creature", rules.creature, mend)
    if rules.rule in ("escape", "use") and rules.item not in campaign.items:
        raise invalid_value(
            OUTLINE_FILE, "victory.item", rules.item, alternatives(rules.item, campaign.items)
        )
    if rules.again and rules.rule != "use":
        mend = "write false, because only a prize that is used can lead to the next round"
        raise invalid_value(OUTLINE_FILE, "victory.again", value=True, mend=mend)
    _check_kit(campaign, "kit", campaign.kit)
    for at, kit in enumerate(campaign.kits):
        _check_kit(campaign, f"kits[{at}].items", kit.items)
    _check_catch_up(campaign)
    _check_lessons(campaign)
    grave = campaign.items.get(GRAVE)
    if grave is not None and (not grave.fixed or not grave.colour):
        mend = "write true, and `colour`, for a grave stays where it is"
        raise invalid_value(ITEMS_FILE, f"{GRAVE}.fixed", value=grave.fixed, mend=mend)


def _check_lessons(campaign: Campaign) -> None:
    causes = (*LESSONS, *campaign.creatures)
    for cause in campaign.lessons:
        if cause not in causes:
            mend = f"name a cause or a kind of creature: {alternatives(cause, causes)}"
            raise invalid_value(OUTLINE_FILE, "lessons", cause, mend)


def _check_catch_up(campaign: Campaign) -> None:
    groups = (ANY_WEAPON, ANY_ARMOUR, ANY_WAND)
    for at, entry in enumerate(campaign.catch_up.kit):
        if entry not in (*groups, *campaign.items):
            mend = alternatives(entry, (*groups, *campaign.items))
            raise invalid_value(OUTLINE_FILE, f"catch_up.kit[{at}]", entry, mend)
    most = max(len(items) for items in (campaign.kit, *(kit.items for kit in campaign.kits)))
    spare = campaign.player_kind.slots - most
    if len(campaign.catch_up.kit) > spare:
        mend = f"name at most {spare} things, for the starting kit leaves a player no more slots"
        raise invalid_value(OUTLINE_FILE, "catch_up.kit", list(campaign.catch_up.kit), mend)


def _check_kit(campaign: Campaign, key: str, items: tuple[str, ...]) -> None:
    for at, text in enumerate(items):
        entry = parse_kit_entry(text)
        if entry is None:
            mend = 'write the key of a thing, and a bonus where it has one, such as "knife+1"'
            raise invalid_value(OUTLINE_FILE, f"{key}[{at}]", text, mend)
        if entry.key not in campaign.items:
            raise invalid_value(OUTLINE_FILE, f"{key}[{at}]", text, alternatives(entry.key, campaign.items))
    slots = campaign.player_kind.slots
    if len(items) > slots:
        raise invalid_value(
            OUTLINE_FILE,
            key,
            list(items),
            f"name at most {slots} things, for a player has no more slots",
        )
