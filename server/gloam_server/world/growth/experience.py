"""Gaining levels: one record and one threshold for every creature, player or monster. The attribution of experience is in `experience_credit`."""

from typing import Final

from gloam_server.content.campaign_schema import ExperienceRules
from gloam_server.content.creatures import CreatureKind, Gain
from gloam_server.content.field_types import SIGHT_MAX
from gloam_server.rules import growth
from gloam_server.world.growth import bents
from gloam_server.world.growth.learning import highest_level, is_quiet, learn_traits
from gloam_server.world.growth.sounds import resound
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.events import ExperienceGained, LevelGained
from gloam_server.world.model.level import Level
from gloam_shared.event_kinds import EventKind

_TOLD_AS: Final[dict[Gain, EventKind]] = {
    "attack": "stronger",
    "defence": "tougher",
    "health": "healthier",
    "sight": "aware",
    "mana": "wiser",
    "regeneration": "fresher",
    "mana_regeneration": "calmer",
}


def gain_experience(
    context: TurnContext,
    creature: Creature,
    amount: int,
    victim: Creature | None = None,
    *,
    heals: bool = True,
) -> None:
    """Give experience, or take it when it is below 0, and the levels that it brings (rules T14.3, J14.6-J14.8).

    Experience is never below zero, and no level is lost. A monster gains none beyond its highest level. A player who
    loses experience gets a message; a player who gains it gets one if the campaign says so. Unless it `heals`, a level
    closes no wounds.
    """
    rules = context.level.campaign.experience
    amount = _within_cap(context.level, creature, amount)
    if not amount:
        return
    creature.experience += amount
    context.record(ExperienceGained(creature.number, amount, victim.number if victim else 0))
    if amount < 0:
        context.emit_private("forgets", creature, amount=-amount)
    elif rules.told:
        context.emit_private("learns", creature, amount=amount)
    raise_levels(context, creature, heals=heals)


def raise_levels(
    context: TurnContext, creature: Creature, *, quiet: bool = False, heals: bool = True
) -> None:
    """Raise a creature by all levels that its experience has reached: the message, one heal, then the gains.

    A kind that does not grow also rises, but without gains (rule JG.10). On a quiet depth a monster does not rise: it does
    so where it goes from there (rule F91).
    """
    rules = context.level.campaign.experience
    gained = growth.levels_gained(rules, creature.level, creature.experience)
    if not gained or (
        not creature.account and not quiet and is_quiet(context.level, context.level.partition)
    ):
        return
    kind = context.level.campaign.creatures[creature.kind]
    creature.level += gained
    if kind.grows:
        _grow_by_factor(rules, kind, creature, creature.level - gained)
        if bents.grows_by_bent(context.level, creature):
            bents.gain_levels(context, creature, gained)
        else:
            own = kind.points_per_level
            creature.points += gained * (rules.points_per_level if own is None else own)
    for level in () if quiet else _announce(rules, creature.level, gained):
        context.emit("advances", creature, amount=level)
    if not quiet:
        context.record(LevelGained(creature.number, creature.level))
        resound(context, "growth", creature)
        context.renowned.setdefault(creature.number, False)
    if heals:
        creature.hp = growth.healing_on_level_up(rules, creature.hp, creature.hp_max, creature.level, gained)
    if not kind.picks_points:
        choose_gains_at_random(context, creature, quiet=quiet)
    if kind.grows and not creature.account and not quiet:
        learn_traits(context, creature, gained)


def choose_gains_at_random(context: TurnContext, creature: Creature, *, quiet: bool = False) -> None:
    """Spend a creature's points, each on one of its options by a roll (rule J14.8), as long as there is one."""
    while creature.points and (options := gain_choices(context.level, creature)):
        choose_gain(context, creature, context.dice.pick("gain", creature.number, options), quiet=quiet)


def level_options(level: Level, creature: Creature) -> tuple[str, ...]:
    """Return what a creature's next level-up choice offers: gains, bents or cards; nothing without a choice to make."""
    if bents.grows_by_bent(level, creature):
        return bents.options_of(level, creature)
    return gain_choices(level, creature) if creature.points else ()


def choose_option(context: TurnContext, creature: Creature, at: int) -> None:
    """Take an option of a creature's next level-up choice by its index; one that is not offered changes nothing."""
    if at >= len(level_options(context.level, creature)):
        return
    if bents.grows_by_bent(context.level, creature):
        bents.take_option(context, creature, at)
    else:
        choose_gain(context, creature, gain_choices(context.level, creature)[at])


def gain_choices(level: Level, creature: Creature) -> tuple[Gain, ...]:
    """Return the possible gains of a creature's level, in the order of the offer, without those at a bound."""
    gains = level.campaign.gains_of(creature.kind)
    return gains if creature.sight < SIGHT_MAX else tuple([gain for gain in gains if gain != "sight"])


def choose_gain(context: TurnContext, creature: Creature, option: Gain, *, quiet: bool = False) -> None:
    """Spend one point on an option (rules J14.1-J14.4)."""
    gains = context.level.campaign.experience.gains
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
            context.level.sight.note_change(creature.number)
        case "mana":
            creature.mana_max += gains.mana
            creature.mana += gains.mana
        case "regeneration":
            creature.regeneration += gains.regeneration
        case "mana_regeneration":
            creature.mana_regeneration += gains.mana_regeneration
    if not quiet:
        context.emit(_TOLD_AS[option], creature)


def _announce(rules: ExperienceRules, level: int, gained: int) -> range:
    """Return which of the gained levels are reported: each (rule T14.4), or the last (rule J14.7)."""
    return range(level - gained + 1 if rules.tells_each_level else level, level + 1)


def _within_cap(level: Level, creature: Creature, amount: int) -> int:
    """Return the part of an award that a creature can take.

    Experience stays at least 0, and a monster gets none beyond its highest level.
    """
    if amount < 0:
        return max(amount, -creature.experience)
    highest = None if creature.account else highest_level(level, creature)
    if highest is None:
        return amount
    most = growth.least_experience_beyond(level.campaign.experience, max(highest, creature.level)) - 1
    return max(0, min(amount, most - creature.experience))


def _grow_by_factor(rules: ExperienceRules, kind: CreatureKind, creature: Creature, before: int) -> None:
    """Compute the numbers of a creature from its level (rules R1, R7); other gains stay added to them."""

    def grown(base: int) -> int:
        percent = rules.factor_percent if kind.factor_percent is None else kind.factor_percent
        return growth.scale_stat(base, percent, creature.level) - growth.scale_stat(base, percent, before)

    creature.hp_max += grown(kind.hp)
    creature.attack += grown(kind.attack)
    creature.defence += grown(kind.defence)
