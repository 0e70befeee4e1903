"""Help for an adjacent friend: items from hand to hand, and a hand for who is down (rules F45, F128, A64)."""

from typing import Final

from msgspec import UNSET

from gloam_server.content.campaign import Campaign
from gloam_server.world.combat.hostility import is_hostile, join_fight
from gloam_server.world.effects.spells import cast_item_spell
from gloam_server.world.effects.spells.assistance import record_help
from gloam_server.world.items.equipment import gain_item, items_in_slot, slot_for, take_item
from gloam_server.world.items.floor_items import announce_pile, destroy_item
from gloam_server.world.items.loans import may_give
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature, Item
from gloam_server.world.model.identification import knows_kind
from gloam_server.world.model.level import Level
from gloam_server.world.model.outcome import Action, Impossible, Outcome, Verb
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
        item = _item_to_give(level, creature, other, command.slot)
        if item is None:
            return Impossible("That is bound to your life; you cannot give it away.", "bound")
        if slot_for(level.campaign, other, item) is None:
            return Impossible(
                f"{with_definite_article(other.name)} has no room for that.".capitalize(), "friend_full"
            )
        return cls(command.slot, other.number)

    def execute(self, context: TurnContext, creature: Creature) -> None:
        """Move one item from a slot to a friend.

        That counts as help: an enemy that holds the friend holds the giver, too.
        """
        other = context.level.creatures[self.other]
        item = _item_to_give(context.level, creature, other, self.slot)
        assert item is not None, "plan found one"
        take_item(context.level, creature, item)
        free = slot_for(context.level.campaign, other, item)
        assert free is not None, "plan found room there"
        gain_item(context.level, other, free, item)
        record_help(context.level, creature, other)
        context.emit_item_event(
            "gives", item, creature, creature.cell, source=with_definite_article(other.name), but_not=other
        )
        context.emit_item_event(
            "receives", item, other, other.cell, source=with_definite_article(creature.name), only=other
        )


def _item_to_give(level: Level, creature: Creature, other: Creature, slot: int) -> Item | None:
    """Return the item of a slot that goes to another creature: the newest unbound one, else a loan."""
    there = items_in_slot(creature, slot)[::-1]
    given = [item for item in there if not item.bound] or there
    return next((item for item in given if may_give(level, creature, other, item)), None)


def _takes_gifts(level: Level, creature: Creature, other: Creature) -> bool:
    """Return whether a creature is adjacent, seen, and on the same side: a player, or the ally of one."""
    if level.distance(creature, other) != 1 or is_hostile(level, creature, other):
        return False
    if is_hostile(level, other, creature) or not level.field_of_view(creature)[other.cell]:
        return False
    return bool(other.account or other.owner)


class Lift(Action, frozen=True):
    """Pour a healing potion for a downed friend."""

    other: int
    item: int

    def execute(self, context: TurnContext, creature: Creature) -> None:
        """Use the potion up: its spell works on the friend, who gets up by its healing."""
        other = context.level.creatures[self.other]
        poured = next(each for each in creature.carried if each.number == self.item)
        item = take_item(context.level, creature, poured)
        kind = context.level.campaign.items[item.kind]
        context.emit_item_event("lifts", item, creature, creature.cell, source=other.name)
        destroy_item(context, item, creature.cell)
        cast_item_spell(context, kind, kind.quaffs, creature, other.cell)


class Drag(Verb[commands.Drag], frozen=True):
    """Step to a free cell, and pull a downed friend to the cell before."""

    command = commands.Drag
    work = "step"
    other: int
    cell: int

    @classmethod
    def plan(cls, level: Level, creature: Creature, command: commands.Drag) -> Outcome:
        """Return the step with a downed player beside, if there is a free cell in that direction."""
        other = level.creatures.get(level.taken_handles.get(command.handle, 0))
        if other is None or other.down is UNSET or level.distance(creature, other) != 1:
            return Impossible("There is no downed friend beside you: step next to one first.", "gone")
        if is_hostile(level, creature, other):
            return Impossible("That is your rival in a duel: leave them where they are.", "gone")
        if (command.dx, command.dy) not in level.campaign.directions:
            return Impossible("You cannot go that way.", "no_direction")
        cell = level.grid.step(creature.cell, command.dx, command.dy)
        if cell is None or cell in level.occupied or not level.can_hold(creature, cell):
            return Impossible("There is no way through.", "impassable")
        if not level.can_hold(other, creature.cell):
            return Impossible(f"{other.name} cannot lie where you stand: step aside first.", "no_room")
        return cls(other.number, cell)

    def execute(self, context: TurnContext, creature: Creature) -> None:
        """Step, pull the friend along, and join their fight."""
        level, left = context.level, creature.cell
        other = level.creatures[self.other]
        level.move(creature, self.cell)
        level.move(other, left)
        join_fight(level, creature, other)
        context.emit("drags", creature, other)
        announce_pile(context, creature)


def plan_lift(level: Level, creature: Creature, other: Creature) -> Outcome:
    """Return the lifting of a downed player with the weakest healing potion that the creature knows and carries."""
    potions = [
        (heals, slot, item)
        for slot, item in enumerate(creature.slots)
        if item is not None and (heals := _heals(level.campaign, creature, item))
    ]
    if not potions:
        return Impossible(
            f"{other.name} is down, and you know no healing potion in your pack: cast a healing spell, or drag them away.",
            "no_means",
        )
    return Lift(other.number, min(potions, key=lambda each: each[:2])[2].number)


def _heals(campaign: Campaign, creature: Creature, item: Item) -> int:
    """Return the health that a carried potion gives as its carrier knows it; 0 for none."""
    kind = campaign.items[item.kind]
    if not kind.quaffs or not knows_kind(creature, kind):
        return 0
    return sum(
        effect.amount * max(1, effect.turns)
        for effect in campaign.spells[kind.quaffs].effects
        if effect.does == "heal"
    )
