"""Checks of devices: each can be seen, works something, can be worked by one player alone, and locks no player in."""

from collections.abc import Set as AbstractSet
from typing import Final

from gloam_server.content.campaign import Campaign
from gloam_server.content.checks.look_checks import check_signs
from gloam_server.content.content_errors import CampaignError, alternatives, invalid_value
from gloam_server.content.places.devices import WORKED_BY_OTHERS, DeviceKind
from gloam_server.content.places.drawn_rooms import DrawnRoom, LegendEntry
from gloam_server.content.places.sealed_parts import (
    Kinds,
    enclosed_parts,
    gates_of,
    numbered,
    terrain_of,
    workers_of,
)
from gloam_server.content.shipped import DEVICES_FILE, ROOMS_FILE
from gloam_shared.appearance import WALKABLE
from gloam_shared.geometry import Direction

_LETTERS: Final = "write the letters of gates or cages of this drawing"


def check_devices(campaign: Campaign) -> None:
    """Raise CampaignError for the first device, or drawn room with devices, that cannot work."""
    for kind in campaign.devices.values():
        check_signs(DEVICES_FILE, kind.key, kind.sign, kind.unicode, kind.colour)
        _check_kind(campaign, kind)
    for room in campaign.rooms.values():
        for sign, entry in room.legend.items():
            _check_entry(campaign, room, sign, entry)
        _check_workers(campaign, room)
        _check_ways_out(campaign, room)


def _check_kind(campaign: Campaign, kind: DeviceKind) -> None:
    if kind.spell and kind.spell not in campaign.spells:
        mend = alternatives(kind.spell, campaign.spells)
        raise invalid_value(DEVICES_FILE, f"{kind.key}.spell", kind.spell, mend)
    if kind.takes and kind.takes not in campaign.items:
        mend = alternatives(kind.takes, campaign.items)
        raise invalid_value(DEVICES_FILE, f"{kind.key}.takes", kind.takes, mend)
    asks = {"lock": bool(kind.takes), "altar": bool(kind.takes or kind.group)}
    if not asks.get(kind.mechanism, True):
        mend = "name the item that it takes"
        raise invalid_value(DEVICES_FILE, f"{kind.key}.takes", kind.takes, mend)
    if kind.stays and kind.mechanism not in WORKED_BY_OTHERS:
        mend = "write false, for only gates and cages stay open"
        raise invalid_value(DEVICES_FILE, f"{kind.key}.stays", kind.stays, mend)
    if kind.mechanism == "cage" and not kind.stays:
        mend = "write true, for no cage shuts again"
        raise invalid_value(DEVICES_FILE, f"{kind.key}.stays", kind.stays, mend)


def _check_entry(campaign: Campaign, room: DrawnRoom, sign: str, entry: LegendEntry) -> None:
    path = f"{room.key}.legend.{sign}"
    if entry.ground:
        laid = campaign.surfaces.get(entry.ground)
        if laid is None or laid.lasts or entry.terrain != "floor" or entry.device:
            staying = [kind.key for kind in campaign.surfaces.values() if not kind.lasts]
            mend = f"write a surface that stays ({', '.join(staying) or 'there is none'}), on floor without a device"
            raise invalid_value(ROOMS_FILE, f"{path}.ground", entry.ground, mend)
    if not entry.device:
        if entry.works:
            raise invalid_value(ROOMS_FILE, f"{path}.works", entry.works, "name a device that works them")
        return
    kind = campaign.devices.get(entry.device)
    if kind is None:
        mend = alternatives(entry.device, campaign.devices)
        raise invalid_value(ROOMS_FILE, f"{path}.device", entry.device, mend)
    for letter in entry.works:
        worked = campaign.devices.get(room.legend[letter].device) if letter in room.legend else None
        if worked is None or worked.mechanism not in WORKED_BY_OTHERS or kind.mechanism in WORKED_BY_OTHERS:
            raise invalid_value(ROOMS_FILE, f"{path}.works", entry.works, _LETTERS)
    _check_contents(kind, path, entry)


def _check_contents(kind: DeviceKind, path: str, entry: LegendEntry) -> None:
    """Check that nothing is drawn on a device but the captive of a cage, and that plates and altars are floor."""
    fitting = "captive" if kind.mechanism == "cage" else ""
    stands = entry.lives and kind.mechanism != "cage"
    if entry.feature != fitting or stands or entry.holds:
        mend = "write a captive for a cage, and nothing else on a device"
        raise invalid_value(ROOMS_FILE, f"{path}.feature", entry.feature, mend)
    if entry.terrain != "floor" or entry.percent != 100:
        mend = "leave out terrain and percent: a device is always there"
        raise invalid_value(ROOMS_FILE, f"{path}.device", entry.device, mend)


def _check_workers(campaign: Campaign, room: DrawnRoom) -> None:
    """Check that each device that is worked works something, and that one player alone opens every gate and cage."""
    for sign, entry in room.legend.items():
        kind = campaign.devices.get(entry.device)
        works = entry.works or (kind is not None and (kind.spell or kind.wakes))
        if kind is not None and kind.mechanism not in WORKED_BY_OTHERS and not works:
            raise invalid_value(ROOMS_FILE, f"{room.key}.legend.{sign}.works", entry.works, _LETTERS)
    for sign in sorted(_closed_to_one(campaign, room)):
        raise _bad_room(
            room,
            f'has a "{sign}" that no player alone can open from outside',
            "let a lever, an altar or a lock of enough force work it, too",
        )


def _closed_to_one(campaign: Campaign, room: DrawnRoom) -> set[str]:
    """Return the letters of the gates and cages that one player who enters the room cannot open, one after the other."""
    kinds, grid, ways = campaign.devices, room.grid, campaign.directions
    places = {sign: [at for at, cell in numbered(room) if cell.sign == sign] for sign in room.legend}
    parts = enclosed_parts(room, kinds, ways)
    ground = {at for at, cell in numbered(room) if terrain_of(kinds, cell) in WALKABLE}
    reached = ground.difference(gates_of(room, kinds), *parts)
    shut = {
        sign
        for sign, entry in room.legend.items()
        if entry.device and kinds[entry.device].mechanism in WORKED_BY_OTHERS
    }
    progress = True
    while progress:
        opened = {
            sign
            for sign in shut
            if _force_of_one(room, kinds, sign, reached, ways) >= _needs(room, kinds, sign)
        }
        shut -= opened
        progress = bool(opened)
        beside = {near for sign in opened for at in places[sign] for near in (at, *grid.neighbors(at, ways))}
        reached = reached.union(beside & ground, *(part for part in parts if part & beside))
    return shut


def _needs(room: DrawnRoom, kinds: Kinds, sign: str) -> int:
    return kinds[room.legend[sign].device].needs


def _force_of_one(
    room: DrawnRoom, kinds: Kinds, sign: str, reached: AbstractSet[int], ways: tuple[Direction, ...]
) -> int:
    """Return the force that one player who walks on the reached cells brings to a gate or cage."""
    workers = [
        worker
        for at, worker in workers_of(room, kinds, sign)
        if not reached.isdisjoint((at, *room.grid.neighbors(at, ways)))
    ]
    force = sum(worker.force for worker in workers if worker.holds_on)
    if kinds[room.legend[sign].device].stays:  # one body holds one plate as well
        force += max((worker.force for worker in workers if not worker.holds_on), default=0)
    return force


def _check_ways_out(campaign: Campaign, room: DrawnRoom) -> None:
    """Check that a player behind gates can open one of them, towards where the way out is free."""
    left = enclosed_parts(room, campaign.devices, campaign.directions)
    if room.sealed and not left:
        raise _bad_room(room, "is sealed and shuts nothing off", "close a part of it with gates")
    while left:
        freed = [part for part in left if _leads_out(campaign, room, part, left)]
        if not freed:
            y, x = divmod(min(left[0]), room.grid.width)
            raise _bad_room(
                room,
                f"can lock a player in, in row {y + 1}, column {x + 1}",
                "draw a lever or a plate in there that opens its gate alone",
            )
        left = [part for part in left if part not in freed]


def _leads_out(
    campaign: Campaign, room: DrawnRoom, part: frozenset[int], shut_off: list[frozenset[int]]
) -> bool:
    """Return whether a gate beside a part leads to cells that are not shut off, and opens from within the part."""
    grid, kinds, ways = room.grid, campaign.devices, campaign.directions
    signs = {at: cell.sign for at, cell in numbered(room)}
    closed = frozenset().union(*shut_off) | gates_of(room, kinds)
    ground = {at for at, cell in numbered(room) if terrain_of(kinds, cell) in WALKABLE}
    around = part | {near for at in part for near in grid.neighbors(at, ways)}
    return any(
        ground.difference(closed).intersection(grid.neighbors(gate, ways))
        and _opens_alone(room, signs[gate], around, kinds)
        for gate in around & gates_of(room, kinds)
    )


def _opens_alone(room: DrawnRoom, sign: str, within: frozenset[int], kinds: Kinds) -> bool:
    """Return whether a lever or a plate within some cells opens a gate without any other device."""
    gate = kinds[room.legend[sign].device]
    return any(
        at in within
        and worker.force >= gate.needs
        and (worker.mechanism == "lever" or (worker.mechanism == "plate" and gate.stays))
        for at, worker in workers_of(room, kinds, sign)
    )


def _bad_room(room: DrawnRoom, fault: str, mend: str) -> CampaignError:
    return CampaignError(f"In {ROOMS_FILE}, the room {room.key} {fault}: {mend}.")
