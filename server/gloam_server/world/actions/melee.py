"""Blows, and death: the kill order of rule J14.11 is told here and nowhere else."""

from gloam_server.rules.combat import damage
from gloam_server.world.creature import Creature, Item
from gloam_server.world.events import Perished
from gloam_server.world.experience import award_for_kill
from gloam_server.world.hostility import is_enemy, remember_contact
from gloam_server.world.level import Level
from gloam_server.world.outcome import Impossible, Outcome, Strike
from gloam_server.world.stage import Stage
from gloam_shared.geometry import chebyshev


def resolve_strike(creature: Creature, target: Creature) -> Outcome:
    """Return a blow, unless the creature has no attack, or the target has just arrived and cannot be hurt yet."""
    if creature.attack <= 0:
        return Impossible("You have nothing to strike with.")
    if target.grace:
        return Impossible(f"{target.name} has just arrived and cannot be hurt yet.")
    return Strike(target.number)


def adjacent_attacker(level: Level, creature: Creature) -> Creature | None:
    """Return who stands beside a creature and was lately in a fight with it: the latest, then the lowest number.

    Whoever cannot be hurt yet has no attacker: nobody strikes from behind the grace of an arrival.
    """
    if creature.grace:
        return None
    beside = [
        (-when, number)
        for number, when in creature.contacts.items()
        if (other := level.creatures.get(number)) is not None
        and chebyshev(other.cell, creature.cell, level.width) == 1
        and is_enemy(level, other, creature)
        and creature.attack > 0
        and not other.grace
    ]
    return level.creatures[min(beside)[1]] if beside else None


def strike(stage: Stage, creature: Creature, target: Creature) -> None:
    """Hit a creature; whoever has no health left dies (rules JG.5, J14.11)."""
    amount = damage(stage.dice, creature.number, creature.attack, target.defence)
    remember_contact(creature, target)
    target.hp -= amount
    stage.tell("strikes", creature, target, amount=amount, cell=target.cell)
    if target.hp <= 0:
        kill(stage, creature, target)


def kill(stage: Stage, killer: Creature, victim: Creature) -> None:
    """End a creature: the message, its corpse and its things, its removal, then experience to the killer."""
    stage.tell("kills", killer, victim, cell=victim.cell)
    _leave_remains(stage, victim)
    killer.kills += 1
    level = stage.level
    level.take(victim)
    level.memory.pop(victim.number, None)
    if victim.account:
        stage.outputs.append(
            Perished(
                account=victim.account,
                number=victim.number,
                name=victim.name,
                by=killer.name,
                place=level.place,
                cell=victim.cell,
                level=victim.level,
                experience=victim.experience,
                turns=victim.actions,
                kills=victim.kills,
                command=victim.command,
            )
        )
    award_for_kill(stage, killer, victim)
    for creature in level.creatures.values():
        creature.contacts.pop(victim.number, None)


def _leave_remains(stage: Stage, victim: Creature) -> None:
    level = stage.level
    for item in victim.carried:
        level.lay(item, victim.cell, stage.dice)
    victim.carried = []
    corpse = level.campaign.items.get("corpse")
    kind = level.campaign.creatures[victim.kind]
    if corpse is not None and kind.corpse:
        name = corpse.name.format(name=victim.name)
        remains = Item(number=level.mint(), kind=corpse.key, name=name, colour=corpse.colour or kind.colour)
        level.lay(remains, victim.cell, stage.dice)
