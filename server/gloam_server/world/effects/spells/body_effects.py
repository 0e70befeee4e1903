"""What spells do to a body at once. Each returns whether there was anything to be seen of it."""

from collections.abc import Callable
from typing import Final, TypeAlias

from gloam_server.content.field_types import Amount
from gloam_server.content.spells import Does, Effect
from gloam_server.world.combat.damage import hurt
from gloam_server.world.combat.experience import gain_experience
from gloam_server.world.combat.sleep import fall_asleep, shorten_sleep
from gloam_server.world.effects.spells.assistance import remember_help
from gloam_server.world.effects.spells.moving_effects import blink, push, swap_places, teleport
from gloam_server.world.effects.spells.spell_cast import Working
from gloam_server.world.effects.status_effects import is_harmful, remove
from gloam_server.world.effects.upkeep import feed
from gloam_server.world.items.identify_by_use import learn_name
from gloam_server.world.model.context import Stage
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.map_memory import show
from gloam_shared.geometry import chebyshev

Work: TypeAlias = Callable[[Stage, Working, Effect, Creature], bool]

OWN_SPELL: Final = "an overinflated ego"
"""What ended the life of who was killed by his own spell (rule RG.30)."""


def heal(stage: Stage, working: Working, effect: Effect, target: Creature) -> bool:
    """Give health; who is unhurt gains maximum health instead, where the effect says so (rules TG.22, RG.16)."""
    missing = target.hp_max - target.hp
    if not missing and not effect.or_max:
        return False
    if missing:
        target.hp += min(effect.amount, missing)
        stage.tell("heals", target)
        remember_help(stage.level, working.caster, target, min(effect.amount, missing))
    else:
        target.hp_max += effect.or_max
        target.hp += effect.or_max
        stage.tell("healthier", target)
    return True


def give_mana(stage: Stage, _working: Working, effect: Effect, target: Creature) -> bool:
    """Give mana (rule TG.22)."""
    given = min(effect.amount, target.mana_max - target.mana)
    if given <= 0:
        return False
    target.mana += given
    stage.tell("restores", target)
    return True


def harm(stage: Stage, working: Working, effect: Effect, target: Creature) -> bool:
    """Take health: it never misses, and no defence helps (rule RG.16)."""
    _strike(stage, working, effect.amount, target)
    return True


def drain(stage: Stage, working: Working, effect: Effect, target: Creature) -> bool:
    """Take health, and give it to the caster if he lives."""
    taken, caster = min(effect.amount, target.hp), working.caster
    _strike(stage, working, effect.amount, target)
    if caster is not None and caster is not target and caster.number in stage.level.creatures:
        caster.hp = min(caster.hp_max, caster.hp + taken)
    return True


def learn(stage: Stage, _working: Working, effect: Effect, target: Creature) -> bool:
    """Give experience for each level (rule TG.22)."""
    stage.tell("enlightened", target)
    gain_experience(stage, target, effect.amount * target.level)
    return True


def know(stage: Stage, _working: Working, _effect: Effect, target: Creature) -> bool:
    """Tell the names of all that one carries."""
    kinds = stage.level.campaign.items
    learnt = [learn_name(stage, target, kinds[item.kind]) for item in target.carried]
    return any(learnt)


def give_food(stage: Stage, _working: Working, effect: Effect, target: Creature) -> bool:
    """Fill a player's stomach."""
    if not target.account:
        return False
    stage.tell("fills", target)
    feed(stage, target, target.food + effect.amount)
    return True


def blood_to_mana(stage: Stage, _working: Working, effect: Effect, target: Creature) -> bool:
    """Make mana of health, as far as there is room for it and one lives (rule TG.24)."""
    made = min(target.hp - 1, target.mana_max - target.mana, effect.amount or target.hp)
    if made <= 0:
        return False
    target.hp -= made
    target.mana += made
    stage.tell("bleeds_mana", target)
    return True


def sleep(stage: Stage, _working: Working, effect: Effect, target: Creature) -> bool:
    """Send to sleep (rule RG.17)."""
    return fall_asleep(stage, target, effect.amount)


def cure(stage: Stage, _working: Working, _effect: Effect, target: Creature) -> bool:
    """End sleep, and all states that do harm."""
    campaign = stage.level.campaign
    harmful = [state for state in target.lasting if is_harmful(campaign, state)]
    was_asleep = target.asleep > 0
    for state in harmful:
        remove(stage, target, state)
    shorten_sleep(stage, target, target.asleep)
    return was_asleep or bool(harmful)


def map_level(stage: Stage, _working: Working, effect: Effect, target: Creature) -> bool:
    """Show a player the ground around him, or the whole level."""
    level = stage.level
    if not target.account:
        return False
    cells = range(len(level.terrain))
    if effect.amount:
        cells_near = [at for at in cells if chebyshev(at, target.cell, level.width) <= effect.amount]
        show(level, target, cells_near)
    else:
        show(level, target, cells)
    stage.tell("maps", target)
    return True


def _strike(stage: Stage, working: Working, amount: Amount, target: Creature) -> None:
    caster = working.caster
    stage.tell("blasted", target, amount=amount, source=working.spell.name)
    if caster is target:
        hurt(stage, target, amount, None, OWN_SPELL)
    else:
        here = caster is not None and caster.number in stage.level.creatures
        hurt(stage, target, amount, caster if here else None, working.spell.name)


WORKS: Final[dict[Does, Work]] = {
    "heal": heal,
    "mana": give_mana,
    "harm": harm,
    "drain": drain,
    "learn": learn,
    "know": know,
    "feed": give_food,
    "blood_to_mana": blood_to_mana,
    "sleep": sleep,
    "cure": cure,
    "map": map_level,
    "blink": blink,
    "teleport": teleport,
    "swap": swap_places,
    "push": push,
}
"""What is done to a body at once, by name; what lasts is a matter of `states`, what is done to a place of `ground`."""
