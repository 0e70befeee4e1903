"""Beacons on a level: a slain warden lights one, and lit ones make the creature of the victory weaker (rules F186, F187)."""

from msgspec import UNSET

from gloam_server.content.campaign import Campaign
from gloam_server.content.campaign_schema import Beacon
from gloam_server.world.growth.revenge import avenger_of
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.ids import REALM_PARTITION
from gloam_server.world.model.inputs import Envelope, RecordBeacon, SetBeacons
from gloam_server.world.model.level import Level


def beacon_on(campaign: Campaign, partition: int) -> Beacon | None:
    """Return the beacon of a level of the first round; None for a level without one."""
    return next((each for each in campaign.beacons.places if each.depth == partition), None)


def light_beacon(context: TurnContext, victim: Creature, by: Creature | None) -> None:
    """Report to the realm that a player, or a player's companion, has slain the warden of this level's beacon."""
    beacon = beacon_on(context.level.campaign, context.level.partition)
    player = avenger_of(context, by)
    if beacon is None or player is None or victim.kind != beacon.warden or victim.owner:
        return
    report = RecordBeacon(context.level.partition, victim.cell, player.account)
    context.outputs.append(Envelope(REALM_PARTITION, report))


def set_beacons(level: Level, input_: SetBeacons) -> None:
    """Note how many beacons of the realm are lit."""
    level.state.beacons = input_.lit or UNSET


def after_beacons(level: Level, victim: Creature, amount: int, by: Creature) -> int:
    """Return the damage between the creature of the victory and others as lit beacons change it, at least 1 of any."""
    lit, rules = level.state.beacons, level.campaign
    if not isinstance(lit, int) or rules.victory.rule != "slay" or not amount:
        return amount
    left = max(10, 100 - lit * rules.beacons.weakens_percent)
    if by.kind == rules.victory.creature:
        return max(1, amount * left // 100)
    return amount * 100 // left if victim.kind == rules.victory.creature else amount
