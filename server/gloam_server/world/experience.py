"""Gaining levels: one record, one award and one threshold for every creature, player or monster."""

from typing import Final

from gloam_server.content.words import SIGHT_MAX
from gloam_server.rules import growth
from gloam_server.world.creature import Creature
from gloam_server.world.gear import attack_of, defence_of
from gloam_server.world.level import Level
from gloam_server.world.stage import Stage

_TOLD_AS: Final = {
    "attack": "stronger",
    "defence": "tougher",
    "health": "healthier",
    "sight": "aware",
    "mana": "wiser",
    "regeneration": "fresher",
    "mana_regeneration": "calmer",
}


def worth_of(level: Level, victim: Creature) -> growth.Worth:
    """Return what a creature is worth as it stands: what it wields and wears counts (rule J14.10)."""
    return growth.Worth(
        hp_max=victim.hp_max,
        attack=attack_of(level, victim),
        defence=defence_of(level, victim),
        level=victim.level,
    )


def award_for_kill(stage: Stage, killer: Creature, victim: Creature, worth: growth.Worth) -> None:
    """Give the killer the experience of his victim, and the levels that it brings (rules J14.6-J14.11)."""
    rules = stage.level.campaign.experience
    amount = growth.award(rules, worth, killer.level)
    if amount <= 0 or (killer.account and victim.account):  # nobody feeds a friend with lives (rule F35)
        return
    killer.experience += amount
    stage.tell("gains", killer, victim, amount=amount)
    raise_levels(stage, killer)


def gain_experience(stage: Stage, creature: Creature, amount: int) -> None:
    """Give experience that no kill brought, and the levels that it brings (rules TG.22, T14.3)."""
    creature.experience += amount
    stage.tell("gains", creature, amount=amount)
    raise_levels(stage, creature)


def raise_levels(stage: Stage, creature: Creature, *, quiet: bool = False) -> None:
    """Raise a creature by all levels that its experience has reached: one message, one heal, then what they bring."""
    rules = stage.level.campaign.experience
    gained = growth.levels_gained(rules, creature.level, creature.experience)
    if not gained:
        return
    creature.level += gained
    creature.points += gained * rules.points_per_level
    if not quiet:
        stage.tell("advances", creature, amount=creature.level)
    creature.hp = growth.healed(rules, creature.hp, creature.hp_max, creature.level, gained)
    if not stage.level.campaign.creatures[creature.kind].picks_points:
        spend_at_random(stage, creature, quiet=quiet)


def spend_at_random(stage: Stage, creature: Creature, *, quiet: bool = False) -> None:
    """Spend a creature's points at once, each on one of its options by a roll (rule J14.8)."""
    options = choices_of(stage.level, creature)
    if not options:  # it gains levels, and they bring it nothing (rule JG.10)
        creature.points = 0
    while creature.points:
        spend(stage, creature, stage.dice.pick("gain", creature.number, options), quiet=quiet)


def choices_of(level: Level, creature: Creature) -> tuple[str, ...]:
    """Return what a level may bring to a creature, in the order in which it is offered."""
    return level.campaign.gains_of(creature.kind)


def spend(stage: Stage, creature: Creature, option: str, *, quiet: bool = False) -> None:
    """Spend one point on an option (rules J14.1-J14.4)."""
    gains = stage.level.campaign.experience.gains
    creature.points -= 1
    match option:
        case "attack":
            creature.attack += gains.attack
        case "defence":
            creature.defence += gains.defence
        case "health":
            creature.hp_max += gains.health
            creature.hp += gains.health
        case "sight":
            creature.sight = min(SIGHT_MAX, creature.sight + gains.sight)
        case "mana":
            creature.mana_max += gains.mana
            creature.mana += gains.mana
        case "regeneration":
            creature.regeneration += gains.regeneration
        case "mana_regeneration":
            creature.mana_regeneration += gains.mana_regeneration
    if not quiet:
        stage.tell(_TOLD_AS[option], creature)
