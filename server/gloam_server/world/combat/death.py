"""The end of a life, whatever ended it: what remains of a body, and what is told to the realm."""

from gloam_server.world.combat.run_statistics import DEALT, DEEPEST, TAKEN, WINS, greatest_foe
from gloam_server.world.items.equipment import attack_of, defence_of
from gloam_server.world.items.floor_items import lay, make, spill, unmake_bound
from gloam_server.world.model.context import Stage
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.events import Perished, Remnant
from gloam_server.world.model.item_names import words
from gloam_shared.narration.rendering import end_of_life


def end_life(stage: Stage, victim: Creature, by: str) -> None:
    """Take a body off the level for good; its grave, its things and its corpse stay where it fell (rule J14.11).

    `by` is what killed it, for the obituary.
    """
    told = _obituary(stage, victim, by, won=False)
    if victim.account:
        _dig_grave(stage, victim, by)
    spill(stage, victim)
    _leave_corpse(stage, victim)
    _part(stage, victim, told)


def depart(stage: Stage, player: Creature, how: str, *, won: bool) -> None:
    """Let a player leave the dungeon alive and for good; what he leaves to his heirs lies where he stood.

    `how` tells what he won by, or what his end is called when he did not win.
    """
    told = _obituary(stage, player, how, won=won)
    spill(stage, player)
    _part(stage, player, told)


def _part(stage: Stage, body: Creature, told: Perished | None) -> None:
    level = stage.level
    level.take(body)
    level.memory.pop(body.number, None)
    if told is not None:
        unmake_bound(stage, body.number)
        stage.outputs.append(told)
    for creature in level.creatures.values():
        creature.contacts.pop(body.number, None)


def _obituary(stage: Stage, body: Creature, by: str, *, won: bool) -> Perished | None:
    """Return what is told of a player's life; of monsters nothing is."""
    if not body.account:
        return None
    level = stage.level
    foe = greatest_foe(level, body)
    return Perished(
        account=body.account,
        number=body.number,
        name=body.name,
        by=by,
        place=level.place,
        wins=body.tally.get(WINS, 0),
        cell=body.cell,
        level=body.level,
        experience=body.experience,
        turns=body.actions,
        kills=body.kills,
        command=body.command,
        won=won,
        family=body.family,
        deepest=max(level.depth, body.tally.get(DEEPEST, 0)),
        hp_max=body.hp_max,
        attack=attack_of(level, body),
        defence=defence_of(level, body),
        dealt=body.tally.get(DEALT, 0),
        taken=body.tally.get(TAKEN, 0),
        foe=foe.name if foe else "",
        foe_level=foe.level if foe else 0,
        remains=_remains(stage, body),
    )


def _remains(stage: Stage, body: Creature) -> tuple[Remnant, ...]:
    campaign = stage.level.campaign
    return tuple(
        Remnant(
            item=item.number,
            name=words(stage.level, item, body),
            wielded=item.number == body.wielded,
            worn=item.number == body.worn,
            offered=not item.bound and item.kind != campaign.victory.item,
        )
        for item in body.carried
    )


def _dig_grave(stage: Stage, victim: Creature, by: str) -> None:
    """Lay a gravestone where a player fell, below everything that they leave, where the campaign has one."""
    grave = stage.level.campaign.items.get("grave")
    if grave is not None:
        name = grave.name.format(name=victim.name, end=end_of_life(by))
        lay(stage, make(stage, grave, victim.cell, name=name), victim.cell)


def _leave_corpse(stage: Stage, victim: Creature) -> None:
    """Leave a corpse in its colour on top of what it carried, if its kind leaves one (rule JG.12)."""
    campaign = stage.level.campaign
    corpse = campaign.items.get("corpse")
    kind = campaign.creatures[victim.kind]
    if corpse is not None and kind.corpse:
        name = corpse.name.format(name=victim.name)
        remains = make(stage, corpse, victim.cell, name=name, colour=kind.colour)
        remains.food = victim.hp_max * corpse.food_per_hp
        lay(stage, remains, victim.cell)
