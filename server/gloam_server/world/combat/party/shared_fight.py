"""Foes of several players: one that more players fight withstands more (rule F190)."""

from typing import Final

from msgspec import UNSET

from gloam_server.world.combat.hostility import CONTACT_ACTIONS, is_on_players_side
from gloam_server.world.combat.party.downed import party_on_level
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level

_PARTY: Final = 4
"""The most players of a party that is no crowd."""


def after_company(context: TurnContext, victim: Creature, amount: int, by: Creature) -> int:
    """Return the damage of the players' side to a creature: less for each player but the first who fights it, at least 1.

    It is less, too, for each member of the striker's party from the fifth on who stands on the level. The part of a point
    that is left over is one more at its chance, so that many small wounds are as heavy as a large one. A boss has its own
    rule: it grows (rule F32).
    """
    level = context.level
    if is_on_players_side(victim) or not is_on_players_side(by) or level.campaign.creatures[victim.kind].boss:
        return amount
    percent = 100 + _company_percent(level, victim, by)
    if percent == 100:
        return amount
    whole, rest = divmod(amount * 100, percent)
    return max(1, whole + (context.dice.roll("shared", victim.number, percent) < rest))


def _company_percent(level: Level, victim: Creature, by: Creature) -> int:
    """Return how many percent more a creature withstands of blows by this striker, because of other players."""
    percent = level.campaign.friends.attacker_percent
    others = _attackers(level, victim, by) - 1 if percent else 0
    return percent * max(0, others) + crowd_percent(level, by)


def crowd_percent(level: Level, by: Creature) -> int:
    """Return how many percent more each foe withstands of blows by a member of a large party on a level (rule F190)."""
    percent = level.campaign.friends.crowd_percent
    return percent * beyond_party(1 + len(party_on_level(level, by))) if percent else 0


def beyond_party(players: int) -> int:
    """Return how many of some players make a party a crowd: those after the fourth."""
    return max(0, players - _PARTY)


def _attackers(level: Level, victim: Creature, by: Creature) -> int:
    """Return how many players on their feet have hurt a creature, in its last `CONTACT_ACTIONS` actions; `by` is one."""
    recent = {
        number
        for number in victim.hurt_by
        if victim.actions - victim.contacts.get(number, victim.actions - CONTACT_ACTIONS) < CONTACT_ACTIONS
    }
    bodies = [level.creatures[number] for number in recent | {by.number} if number in level.creatures]
    return sum(body.account > 0 and body.down is UNSET for body in bodies)
