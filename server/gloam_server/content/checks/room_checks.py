"""Checks of drawn rooms: each is closed, can be walked through, fits its levels, and has a place for its contents."""

from collections.abc import Iterator
from typing import Final

from gloam_server.content.campaign import Campaign
from gloam_server.content.content_errors import CampaignError, alternatives, invalid_value
from gloam_server.content.items import GRAVE
from gloam_server.content.places.drawn_rooms import (
    ANY,
    BLANK,
    ENTRANCES,
    SIDES_MAX,
    SIDES_MIN,
    SIGNS,
    DrawnRoom,
    LegendEntry,
    RoomCell,
)
from gloam_server.content.places.sealed_parts import enclosed_parts, gates_of, terrain_of
from gloam_server.content.shipped import LEVELS_FILE, ROOMS_FILE
from gloam_shared.appearance import WALKABLE, Terrain
from gloam_shared.search import reachable

MARGIN: Final = 2
"""The cells that stay free between a drawn room and the edge of its level."""

_OPEN: Final = WALKABLE | {Terrain.DOOR_CLOSED}
_DRY: Final = ("floor", "grass", "shallows")
"""The terrain of the legend on which creatures stand and items lie."""


def check_rooms(campaign: Campaign) -> None:
    """Raise CampaignError for the first room that no level could have as it is drawn."""
    for kind in campaign.levels.values():
        least, most = kind.drawn_rooms
        if least > most:
            mend = "write the fewest and then the most, such as [2, 3]"
            raise invalid_value(LEVELS_FILE, f"{kind.key}.drawn_rooms", list(kind.drawn_rooms), mend)
    for room in campaign.rooms.values():
        _check_size(room)
        _check_signs(room)
        _check_walls(room)
        _check_ways(campaign, room)
        _check_places(campaign, room)
        for sign, entry in room.legend.items():
            _check_entry(campaign, room, sign, entry)


def _check_size(room: DrawnRoom) -> None:
    width, height = room.grid.width, room.grid.height
    (least_x, least_y), (most_x, most_y) = SIDES_MIN, SIDES_MAX
    if not (least_x <= width <= most_x and least_y <= height <= most_y):
        raise _bad_room(
            room,
            f"has {width} columns and {height} rows",
            f"draw {least_x} to {most_x} columns and {least_y} to {most_y} rows",
        )


def _check_signs(room: DrawnRoom) -> None:
    drawn = {sign for row in room.rows for sign in row}
    for sign in sorted(drawn - set(SIGNS) - {BLANK}):
        if sign not in room.legend:
            raise _bad_room(
                room, f'has the letter "{sign}" without an entry', f"add one to {room.key}.legend"
            )
    for sign in room.legend:
        if len(sign) != 1 or sign in SIGNS or sign == BLANK:
            raise _bad_entry(
                room, sign, "is no letter of its own", "name it by one character that is no sign of terrain"
            )
        if sign not in drawn:
            raise _bad_entry(room, sign, "stands nowhere in the drawing", "draw it, or remove the entry")


def _check_walls(room: DrawnRoom) -> None:
    for cell in room.cells:
        if (cell.x, cell.y) in room.outline and cell.sign != "#" and cell.sign not in ENTRANCES:
            raise _bad_room(
                room,
                f'is not closed: "{cell.sign}" stands at its edge, {_where(cell)}',
                "draw wall (#), a door (+) or an opening (:) there",
            )
        if cell.sign == ":" and (cell.x, cell.y) not in room.outline:
            raise _bad_room(room, f"has an opening within, {_where(cell)}", "draw floor (.) there")


def _check_ways(campaign: Campaign, room: DrawnRoom) -> None:
    """Check that the room has an entrance, and that each of its cells that can be walked on is reached from there."""
    entrances = room.entrances
    if not entrances:
        raise _bad_room(room, "has no entrance", "draw a door (+) or an opening (:) into the wall around it")
    grid = room.grid
    cells = {cell.y * grid.width + cell.x: cell for cell in room.cells}
    ground = {at for at, cell in cells.items() if terrain_of(campaign.devices, cell) in _OPEN}
    start = entrances[0].y * grid.width + entrances[0].x
    reached = {at for at, _ in reachable(start, ground.__contains__, grid, campaign.directions)}
    for at in sorted(ground - reached):
        raise _bad_room(
            room,
            f"has a cell that cannot be reached on foot, {_where(cells[at])}",
            "draw a way of floor, doors or shallow water there",
        )
    shut_off = frozenset().union(*enclosed_parts(room, campaign.devices, campaign.directions))
    outer = ground - shut_off - gates_of(room, campaign.devices)
    reached = {at for at, _ in reachable(start, outer.__contains__, grid, campaign.directions)}
    for at in sorted(outer - reached):
        raise _bad_room(
            room,
            f"has entrances that only gates join, {_where(cells[at])}",
            "draw a way between them past the gates",
        )
    for entrance in entrances:
        if not _faces_outside(room, entrance):
            raise _bad_room(
                room,
                f"has an entrance that leads nowhere, {_where(entrance)}",
                "draw it where a straight step leads out of the room",
            )


def _faces_outside(room: DrawnRoom, entrance: RoomCell) -> bool:
    inside = {(cell.x, cell.y) for cell in room.cells}
    return any(
        (entrance.x + dx, entrance.y + dy) not in inside for dx, dy in ((0, -1), (1, 0), (0, 1), (-1, 0))
    )


def _check_places(campaign: Campaign, room: DrawnRoom) -> None:
    if not room.places:
        raise invalid_value(ROOMS_FILE, f"{room.key}.places", [], "name the kinds of level that may have it")
    for at, place in enumerate(room.places):
        kind = campaign.levels.get(place)
        if kind is None:
            raise invalid_value(
                ROOMS_FILE, f"{room.key}.places[{at}]", place, alternatives(place, campaign.levels)
            )
        least, most = room.depths or kind.depths
        if least > most or most < kind.depths[0] or least > kind.depths[1]:
            mend = (
                f"let it share a depth with {place}, which is on depths {kind.depths[0]} to {kind.depths[1]}"
            )
            raise invalid_value(ROOMS_FILE, f"{room.key}.depths", [least, most], mend)
        if not any(_fits(*sides, kind.width, kind.height) for sides in _sides(room)):
            raise _bad_room(
                room,
                f"is too large for {place}, which has {kind.width} columns and {kind.height} rows",
                f"leave {MARGIN} free on each side",
            )


def _sides(room: DrawnRoom) -> Iterator[tuple[int, int]]:
    """Yield its columns and rows, as drawn and turned."""
    yield room.grid.width, room.grid.height
    yield room.grid.height, room.grid.width


def _fits(width: int, height: int, columns: int, rows: int) -> bool:
    return width + 2 * MARGIN <= columns and height + 2 * MARGIN <= rows


def _check_entry(campaign: Campaign, room: DrawnRoom, sign: str, entry: LegendEntry) -> None:
    """Check that a letter's contents exist, and that there is a place for them on its terrain."""
    path = f"{room.key}.legend.{sign}"
    for field, value, known in (
        ("creature", entry.creature, (ANY, *_inhabitants(campaign))),
        ("people", entry.people, tuple(campaign.peoples)),
        ("item", entry.item, (ANY, *campaign.items)),
        ("spell", entry.spell, tuple(campaign.spells)),
    ):
        if value and value not in known:
            raise invalid_value(ROOMS_FILE, f"{path}.{field}", value, alternatives(value, known))
    if entry.creature and entry.people:
        raise invalid_value(ROOMS_FILE, f"{path}.people", entry.people, "name either a creature or a people")
    if entry.item and entry.group:
        raise invalid_value(ROOMS_FILE, f"{path}.group", entry.group, "name either an item or a group")
    _check_feature(campaign, room, sign, entry)
    _check_standing(campaign, room, sign, entry)


def _check_feature(campaign: Campaign, room: DrawnRoom, sign: str, entry: LegendEntry) -> None:
    path = f"{room.key}.legend.{sign}.feature"
    if entry.feature == "grave" and not (GRAVE in campaign.items and campaign.epitaphs):
        mend = f"give the campaign epitaphs and an item [{GRAVE}], or remove it"
        raise invalid_value(ROOMS_FILE, path, entry.feature, mend)
    if (entry.feature == "trap") != bool(entry.spell):
        raise invalid_value(
            ROOMS_FILE, path, entry.feature, 'write "trap" together with the spell that it springs'
        )
    caged = any("cage" in kind.haunts for kind in campaign.spawnable)
    if entry.feature == "captive" and not (entry.creature or entry.people or caged):
        mend = 'name its creature or people, or let a kind of creature haunt a "cage"'
        raise invalid_value(ROOMS_FILE, path, entry.feature, mend)


def _check_standing(campaign: Campaign, room: DrawnRoom, sign: str, entry: LegendEntry) -> None:
    swims = entry.creature in campaign.creatures and campaign.creatures[entry.creature].lives_in_water
    fitting = ("water",) if swims else _DRY
    for holds, what, terrains in (
        (entry.lives, "a creature", fitting),
        (entry.holds or entry.feature == "trap", "an item or a trap", _DRY),
    ):
        if holds and entry.terrain not in terrains:
            fault = f"has {what} without a place, because its terrain is {entry.terrain}"
            raise _bad_entry(room, sign, fault, f"write {' or '.join(terrains)} as its terrain")


def _inhabitants(campaign: Campaign) -> list[str]:
    """Return the kinds of creatures that may stand in a room: not players, and no boss."""
    return [key for key, kind in campaign.creatures.items() if key != campaign.player and not kind.boss]


def _where(cell: RoomCell) -> str:
    return f"in row {cell.y + 1}, column {cell.x + 1}"


def _bad_room(room: DrawnRoom, fault: str, mend: str) -> CampaignError:
    return CampaignError(f"In {ROOMS_FILE}, the room {room.key} {fault}: {mend}.")


def _bad_entry(room: DrawnRoom, sign: str, fault: str, mend: str) -> CampaignError:
    return CampaignError(f"In {ROOMS_FILE}, {room.key}.legend.{sign} {fault}: {mend}.")
