"""Who uses gear: better weapons and armour, what shoots, what can be thrown (rule TG.11)."""

from gloam_server.content.items import ItemKind
from gloam_server.world import actions
from gloam_server.world.actions.missiles import reach_of
from gloam_server.world.ai.perception import chosen_foe
from gloam_server.world.combat.trajectory import fly
from gloam_server.world.items.equipment import attack_with, defence_with
from gloam_server.world.model.context import Stage
from gloam_server.world.model.creature import Creature, Item
from gloam_server.world.model.level import Level
from gloam_shared import limits
from gloam_shared.protocol.commands import Fire, Throw, Wear, Wield


def arm(stage: Stage, creature: Creature) -> bool:
    """Wield or wear something that it carries and that is better than what it has (rules TG.11, TG.16)."""
    level = stage.level
    weapon, armour = _rating(level, creature, creature.wielded), _rating(level, creature, creature.worn)
    for slot, item in enumerate(creature.slots):
        if item is None or item.number in (creature.wielded, creature.worn):
            continue
        kind = level.campaign.items[item.kind]
        if kind.wieldable and is_weapon(kind) and _strength(level, item) > weapon:
            return actions.attempt(stage, creature, Wield(slot)) is None
        if kind.wearable and not is_weapon(kind) and _cover(level, item) > armour:
            return actions.attempt(stage, creature, Wear(slot)) is None
    return False


def shoot(stage: Stage, creature: Creature) -> bool:
    """Shoot at the foe in sight that it keeps to, if it has anything to shoot with and nothing is in the way."""
    if not reach_of(stage.level, creature):
        return False
    prey = chosen_foe(stage.level, creature)
    return prey is not None and actions.attempt(stage, creature, Fire(prey.cell)) is None


def throw(stage: Stage, creature: Creature) -> bool:
    """Throw at the foe in sight that it keeps to what hurts most of what it neither wields nor wears (rule TG.11)."""
    level = stage.level
    slot = _missile(level, creature)
    if slot is None:
        return False
    prey = chosen_foe(level, creature)
    if prey is None or level.distance(creature, prey) > limits.THROW_CELLS:
        return False
    if fly(level, creature, prey.cell).victim is not prey:
        return False
    return actions.attempt(stage, creature, Throw(slot, prey.cell)) is None


def is_weapon(kind: ItemKind) -> bool:
    """Return whether a thing is rather to be wielded than worn (rule TG.16)."""
    return kind.attack + kind.ranged >= kind.defence


def _missile(level: Level, creature: Creature) -> int | None:
    """Return the slot of the thing that hurts most when it is thrown, if any hurts more than a stone."""
    found = [
        (-thrown, slot)
        for slot, item in enumerate(creature.slots)
        if item is not None
        and item.number not in (creature.wielded, creature.worn)
        and (thrown := level.campaign.items[item.kind].thrown) > level.campaign.combat.scale
    ]
    return min(found)[1] if found else None


def _rating(level: Level, creature: Creature, number: int) -> int:
    """Return how good the thing is that it wields or wears, 0 for none."""
    item = next((item for item in creature.carried if item.number == number), None)
    if item is None:
        return 0
    return _strength(level, item) if number == creature.wielded else _cover(level, item)


def _strength(level: Level, item: Item) -> int:
    return attack_with(level.campaign, item) + level.campaign.items[item.kind].ranged


def _cover(level: Level, item: Item) -> int:
    return defence_with(level.campaign, item)
