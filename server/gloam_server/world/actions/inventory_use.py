"""Uses of inventory items: drop, eat, wield, wear, put on (rules J10.7, J10.14, JG.15-JG.19, F78)."""

from gloam_server.content.items import ItemKind
from gloam_server.world.effects.brands import notice_brand
from gloam_server.world.effects.upkeep import set_food
from gloam_server.world.items.equipment import count_in, item_in_slot, take_from_slot, unequip
from gloam_server.world.items.floor_items import destroy_item, drop_item
from gloam_server.world.items.identify_by_use import identify
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature, Item
from gloam_server.world.model.item_names import food_value, item_name
from gloam_server.world.model.level import Level
from gloam_server.world.model.outcome import Impossible, Outcome, Verb
from gloam_shared.narration.rendering import with_definite_article
from gloam_shared.protocol import commands


class Drop(Verb[commands.Drop], frozen=True):
    """Drop all items of a slot on the pile underfoot."""

    command = commands.Drop
    slot: int

    @classmethod
    def plan(cls, _level: Level, creature: Creature, command: commands.Drop) -> Outcome:
        """Return the dropping of what is in a slot."""
        if not creature.carried:
            return Impossible("You have nothing to drop!", "gone")
        return (
            refuse_empty_slot(creature) if item_in_slot(creature, command.slot) is None else cls(command.slot)
        )

    def execute(self, context: TurnContext, creature: Creature) -> None:
        """Drop all items of a slot on the pile underfoot, and unequip them."""
        for _ in range(count_in(creature, self.slot)):
            item = take_from_slot(context.level, creature, self.slot)
            context.emit_item_event("drops", item, creature, creature.cell)
            drop_item(context, item, creature.cell, owner=creature.account, left_by=creature.number)


class Eat(Verb[commands.Eat], frozen=True):
    """Eat of the item in a slot, once."""

    command = commands.Eat
    slot: int

    @classmethod
    def plan(cls, level: Level, creature: Creature, command: commands.Eat) -> Outcome:
        """Return a bite of the item in a slot, if it is food and the creature can be hungry: others would waste it."""
        item = item_in_slot(creature, command.slot)
        if item is None:
            return refuse_empty_slot(creature)
        if not food_value(level.campaign, item):
            return refuse_wrong_kind(level, creature, item, "eat")
        return cls(command.slot) if creature.account else Impossible("You know no hunger.", "no_hunger")

    def execute(self, context: TurnContext, creature: Creature) -> None:
        """Eat one bite of the item in a slot: it is unequipped, and used up with the last bite."""
        item = creature.slots[self.slot]
        assert item is not None, "plan found food there"
        if item.bites == 1:
            item = take_from_slot(context.level, creature, self.slot)
        context.emit_item_event("eats", item, creature, creature.cell, amount=item.bites - 1)
        unequip(creature, item)
        item.bites -= 1
        if not item.bites:
            destroy_item(context, item, creature.cell)
        eaten = food_value(context.level.campaign, item)
        if eaten < 0:
            context.emit_private("gross", creature)
        set_food(context, creature, max(0, creature.food + eaten))


class Wield(Verb[commands.Wield], frozen=True):
    """Wield the item in a slot, or nothing."""

    command = commands.Wield
    slot: int | None

    @classmethod
    def plan(cls, level: Level, creature: Creature, command: commands.Wield) -> Outcome:
        """Return the wielding of the item in a slot, or of nothing."""
        if command.slot is None:
            return cls(None) if creature.wielded else Impossible("You are empty handed.", "already")
        item = item_in_slot(creature, command.slot)
        if item is None:
            return refuse_empty_slot(creature)
        if item.number == creature.wielded:
            return Impossible("You are wielding that already.", "already")
        return (
            cls(command.slot)
            if _kind(level, item).wieldable
            else refuse_wrong_kind(level, creature, item, "wield")
        )

    def execute(self, context: TurnContext, creature: Creature) -> None:
        """Wield the item in a slot, and stop wearing it; or wield nothing."""
        if self.slot is None:
            creature.wielded = 0
            context.emit("empties_hands", creature)
            return
        item = creature.slots[self.slot]
        assert item is not None, "plan found a weapon there"
        unequip(creature, item)
        creature.wielded = item.number
        context.emit_item_event("wields", item, creature, creature.cell)


class Wear(Verb[commands.Wear], frozen=True):
    """Wear the item in a slot, or nothing."""

    command = commands.Wear
    slot: int | None

    @classmethod
    def plan(cls, level: Level, creature: Creature, command: commands.Wear) -> Outcome:
        """Return the wearing of the item in a slot, or the taking off of the worn item."""
        if command.slot is None:
            return cls(None) if creature.worn else Impossible("You are not wearing anything.", "already")
        item = item_in_slot(creature, command.slot)
        if item is None:
            return refuse_empty_slot(creature)
        if item.number == creature.worn:
            return Impossible("You are wearing that already.", "already")
        return (
            cls(command.slot)
            if _kind(level, item).wearable
            else refuse_wrong_kind(level, creature, item, "wear")
        )

    def execute(self, context: TurnContext, creature: Creature) -> None:
        """Wear the item in a slot, and stop wielding it; or take off the worn item."""
        if self.slot is None:
            worn = next(item for item in creature.carried if item.number == creature.worn)
            creature.worn = 0
            context.emit_item_event("takes_off", worn, creature, creature.cell)
            return
        item = creature.slots[self.slot]
        assert item is not None, "plan found something to wear there"
        unequip(creature, item)
        creature.worn = item.number
        context.emit_item_event("wears", item, creature, creature.cell)
        notice_brand(context, creature, item)


class PutOn(Verb[commands.PutOn], frozen=True):
    """Put on the ring in a slot, or take off the ring."""

    command = commands.PutOn
    slot: int | None

    @classmethod
    def plan(cls, level: Level, creature: Creature, command: commands.PutOn) -> Outcome:
        """Return the putting on of the ring in a slot, in place of another, or the taking off."""
        if command.slot is None:
            return cls(None) if creature.ring else Impossible("You have no ring on.", "already")
        item = item_in_slot(creature, command.slot)
        if item is None:
            return refuse_empty_slot(creature)
        if item.number == creature.ring:
            return Impossible("You have that on already.", "already")
        if not _kind(level, item).is_ring:
            return refuse_wrong_kind(level, creature, item, "put on")
        return cls(command.slot)

    def execute(self, context: TurnContext, creature: Creature) -> None:
        """Put on a ring, which identifies it; or take it off."""
        if self.slot is None:
            ring = next(item for item in creature.carried if item.number == creature.ring)
            creature.ring = 0
            context.emit_item_event("takes_off", ring, creature, creature.cell)
            return
        item = creature.slots[self.slot]
        assert item is not None, "plan found a ring there"
        context.emit_item_event("puts_on", item, creature, creature.cell)
        creature.ring = item.number
        context.level.sight.note_change(creature.number)
        identify(context, creature, _kind(context.level, item))


def _kind(level: Level, item: Item) -> ItemKind:
    return level.campaign.items[item.kind]


def refuse_empty_slot(creature: Creature) -> Impossible:
    """Return the refusal for an empty slot."""
    if not creature.carried:
        return Impossible("You are not carrying anything!", "gone")
    return Impossible("You carry nothing there.", "gone")


def refuse_wrong_kind(level: Level, creature: Creature, item: Item, verb: str) -> Impossible:
    """Return the refusal for an item of the wrong kind."""
    return Impossible(
        f"You cannot {verb} {with_definite_article(item_name(level, item, creature))}.", "wrong_kind"
    )
