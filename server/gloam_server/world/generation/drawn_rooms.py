"""Drawn rooms on levels: they are chosen, stamped onto a draft, and joined with the rest. Each changes only the draft."""

from collections import Counter
from operator import attrgetter
from typing import Final

from gloam_server.content.campaign import Campaign
from gloam_server.content.places.drawn_rooms import DrawnRoom, RoomCell
from gloam_server.content.places.sealed_parts import enclosed_parts, terrain_of
from gloam_server.rules.dice import Dice
from gloam_server.world.generation.draft import LevelDraft, PlannedDevice, Room, StampedRoom, cells_of
from gloam_server.world.generation.room_contents import add_contents
from gloam_server.world.generation.room_sites import RoomSite, find_room_site, rooms_for_stairs
from gloam_server.world.generation.terrain.corridors import dig_least, fill_dead_ends, join_past
from gloam_shared.appearance import WALKABLE, Terrain

_SPARE_TRIES: Final = 4
"""The number of rooms that are tried on a level besides those that it wants."""


def add_drawn_rooms(
    campaign: Campaign, dice: Dice, draft: LevelDraft, used: Counter[str], *, sealed: bool = False
) -> None:
    """Set as many drawn rooms into a level as its kind says, those first of which the realm has fewest.

    With `sealed` the first of them is a sealed one. `used` counts them. A room without a site is left out. All regions of the level
    are joined then.
    """
    least, most = draft.kind.drawn_rooms
    wished = least + dice.roll("drawn rooms", 0, most - least + 1)
    if sealed:
        _add_rooms(
            campaign, dice, draft, used, campaign.rooms_at(draft.kind.key, draft.depth, sealed=True), 1
        )
    _add_rooms(campaign, dice, draft, used, campaign.rooms_at(draft.kind.key, draft.depth), wished)
    if draft.stamped:
        _join(campaign, draft)


def _add_rooms(
    campaign: Campaign,
    dice: Dice,
    draft: LevelDraft,
    used: Counter[str],
    rooms: tuple[DrawnRoom, ...],
    wished: int,
) -> None:
    """Set some of these rooms into a level, until it has as many as wished."""
    left = list(rooms)
    drawn_before = [stamped.room for stamped in draft.stamped]
    special = [room for room in draft.taken if room not in drawn_before]
    taken = [cell for room in special for cell in (*room.cells(draft.width), *room.walls(draft.width))]
    for _ in range(wished + _SPARE_TRIES):
        if not left or len(draft.stamped) >= wished:
            break
        drawn = _draw_room(dice, left, used)
        left.remove(drawn)
        site = find_room_site(draft, dice, drawn)
        if site is not None:
            used[drawn.key] += 1
            _stamp(campaign, dice, draft, drawn, site)
            draft.kept = cells_of(draft.stamped).union(taken)


def _draw_room(dice: Dice, rooms: list[DrawnRoom], used: Counter[str]) -> DrawnRoom:
    """Return one of the rooms that are used least, by weight."""
    rarest = min(used[room.key] for room in rooms)
    fitting = [room for room in rooms if used[room.key] == rarest]
    return dice.weighted("drawn room", 0, fitting, attrgetter("weight"))


def _stamp(campaign: Campaign, dice: Dice, draft: LevelDraft, drawn: DrawnRoom, site: RoomSite) -> None:
    """Put a drawn room in place of what was there, with its contents; rooms that it touches are filled."""
    _fill_rooms(draft, site.room)
    placed = []
    for cell in drawn.cells:
        x, y = site.turning.place(cell.x, cell.y, drawn.grid.width, drawn.grid.height)
        at = (site.room.y + y) * draft.width + site.room.x + x
        draft.terrain[at] = terrain_of(campaign.devices, cell)
        placed.append((at, cell))
        if drawn.lit is not None:
            draft.lights[at] = drawn.lit
    draft.stamped.append(StampedRoom(drawn.key, site.room, tuple(sorted(at for at, _ in placed))))
    draft.taken.append(site.room)
    _add_devices(campaign, draft, drawn, placed)
    add_contents(campaign, dice, draft, [(at, cell.entry) for at, cell in placed if cell.entry is not None])


def _add_devices(
    campaign: Campaign, draft: LevelDraft, drawn: DrawnRoom, placed: list[tuple[int, RoomCell]]
) -> None:
    """Request the devices of a drawn room, and note the cells that its gates shut off."""
    for at, cell in placed:
        if cell.entry is not None and cell.entry.device:
            works = [there for there, other in placed if other.sign in cell.entry.works]
            draft.devices.append(PlannedDevice(at, cell.entry.device, tuple(sorted(works))))
    shut_off = frozenset().union(*enclosed_parts(drawn, campaign.devices, campaign.directions))
    width = drawn.grid.width
    draft.sealed += [at for at, cell in placed if cell.y * width + cell.x in shut_off]


def _fill_rooms(draft: LevelDraft, site: Room) -> None:
    """Fill what a site touches of the rooms. The first and the last of those that stay are for the stairs."""
    stairs = rooms_for_stairs(draft, site)
    stay = {cell for room in stairs for cell in room.cells(draft.width)}
    special = [room for room in draft.rooms if room in draft.taken]
    for room in draft.rooms:
        if room not in special:
            for cell in room.cells(draft.width):
                if cell not in stay:
                    draft.terrain[cell] = Terrain.WALL
    draft.rooms = (*stairs[:1], *special, *stairs[1:])


def _join(campaign: Campaign, draft: LevelDraft) -> None:
    """Lead a way to each entrance of the drawn rooms, and join what they have cut off."""
    outside = {
        cell for cell, terrain in enumerate(draft.terrain) if terrain in WALKABLE and cell not in draft.kept
    }
    for stamped in draft.stamped:
        for doorstep in _doorsteps(draft, stamped):
            dig_least(draft, (doorstep,), outside)
    join_past(draft, campaign.directions)
    if draft.rooms:
        fill_dead_ends(draft)


def _doorsteps(draft: LevelDraft, stamped: StampedRoom) -> list[int]:
    """Return the cells outside of a drawn room from which a straight step leads into it."""
    width = draft.width
    return [
        beside
        for cell in stamped.cells
        if draft.terrain[cell] != Terrain.WALL
        for beside in (cell - width, cell + 1, cell + width, cell - 1)
        if beside not in draft.kept
    ]
