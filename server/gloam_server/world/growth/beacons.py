"""Beacons on a level: wardens, what lights and ends a beacon, and what lit ones change (rules F185 to F187).

A warden stays on the depth of its beacon, and returns if anything but players ends it: else the beacon stayed dark for ever.
"""

from typing import Final

from msgspec import UNSET

from gloam_server.content.campaign import Campaign
from gloam_server.content.campaign_schema import Beacon
from gloam_server.world.growth.revenge import avenger_of
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.ids import REALM_PARTITION
from gloam_server.world.model.inputs import Envelope, RecordBeacon, Respawn, SetBeacons
from gloam_server.world.model.level import Level
from gloam_server.world.model.surfaces.surface_changes import end_surfaces, lay_surface
from gloam_shared.appearance import Terrain

_LEFT_LEAST: Final = 10
"""The part of its strength in percent that the creature of the victory has at least, however many beacons burn."""


def beacon_on(campaign: Campaign, partition: int) -> Beacon | None:
    """Return the beacon of a level of the first round; None for a level without one."""
    return next((each for each in campaign.beacons.places if each.depth == partition), None)


def kept_beacon(level: Level, creature: Creature) -> Beacon | None:
    """Return the beacon whose warden a creature is, on its depth or, if it followed a player, away from it; None for others."""
    home = level.partition if creature.ai.home is None else creature.ai.home.partition
    beacon = beacon_on(level.campaign, home)
    keeps = beacon is not None and creature.kind == beacon.warden and not creature.owner
    return beacon if keeps else None


def is_warden(level: Level, creature: Creature) -> bool:
    """Return whether a creature is the warden of a beacon."""
    return kept_beacon(level, creature) is not None


def light_beacon(context: TurnContext, victim: Creature, by: Creature | None) -> None:
    """Report to the realm that a player, or a player's companion, has slain a warden; slain by others it returns."""
    level = context.level
    if not level.campaign.beacons.places or not is_warden(level, victim):
        return
    home = victim.ai.home
    partition, cell = level.partition, victim.cell
    if home is not None and home.partition != partition:
        partition, cell = home.partition, home.cell
    player = avenger_of(context, by)
    if partition == level.partition:
        cell = _place_of_beacon(level, cell)
    if player is None:
        context.outputs.append(Envelope(partition, Respawn(victim.kind)))
    else:
        _note_deed(level.campaign, player, partition)
        context.outputs.append(Envelope(REALM_PARTITION, RecordBeacon(partition, cell, player.account)))


def _note_deed(campaign: Campaign, player: Creature, partition: int) -> None:
    beacon, deeds = beacon_on(campaign, partition), player.statistics.beacons or []
    if beacon is not None and beacon.name not in deeds:
        player.statistics.beacons = [*deeds, beacon.name]


def set_beacons(context: TurnContext, input_: SetBeacons) -> None:
    """Note how many beacons of the realm are lit, and let the level's own burn or go out."""
    level = context.level
    level.state.beacons = input_.lit or UNSET
    rules, surfaces = level.campaign.beacons, level.campaign.surfaces
    fire = surfaces.get(rules.fire)
    if fire is None:
        return
    burning = _cells_with(level, fire.key)
    goal = _place_of_beacon(level, input_.cell) if 0 <= input_.cell < level.grid.size else -1
    over = [cell for cell in burning if cell != goal]
    if over:
        end_surfaces(level, over, context.dice, leaves=False)
    if goal >= 0 and goal not in burning:
        lay_surface(level, fire, goal, context.dice)
        context.emit_place("takes_hold", goal, source=fire.begins or fire.words)
    if goal < 0 and over and rules.unlit:
        lay_surface(level, surfaces[rules.unlit], over[0], context.dice)


def lay_unlit_beacon(context: TurnContext) -> None:
    """Lay the dark beacon of a level beside its warden; nothing on a level without a warden, or with a beacon already."""
    level = context.level
    beacon, unlit = beacon_on(level.campaign, level.partition), level.campaign.beacons.unlit
    if beacon is None or not unlit or _beacon_cell(level) is not None:
        return
    warden = next((each for each in level.creatures.values() if each.kind == beacon.warden), None)
    if warden is not None:
        cell = _hearth(level, warden.cell)
        lay_surface(level, level.campaign.surfaces[unlit], cell, context.dice)


def _place_of_beacon(level: Level, cell: int) -> int:
    """Return the cell of the level's beacon; in a world from before dark ones were seen, the hearth nearest to `cell`."""
    found = _beacon_cell(level)
    return _hearth(level, cell) if found is None else found


def _beacon_cell(level: Level) -> int | None:
    rules = level.campaign.beacons
    cells = [cell for key in (rules.fire, rules.unlit) if key for cell in _cells_with(level, key)]
    return cells[0] if cells else None


def _cells_with(level: Level, key: str) -> list[int]:
    surfaces = level.state.surfaces
    number = 0 if surfaces is UNSET else surfaces.number_of(key)
    if surfaces is UNSET or not number:
        return []
    return [cell for cell, kind in enumerate(surfaces.cells) if kind == number]


def _hearth(level: Level, cell: int) -> int:
    """Return the floor nearest to a cell: fire would take grass and doors away, and ice would melt under a beacon."""
    devices = level.state.devices
    taken = (*devices.placed, *devices.sealed) if devices else ()
    near = level.nearest_cell(cell, lambda at: level.terrain[at] == Terrain.FLOOR and at not in taken)
    return cell if near is None else near


def burns_at(level: Level, cell: int) -> bool:
    """Return whether a lit beacon stands on a cell."""
    return cell in _cells_with(level, level.campaign.beacons.fire)


def strength_left(level: Level, creature: Creature) -> int:
    """Return what lit beacons leave of a creature's strength, in percent: 100 of all but the creature of the victory."""
    lit, rules = level.state.beacons, level.campaign
    if not isinstance(lit, int) or rules.victory.rule != "slay" or creature.kind != rules.victory.creature:
        return 100
    return max(_LEFT_LEAST, 100 - lit * rules.beacons.weakens_percent)


def after_beacons(level: Level, victim: Creature, amount: int, by: Creature) -> int:
    """Return the damage between the creature of the victory and others as lit beacons change it, at least 1 of any."""
    if level.state.beacons is UNSET or not amount:
        return amount
    own, others = strength_left(level, by), strength_left(level, victim)
    return amount * 100 // others if own == 100 else max(1, amount * own // 100)
