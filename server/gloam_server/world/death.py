"""The end of a life, whatever ended it: what remains of a body, and what is told to the realm."""

from gloam_server.world.creature import Creature
from gloam_server.world.events import Perished
from gloam_server.world.piles import lay, make, spill
from gloam_server.world.stage import Stage


def end_life(stage: Stage, victim: Creature, by: str) -> None:
    """Take a body off the level for good; its things and its corpse stay where it fell (rule J14.11)."""
    level = stage.level
    _leave_remains(stage, victim)
    level.take(victim)
    level.memory.pop(victim.number, None)
    if victim.account:
        stage.outputs.append(
            Perished(
                account=victim.account,
                number=victim.number,
                name=victim.name,
                by=by,
                place=level.place,
                cell=victim.cell,
                level=victim.level,
                experience=victim.experience,
                turns=victim.actions,
                kills=victim.kills,
                command=victim.command,
            )
        )
    for creature in level.creatures.values():
        creature.contacts.pop(victim.number, None)


def _leave_remains(stage: Stage, victim: Creature) -> None:
    """Leave what it carried, and on top of it a corpse in its colour, if its kind leaves one (rule JG.12)."""
    spill(stage, victim)
    campaign = stage.level.campaign
    corpse = campaign.items.get("corpse")
    kind = campaign.creatures[victim.kind]
    if corpse is not None and kind.corpse:
        name = corpse.name.format(name=victim.name)
        remains = make(stage, corpse, victim.cell, name=name, colour=kind.colour)
        remains.food = victim.hp_max * corpse.food_per_hp
        lay(stage, remains, victim.cell)
