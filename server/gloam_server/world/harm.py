"""Harm and death: whatever takes health goes through `hurt`; the kill order of rule J14.11 is told here alone."""

from gloam_server.world.creature import Creature
from gloam_server.world.death import end_life
from gloam_server.world.experience import award_for_kill, worth_of
from gloam_server.world.hostility import remember_contact
from gloam_server.world.sleep import HURT_SHORTENS, shorten_sleep
from gloam_server.world.stage import Stage
from gloam_server.world.tally import note_harm, note_kill
from gloam_server.world.victory import celebrate


def hurt(stage: Stage, victim: Creature, amount: int, by: Creature | None, cause: str) -> None:
    """Take health from a body; who has none left dies, by a creature or of a cause."""
    if by is not None:
        remember_contact(victim, by)
    victim.hp -= amount
    note_harm(by, victim, amount)
    if victim.hp > 0:
        shorten_sleep(stage, victim, HURT_SHORTENS)
    elif by is not None:
        kill(stage, by, victim)
    else:
        stage.tell("dies", victim, source=cause)
        end_life(stage, victim, cause)
        celebrate(stage, victim, None)


def kill(stage: Stage, killer: Creature, victim: Creature) -> None:
    """End a creature: the message, its corpse and its things, its removal, then experience to the killer."""
    worth = worth_of(stage.level, victim)
    stage.tell("kills", killer, victim, cell=victim.cell)
    end_life(stage, victim, killer.name)
    killer.kills += 1
    note_kill(killer, victim)
    award_for_kill(stage, killer, victim, worth)
    celebrate(stage, victim, killer)
