"""Blows."""

from gloam_server.world.combat.attack import resolve_attack
from gloam_server.world.combat.hostility import is_enemy
from gloam_server.world.effects.brands import apply_brand
from gloam_server.world.items.equipment import total_attack
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level
from gloam_server.world.model.modifiers import is_afraid
from gloam_server.world.model.outcome import Action, Impossible, Outcome
from gloam_server.world.model.powers import damage_type_of


class Attack(Action, frozen=True):
    """Hit a creature in melee."""

    work = "blow"
    target: int

    def execute(self, context: TurnContext, creature: Creature) -> None:
        """Hit a creature; it dies if it has no health left (rules JG.5, J14.11, F76)."""
        target = context.level.creatures[self.target]
        dealt = resolve_attack(
            context,
            creature,
            target,
            total_attack(context.level, creature),
            damage_type=damage_type_of(context.level.campaign, creature),
        )
        apply_brand(context, creature, target, dealt)


def plan_attack(level: Level, creature: Creature, target: Creature) -> Outcome:
    """Return a blow, unless the creature has no attack, or the target has just arrived and cannot be hurt yet."""
    if total_attack(level, creature) <= 0:
        return Impossible("You have nothing to strike with.", "no_weapon")
    if is_afraid(level.campaign, creature):
        return Impossible("You are too afraid to fight.", "afraid")
    if target.grace:
        return Impossible(f"{target.name} has just arrived and cannot be hurt yet.", "grace")
    return Attack(target.number)


def adjacent_attacker(level: Level, creature: Creature) -> Creature | None:
    """Return the adjacent creature that was last in a fight with this one: the latest, then the lowest number.

    A creature that cannot be hurt yet has no attacker: no player attacks under the protection of an arrival.
    """
    if creature.grace or total_attack(level, creature) <= 0 or is_afraid(level.campaign, creature):
        return None
    beside = [
        (-when, number)
        for number, when in creature.contacts.items()
        if (other := level.creatures.get(number)) is not None
        and level.grid.distance(other.cell, creature.cell) == 1
        and is_enemy(level, other, creature)
        and not other.grace
    ]
    return level.creatures[min(beside)[1]] if beside else None
