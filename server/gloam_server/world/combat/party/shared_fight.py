"""Foes of several players: one that more players fight withstands more (rule F190)."""

from msgspec import UNSET

from gloam_server.world.combat.hostility import CONTACT_ACTIONS, is_on_players_side
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level


def after_company(context: TurnContext, victim: Creature, amount: int, by: Creature) -> int:
    """Return the damage of the players' side to a creature: less for each player but the first who fights it, at least 1.

    The part of a point that is left over is one more at its chance, so that many small wounds are as heavy as a large one.
    A boss has its own rule: it grows (rule F32).
    """
    level = context.level
    percent = level.campaign.friends.attacker_percent
    if not percent or is_on_players_side(victim) or not is_on_players_side(by):
        return amount
    others = 0 if level.campaign.creatures[victim.kind].boss else _attackers(level, victim, by) - 1
    if others <= 0:
        return amount
    whole, rest = divmod(amount * 100, 100 + percent * others)
    return max(1, whole + (context.dice.roll("shared", victim.number, 100 + percent * others) < rest))


def _attackers(level: Level, victim: Creature, by: Creature) -> int:
    """Return how many players on their feet have hurt a creature, in its last `CONTACT_ACTIONS` actions; `by` is one."""
    recent = {
        number
        for number in victim.hurt_by
        if victim.actions - victim.contacts.get(number, victim.actions - CONTACT_ACTIONS) < CONTACT_ACTIONS
    }
    bodies = [level.creatures[number] for number in recent | {by.number} if number in level.creatures]
    return sum(body.account > 0 and body.down is UNSET for body in bodies)
