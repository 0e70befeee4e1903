"""Casting: a spell that the creature knows or has in a book, for mana (rule TG.24)."""

from gloam_server.content.campaign import Campaign
from gloam_server.content.spells import Spell
from gloam_server.rules.growth import scale_stat
from gloam_server.world.combat.fight_powers import happens
from gloam_server.world.effects.spells import cast_spell
from gloam_server.world.effects.spells.aim import check_aim
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level
from gloam_server.world.model.modifiers import is_silenced
from gloam_server.world.model.outcome import Impossible, Outcome, Verb
from gloam_shared.protocol import commands


def known_spells(level: Level, creature: Creature) -> tuple[Spell, ...]:
    """Return the spells that a creature may cast: from its kind, then from its books, each once."""
    campaign = level.campaign
    keys = list(campaign.creatures[creature.kind].casts)
    for item in creature.carried:
        keys.extend(campaign.items[item.kind].teaches)
    return tuple(campaign.spells[key] for key in dict.fromkeys(keys))


def spell_percent(campaign: Campaign, creature: Creature, spell: Spell) -> int:
    """Return the share of a spell's amounts of health: it grows with the level of the best book for it (rule F112)."""
    books = [item for item in creature.carried if spell.key in campaign.items[item.kind].teaches]
    levels = [item.power for item in books if campaign.items[item.kind].scales]
    return scale_stat(100, campaign.experience.factor_percent, max(1, *levels, 1))


class Cast(Verb[commands.Cast], frozen=True):
    """Cast a spell that the creature knows or has in a book, aimed at a cell."""

    command = commands.Cast
    spell: str
    cell: int

    @classmethod
    def plan(cls, level: Level, creature: Creature, command: commands.Cast) -> Outcome:
        """Return the casting of a spell, if the creature has it, the aim is valid, and the mana suffices."""
        found = next((known for known in known_spells(level, creature) if known.key == command.spell), None)
        if found is None:
            return Impossible("You know no such spell.", "unknown_spell")
        if is_silenced(level.campaign, creature):
            return Impossible("You cannot utter a word, so you cannot cast.", "silenced")
        at = check_aim(level, creature, found, command.cell)
        if isinstance(at, Impossible):
            return at
        if creature.mana < found.cost:
            return Impossible(
                "You point and mumble but nothing happens: you have too little mana.", "too_little_mana"
            )
        return cls(command.spell, at)

    def execute(self, context: TurnContext, creature: Creature) -> None:
        """Spend the mana and cast the spell."""
        found = context.level.campaign.spells[self.spell]
        if not happens(context, creature, "thrift"):
            creature.mana -= found.cost
        context.emit("casts", creature, source=found.name)
        cast_spell(
            context, self.spell, creature, self.cell, spell_percent(context.level.campaign, creature, found)
        )
