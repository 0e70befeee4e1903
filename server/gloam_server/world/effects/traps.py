"""Traps: hidden until a player finds them, triggered by the first body that enters, and then gone."""

from typing import Final

from gloam_server.world.effects import spells
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.modifiers import is_light_footed
from gloam_shared.appearance import Terrain

NOTICE_PERCENT: Final = 25
"""The chance that an action of a player finds an adjacent trap."""

SEARCH_CELLS: Final = 2
"""The distance within which a player who waits on purpose finds every visible trap."""


def trigger_traps(context: TurnContext) -> None:
    """Spring the traps that bodies entered since the last time, in the order of entering, by any way of moving.

    Players and monsters spring them, known or not, except the light-footed. A sprung trap is used up, so this
    ends.
    """
    level = context.level
    while level.pending_traps:
        creature = level.creatures.get(level.pending_traps.pop(0))
        if creature is None or creature.cell not in level.traps:
            continue
        if not is_light_footed(level.campaign, creature):
            _trigger(context, creature)


def notice_traps(context: TurnContext, creature: Creature) -> None:
    """Let a player find, by chance, adjacent traps; every action searches."""
    for cell in _hidden_traps(context, creature, 1):
        if context.dice.chance("notice_trap", creature.number, NOTICE_PERCENT):
            _reveal(context, creature, cell)


def look_for_traps(context: TurnContext, creature: Creature) -> None:
    """Let a player who waits on purpose find the surrounding traps for sure."""
    for cell in _hidden_traps(context, creature, SEARCH_CELLS):
        _reveal(context, creature, cell)


def _trigger(context: TurnContext, creature: Creature) -> None:
    level, cell = context.level, creature.cell
    spell = level.traps.pop(cell)
    if level.terrain[cell] == Terrain.TRAP:
        level.dig(cell, Terrain.FLOOR)
    context.emit("springs", creature, source=level.campaign.spells[spell].name)
    spells.cast_spell(context, spell, None, cell)


def _hidden_traps(context: TurnContext, creature: Creature, reach: int) -> list[int]:
    """Return the cells within a distance, rising, with an undiscovered trap on terrain that the player sees."""
    level = context.level
    if not (level.traps and creature.account and creature.number in level.creatures):
        return []
    width, terrain = level.grid.width, level.terrain
    y, x = divmod(creature.cell, width)
    near = [
        cell
        for cell in level.traps
        if -reach <= cell // width - y <= reach
        and -reach <= cell % width - x <= reach
        and terrain[cell] != Terrain.TRAP
    ]
    return [cell for cell in sorted(near) if level.field_of_view(creature)[cell]] if near else near


def _reveal(context: TurnContext, creature: Creature, cell: int) -> None:
    """Show a trap to all players who see its cell, from now on."""
    level = context.level
    level.dig(cell, Terrain.TRAP)
    context.emit("finds_trap", creature, source=level.campaign.spells[level.traps[cell]].name, cell=cell)
