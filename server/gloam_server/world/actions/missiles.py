"""Throwing and shooting (rules TG.19, TG.20, TG.28). The target is a cell, even if the foe has moved."""

from typing import Final

from gloam_server.content.powers import DamageType
from gloam_server.world.actions.inventory_use import refuse_empty_slot
from gloam_server.world.actions.melee import plan_attack
from gloam_server.world.combat.attack import AttackKind, resolve_attack
from gloam_server.world.combat.fight_powers import happens
from gloam_server.world.combat.hostility import is_hostile
from gloam_server.world.combat.noise import attract
from gloam_server.world.combat.trajectory import is_clear, trace_missile
from gloam_server.world.effects.brands import apply_brand, inflict
from gloam_server.world.effects.spells import cast_item_spell
from gloam_server.world.items.equipment import item_in_slot, take_from_slot, total_sight, wielded_item
from gloam_server.world.items.floor_items import destroy_item, drop_item
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature, Item
from gloam_server.world.model.item_names import item_name
from gloam_server.world.model.level import Level
from gloam_server.world.model.modifiers import stat_modifier
from gloam_server.world.model.outcome import Impossible, Outcome, Verb
from gloam_server.world.model.powers import damage_type_of, dealt_type, power_amount
from gloam_shared import limits
from gloam_shared.protocol import commands

_NOBODY: Final = "There's no one there to fire at."
_TOO_FAR: Final = "That is too far away."


def missile_range(level: Level, creature: Creature) -> int:
    """Return the range in cells at which a creature can shoot now, or strike with reach; 0 without such an attack.

    A weapon without a range reaches as far as its owner sees.
    """
    power, reach, _ = _ammunition(level, creature)
    if not power:
        return power_amount(level.campaign, creature, "reach")
    return reach or total_sight(level, creature)


class Throw(Verb[commands.Throw], frozen=True):
    """Throw the item in a slot towards a cell."""

    command = commands.Throw
    work = "blow"
    slot: int
    cell: int

    @classmethod
    def plan(cls, level: Level, creature: Creature, command: commands.Throw) -> Outcome:
        """Return the throwing of the item in a slot at a cell in sight."""
        item = item_in_slot(creature, command.slot)
        if item is None:
            return refuse_empty_slot(creature)
        if command.cell == creature.cell:
            return Impossible("You stand there yourself.", "own_cell")
        if command.cell >= len(level.terrain) or not level.field_of_view(creature)[command.cell]:
            return Impossible("You can only throw at what you see.", "unseen")
        if level.grid.distance(creature.cell, command.cell) > limits.THROW_CELLS:
            return Impossible(_TOO_FAR, "out_of_range")
        return cls(command.slot, command.cell)

    def execute(self, context: TurnContext, creature: Creature) -> None:
        """Throw the item in a slot: it hits the creature that it meets, or breaks if it is a potion, or lands."""
        level = context.level
        item = take_from_slot(level, creature, self.slot)
        kind = level.campaign.items[item.kind]
        brew = level.campaign.spells.get(kind.quaffs)
        victim, rest = trace_missile(level, creature, self.cell, kindly=brew is not None and not brew.harms)
        if victim is None:
            context.emit_item_event("throws", item, creature, creature.cell)
            drop_item(context, item, rest, owner=creature.account, left_by=_giver(level, creature, rest))
            attract(context, creature, rest)
            return
        foe = is_hostile(level, creature, victim)
        if foe:
            name = item_name(level, item, None)
            _hit_target(context, creature, victim, kind.thrown, "throws_at", name, dealt_type(kind.powers))
        else:
            context.emit("throws_to", creature, victim, source=item_name(level, item, None))
        if brew is None:
            drop_item(context, item, rest, owner=creature.account, left_by=_giver(level, creature, rest))
            if foe:
                self._again(context, creature, item.kind, victim)
            return
        _destroy_missile(context, creature, item, rest)

    def _again(self, context: TurnContext, creature: Creature, kind: str, victim: Creature) -> None:
        """Throw the next item of the slot, too, if it is of the same kind and the power of the thrower says so."""
        following = item_in_slot(creature, self.slot)
        here = {creature.number, victim.number} <= context.level.creatures.keys()
        if (
            here
            and following is not None
            and following.kind == kind
            and happens(context, creature, "rethrow")
        ):
            self.execute(context, creature)


class Fire(Verb[commands.Fire], frozen=True):
    """Shoot at a creature with the wielded weapon, or with the kind's own ranged attack."""

    command = commands.Fire
    work = "blow"
    noise = "step"
    target: int

    @classmethod
    def plan(cls, level: Level, creature: Creature, command: commands.Fire) -> Outcome:
        """Return a shot at the creature on a cell in sight, or at the first foe before it (rule TG.28, F25)."""
        reach = missile_range(level, creature)
        if not reach:
            return Impossible("You don't have a ranged weapon equipped.", "no_weapon")
        if command.cell >= len(level.terrain) or not level.field_of_view(creature)[command.cell]:
            return Impossible(_NOBODY, "no_target")
        if level.grid.distance(creature.cell, command.cell) > reach:
            return Impossible(_TOO_FAR, "out_of_range")
        other = level.at(command.cell)
        if other is None or other.hidden or not is_hostile(level, creature, other):
            return Impossible(_NOBODY, "no_target")
        if not is_clear(level, creature.cell, command.cell):
            return Impossible("There is something in the way.", "no_line")
        victim = trace_missile(level, creature, command.cell).victim
        if victim is None:
            return Impossible(f"{other.name} has just arrived and cannot be hurt yet.", "grace")
        if not _ammunition(level, creature)[0]:
            return plan_attack(level, creature, victim)  # a blow of a weapon that reaches (rule F113)
        return cls(victim.number)

    def execute(self, context: TurnContext, creature: Creature) -> None:
        """Shoot at a creature with the wielded weapon or the kind's own attack; no ammunition is spent."""
        target = context.level.creatures[self.target]
        power, _, name = _ammunition(context.level, creature)
        damage_type = damage_type_of(context.level.campaign, creature)
        kind: AttackKind = "shoots" if name else "spits"
        for _ in range(1 + happens(context, creature, "rethrow")):
            if {creature.number, target.number} <= context.level.creatures.keys():
                dealt = _hit_target(context, creature, target, power, kind, name, damage_type)
                if name:
                    apply_brand(context, creature, target, dealt)
                else:
                    inflict(context, creature, target, dealt)


def _giver(level: Level, creature: Creature, cell: int) -> int:
    """Return the life that gave away an item by throwing it: the thrower's if a friend is where it landed, else 0."""
    other = level.at(cell)
    friend = other is not None and other is not creature and not is_hostile(level, creature, other)
    return creature.number if friend else 0


def _destroy_missile(context: TurnContext, creature: Creature, item: Item, cell: int) -> None:
    """Break a potion on the creature that it hit, and cast its spell there (rules TG.19, TG.20)."""
    kind = context.level.campaign.items[item.kind]
    context.emit_item_event("breaks", item, None, cell)
    destroy_item(context, item, cell)
    cast_item_spell(context, kind, kind.quaffs, creature, cell)


def _hit_target(
    context: TurnContext,
    creature: Creature,
    victim: Creature,
    power: int,
    kind: AttackKind,
    name: str,
    damage_type: DamageType,
) -> int:
    """Resolve a hit of a missile, with half of the sender's attack and its own power (rule TG.19), and return its damage."""
    own = creature.attack + stat_modifier(context.level.campaign, creature, "attack")
    attack = max(0, own) // 2 + power
    return resolve_attack(
        context, creature, victim, attack, attack_kind=kind, source=name, damage_type=damage_type
    )


def _ammunition(level: Level, creature: Creature) -> tuple[int, int, str]:
    """Return a ranged attack's strength, range and name: the weapon's, else the kind's own."""
    weapon = wielded_item(creature)
    if weapon is not None and (kind := level.campaign.items[weapon.kind]).ranged:
        return kind.ranged, kind.reach, item_name(level, weapon, None)
    own = level.campaign.creatures[creature.kind]
    return own.ranged, own.reach, ""
