"""Behaviors that use equipment: better weapons and armor, shooting, throwing (rule TG.11), zapping wands."""

from gloam_server.content.items import ItemKind
from gloam_server.world import actions
from gloam_server.world.actions.missiles import missile_range
from gloam_server.world.ai.perception import current_enemy
from gloam_server.world.combat.trajectory import trace_missile
from gloam_server.world.effects.spells.aim import check_aim
from gloam_server.world.items.equipment import attack_wielding, defense_wearing, thrown_values
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature, Item
from gloam_server.world.model.level import Level
from gloam_server.world.model.outcome import Impossible
from gloam_shared import limits
from gloam_shared.protocol.commands import Fire, Throw, Wear, Wield, Zap


def equip_better(context: TurnContext, creature: Creature) -> bool:
    """Wield or wear a better item of its inventory (rules TG.11, TG.16)."""
    level = context.level
    weapon, armour = (
        _gear_value(level, creature, creature.wielded),
        _gear_value(level, creature, creature.worn),
    )
    for slot, item in enumerate(creature.slots):
        if item is None or item.number in (creature.wielded, creature.worn):
            continue
        kind = level.campaign.items[item.kind]
        if kind.wieldable and is_weapon(kind) and _attack_value(level, item) > weapon:
            return actions.try_execute(context, creature, Wield(slot)) is None
        if kind.wearable and not is_weapon(kind) and _defense_value(level, item) > armour:
            return actions.try_execute(context, creature, Wear(slot)) is None
    return False


def shoot_at_enemy(context: TurnContext, creature: Creature) -> bool:
    """Shoot at its current enemy in sight, if it has a ranged attack and nothing is in the way."""
    if not missile_range(context.level, creature):
        return False
    prey = current_enemy(context.level, creature)
    return prey is not None and actions.try_execute(context, creature, Fire(prey.cell)) is None


def throw_at_enemy(context: TurnContext, creature: Creature) -> bool:
    """Throw its most harmful unequipped item at its current enemy in sight (rule TG.11)."""
    level = context.level
    slot = _missile(level, creature)
    if slot is None:
        return False
    prey = current_enemy(level, creature)
    if prey is None or level.distance(creature, prey) > limits.THROW_CELLS:
        return False
    if trace_missile(level, creature, prey.cell).victim is not prey:
        return False
    return actions.try_execute(context, creature, Throw(slot, prey.cell)) is None


def zap_at_enemy(context: TurnContext, creature: Creature) -> bool:
    """Zap its first harmful wand that reaches its current enemy in sight."""
    level = context.level
    spells = level.campaign.spells
    wands = [
        (slot, spells[kind.zaps])
        for slot, item in enumerate(creature.slots)
        if item is not None and (kind := level.campaign.items[item.kind]).zaps
    ]
    harmful = [(slot, spell) for slot, spell in wands if spell.harms]
    prey = current_enemy(level, creature) if harmful else None
    if prey is None:
        return False
    for slot, spell in harmful:
        if not isinstance(check_aim(level, creature, spell, prey.cell), Impossible):
            return actions.try_execute(context, creature, Zap(slot, prey.cell)) is None
    return False


def is_weapon(kind: ItemKind) -> bool:
    """Return whether an item is better wielded than worn (rule TG.16)."""
    return kind.attack + kind.ranged >= kind.defence


def _missile(level: Level, creature: Creature) -> int | None:
    """Return the slot of the item that is most harmful when thrown, if any is more so than a stone."""
    thrown = thrown_values(level.campaign, creature)
    return min(thrown, key=lambda slot: (-thrown[slot], slot), default=None)


def _gear_value(level: Level, creature: Creature, number: int) -> int:
    """Return the value of the wielded or worn item, 0 for none."""
    item = next((item for item in creature.carried if item.number == number), None)
    if item is None:
        return 0
    return _attack_value(level, item) if number == creature.wielded else _defense_value(level, item)


def _attack_value(level: Level, item: Item) -> int:
    return attack_wielding(level.campaign, item) + level.campaign.items[item.kind].ranged


def _defense_value(level: Level, item: Item) -> int:
    return defense_wearing(level.campaign, item)
