"""The picture of a drawn room for its author: where it may be, its drawing, and its letters in words."""

from collections.abc import Iterator

from gloam_server.content.campaign import Campaign
from gloam_server.content.content_errors import alternatives
from gloam_server.content.loader import CampaignError
from gloam_server.content.places.drawn_rooms import ANY, DrawnRoom, LegendEntry


def draw_room(campaign: Campaign, key: str) -> list[str]:
    """Return the lines that show a drawn room. Raises CampaignError for an unknown one."""
    room = campaign.rooms.get(key)
    if room is None:
        raise CampaignError(f"Campaign {campaign.key} has no room {key}: {_mend(campaign, key)}")
    return [
        f"{key}, {room.name}: {room.grid.width} columns, {room.grid.height} rows, {_entrances(room)}",
        *(
            f"in {campaign.levels[place].name or place}, depths {first} to {last}"
            for place, (first, last) in _depths(campaign, room)
        ),
        *room.rows,
        *(f"{sign}  {'; '.join(_contents(campaign, entry))}" for sign, entry in room.legend.items()),
    ]


def _mend(campaign: Campaign, key: str) -> str:
    mend = alternatives(key, campaign.rooms)
    return mend if mend.endswith("?") else f"{mend}."


def _entrances(room: DrawnRoom) -> str:
    count = len(room.entrances)
    return "one entrance" if count == 1 else f"{count} entrances"


def _depths(campaign: Campaign, room: DrawnRoom) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield its kinds of level, each with the first and last depth on which it may have the room."""
    for place in room.places:
        first, last = campaign.levels[place].depths
        least, most = room.depths or (first, last)
        yield place, (max(first, least), min(last, most))


def _contents(campaign: Campaign, entry: LegendEntry) -> Iterator[str]:
    """Yield what a letter means, in words."""
    device = campaign.devices.get(entry.device)
    yield f"{device.mechanism}: {device.name}" if device is not None else entry.terrain
    if entry.works:
        yield f"works {', '.join(entry.works)}"
    if device is not None and device.needs > 1:
        yield f"needs a force of {device.needs}"
    elif device is not None and device.force > 1:
        yield f"with a force of {device.force}"
    if entry.ground:
        yield f"covered by {campaign.surfaces[entry.ground].name}"
    if entry.lives:
        yield f"{'a captive' if entry.feature == 'captive' else 'a creature'}: {_kind(campaign, entry)}"
    if entry.levels:
        yield f"{entry.levels} {'level' if entry.levels == 1 else 'levels'} above others"
    if entry.feature == "grave":
        yield "a grave"
    if entry.item or entry.group:
        yield f"an item: {_item(campaign, entry)}"
    if entry.better:
        yield f"as on {entry.better} depths below"
    if entry.choice:
        yield "only one of these can be had"
    if entry.spell:
        yield f"a trap: {campaign.spells[entry.spell].name}"
    if entry.percent < 100:
        yield f"in {entry.percent} of 100 cases"


def _kind(campaign: Campaign, entry: LegendEntry) -> str:
    if entry.people:
        return f"any of the people {campaign.peoples[entry.people].name}"
    if entry.creature == ANY:
        return "of any kind"
    return campaign.creatures[entry.creature].name if entry.creature else "of a kind that others keep captive"


def _item(campaign: Campaign, entry: LegendEntry) -> str:
    if entry.group:
        return f"any {entry.group}"
    return "of any kind" if entry.item == ANY else campaign.items[entry.item].name
