"""Spellcasting tasks: healing kin, casting at foes, summoning help."""

from typing import Final

from gloam_server.content.spells import Spell
from gloam_server.world import actions
from gloam_server.world.ai.perception import current_enemy
from gloam_server.world.combat.experience_credit import mark_summoned
from gloam_server.world.combat.hostility import is_hostile, is_kin
from gloam_server.world.effects.spells.area import spares_friends
from gloam_server.world.growth.sounds import resound, tell_direction
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature, new_creature
from gloam_server.world.model.level import Level
from gloam_server.world.population.starting_gear import give_starting_gear
from gloam_shared.geometry import DIRECTIONS
from gloam_shared.protocol.commands import Cast

TENDED_PERCENT: Final = 20
"""The health that a creature gives to one of its people, in percent of the whole."""

_AROUND: Final = ((0, 0), *DIRECTIONS)


def heal_kin(context: TurnContext, creature: Creature) -> bool:
    """Heal the most hurt friend in sight, itself the last, by a known spell."""
    level = context.level
    seen = level.field_of_view(creature)
    wounded = [
        (other.number == creature.number, other.hp * 100 // other.hp_max, other.number)
        for other in level.creatures.values()
        if seen[other.cell] and other.hp * 2 <= other.hp_max and _friends(level, creature, other)
    ]
    for _, _, number in sorted(wounded):
        for spell in _usable_spells(level, creature):
            heals = not spell.harms and any(effect.does == "heal" for effect in spell.effects)
            if heals and _cast(context, creature, spell, level.creatures[number]):
                return True
    return False


def tend_kin(context: TurnContext, creature: Creature) -> bool:
    """Close the wounds of the most hurt of its people beside it, by a fifth of that one's health."""
    level = context.level
    wounded = [
        (other.hp * 100 // other.hp_max, other.number)
        for cell in level.grid.neighbors(creature.cell, DIRECTIONS)
        if (other := level.at(cell)) is not None
        and other.hp * 2 <= other.hp_max
        and not other.account
        and is_kin(level.campaign, creature, other)
    ]
    if not wounded:
        return False
    other = level.creatures[min(wounded)[1]]
    other.hp = min(other.hp_max, other.hp + max(1, other.hp_max * TENDED_PERCENT // 100))
    context.emit("heals", other)
    return True


def cast_at_enemy(context: TurnContext, creature: Creature) -> bool:
    """Cast the first harmful spell that it can at the foe in sight; not where it would reach a friend.

    A spell that already lasts on the foe comes after the others, so a caster uses each spell of its list.
    """
    level = context.level
    harmful = [
        spell for spell in _usable_spells(level, creature) if spell.harms and spell.cost <= creature.mana
    ]
    if not harmful:
        return False
    prey = current_enemy(level, creature)
    if prey is None:
        return False
    lasting = {state.spell for state in prey.lasting}
    for spell in sorted(harmful, key=lambda spell: spell.key in lasting):
        if not _reaches_friend(level, creature, prey.cell, spell) and _cast(context, creature, spell, prey):
            tell_direction(context, creature, prey)
            return True
    return False


def summon_help(context: TurnContext, creature: Creature) -> bool:
    """Sometimes summon a creature next to it (rule JG.10); the action is used even if there is no room.

    If its kind has a maximum, it calls only with a foe in sight, and counts its own living summons. A boss
    calls more often, and more of them, if more players attack it (rule F32).
    """
    level = context.level
    kind = level.campaign.creatures[creature.kind]
    against = creature.attackers
    most = kind.calls_max + against - 1
    if kind.calls_max and (current_enemy(level, creature) is None or _summon_nearby(level, creature) >= most):
        return False
    if not context.dice.chance("call", creature.number, min(100, kind.calls_percent * against)):
        return False
    dx, dy = context.dice.pick("called to", creature.number, _AROUND)
    cell = level.grid.step(creature.cell, dx, dy)
    if cell is None or not level.is_empty_floor(cell) or level.is_full():
        return True
    called = new_creature(level.campaign.creatures[kind.calls], level.new_id())
    mark_summoned(called, creature)
    called.owner = creature.number if kind.calls_max else 0
    level.add(called, cell, context.dice)
    give_starting_gear(context, called)
    context.emit("calls", creature, called)
    resound(context, "call", creature)
    return True


def _summon_nearby(level: Level, creature: Creature) -> int:
    return sum(other.owner == creature.number for other in level.creatures.values())


def _usable_spells(level: Level, creature: Creature) -> list[Spell]:
    """Return the spells that a creature's kind knows, in their order."""
    return [level.campaign.spells[key] for key in level.campaign.creatures[creature.kind].casts]


def _cast(context: TurnContext, creature: Creature, spell: Spell, target: Creature) -> bool:
    return actions.try_execute(context, creature, Cast(spell.key, target.cell)) is None


def _friends(level: Level, creature: Creature, other: Creature) -> bool:
    if creature.account or other.account:
        return creature.number == other.number or creature.owner == other.number
    return not is_hostile(level, creature, other) and not is_hostile(level, other, creature)


def _reaches_friend(level: Level, creature: Creature, cell: int, spell: Spell) -> bool:
    """Return whether a spell aimed at a cell would reach the caster or one it is not hostile to."""
    return not spares_friends(spell) and any(
        level.grid.distance(cell, other.cell) <= spell.radius
        for other in level.creatures.values()
        if other.cell != cell and not is_hostile(level, creature, other)
    )
