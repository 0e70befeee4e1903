"""The beacons of the realm: which are lit, since which day, and when one goes out (rules F185 to F189).

No clock is read here. Each day is an input, so that a replay puts out the same beacon at the same place in the journal.
"""

from typing import Final

from msgspec import UNSET, Struct, field

from gloam_server.content.campaign import Campaign
from gloam_server.world.growth.beacons import beacon_on
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.inputs import (
    Beside,
    Envelope,
    Output,
    PassDay,
    RecordBeacon,
    Respawn,
    SetBeacons,
)
from gloam_server.world.realm.chronicle import BeaconLit, BeaconOut, Chronicle

NO_DAY: Final = -1
"""The day of a beacon that was lit since the last input of a day."""


class LitBeacon(Struct):
    """A lit beacon: the cell where lives begin, and the day from which it burns."""

    cell: int
    day: int = NO_DAY


class Beacons(Struct):
    """The lit beacons by depth, in the order in which they were lit, the last day told, and the last on which one went out."""

    lit: dict[int, LitBeacon] = field(default_factory=dict)
    day: int = NO_DAY
    out: int = NO_DAY


def needs_day(beacons: Beacons, day: int) -> bool:
    """Return whether the realm needs the input of a day: a beacon burns, and it is another day than the last, or its first."""
    return bool(beacons.lit) and (
        beacons.day != day or any(each.day == NO_DAY for each in beacons.lit.values())
    )


def light(
    beacons: Beacons, events: Chronicle, campaign: Campaign, input_: RecordBeacon, name: str
) -> tuple[Output, ...]:
    """Light a beacon, unless it burns: then its time only begins again."""
    beacon = beacon_on(campaign, input_.partition)
    if beacon is None:
        return ()
    was_lit = input_.partition in beacons.lit
    beacons.lit.pop(input_.partition, None)
    beacons.lit[input_.partition] = LitBeacon(input_.cell)
    if was_lit:
        own = SetBeacons(len(beacons.lit), input_.cell)
        return (Envelope(input_.partition, own),)
    count, of = len(beacons.lit), len(campaign.beacons.places)
    events.write(BeaconLit(name, input_.account, beacon.name, input_.partition, count, of))
    return _tell_levels(campaign, beacons)


def pass_day(beacons: Beacons, events: Chronicle, campaign: Campaign, input_: PassDay) -> tuple[Output, ...]:
    """Begin a day: of the beacons whose days are over, the one that has burned longest goes out, and its warden returns.

    A clock that jumps years ahead puts out one beacon. After one that goes back, each beacon burns its whole time again;
    one that goes back and forth puts out one beacon on the same day.
    """
    is_later, beacons.day = input_.day > beacons.day, input_.day
    for each in beacons.lit.values():
        each.day = input_.day if each.day == NO_DAY else min(each.day, input_.day)
    lasts = campaign.beacons.lasts_days
    over = [(each.day, depth) for depth, each in beacons.lit.items() if input_.day - each.day >= lasts]
    if not over or not is_later or input_.day == beacons.out:
        return ()
    _, depth = min(over)
    del beacons.lit[depth]
    beacons.out = input_.day
    left, beacon = len(beacons.lit), beacon_on(campaign, depth)
    if beacon is None:  # the campaign has lost it since
        return _tell_levels(campaign, beacons)
    events.write(BeaconOut(beacon.name, depth, left, len(campaign.beacons.places)))
    return (Envelope(depth, Respawn(beacon.warden)), *_tell_levels(campaign, beacons))


def start_at(beacons: Beacons, campaign: Campaign, depth: int) -> Beside | None:
    """Return where a new life begins at a lit beacon, as if beside a friend; None for a dark one: at the entrance."""
    beacon, lit = beacon_on(campaign, depth), beacons.lit.get(depth)
    if beacon is None or lit is None:
        return None
    return Beside(depth, lit.cell, beacon.level + campaign.catch_up.levels_below)


def begin_at(beacons: Beacons, campaign: Campaign, body: Creature, depth: int) -> Beside | None:
    """Return where a body that has done nothing yet begins its life at a lit beacon; None if it cannot."""
    if not depth or refuse_beacon(beacons, campaign, body, depth):
        return None
    body.cell = -1  # as if it had never stood at the entrance: so it has the kit of its level (rule F92)
    return start_at(beacons, campaign, depth)


def refuse_beacon(beacons: Beacons, campaign: Campaign, body: Creature, depth: int) -> str:
    """Return why a living body cannot begin at the beacon of a depth, as a sentence; "" if it can (rule F188)."""
    if beacon_on(campaign, depth) is None:
        return "There is no beacon on that depth; choose one of those that are offered."
    if body.command:
        return "A life begins at a beacon before its first command; the next life can begin at one."
    if body.joined is not UNSET:
        return "This life has begun elsewhere; the next life can begin at a beacon."
    if depth not in beacons.lit:
        return "That beacon does not burn now; begin at the entrance, or at another one."
    return ""


def _tell_levels(campaign: Campaign, beacons: Beacons) -> tuple[Output, ...]:
    """Return the inputs for the levels of the first round: the creature of the victory may follow a player to any."""
    count, lit = len(beacons.lit), beacons.lit
    return tuple(
        Envelope(depth, SetBeacons(count, lit[depth].cell if depth in lit else -1))
        for depth in range(1, campaign.depths + 1)
    )
