"""Harm and death: whatever takes health goes through `hurt`; the kill order of rule J14.11 is told here alone."""

from gloam_server.world.combat.bosses import face
from gloam_server.world.combat.death import end_life
from gloam_server.world.combat.experience_credit import award_for_death, forget_hurts, note_hurt, worth_of
from gloam_server.world.combat.hostility import remember_contact
from gloam_server.world.combat.run_statistics import note_harm, note_kill
from gloam_server.world.combat.sleep import HURT_SHORTENS, shorten_sleep
from gloam_server.world.combat.victory import celebrate
from gloam_server.world.model.context import Stage
from gloam_server.world.model.creature import Creature


def hurt(
    stage: Stage, victim: Creature, amount: int, by: Creature | None, cause: str, *, slow: bool = False
) -> None:
    """Take health from a body; who has none left dies, by a creature or of a cause.

    `slow` tells that it was no blow, but what goes on after one, as poison does.
    """
    if by is not None and by is not victim:
        remember_contact(victim, by)
        if amount:
            note_hurt(victim, by, min(amount, victim.hp))
            face(stage.level, victim)
    if amount and not slow:
        victim.struck_by = by.number if by is not None else 0
    victim.hp -= amount
    note_harm(by, victim, amount)
    if victim.hp <= 0:
        kill(stage, victim, by, cause)
    elif amount:
        shorten_sleep(stage, victim, HURT_SHORTENS)


def kill(stage: Stage, victim: Creature, by: Creature | None, cause: str) -> None:
    """End a creature: the message, its corpse and its things, its removal, then experience to who earned it."""
    worth = worth_of(stage.level, victim)
    if by is None:
        stage.tell("dies", victim, source=cause)
    else:
        stage.tell("kills", by, victim, cell=victim.cell)
    end_life(stage, victim, cause if by is None else by.name)
    if by is not None:
        by.kills += 1
        note_kill(by, victim)
    award_for_death(stage, victim, worth, by)
    forget_hurts(stage.level, victim.number)
    celebrate(stage, victim, by)
