"""Blows, and the habits of the weapons that give them."""

from gloam_server.content.powers import HABITS, Power, PowerWord
from gloam_server.rules.energy import ACTION_COST
from gloam_server.world.combat.attack import resolve_attack
from gloam_server.world.combat.hostility import is_enemy, is_hostile
from gloam_server.world.effects.brands import apply_brand
from gloam_server.world.items.equipment import total_attack
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level
from gloam_server.world.model.modifiers import is_afraid
from gloam_server.world.model.outcome import Action, Impossible, Outcome
from gloam_server.world.model.powers import damage_type_of, powers_of


class Attack(Action, frozen=True):
    """Hit a creature in melee."""

    work = "blow"
    noise = "blow"
    target: int

    def execute(self, context: TurnContext, creature: Creature) -> None:
        """Hit a creature; it dies if it has no health left (rules JG.5, J14.11, F76, F113)."""
        level = context.level
        habits = [power for power in powers_of(level.campaign, creature) if power.does in HABITS]
        attack = total_attack(level, creature)
        target = level.creatures[self.target]
        if not habits:
            _strike(context, creature, target, attack)
            return
        attack += attack * _percent(habits, "heavy") // 100
        stun = _percent(habits, "stun")
        _strike(context, creature, target, attack, stun)
        if context.dice.chance("quick", creature.number, min(_percent(habits, "quick"), 100)):
            _strike(context, creature, target, attack, stun)
        if sweep := _percent(habits, "sweep"):
            for other in _foes_beside(level, creature):
                if other is not target:
                    _strike(context, creature, other, attack * sweep // 100, stun)
        cost = sum(power.amount for power in habits if power.does == "heavy") * ACTION_COST // 100
        creature.energy = max(creature.energy - cost, -ACTION_COST)


def _strike(context: TurnContext, by: Creature, target: Creature, attack: int, stun: int = 0) -> None:
    """Give a blow with its brand, if both are still there; with a chance of `stun` percent the victim loses an action."""
    bodies = context.level.creatures
    if by.number not in bodies or target.number not in bodies:
        return
    kind = damage_type_of(context.level.campaign, by)
    dealt = resolve_attack(context, by, target, attack, damage_type=kind)
    apply_brand(context, by, target, dealt)
    harmed = stun and dealt and target.number in bodies
    if harmed and target.energy >= 0 and context.dice.chance("stun", by.number, min(stun, 100)):
        target.energy -= ACTION_COST
        context.emit("stuns", by, target)


def _foes_beside(level: Level, creature: Creature) -> list[Creature]:
    """Return the foes beside a creature that it sees and may hurt, by number; it wakes no sleeper."""
    beside = [level.at(cell) for cell in level.grid.neighbors(creature.cell)]
    foes = [
        other
        for other in beside
        if other is not None
        and is_hostile(level, creature, other)
        and not (other.hidden or other.grace or other.asleep)
    ]
    return sorted(foes, key=lambda other: other.number)


def _percent(habits: list[Power], does: PowerWord) -> int:
    return sum(power.percent for power in habits if power.does == does)


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
