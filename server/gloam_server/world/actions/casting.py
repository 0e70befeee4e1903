"""Casting: a spell that one knows or has a book of, for mana (rule TG.24)."""

from gloam_server.content.spells import Spell
from gloam_server.world.effects.spells import cast_spell
from gloam_server.world.effects.spells.aim import check_aim
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level
from gloam_server.world.model.outcome import CastDeed, Impossible, Outcome


def known_spells(level: Level, creature: Creature) -> tuple[Spell, ...]:
    """Return the spells that a creature may cast: those of its kind, then those of the books that it carries, each once."""
    campaign = level.campaign
    keys = list(campaign.creatures[creature.kind].casts)
    for item in creature.carried:
        keys.extend(campaign.items[item.kind].teaches)
    return tuple(campaign.spells[key] for key in dict.fromkeys(keys))


def plan_cast(level: Level, creature: Creature, spell: str, cell: int | None) -> Outcome:
    """Return the casting of a spell, if the creature has it, it can be aimed so, and there is mana enough."""
    found = next((known for known in known_spells(level, creature) if known.key == spell), None)
    if found is None:
        return Impossible("You know no such spell.")
    at = check_aim(level, creature, found, cell)
    if isinstance(at, Impossible):
        return at
    if creature.mana < found.cost:
        return Impossible("You point and mumble but nothing happens: you have too little mana.")
    return CastDeed(spell, at)


def cast(stage: TurnContext, creature: Creature, spell: str, cell: int) -> None:
    """Pay the mana and bring the spell about."""
    found = stage.level.campaign.spells[spell]
    creature.mana -= found.cost
    stage.emit("casts", creature, source=found.name)
    cast_spell(stage, spell, creature, cell)
