"""A bot's means in a fight besides steps and melee: spells, wands, scrolls, potions, shots and throws.

Pure.
"""

from collections.abc import Iterator
from typing import Final

from gloam_lab.bots import flags, item_knowledge
from gloam_lab.bots.bot_memory import BotMemory
from gloam_lab.bots.combat_estimate import friends_of
from gloam_lab.bots.item_knowledge import ItemUse
from gloam_lab.bots.pack import is_missile, pack_of, prefers_bow
from gloam_lab.bots.style import Style
from gloam_shared.appearance import TRANSPARENT
from gloam_shared.protocol.commands import AnyCommand, Cast, Fire, Quaff, Read, Throw, Wield, Zap
from gloam_shared.view.view import Creature, InventoryItem, Spell, Stat, View

THROWN_FROM: Final = 6

_AGAINST_FOES: Final = (ItemUse.HARM, ItemUse.HINDER)

_CAST_AT: Final = {Style.FIGHTER: 30, Style.ARCHER: 45, Style.MAGE: 0}
"""The danger of a fight, in percent of the health, from which a style casts at a foe."""

_HINDER_AT: Final = 20
"""The danger from which magic that only hinders a foe is worth its price."""

_TRY_AT: Final = 50
"""The danger from which a wand that is not identified is tried before everything else."""

_ZAP_AT: Final = {Style.FIGHTER: 20, Style.ARCHER: 45, Style.MAGE: 5}
_READ_AT: Final = {Style.FIGHTER: 25, Style.ARCHER: 60, Style.MAGE: 5}
_STRENGTHEN_AT: Final = {Style.FIGHTER: 40, Style.ARCHER: 70, Style.MAGE: 60}


def attack_commands(view: View, memory: BotMemory, near: Creature, danger: int) -> Iterator[AnyCommand]:
    """Yield magic for a fight: harm and hindrance for the nearest foe, strength and help for the bot."""
    style = memory.style
    if danger >= _TRY_AT:
        yield from _try_wands(view, near)
    if danger >= _CAST_AT[style]:
        yield from _cast(view, near, danger)
    if danger >= _ZAP_AT[style]:
        yield from _zap(view, near)
    if danger >= _READ_AT[style]:
        yield from _read(view, near, unknown=style is Style.MAGE)
        yield from _throw_bad_potions(view, near)
    if danger >= _STRENGTHEN_AT[style] and len(view.states) < 2:
        yield from use_magic(view, ItemUse.STRENGTHEN, ItemUse.ALLY)


def _try_wands(view: View, near: Creature) -> Iterator[AnyCommand]:
    """Yield the zapping of wands that are not identified: one of them may end a fight that goes ill."""
    for wand, use in pack_of(view.inventory).wands:
        if use is ItemUse.UNKNOWN:
            yield Zap(wand.slot, near.cell)


def aim_at(view: View, magic: InventoryItem | Spell, foe: Creature) -> int | None:
    """Return the target cell of a harmful effect; None if it is out of reach or would hit friends."""
    grid = view.place.grid
    away = grid.distance(view.cell, foe.cell)
    if magic.range and away > magic.range:
        return None
    if magic.radius:
        kept = [view.cell, *(friend.cell for friend in friends_of(view))]
        if any(grid.distance(foe.cell, cell) <= magic.radius for cell in kept):
            return None
    return foe.cell


def use_magic(view: View, *uses: ItemUse) -> Iterator[AnyCommand]:
    """Yield spells, then items, for one of these uses that need no target."""
    for spell in view.spells:
        if item_knowledge.classify_item(spell) in uses and spell.cost <= view.fact(Stat.MANA):
            yield Cast(spell.key, None if spell.target == "self" else view.cell)
    for item, use in pack_of(view.inventory).magic:
        if use in uses:
            yield use_item(item, view.cell)


def use_item(item: InventoryItem, cell: int) -> AnyCommand:
    """Return the quaffing or reading of an item, aimed at a cell if it needs an aim."""
    if item.traits & flags.QUAFFABLE:
        return Quaff(item.slot)
    return Read(item.slot, None if item.target in ("", "self") else cell)


def missile_commands(
    view: View, memory: BotMemory, near: Creature, away: int, danger: int
) -> Iterator[AnyCommand]:
    """Yield shots, blows of a long weapon, and throws; an archer also shoots at a foe beside it, if the bow is better than the blade."""
    reach, bow = view.fact(Stat.REACH), pack_of(view.inventory).bow
    keeps_bow = memory.style is Style.ARCHER and prefers_bow(view.inventory)
    if away < 2:
        if reach and keeps_bow:
            yield Fire(near.cell)
        elif reach and not memory.is_refused(view, Wield(None)):
            yield from _take_blade(view)
        return
    if max(reach, view.fact(Stat.LENGTH)) >= away:
        yield Fire(near.cell)
    if bow is not None and not bow.traits & flags.WIELDED and away >= 5 and danger > 25:
        yield Wield(bow.slot)
    if away <= THROWN_FROM and not memory.roves and _is_clear(view, near.cell):
        for item in view.inventory:
            if is_missile(item):
                yield Throw(item.slot, near.cell)


def _is_clear(view: View, cell: int) -> bool:
    """Return whether no wall is on the line to a cell: what is thrown at a corner falls at the thrower's feet."""
    way = view.place.grid.line(view.cell, cell, lambda passed: view.terrain[passed] in TRANSPARENT)
    return all(view.terrain[passed] in TRANSPARENT for passed in way)


def _cast(view: View, near: Creature, danger: int) -> Iterator[AnyCommand]:
    for spell in view.spells:
        if spell.cost > view.fact(Stat.MANA) or spell.target == "self":
            continue
        if danger < _HINDER_AT and item_knowledge.classify_item(spell) is ItemUse.HINDER:
            continue
        cell = _worth_aiming(view, spell, near)
        if cell is not None:
            yield Cast(spell.key, cell)


def _zap(view: View, near: Creature) -> Iterator[AnyCommand]:
    """Yield the zapping of wands: those against foes, and those whose effect shows only so."""
    yield from _try_wands(view, near)
    for wand, use in pack_of(view.inventory).wands:
        if use is not ItemUse.UNKNOWN and wand.target not in ("", "self"):
            cell = _worth_aiming(view, wand, near)
            if cell is not None:
                yield Zap(wand.slot, cell)


def _read(view: View, near: Creature, *, unknown: bool) -> Iterator[AnyCommand]:
    for item, use in pack_of(view.inventory).magic:
        if not item.traits & flags.READABLE:
            continue
        if use is ItemUse.UNKNOWN:
            if unknown:
                yield Read(item.slot, near.cell)
            continue
        cell = _worth_aiming(view, item, near)
        if cell is not None:
            yield Read(item.slot, None if item.target in ("", "self") else cell)


def _throw_bad_potions(view: View, near: Creature) -> Iterator[AnyCommand]:
    """Yield the throwing of harmful potions at a foe that is not adjacent."""
    if not 2 <= view.place.grid.distance(view.cell, near.cell) <= THROWN_FROM or not _is_clear(
        view, near.cell
    ):
        return
    for item, use in pack_of(view.inventory).magic:
        if use is ItemUse.BAD and item.traits & flags.QUAFFABLE:
            yield Throw(item.slot, near.cell)


def _worth_aiming(view: View, magic: InventoryItem | Spell, foe: Creature) -> int | None:
    """Return where to aim magic against a foe; None if it is of no use against this one."""
    use = item_knowledge.classify_item(magic)
    if use not in _AGAINST_FOES or (use is ItemUse.HINDER and foe.marks & flags.ASLEEP):
        return None
    return view.cell if magic.target == "self" else aim_at(view, magic, foe)


def _take_blade(view: View) -> Iterator[AnyCommand]:
    blade = pack_of(view.inventory).blade
    if blade is not None and not blade.traits & flags.WIELDED:
        yield Wield(blade.slot)
