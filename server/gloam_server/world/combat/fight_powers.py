"""Powers that change attacks and wounds, of any creature that has them (rule F108). Numbers are the powers' own."""

from msgspec import UNSET

from gloam_server.content.powers import Power, PowerWord
from gloam_server.world.combat.hostility import is_hostile, is_on_players_side
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level
from gloam_server.world.model.powers import power_amount, power_percent, powers_of

PARRY_MOST = 75
"""The largest share of blows that a creature parries, in percent."""


def attack_with_powers(
    context: TurnContext, by: Creature, target: Creature, attack: int, *, afar: bool
) -> int:
    """Return an attack with the powers of the attacker, and of its owner, that hold against this target now."""
    level = context.level
    powers = powers_of(level.campaign, by)
    more = sum([power.percent for power in powers if _holds(context, power, by, target, afar=afar)])
    owner = level.creatures.get(by.owner) if by.owner else None
    if owner is not None:
        more += power_percent(level.campaign, owner, "master")
    keen = sum([power.percent for power in powers if power.does == "keen"])
    if keen and context.dice.chance("keen", by.number, keen):
        more += 100
    return attack + attack * more // 100


def _holds(context: TurnContext, power: Power, by: Creature, target: Creature, *, afar: bool) -> bool:
    level = context.level
    match power.does:
        case "aim":
            return afar
        case "bane":
            return level.campaign.creatures[target.kind].people == power.against
        case "company":
            return bool(friends_beside(level, by))
        case "fury":
            return by.hp * 3 < by.hp_max
        case _:
            return False


def parries(context: TurnContext, target: Creature) -> bool:
    """Return whether a creature parries a blow; none does that sleeps."""
    percent = (
        0
        if target.asleep or target.down is not UNSET
        else power_percent(context.level.campaign, target, "parry")
    )
    return percent > 0 and context.dice.chance("parry", target.number, min(percent, PARRY_MOST))


def answers(context: TurnContext, target: Creature, by: Creature) -> bool:
    """Return whether a creature strikes back at one beside it, whose blow has missed."""
    level = context.level
    percent = (
        0 if target.asleep or target.down is not UNSET else power_percent(level.campaign, target, "answer")
    )
    near = percent > 0 and level.distance(target, by) == 1
    return near and context.dice.chance("answer", target.number, percent)


def friends_beside(level: Level, body: Creature) -> list[Creature]:
    """Return the friends beside a creature of the players' side, by number; none for any other."""
    if not is_on_players_side(body):
        return []
    beside = [cell for cell in level.grid.neighbors(body.cell) if cell in level.occupied]
    others = [level.creatures[level.occupied[cell]] for cell in beside]
    friends = [other for other in others if is_on_players_side(other) and not is_hostile(level, body, other)]
    return sorted(friends, key=lambda friend: friend.number)


def guard_of(level: Level, victim: Creature, amount: int) -> tuple[Creature, int] | None:
    """Return the friend beside a victim who takes a part of a wound, with that part, if it is healthy enough to."""
    for friend in friends_beside(level, victim) if amount else ():
        part = amount * min(power_percent(level.campaign, friend, "guard"), 100) // 100
        if 0 < part < friend.hp and not friend.asleep and friend.down is UNSET:
            return friend, part
    return None


def within_bulwark(level: Level, victim: Creature, amount: int) -> int:
    """Return the damage of one blow, at most what a power of the victim lets through."""
    caps = [power.percent for power in powers_of(level.campaign, victim) if power.does == "bulwark"]
    return min([amount, *(max(1, victim.hp_max * percent // 100) for percent in caps)])


def feed_on_kill(level: Level, killer: Creature) -> None:
    """Give a killer the health and the mana that its powers draw from a death."""
    if killer.learned:
        health = killer.hp_max * power_percent(level.campaign, killer, "feast") // 100
        killer.hp = min(killer.hp_max, killer.hp + health)
        killer.mana = min(killer.mana_max, killer.mana + power_amount(level.campaign, killer, "drink"))


def happens(context: TurnContext, creature: Creature, does: PowerWord) -> bool:
    """Roll for the chance of a power of a creature, and return whether it happens; never without the power."""
    percent = power_percent(context.level.campaign, creature, does)
    return percent > 0 and context.dice.chance(does, creature.number, percent)
