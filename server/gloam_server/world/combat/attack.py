"""Attacks: the result of a melee hit, throw or shot, and its event."""

from typing import Final, Literal, TypeAlias

from gloam_server.content.powers import RESIST_MOST, DamageType
from gloam_server.rules.combat import AttackOutcome, AttackResult, attack_outcome
from gloam_server.world.combat.damage import apply_damage
from gloam_server.world.combat.fight_powers import answers, attack_with_powers, parries
from gloam_server.world.combat.kindling import kindle
from gloam_server.world.combat.party.side_by_side import blow_between
from gloam_server.world.growth.sounds import resound, tell_direction
from gloam_server.world.items.equipment import total_attack, total_defense
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.powers import power_percent
from gloam_shared.event_kinds import EventKind, StrikeKind

AttackKind: TypeAlias = Literal["strikes", "throws_at", "shoots", "spits"]
"""The kinds of events of an attack that hits."""

_EVENT_KINDS: Final[dict[AttackResult, StrikeKind]] = {
    "plain": "strikes",
    "heavy": "strikes_hard",
    "light": "strikes_lightly",
    "miss": "misses",
}


def resolve_attack(
    context: TurnContext,
    by: Creature,
    target: Creature,
    attack: int,
    *,
    attack_kind: AttackKind = "strikes",
    source: str = "",
    damage_type: DamageType = "blow",
    answered: bool = False,
) -> int:
    """Carry out an attack and return its damage; the target dies without health (rules JG.5, TG.19, RG.7, J14.11).

    `attack` is in the campaign's units, `damage_type` the type of its damage. `attack_kind` is the kind of the line, `source` the name of what is thrown or shot.
    A miss is also an attack: both remember it. An attack that answers a miss is `answered`: no other one follows.
    """
    level = context.level
    by.ai.owes_blow = False
    if not target.account:
        resound(context, "fight", by)
    blow = attack_kind == "strikes"
    came_of_it = attack_outcome(
        level.campaign.combat,
        context.dice,
        by.number,
        attack_with_powers(context, by, target, attack, afar=not blow),
        total_defense(level, target),
        asleep=target.asleep > 0,
    )
    if blow and parries(context, target):
        came_of_it = AttackOutcome("miss", 0)
    event_kind: EventKind = (
        _EVENT_KINDS[came_of_it.swing]
        if attack_kind == "strikes" or came_of_it.swing == "miss"
        else attack_kind
    )
    if came_of_it.swing != "miss" and not came_of_it.amount:
        event_kind = "strikes_vainly"

    def tell(amount: int) -> None:
        context.emit(event_kind, by, target, amount=amount, source=source, cell=target.cell)

    amount = came_of_it.amount
    if blow:
        if target.asleep:
            amount += amount * power_percent(level.campaign, by, "stabs") // 100
        amount = blow_between(level, by, target, amount)
    elif amount and target.account:
        caught = min(power_percent(level.campaign, target, "catches"), RESIST_MOST)
        amount = max(1, amount * (100 - caught) // 100)
    struck = (target.cell,)
    dealt = apply_damage(context, target, amount, by, by.name, damage_type=damage_type, tell=tell)
    tell_direction(context, by, target)
    if dealt and damage_type in level.campaign.surfaces_by_damage:
        kindle(context, struck, damage_type, by)
    if blow and not answered and came_of_it.swing == "miss" and answers(context, target, by):
        resolve_attack(context, target, by, total_attack(level, target), answered=True)
    return dealt
