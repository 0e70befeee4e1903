"""Giving an item to an adjacent friend (rules F45, A64)."""

from typing import Final

from gloam_server.world.combat.hostility import is_hostile
from gloam_server.world.effects.spells.assistance import record_help
from gloam_server.world.items.equipment import items_in_slot, place_for, put_in, take_from_slot
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level
from gloam_server.world.model.outcome import Impossible, Outcome, Verb
from gloam_shared.narration.rendering import with_definite_article
from gloam_shared.protocol import commands

_NOBODY: Final = Impossible("There is no friend beside you to give that to.", "gone")
"""The same refusal for a foe, and for a creature that is out of reach, hidden, gone, or never existed."""


class Give(Verb[commands.Give], frozen=True):
    """Give the item in a slot to a creature beside the giver."""

    command = commands.Give
    slot: int
    other: int

    @classmethod
    def plan(cls, level: Level, creature: Creature, command: commands.Give) -> Outcome:
        """Return the giving of the item in a slot to an adjacent friend, if they have room for it."""
        there = items_in_slot(creature, command.slot)
        if not there:
            return Impossible("You carry nothing there.", "gone")
        other = level.creatures.get(level.taken_handles.get(command.handle, 0))
        if other is None or not _takes_gifts(level, creature, other):
            return _NOBODY
        item = next((each for each in there if not each.bound), None)
        if item is None:
            return Impossible("That is bound to your life; you cannot give it away.", "bound")
        if place_for(level.campaign, other, item) is None:
            return Impossible(
                f"{with_definite_article(other.name)} has no room for that.".capitalize(), "friend_full"
            )
        return cls(command.slot, other.number)

    def execute(self, context: TurnContext, creature: Creature) -> None:
        """Move one item from a slot to a friend.

        That counts as help: an enemy that holds the friend holds the giver, too.
        """
        other = context.level.creatures[self.other]
        item = take_from_slot(creature, self.slot, bound=False)
        free = place_for(context.level.campaign, other, item)
        assert free is not None, "plan found room there"
        put_in(other, free, item)
        record_help(context.level, creature, other)
        context.emit_item_event(
            "gives", item, creature, creature.cell, source=with_definite_article(other.name), but_not=other
        )
        context.emit_item_event(
            "receives", item, other, other.cell, source=with_definite_article(creature.name), only=other
        )


def _takes_gifts(level: Level, creature: Creature, other: Creature) -> bool:
    """Return whether a creature is adjacent, seen, and on the same side: a player, or the ally of one."""
    if level.distance(creature, other) != 1 or is_hostile(level, creature, other):
        return False
    if is_hostile(level, other, creature) or not level.field_of_view(creature)[other.cell]:
        return False
    return bool(other.account or other.owner)
