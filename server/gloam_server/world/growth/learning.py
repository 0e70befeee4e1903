"""Learning of monsters: the traits from their levels, their practice, and the highest level on a depth.

A creature is made with a random part of the experience of its next level (`practice_percent`): a kill of an equal is
worth a third of a level, and few creatures win three fights before a player finds them. On the first `quiet_depths`
depths monsters learn from players only, and none that has grown follows a player there, because new lives begin there.
"""

from typing import Final

from gloam_server.content.field_types import SIGHT_MAX
from gloam_server.content.growth.learning import Trait, at_depth
from gloam_server.rules import growth
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level
from gloam_server.world.model.modifiers import SPEED_MOST, Ability, is_able
from gloam_shared.level_numbers import PartitionId, depth_of_level

_OLD_PERCENT: Final = 60
"""The share of the veterans that have gained a second level (rule F133)."""

_ABILITIES: Final[tuple[Ability, ...]] = ("opens", "swims", "digs")


def learn_traits(context: TurnContext, creature: Creature, levels: int) -> None:
    """Let a monster learn after level gains: for each by chance, or surely a deed, a trait of its kind (rules F65, F98)."""
    campaign = context.level.campaign
    rules = campaign.learning
    for gained in range(creature.levels_grown - levels + 1, creature.levels_grown + 1):
        learns = campaign.creatures[creature.kind].learns
        choices = [key for key in learns if is_new_trait(context.level, creature, key)]
        deeds = [key for key in choices if campaign.traits[key].is_deed]
        if rules.deed_every and gained % rules.deed_every == 0 and deeds:
            choices = deeds
        elif not (choices and rules.trait_percent) or not context.dice.chance(
            "learns", creature.number, rules.trait_percent
        ):
            continue
        trait = campaign.traits[context.dice.pick("trait", creature.number, choices)]
        learn_trait(context.level, creature, trait)
        context.emit("gains_trait", creature, source=trait.told)


def highest_level(level: Level, creature: Creature) -> int | None:
    """Return the highest level that a monster can reach on its level; None without a bound (rule F39)."""
    campaign = level.campaign
    rise, above = campaign.experience.monster_levels_max, campaign.learning.above_depth_max
    bounds = [creature.born_level + rise] if rise else []
    if above:
        bounds.append(level.own_level + above)
    return min(bounds, default=None)


def highest_to_stay(level: Level) -> int | None:
    """Return the highest level of a monster that stays on a depth; None without a bound (rules F66, F97)."""
    above = at_depth(level.campaign.learning.leaves_above, level.depth)
    return level.own_level + above if above else None


def is_quiet(level: Level, partition: PartitionId) -> bool:
    """Return whether the level with a number is on a depth where monsters learn only from players (rule F91)."""
    return depth_of_level(partition) <= level.campaign.learning.quiet_depths


def earned_level(level: Level, creature: Creature) -> int:
    """Return the level that a creature's experience is enough for: its own, or a higher one on a quiet depth (rule F91)."""
    return creature.level + growth.levels_gained(
        level.campaign.experience, creature.level, creature.experience
    )


def give_practice(context: TurnContext, creature: Creature) -> None:
    """Give a creature that is made with its level a random part of the experience of the next one (rule F91).

    Each player on the level brings more creatures, so that more of them meet: their practice is divided by the number of
    the players who are there now.
    """
    level = context.level
    percent = at_depth(level.campaign.learning.practice_percent, level.depth) // max(1, len(level.players()))
    if not percent or is_quiet(level, level.partition):
        return
    rules = level.campaign.experience
    span = growth.span_of_level(rules, creature.level)
    start = growth.least_experience_beyond(rules, creature.level) - span
    practice = span * context.dice.roll("practice", creature.number, percent + 1) // 100
    creature.experience = max(creature.experience, start + practice)


def veteran_levels(context: TurnContext, creature: Creature) -> int:
    """Return the levels that a creature has gained before anyone saw it, by chance: one or two for a veteran (rule F133).

    Levels without players take no turns, so that what lives there could not have grown by what happens there.
    """
    level = context.level
    percent = at_depth(level.campaign.learning.veterans_percent, level.depth)
    if not percent or is_quiet(level, level.partition) or not level.campaign.creatures[creature.kind].grows:
        return 0
    if not context.dice.chance("veteran", creature.number, percent):
        return 0
    return 1 + context.dice.chance("old veteran", creature.number, _OLD_PERCENT)


def veteran_level(highest: int, gained: int) -> int:
    """Return the level of a veteran where others have the level `highest`: lower by what it gained, for its traits."""
    return highest - min(gained, (highest - 1) // 2)


def make_veteran(context: TurnContext, creature: Creature, gained: int) -> None:
    """Let a creature have gained its last levels before anyone saw it, with the traits of these (rule F133)."""
    levels = min(creature.level - 1, gained)
    creature.born_level = creature.level - levels
    learn_traits(context, creature, levels)


def is_new_trait(level: Level, creature: Creature, key: str) -> bool:
    """Return whether a trait would change a creature: it has not learned it, and its kind cannot do it anyway."""
    trait = level.campaign.traits[key]
    if key in creature.learned:
        return False
    abilities = [ability for ability in _ABILITIES if getattr(trait, ability)]
    return not abilities or not all(is_able(level.campaign, creature, ability) for ability in abilities)


def learn_trait(level: Level, creature: Creature, trait: Trait) -> None:
    """Let a creature learn a trait: a monster by its level, a player by a kit or a card (rules F65, F105, F107)."""
    creature.learned.append(trait.key)
    level.sight.note_gear(creature.number)
    health = creature.hp_max * trait.hp_percent // 100
    creature.hp_max += health
    creature.hp += health
    creature.attack += creature.attack * trait.attack_percent // 100
    creature.defence += creature.defence * trait.defence_percent // 100
    creature.speed = min(SPEED_MOST, creature.speed + trait.speed)
    if trait.sight:
        creature.sight = min(SIGHT_MAX, creature.sight + trait.sight)
        level.sight.note_change(creature.number)
    creature.regeneration += trait.regeneration
