"""The creatures in a spell's area, and those that are immune (rule RG.16)."""

from gloam_server.content.spells import Effect, Spell
from gloam_server.rules.line_of_sight import field_of_view
from gloam_server.world.combat.hostility import is_hostile, is_on_players_side
from gloam_server.world.effects.spells.spell_cast import SpellCast
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level
from gloam_shared.appearance import TRANSPARENT


def cells_in_area(level: Level, cell: int, radius: int) -> list[int]:
    """Return the cells within a radius that are seen from the middle, rising: walls stop a blast."""
    if not radius or level.terrain[cell] not in TRANSPARENT:
        return [cell]
    lit = field_of_view(level.transparent(), cell, radius)
    return [at for at, seen in enumerate(lit) if seen]


def creatures_in_area(level: Level, cell: int, radius: int) -> list[Creature]:
    """Return the creatures within a radius and in sight of its center: the nearest first, ties by number."""
    there = [body for at in cells_in_area(level, cell, radius) if (body := level.at(at)) is not None]
    return sorted(there, key=lambda body: (level.grid.distance(body.cell, cell), body.number))


def is_immune(level: Level, working: SpellCast, effect: Effect, target: Creature) -> bool:
    """Return whether an effect spares a creature.

    A harmful effect spares creatures that have just arrived, and the friends of the caster, but not the caster, and not
    the other monsters of a monster. A harmless effect with a radius spares the foes of the caster. Fear is fear of the
    caster, so it reaches the foes of the caster alone.
    """
    caster = working.caster
    if effect.does == "fear" and caster is not None and not is_hostile(level, caster, target):
        return True
    if target is caster:
        return False
    if working.spell.harms or effect.unwelcome:
        return bool(target.grace) or (caster is not None and is_protected(level, caster, target))
    return bool(working.spell.radius) and caster is not None and is_hostile(level, caster, target)


def spares_friends(spell: Spell) -> bool:
    """Return whether no effect of a spell reaches its caster or one that the caster is not hostile to."""
    return all(effect.does == "fear" for effect in spell.effects)


def is_protected(level: Level, caster: Creature, target: Creature) -> bool:
    """Return whether a caster's attacks spare a creature: a captive, one of the same side, or its summoner."""
    if is_hostile(level, caster, target):
        return False
    if target.bond == "captive":
        return True
    together = is_on_players_side(caster) and is_on_players_side(target)
    return together or target.owner == caster.number or caster.owner == target.number
