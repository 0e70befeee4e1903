"""The end of a life, for every cause: the remains of a body, and the report to the realm."""

from msgspec.structs import replace

from gloam_server.content.items import CORPSE, GRAVE
from gloam_server.world.combat.companions import release_of
from gloam_server.world.combat.run_statistics import greatest_enemy, worst_source
from gloam_server.world.growth.renown import report_death
from gloam_server.world.items.equipment import total_attack, total_defense
from gloam_server.world.items.floor_items import create_item, destroy_bound_items, drop_all, drop_item
from gloam_server.world.items.loans import return_loans
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.events import CreatureDied, DroppedItem, PlayerDied
from gloam_server.world.model.item_names import item_name
from gloam_shared.narration.rendering import end_of_life


def die(context: TurnContext, victim: Creature, by: str, killer: Creature | None = None) -> None:
    """Remove a body from the level permanently; its grave, items and corpse stay on its cell (rule J14.11).

    `by` is the cause of death for the summary, `killer` the creature that killed it.
    """
    return_loans(context, victim)
    context.record(CreatureDied(victim.number, killer.number if killer is not None else 0))
    report_death(context, victim, by, killer)
    summary = _death_summary(context, victim, by, won=False)
    if victim.account:
        _dig_grave(context, victim, by)
    drop_all(context, victim)
    _leave_corpse(context, victim)
    _remove_from_play(context, victim, summary)


def note_killer(context: TurnContext, victim: Creature, killer: Creature | None) -> None:
    """Add the monster that killed a player to the report of the death, after its award of experience."""
    if killer is None or killer.account or not victim.account:
        return
    for at, output in enumerate(context.outputs):
        if isinstance(output, PlayerDied) and output.number == victim.number:
            context.outputs[at] = replace(
                output,
                killer=killer.number,
                killer_level=killer.level,
                killer_grown=killer.levels_grown,
            )


def leave_dungeon(context: TurnContext, player: Creature, how: str, *, won: bool) -> None:
    """Remove a player from the dungeon alive and permanently; the items for their heirs stay at their place.

    `how` is the cause of the victory, or the name of the end without a victory.
    """
    return_loans(context, player)
    summary = _death_summary(context, player, how, won=won)
    drop_all(context, player)
    _remove_from_play(context, player, summary)


def _remove_from_play(context: TurnContext, body: Creature, summary: PlayerDied | None) -> None:
    level = context.level
    level.remove(body)
    if body.account:
        release_of(level, body.number)
    level.memory.pop(body.number, None)
    if summary is not None:
        destroy_bound_items(context, body.number)
        context.outputs.append(summary)
    for creature in level.creatures.values():
        creature.contacts.pop(body.number, None)


def _death_summary(context: TurnContext, body: Creature, by: str, *, won: bool) -> PlayerDied | None:
    """Return the summary of a player's life; monsters have none."""
    if not body.account:
        return None
    level = context.level
    foe = greatest_enemy(level, body)
    worst = None if won else worst_source(body)
    return PlayerDied(
        account=body.account,
        number=body.number,
        name=body.name,
        by=by,
        partition=level.partition,
        wins=body.statistics.wins,
        cell=body.cell,
        level=body.level,
        experience=body.experience,
        turns=body.actions,
        kills=body.kills,
        command=body.command,
        won=won,
        family=body.family,
        deepest=max(level.depth, body.statistics.deepest),
        hp_max=body.hp_max,
        attack=total_attack(level, body),
        defence=total_defense(level, body),
        dealt=body.statistics.damage_dealt,
        taken=body.statistics.damage_taken,
        foe=foe.name if foe else "",
        foe_level=foe.level if foe else 0,
        remains=_items_to_drop(context, body),
        named_slain=tuple(body.statistics.named_slain),
        worst=worst.name if worst else "",
        worst_damage=worst.amount if worst else 0,
        worst_total=worst.total if worst else 0,
        kit=body.kit,
        beacons=body.statistics.beacons,
    )


def _items_to_drop(context: TurnContext, body: Creature) -> tuple[DroppedItem, ...]:
    campaign = context.level.campaign
    return tuple(
        DroppedItem(
            item=item.number,
            name=item_name(context.level, item, body),
            wielded=item.number == body.wielded,
            worn=item.number in (body.worn, body.ring),
            offered=not item.bound and item.kind != campaign.victory.item,
        )
        for item in body.carried
    )


def _dig_grave(context: TurnContext, victim: Creature, by: str) -> None:
    """Put a gravestone on the cell of a player's death, below all their items, if the campaign has one."""
    grave = context.level.campaign.items.get(GRAVE)
    if grave is not None:
        name = grave.name.format(name=victim.name, end=end_of_life(by))
        drop_item(context, create_item(context, grave, victim.cell, name=name), victim.cell)


def _leave_corpse(context: TurnContext, victim: Creature) -> None:
    """Leave a corpse in its color on top of its items, if its kind leaves one (rule JG.12)."""
    campaign = context.level.campaign
    corpse = campaign.items.get(CORPSE)
    kind = campaign.creatures[victim.kind]
    if corpse is not None and kind.corpse:
        name = corpse.name.format(name=victim.name)
        remains = create_item(context, corpse, victim.cell, name=name, colour=kind.colour)
        remains.food = victim.hp_max * corpse.food_per_hp
        drop_item(context, remains, victim.cell)
