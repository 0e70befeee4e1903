"""Damage and death: every loss of health goes through `apply_damage`; it defines the order of events at a kill (J14.11).

Here alone a type of damage meets the resistances of a body (rule F111).

Poison, traps, missiles and blows must not differ in who gets the credit, so all of them record their attacker here. The
`credit` rule of the campaign decides who gains experience from a death (`experience_credit`).
"""

from collections.abc import Callable, Collection

from msgspec import UNSET
from msgspec.structs import replace

from gloam_server.content.campaign import Campaign
from gloam_server.content.powers import RESIST_MOST, DamageType
from gloam_server.world.combat import experience_credit
from gloam_server.world.combat.bosses import scale_to_attackers
from gloam_server.world.combat.death import die, note_killer
from gloam_server.world.combat.fight_powers import feed_on_kill, guard_of, within_bulwark
from gloam_server.world.combat.hostility import enemies_holding, remember_contact
from gloam_server.world.combat.party.downed import get_up, go_down, is_helped_up, strike_downed
from gloam_server.world.combat.party.shared_fight import after_company
from gloam_server.world.combat.run_statistics import count_damage, count_kill, note_wound
from gloam_server.world.combat.sleep import disturb_sleep
from gloam_server.world.combat.victory import win_by_kill
from gloam_server.world.growth.beacons import after_beacons, light_beacon
from gloam_server.world.growth.renown import note_victim
from gloam_server.world.growth.revenge import reward_revenge
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.creature_state import Down
from gloam_server.world.model.events import WITHOUT_BLOW, DamageDealt, DamageSource
from gloam_server.world.model.powers import power_percent


def apply_damage(
    context: TurnContext,
    victim: Creature,
    amount: int,
    by: Creature | None,
    cause: str,
    *,
    source: DamageSource = "attack",
    damage_type: DamageType = "blow",
    tell: Callable[[int], object] | None = None,
) -> int:
    """Take health from a body and return the damage; without health it dies, by a creature or of a cause.

    `cause` is the name of the cause if no creature did it. Resistances change the amount; `tell` is called with the
    result, before anything that follows from it.
    """
    amount = after_resistance(context.level.campaign, victim, amount, damage_type)
    if by is not None and amount:
        amount = _after_trophies(context.level.campaign, victim, amount, by)
        amount = after_beacons(context.level, victim, amount, by)
        amount = after_company(context, victim, amount, by)
    if source == "attack" and amount:
        amount = _after_guard(context, victim, amount, by, cause)
    if tell is not None:
        tell(amount)
    if by is not None and by is not victim:
        remember_contact(victim, by)
    if victim.down is not UNSET:
        if amount and source not in WITHOUT_BLOW:
            strike_downed(victim, by)
        return 0
    if by is not None and by is not victim and amount:
        experience_credit.record_damage(victim, by, min(amount, victim.hp))
        scale_to_attackers(context.level, victim)
    if amount and source not in WITHOUT_BLOW:
        victim.struck_by = by.number if by is not None else 0
    number, name = (by.number, by.name) if by is not None else (0, cause)
    means = cause if source in WITHOUT_BLOW and by is not None else ""
    if amount:
        note_wound(victim, means or name, amount)
    victim.hp -= amount
    count_damage(by, victim, amount)
    if amount:
        context.record(DamageDealt(victim.number, amount, source, number, name, victim.actions, means))
    if victim.hp <= 0:
        if not go_down(context, victim, by, cause):
            kill_creature(context, victim, by, cause, indirect=source == "surface")
    elif amount:
        disturb_sleep(context, victim)
        if by is not None and source not in WITHOUT_BLOW:
            experience_credit.learn_by_wound(context, victim, by, amount)
    return amount


def count_down(context: TurnContext, players: Collection[int]) -> None:
    """End a turn of these players for all who are down on the level: the count of those among them, and help for any.

    A player without an enemy that holds them gets up. At the end of the count they die by the last attacker (rule F127).
    """
    level = context.level
    for body in [each for each in level.players() if each.down is not UNSET]:
        assert isinstance(body.down, Down)
        down = body.down = replace(body.down, turns=body.down.turns - (body.number in players))
        if is_helped_up(level, body) or not enemies_holding(level, body):
            get_up(context, body)
        elif down.turns <= 0:
            body.down, body.hp = UNSET, 0
            striker = level.creatures.get(down.by)
            told = "wounds" if down.by and striker is None else ""
            kill_creature(context, body, striker, down.cause, told)


def _after_guard(context: TurnContext, victim: Creature, amount: int, by: Creature | None, cause: str) -> int:
    """Return what is left of a wound for its victim, once a friend beside it has taken a part (rule F108)."""
    amount = within_bulwark(context.level, victim, amount)
    guarded = guard_of(context.level, victim, amount)
    if guarded is None:
        return amount
    guard, part = guarded
    context.emit("shields", guard, victim, amount=part)
    apply_damage(context, guard, part, by, cause, source="spell")
    return amount - part


def after_resistance(campaign: Campaign, victim: Creature, amount: int, damage_type: DamageType) -> int:
    """Return the damage of a type to a body: less by its resistance, at least 1 of any, or more by its weakness."""
    resisted = power_percent(campaign, victim, "resist", damage_type) if amount else 0
    return max(1, amount * (100 - min(resisted, RESIST_MOST)) // 100) if resisted else amount


def _after_trophies(campaign: Campaign, victim: Creature, amount: int, by: Creature) -> int:
    """Return the damage as the powers of a player against a people change it: at least 1 of any (rule F101)."""
    if victim.account == by.account or not campaign.trophies:
        return amount
    if victim.account:
        people = campaign.creatures[by.kind].people
        percent = -min(power_percent(campaign, victim, "wards", people), RESIST_MOST) if people else 0
    else:
        people = campaign.creatures[victim.kind].people
        percent = power_percent(campaign, by, "slays", people) if people and by.account else 0
    return max(1, amount * (100 + percent) // 100) if percent else amount


def kill_creature(
    context: TurnContext,
    victim: Creature,
    by: Creature | None,
    cause: str,
    told: str = "",
    *,
    indirect: bool = False,
) -> None:
    """Kill a creature: the message, its corpse and items, its removal, then the award of experience.

    An `indirect` death has a line with its cause, though a creature has the credit. `told` stands in that line instead of
    the cause: of a striker who is gone, "You have died of wounds!".
    """
    worth = experience_credit.kill_value(context.level, victim)
    if by is None or indirect:
        context.emit("dies", victim, source=told or cause)
    else:
        context.emit("kills", by, victim, cell=victim.cell)
    die(context, victim, cause if by is None or indirect else by.name, by)
    if by is not None:
        by.kills += 1
        count_kill(by, victim)
        feed_on_kill(context.level, by)
    experience_credit.award_for_death(context, victim, worth, by)
    reward_revenge(context, victim, worth, by)
    light_beacon(context, victim, by)
    note_killer(context, victim, by)
    note_victim(context, by, victim)
    experience_credit.forget_damage(context.level, victim.number)
    win_by_kill(context, victim, by)
