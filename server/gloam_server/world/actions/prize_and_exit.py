"""Ending a life by choice: using the prize, and leaving by the way out (rules TG.30, RG.30, RG.32)."""

from gloam_server.world.combat.death import leave_dungeon
from gloam_server.world.combat.victory import COWARDICE, enter_next_round, slot_of_prize, use_prize, win_round
from gloam_server.world.items.equipment import item_in_slot
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.item_names import item_name
from gloam_server.world.model.level import Level
from gloam_server.world.model.outcome import Action, Impossible, Outcome, Verb
from gloam_shared.level_numbers import ROUNDS_MAX, round_of_level
from gloam_shared.narration.rendering import with_definite_article
from gloam_shared.protocol import commands


class Use(Verb[commands.Use], frozen=True):
    """Use the prize in a slot: the end of this life in glory, or the next round."""

    command = commands.Use
    slot: int
    again: bool

    @classmethod
    def plan(cls, level: Level, creature: Creature, command: commands.Use) -> Outcome:
        """Return the use of the item in a slot, if it is the prize of a campaign that is won by using it."""
        rules = level.campaign.victory
        item = item_in_slot(creature, command.slot)
        if item is None:
            return Impossible("You carry nothing there.", "gone")
        if rules.rule != "use" or item.kind != rules.item or not creature.account:
            return Impossible(
                f"You have no use for {with_definite_article(item_name(level, item, creature))}.",
                "wrong_kind",
            )
        if command.again and not (rules.again and round_of_level(level.partition) < ROUNDS_MAX):
            return Impossible("There is no further round here.", "no_round")
        return cls(command.slot, command.again)

    def execute(self, context: TurnContext, creature: Creature) -> None:
        """Use the prize to end this life in victory, or to enter the next round (rules RG.30, RG.32)."""
        prize = use_prize(context, creature, self.slot)
        context.emit_item_event("uses", prize, creature, creature.cell)
        if self.again:
            enter_next_round(context, creature)
        else:
            win_round(context, creature, f"using {with_definite_article(prize.name)}")


class Exit(Action, frozen=True):
    """Leave the dungeon by its way out, permanently."""

    def execute(self, context: TurnContext, creature: Creature) -> None:
        """Leave the dungeon permanently: with the prize a victory, without it a coward's end (rule TG.30)."""
        slot = slot_of_prize(context.level.campaign.victory.item, creature)
        if slot is None:
            context.emit("flees", creature)
            leave_dungeon(context, creature, COWARDICE, won=False)
            return
        prize = use_prize(context, creature, slot)
        win_round(context, creature, f"bringing out {with_definite_article(prize.name)}")


class ConfirmExit(Action, frozen=True):
    """Hesitate at the way out without the prize."""

    def execute(self, context: TurnContext, creature: Creature) -> None:
        """Hesitate; with the next action the player may leave as a coward."""
        creature.exit_warned = creature.actions + 1
        prize = context.level.campaign.items[context.level.campaign.victory.item]
        context.emit("hesitates", creature, source=with_definite_article(prize.name))


def plan_exit(level: Level, creature: Creature) -> Outcome:
    """Return the leaving by the way out: with the prize a victory, without it a coward's end (rule TG.30).

    No player ends their life with one key: the first time, a coward only hesitates.
    """
    rules = level.campaign.victory
    if rules.rule != "escape":
        return Impossible("You cannot leave the dungeon this way.", "no_exit")
    if slot_of_prize(rules.item, creature) is not None:
        return Exit()
    return Exit() if creature.exit_warned == creature.actions else ConfirmExit()
