"""Attribution of experience for a death. The campaign names the rule; the ledger is the victim's `hurt_by`."""

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from msgspec.structs import replace

from gloam_server.content.campaign_schema import Credit
from gloam_server.rules import growth
from gloam_server.rules.growth import KillValue
from gloam_server.world.combat.hostility import enemies_holding, is_enemy
from gloam_server.world.growth.experience import gain_experience
from gloam_server.world.growth.learning import is_quiet
from gloam_server.world.items.equipment import total_attack, total_defense
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level

Awards: TypeAlias = list[tuple[Creature, int]]


def kill_value(level: Level, victim: Creature) -> KillValue:
    """Return the experience that a creature is worth now, with its equipment (rule J14.10)."""
    scale = level.campaign.combat.scale
    return KillValue(
        hp_max=victim.hp_max,
        attack=total_attack(level, victim) // scale,
        defence=total_defense(level, victim) // scale,
        level=victim.level,
        generation=victim.generation,
        player=victim.account != 0,
    )


def award_for_death(context: TurnContext, victim: Creature, worth: KillValue, by: Creature | None) -> None:
    """Give experience for a death by the campaign's rule, the lowest number first (rules J14.6-J14.11, F35).

    `by` is the creature that caused it, by an attack or by a lasting effect; None if there is none. Only creatures on
    the level gain experience. A player gains none from a player, except the winner of a duel, where the campaign says so.
    """
    credit = context.level.campaign.experience.credit
    for learner, amount in _RULES[credit](context.level, victim, worth, by):
        among_players = learner.account and victim.account
        gained = _duel_award(context.level, worth, learner, by) if among_players else amount
        if not learner.account and not victim.account and is_quiet(context.level, context.level.partition):
            continue
        if gained > 0 and learner.number in context.level.creatures:
            gain_experience(context, learner, gained, victim)


def record_reach(level: Level, player: Creature, creatures: Sequence[int]) -> None:
    """Note after a turn which of some creatures can reach a player now: they share the danger of that fight (rule F35)."""
    if level.campaign.experience.credit != "full":
        return
    if player.reached:
        since = player.actions - level.campaign.learning.credit_turns
        player.reached = {number: when for number, when in player.reached.items() if when > since}
    if not creatures:
        return
    seen = level.field_of_view(player)
    for number in creatures:
        creature = level.creatures.get(number)
        if creature is not None and not creature.account and _can_reach(level, creature, player, seen):
            player.reached[number] = player.actions


def record_damage(victim: Creature, by: Creature, amount: int) -> None:
    """Record the health that a creature took from a victim, or gave to the victim's foe."""
    victim.hurt_by[by.number] = victim.hurt_by.get(by.number, 0) + amount


def learn_by_wound(context: TurnContext, victim: Creature, by: Creature, amount: int) -> None:
    """Give a monster experience for a wound of a player: a part of its level's, as of the player's health (rule F134).

    A level that it gains so does not heal: half of all deaths were by creatures that became whole in their last fight.
    """
    level = context.level
    percent = level.campaign.learning.wound_percent
    if not percent or not victim.account or by.account or is_quiet(level, level.partition):
        return
    if not is_enemy(level, by, victim):
        return
    span = growth.span_of_level(level.campaign.experience, by.level)
    gain_experience(context, by, span * percent * amount // (100 * max(1, victim.hp_max)), heals=False)


def record_healing(level: Level, healed: Creature, by: Creature, amount: int) -> None:
    """Record for each enemy that holds a player the health that another creature gave them."""
    if not healed.account or by is healed:
        return
    for number in enemies_holding(level, healed):
        record_damage(level.creatures[number], by, amount)


def record_act(level: Level, player: Creature, creature: Creature) -> None:
    """Note that a player acted on an enemy, or for a friend who fights it: that counts as being within its reach (rule F35)."""
    if level.campaign.experience.credit == "full" and player.account and not creature.account:
        player.reached[creature.number] = player.actions


def forget_damage(level: Level, gone: int) -> None:
    """Remove a dead creature from all records of damage."""
    for creature in level.creatures.values():
        creature.hurt_by.pop(gone, None)


def inherit_generation(child: Creature, parent: Creature) -> None:
    """Note that a creature is the child of another: each generation gives less experience (rule F35)."""
    child.generation = parent.generation + 1


def mark_summoned(called: Creature, caller: Creature | None) -> None:
    """Note a creature's summoner, if any: each further summons gives less experience (rule F35)."""
    if caller is None:
        called.generation = 1
        return
    caller.summons += 1
    called.generation = caller.generation + caller.summons


def _killer(level: Level, victim: Creature, worth: KillValue, _by: Creature | None) -> Awards:
    """Award all experience to the creature that killed the victim, also by a lasting effect (rule T14.1)."""
    return _all_to(level, worth, level.creatures.get(victim.struck_by))


def _last_hit(level: Level, _victim: Creature, worth: KillValue, by: Creature | None) -> Awards:
    """Give all experience to the last creature that hurt the victim, in any way (rule R6)."""
    return _all_to(level, worth, by)


def _share(level: Level, victim: Creature, worth: KillValue, _by: Creature | None) -> Awards:
    """Divide the award of the largest contributor alone in proportion to the contributions."""
    contributors = _damagers(level, victim)
    if not contributors:
        return []
    weights = [victim.hurt_by[each.number] for each in contributors]
    largest = contributors[weights.index(max(weights))]
    whole = _worth_to(level, worth, largest)
    return list(zip(contributors, growth.experience_shares(whole, weights), strict=True))


def _full(level: Level, victim: Creature, worth: KillValue, by: Creature | None) -> Awards:
    """Give each contributor the full award, except those too many levels below the highest of them.

    Where monsters learn by steps, only its killer learns from the death of a player (rule F73).

    A player who was recently within the victim's reach gets a part, because they shared the danger. A player who has
    just arrived and cannot be hurt yet did not (A60).
    """
    rules = level.campaign.experience
    near = {
        player.number for player in level.players() if not player.grace and _took_part(level, victim, player)
    }
    numbers = sorted(near.union(victim.hurt_by))
    if victim.account and level.campaign.learning.step_percent:
        numbers = [number for number in numbers if by is not None and by.number == number]
    contributors = [level.creatures[number] for number in numbers if number in level.creatures]
    highest = max((each.level for each in contributors), default=0)
    return [
        (each, _worth_to(level, worth, each))
        for each in contributors
        if highest - each.level <= rules.gap_max
    ]


def _took_part(level: Level, victim: Creature, player: Creature) -> bool:
    """Return whether a player was within the victim's reach in the last turns that count, or is now."""
    since = player.actions - level.campaign.learning.credit_turns
    return player.reached.get(victim.number, since) > since or _can_reach(
        level, victim, player, level.field_of_view(player)
    )


def _can_reach(level: Level, creature: Creature, player: Creature, seen: bytes) -> bool:
    """Return whether an enemy could hurt a player, who sees some cells, from its cell: by a blow, a shot or a spell."""
    away = level.distance(creature, player)
    if away > 1 and (not seen[creature.cell] or away > _reach(level, creature)):
        return False
    return is_enemy(level, creature, player)


def _reach(level: Level, creature: Creature) -> int:
    kind, spells = level.campaign.creatures[creature.kind], level.campaign.spells
    return max((kind.reach, *(spells[key].range for key in kind.casts if spells[key].harms)))


def _all_to(level: Level, worth: KillValue, who: Creature | None) -> Awards:
    return [] if who is None else [(who, _worth_to(level, worth, who))]


def _worth_to(level: Level, worth: KillValue, learner: Creature) -> int:
    """Return the award for one creature alone: monsters learn by steps where the campaign says so (rule F73)."""
    rules = level.campaign.experience
    learning = level.campaign.learning
    if learner.account or not learning.step_percent:
        return growth.award(rules, worth, learner.level)
    return growth.step_award(rules, learning, worth, kill_value(level, learner))


def _duel_award(level: Level, worth: KillValue, learner: Creature, by: Creature | None) -> int:
    """Return what a player gains from the death of another: a part of an equal creature's award, for the winner alone."""
    percent = level.campaign.learning.duel_percent
    if learner is not by or not percent:
        return 0
    equal = growth.award(level.campaign.experience, replace(worth, player=False), learner.level)
    return equal * percent // 100


def _damagers(level: Level, victim: Creature) -> list[Creature]:
    """Return the creatures on the level that took health from the victim or gave it to its foes, by number."""
    return [level.creatures[number] for number in sorted(victim.hurt_by) if number in level.creatures]


_RULES: Final[dict[Credit, Callable[[Level, Creature, KillValue, Creature | None], Awards]]] = {
    "killer": _killer,
    "last_hit": _last_hit,
    "share": _share,
    "full": _full,
}
