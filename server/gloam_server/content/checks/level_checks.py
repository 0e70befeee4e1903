"""Checks that the levels of a campaign fit together, and that their creatures and items exist."""

from collections.abc import Collection

from gloam_server.content.campaign import Campaign
from gloam_server.content.content_errors import CampaignError, alternatives, invalid_value
from gloam_server.content.levels import SCHEMES_BY_DIFFICULTY, SCHEMES_OF_ALL_KINDS, LevelKind, Quota
from gloam_server.content.shipped import LEVELS_FILE, OUTLINE_FILE
from gloam_shared.appearance import COLORS


def check_levels(campaign: Campaign) -> None:
    """Raise CampaignError for a depth without a level, or a level that refers to missing content."""
    if not campaign.levels:
        raise CampaignError(f"{LEVELS_FILE} has no level: add a table such as [caves] with depths = [1, 6].")
    for kind in campaign.levels.values():
        first, last = kind.depths
        if last < first:
            mend = "write the first depth and then the last, such as [1, 6]"
            raise invalid_value(LEVELS_FILE, f"{kind.key}.depths", list(kind.depths), mend)
        _check_populace(campaign, kind)
        _check_look(kind)
        _check_surfaces(campaign, kind)
    for depth in range(1, campaign.depths + 1):
        if not campaign.levels_at(depth):
            raise CampaignError(
                f"In {LEVELS_FILE}, no level is for depth {depth}, so that nothing below it could be reached: "
                "let the depths of a level hold it."
            )


def _check_look(kind: LevelKind) -> None:
    look = kind.look
    if look is None:
        return
    if not kind.name:
        mend = 'write its name, such as "the wet caves": with a look the title shows it'
        raise invalid_value(LEVELS_FILE, f"{kind.key}.name", kind.name, mend)
    for part, colors in (("walls", look.walls), ("floors", look.floors)):
        for color in colors:
            if color not in COLORS:
                raise invalid_value(
                    LEVELS_FILE, f"{kind.key}.look.{part}", color, alternatives(color, COLORS)
                )


def check_guarantees(campaign: Campaign) -> None:
    """Raise CampaignError for a guarantee that no realm could keep."""
    for at, guarantee in enumerate(campaign.guaranteed):
        key, (least, most) = f"guaranteed[{at}]", guarantee.depths
        if not 1 <= least <= most <= campaign.depths:
            mend = f"write two depths from 1 to {campaign.depths}, the smaller one first"
            raise invalid_value(OUTLINE_FILE, f"{key}.depths", [least, most], mend)
        if sum(map(bool, (guarantee.feature, guarantee.creatures, guarantee.items))) != 1:
            mend = "name either a place, some creatures or some items"
            raise invalid_value(OUTLINE_FILE, f"{key}.feature", guarantee.feature, mend)
        for kind in guarantee.creatures:
            if kind not in campaign.creatures:
                mend = alternatives(kind, campaign.creatures)
                raise invalid_value(OUTLINE_FILE, f"{key}.creatures", kind, mend)
        for item in guarantee.items:
            if item not in campaign.items:
                mend = alternatives(item, campaign.items)
                raise invalid_value(OUTLINE_FILE, f"{key}.items", item, mend)


def check_tempers(campaign: Campaign) -> None:
    """Raise CampaignError for a temper of no depth, or whose traps have no spell."""
    for at, temper in enumerate(campaign.tempers):
        key, (least, most) = f"tempers[{at}]", temper.depths
        if not least <= most:
            mend = "write the first depth and then the last, such as [1, 6]"
            raise invalid_value(OUTLINE_FILE, f"{key}.depths", [least, most], mend)
        if temper.traps and not temper.springs:
            mend = "write 0, or name spells in springs"
            raise invalid_value(OUTLINE_FILE, f"{key}.traps", temper.traps, mend)
        for spell in temper.springs:
            if spell not in campaign.spells:
                mend = alternatives(spell, campaign.spells)
                raise invalid_value(OUTLINE_FILE, f"{key}.springs", spell, mend)


def _check_populace(campaign: Campaign, kind: LevelKind) -> None:
    if kind.populace in SCHEMES_OF_ALL_KINDS and kind.monsters and not campaign.spawnable:
        raise invalid_value(
            LEVELS_FILE, f"{kind.key}.monsters", kind.monsters, "write 0, or let a creature spawn"
        )
    if kind.goods in SCHEMES_OF_ALL_KINDS and kind.items and not campaign.common_items:
        raise invalid_value(
            LEVELS_FILE, f"{kind.key}.items", kind.items, "write 0, or let a thing be found common"
        )
    if kind.populace in SCHEMES_BY_DIFFICULTY and not any(each.levels for each in campaign.spawnable):
        mend = "write another, or give levels to a creature that spawns"
        raise invalid_value(LEVELS_FILE, f"{kind.key}.populace", kind.populace, mend)
    for at, share in enumerate(kind.creatures):
        _check_share(share, campaign.creatures, (), f"{kind.key}.creatures[{at}]")
    groups = sorted({item.group for item in campaign.items.values() if item.group})
    for at, share in enumerate(kind.things):
        _check_share(share, campaign.items, groups, f"{kind.key}.things[{at}]")
    if kind.traps and not kind.springs:
        raise invalid_value(
            LEVELS_FILE, f"{kind.key}.traps", kind.traps, "write 0, or name spells in springs"
        )


def _check_surfaces(campaign: Campaign, kind: LevelKind) -> None:
    """Raise CampaignError for a patch of an unknown surface, or of one that would be gone when players arrive."""
    for at, patch in enumerate(kind.surfaces):
        path = f"{kind.key}.surfaces[{at}].surface"
        if patch.surface not in campaign.surfaces:
            mend = alternatives(patch.surface, campaign.surfaces)
            raise invalid_value(LEVELS_FILE, path, patch.surface, mend)
        if campaign.surfaces[patch.surface].lasts:
            raise invalid_value(LEVELS_FILE, path, patch.surface, "name one that stays, whose lasts is 0")


def _check_share(share: Quota, kinds: Collection[str], groups: Collection[str], at: str) -> None:
    if share.group and (share.kind or share.group not in groups):
        mend = f"leave it out next to a kind, or {alternatives(share.group, groups)}"
        raise invalid_value(LEVELS_FILE, f"{at}.group", share.group, mend)
    if not share.group and share.kind not in kinds:
        raise invalid_value(LEVELS_FILE, f"{at}.kind", share.kind, alternatives(share.kind, kinds))
