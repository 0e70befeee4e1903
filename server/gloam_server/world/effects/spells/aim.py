"""The cells at which a caster may aim, the same for spells, scrolls, players and monsters (rules TG.24, RG.26)."""

from gloam_server.content.spells import Spell
from gloam_server.world.combat.hostility import is_hostile
from gloam_server.world.effects.spells.area import is_protected
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level
from gloam_server.world.model.outcome import Impossible
from gloam_shared.appearance import TRANSPARENT


def check_aim(level: Level, creature: Creature, spell: Spell, cell: int | None) -> int | Impossible:
    """Return the target cell of a spell, or why it cannot be aimed there."""
    if spell.target == "self":
        return creature.cell
    if cell is None:
        return Impossible("Aim it at something.", "no_aim")
    if cell >= len(level.terrain) or not level.field_of_view(creature)[cell]:
        return Impossible("You cannot see that place.", "unseen")
    if not level.grid.is_within(spell.range, creature.cell, cell):
        return Impossible("Out of range.", "out_of_range")
    if spell.target == "creature":
        return _check_target(level, creature, spell, cell)
    digs = any(effect.does == "dig" for effect in spell.effects)
    if level.terrain[cell] not in TRANSPARENT and not digs:
        return Impossible("There is no room for it.", "no_room")
    return cell


def aim_item(
    level: Level, creature: Creature, spell: Spell, cell: int | None, *, known: bool
) -> int | Impossible | None:
    """Return the target cell of an item's spell, None for nowhere, or why it cannot be used so.

    The user of an unidentified item cannot know its aim: it works at the aim if possible, else on the nearest
    foe that it reaches, else nowhere. Only an aim out of sight is refused, because that reveals nothing.
    """
    at = check_aim(level, creature, spell, cell)
    if known or not isinstance(at, Impossible) or at.reason == "unseen":
        return at
    seen = level.field_of_view(creature)
    foes = [
        other for other in level.creatures.values() if seen[other.cell] and is_hostile(level, creature, other)
    ]
    foes.sort(key=lambda other: (level.distance(creature, other), other.number))
    cells = (check_aim(level, creature, spell, other.cell) for other in foes)
    return next((there for there in cells if not isinstance(there, Impossible)), None)


def _check_target(level: Level, creature: Creature, spell: Spell, cell: int) -> int | Impossible:
    target = level.at(cell)
    if target is None or target.hidden:
        return Impossible("You point and mumble at nothing.", "no_target")
    if spell.harms and target is not creature:
        if is_protected(level, creature, target):
            return Impossible("You will not do that to a friend.", "friend")
        if target.grace:
            return Impossible(f"{target.name} has just arrived and cannot be hurt yet.", "grace")
    swaps = any(effect.does == "swap" for effect in spell.effects)
    if swaps and not level.could_swap(creature, target):
        return Impossible("You cannot stand in each other's places.", "no_room")
    return cell
