"""Checks across the values of a campaign: names must refer to something, and numbers must fit together."""

from unicodedata import category, east_asian_width

from gloam_server.content.campaign import Campaign
from gloam_server.content.checks.beacon_checks import check_beacons
from gloam_server.content.checks.bent_checks import check_bents
from gloam_server.content.checks.device_checks import check_devices
from gloam_server.content.checks.ending_checks import check_endings
from gloam_server.content.checks.level_checks import check_guarantees, check_levels, check_tempers
from gloam_server.content.checks.people_checks import check_peoples
from gloam_server.content.checks.power_checks import check_powers
from gloam_server.content.checks.room_checks import check_rooms
from gloam_server.content.checks.spell_checks import check_spells
from gloam_server.content.checks.surface_checks import check_surfaces
from gloam_server.content.checks.text_checks import check_texts
from gloam_server.content.content_errors import CampaignError, alternatives, invalid_value
from gloam_server.content.creatures import ANY_ARMOUR, ANY_WAND, ANY_WEAPON, CreatureKind
from gloam_server.content.items import CORPSE, GRAVE, ItemKind
from gloam_server.content.shipped import CREATURES_FILE, ITEMS_FILE, OUTLINE_FILE
from gloam_shared.appearance import COLORS

"""The key of the item that dead creatures leave behind."""


def check_campaign(campaign: Campaign) -> None:
    """Raise CampaignError for the first thing that does not fit, in the order of the files."""
    creatures, items = campaign.creatures, campaign.items
    _check_player(campaign)
    _check_hunger(campaign)
    check_levels(campaign)
    check_guarantees(campaign)
    check_tempers(campaign)
    for kind in creatures.values():
        _check_look(CREATURES_FILE, kind.key, kind.glyph, kind.colour)
        _check_creature(kind, creatures)
        _check_belongings(kind, items)
    for item in items.values():
        _check_look(ITEMS_FILE, item.key, item.glyph, item.colour or "white")
        _check_item_name(item)
        _check_item_use(item)
    if CORPSE not in items and any(kind.corpse for kind in creatures.values()):
        raise CampaignError(
            f"In {ITEMS_FILE}, {CORPSE} is missing: add a table [{CORPSE}], or corpse = false to every creature."
        )
    check_spells(campaign)
    check_surfaces(campaign)
    check_peoples(campaign)
    check_powers(campaign)
    check_bents(campaign)
    check_rooms(campaign)
    check_devices(campaign)
    check_endings(campaign)
    check_beacons(campaign)
    check_texts(campaign)


def _check_player(campaign: Campaign) -> None:
    kind = campaign.creatures.get(campaign.player)
    if kind is None:
        raise invalid_value(
            OUTLINE_FILE, "player", campaign.player, alternatives(campaign.player, campaign.creatures)
        )
    if kind.spawns:
        raise invalid_value(
            CREATURES_FILE, f"{kind.key}.spawns", value=True, mend="write false for the players' kind"
        )
    if not kind.picks_points:
        mend = "write true for the players' kind"
        raise invalid_value(CREATURES_FILE, f"{kind.key}.picks_points", value=False, mend=mend)


def _check_look(file: str, key: str, glyph: str, colour: str) -> None:
    unprintable = category(glyph)[0] in "CZM"
    if unprintable or east_asian_width(glyph) in "WFA":
        mend = "write one printable character that is one column wide, such as a letter"
        raise invalid_value(file, f"{key}.glyph", glyph, mend)
    if colour not in COLORS:
        raise invalid_value(file, f"{key}.colour", colour, alternatives(colour, COLORS))


def _check_creature(kind: CreatureKind, creatures: dict[str, CreatureKind]) -> None:
    for at, hated in enumerate(kind.hates):
        if hated not in creatures:
            raise invalid_value(
                CREATURES_FILE, f"{kind.key}.hates[{at}]", hated, alternatives(hated, creatures)
            )
    if "hunt" in kind.tasks and not kind.sight:
        mend = "write a whole number from 1 to 20, because a hunting creature must see"
        raise invalid_value(CREATURES_FILE, f"{kind.key}.sight", kind.sight, mend)
    _check_boss(kind, creatures)
    if "spread" in kind.tasks and not kind.spread_percent:
        mend = "write a whole number from 1 to 100, because a spreading creature needs a chance to spread"
        raise invalid_value(CREATURES_FILE, f"{kind.key}.spread_percent", kind.spread_percent, mend)


def _check_belongings(kind: CreatureKind, items: dict[str, ItemKind]) -> None:
    for at, name in enumerate(kind.starts_with):
        if name not in (ANY_WEAPON, ANY_ARMOUR, ANY_WAND, *items):
            path = f"{kind.key}.starts_with[{at}]"
            raise invalid_value(
                CREATURES_FILE, path, name, alternatives(name, (ANY_WEAPON, ANY_ARMOUR, ANY_WAND, *items))
            )
    if len(kind.starts_with) > kind.slots:
        mend = f"write no more things than its {kind.slots} slots"
        raise invalid_value(CREATURES_FILE, f"{kind.key}.starts_with", list(kind.starts_with), mend)


def _check_boss(kind: CreatureKind, creatures: dict[str, CreatureKind]) -> None:
    if "grow_limb" in kind.tasks and not (kind.limb and kind.limb_hp):
        mend = "write limb and limb_hp, because a creature that grows a limb needs its name and its moment"
        raise invalid_value(CREATURES_FILE, f"{kind.key}.limb", kind.limb, mend)
    if kind.calls and kind.calls not in creatures:
        raise invalid_value(
            CREATURES_FILE, f"{kind.key}.calls", kind.calls, alternatives(kind.calls, creatures)
        )
    if "call" in kind.tasks and not (kind.calls and kind.calls_percent):
        mend = "write calls and calls_percent, for what calls needs a creature to come"
        raise invalid_value(CREATURES_FILE, f"{kind.key}.calls", kind.calls, mend)


def _check_item_name(kind: ItemKind) -> None:
    bare = kind.name.replace("{name}", "")
    if kind.key == GRAVE:
        bare = bare.replace("{end}", "")
    if "{" in bare or "}" in bare:
        mend = "write no braces but those of {name}, the name of the dead creature"
        raise invalid_value(ITEMS_FILE, f"{kind.key}.name", kind.name, mend)


def _check_item_use(kind: ItemKind) -> None:
    if kind.bites > 1 and not kind.food:
        raise invalid_value(ITEMS_FILE, f"{kind.key}.bites", kind.bites, "write 1, for it is no food")
    usable = kind.wieldable or kind.wearable
    for field, value in (("attack", kind.attack), ("defence", kind.defence)):
        if value and not usable:
            mend = "write 0, or let it be wieldable or wearable"
            raise invalid_value(ITEMS_FILE, f"{kind.key}.{field}", value, mend)
    fits = {"better": usable, "short": kind.food > 0, "always": not kind.fixed}
    if not fits.get(kind.pick_up, True):
        mend = "write never: only gear is better, only food can be short, and what is fixed stays"
        raise invalid_value(ITEMS_FILE, f"{kind.key}.pick_up", kind.pick_up, mend)
    if kind.found != "never" and "{name}" in kind.name:
        mend = "write never, for no player has died where it is found"
        raise invalid_value(ITEMS_FILE, f"{kind.key}.found", kind.found, mend)
    if kind.found != "never" and not kind.colour:
        raise invalid_value(ITEMS_FILE, f"{kind.key}.colour", kind.colour, "write the name of a color")


def _check_hunger(campaign: Campaign) -> None:
    if campaign.hunger.start > campaign.hunger.max:
        mend = f"write a whole number from 1 to hunger.max, which is {campaign.hunger.max}"
        raise invalid_value(OUTLINE_FILE, "hunger.start", campaign.hunger.start, mend)
