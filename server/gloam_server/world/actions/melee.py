"""Blows, and death: the kill order of rule J14.11 is told here and nowhere else."""

from gloam_server.rules.combat import damage
from gloam_server.world.creature import Creature
from gloam_server.world.death import end_life
from gloam_server.world.experience import award_for_kill, worth_of
from gloam_server.world.gear import attack_of, defence_of
from gloam_server.world.hostility import is_enemy, remember_contact
from gloam_server.world.level import Level
from gloam_server.world.outcome import Impossible, Outcome, Strike
from gloam_server.world.stage import Stage
from gloam_server.world.tally import note_harm, note_kill
from gloam_server.world.victory import celebrate
from gloam_shared.geometry import chebyshev


def resolve_strike(level: Level, creature: Creature, target: Creature) -> Outcome:
    """Return a blow, unless the creature has no attack, or the target has just arrived and cannot be hurt yet."""
    if attack_of(level, creature) <= 0:
        return Impossible("You have nothing to strike with.")
    if target.grace:
        return Impossible(f"{target.name} has just arrived and cannot be hurt yet.")
    return Strike(target.number)


def adjacent_attacker(level: Level, creature: Creature) -> Creature | None:
    """Return who stands beside a creature and was lately in a fight with it: the latest, then the lowest number.

    Whoever cannot be hurt yet has no attacker: nobody strikes from behind the grace of an arrival.
    """
    if creature.grace or attack_of(level, creature) <= 0:
        return None
    beside = [
        (-when, number)
        for number, when in creature.contacts.items()
        if (other := level.creatures.get(number)) is not None
        and chebyshev(other.cell, creature.cell, level.width) == 1
        and is_enemy(level, other, creature)
        and not other.grace
    ]
    return level.creatures[min(beside)[1]] if beside else None


def strike(stage: Stage, creature: Creature, target: Creature) -> None:
    """Hit a creature; whoever has no health left dies (rules JG.5, J14.11)."""
    level = stage.level
    amount = damage(stage.dice, creature.number, attack_of(level, creature), defence_of(level, target))
    remember_contact(creature, target)
    target.hp -= amount
    note_harm(creature, target, amount)
    stage.tell("strikes", creature, target, amount=amount, cell=target.cell)
    if target.hp <= 0:
        kill(stage, creature, target)


def kill(stage: Stage, killer: Creature, victim: Creature) -> None:
    """End a creature: the message, its corpse and its things, its removal, then experience to the killer."""
    worth = worth_of(stage.level, victim)
    stage.tell("kills", killer, victim, cell=victim.cell)
    end_life(stage, victim, killer.name)
    killer.kills += 1
    note_kill(killer, victim)
    award_for_kill(stage, killer, victim, worth)
    celebrate(stage, victim, killer)
