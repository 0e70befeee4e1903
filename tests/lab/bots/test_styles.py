"""The styles of bots: each uses its own means, and all turn from creatures with a history that are above them."""

import pytest
from msgspec.structs import replace

from gloam_lab.bots import OWN_MEANS, Adventurer, Style, draw_style
from gloam_lab.bots.pack import is_missile, pack_of
from gloam_shared.appearance import Terrain
from gloam_shared.protocol.commands import (
    AnyCommand,
    Cast,
    Choose,
    Climb,
    Fire,
    Move,
    PutOn,
    Read,
    Throw,
    Wait,
    Wield,
    Zap,
)
from gloam_shared.view.choices import GainKind, LevelGain
from gloam_shared.view.view import CreatureFlag, InventoryItem, ItemFlag, MagicEffect, Spell, Stat, View
from support.bots.drawn_views import view

DART = Spell("dart", "dart", 3, "creature", 7, 0, "", effect=MagicEffect.HARM)
KNIFE = InventoryItem(0, ")", "gray", "knife", int(ItemFlag.WIELDABLE | ItemFlag.WIELDED), 3, 0, 0, thrown=2)
BOW = InventoryItem(1, ")", "gray", "bow", int(ItemFlag.WIELDABLE | ItemFlag.SHOOTS), 1, 0, 0, ranged=4)
BOOK = InventoryItem(2, "+", "red", "book", 0, 0, 0, 0)
RING = InventoryItem(3, "=", "red", "ring", int(ItemFlag.RING), 0, 0, 0)
WAND = InventoryItem(4, "/", "red", "wand", int(ItemFlag.ZAPPABLE), 0, 0, 0)
SCROLL = InventoryItem(5, "?", "red", "scroll", int(ItemFlag.READABLE), 0, 0, 0)


def facing(*carried: InventoryItem, cell: int = 18, spells: tuple[Spell, ...] = (), **facts: int) -> View:
    """Return a view of an even fight."""
    seen = replace(view(cell), inventory=carried, spells=spells)
    sheet = list(seen.sheet)
    for name, value in {"attack": 5, "mana": 9, **facts}.items():
        sheet[Stat[name.upper()]] = value
    own, foe = seen.creatures
    return replace(seen, sheet=tuple(sheet), creatures=(own, replace(foe, attack=5, hp=15, hp_max=15)))


def test_a_mage_casts_where_others_strike() -> None:
    weak = replace(facing(spells=(DART,), attack=30))
    assert Adventurer(Style.MAGE).decide(weak) == Cast("dart", 18)
    assert Adventurer(Style.FIGHTER).decide(weak) == Move(1, 0)


def test_a_mage_reads_the_unknown_at_foes() -> None:
    assert Adventurer(Style.MAGE).decide(facing(SCROLL)) == Read(5, 18)
    assert Adventurer(Style.FIGHTER).decide(facing(SCROLL)) == Move(1, 0)
    calm = replace(view(), inventory=(SCROLL,))
    assert Adventurer(Style.FIGHTER).decide(calm) == Read(5)
    assert Adventurer(Style.MAGE).decide(calm) != Read(5)


def test_an_unknown_wand_begins_a_dangerous_fight() -> None:
    """A spell that is known comes first while the fight is no danger."""
    assert Adventurer(Style.MAGE).decide(facing(WAND, spells=(DART,), attack=30)) == Cast("dart", 18)
    assert Adventurer(Style.MAGE).decide(facing(WAND, spells=(DART,), attack=2)) == Zap(4, 18)


@pytest.mark.parametrize("style", [Style.MAGE, Style.FIGHTER])
def test_unknown_wands_are_tried_at_foes(style: Style) -> None:
    assert Adventurer(style).decide(facing(WAND)) == Zap(4, 18)
    asleep = replace(WAND, effect=int(MagicEffect.DIG), target="cell")
    assert Adventurer(style).decide(facing(asleep)) == Move(1, 0)


def test_an_archer_wields_the_bow_and_shoots() -> None:
    """Others wield the blade again when a foe is adjacent."""
    calm = replace(view(), inventory=(KNIFE, BOW))
    assert Adventurer(Style.ARCHER).decide(calm) == Wield(1)
    assert Adventurer(Style.FIGHTER).decide(calm) != Wield(1)
    wielded = (
        replace(KNIFE, traits=int(ItemFlag.WIELDABLE)),
        replace(BOW, traits=BOW.traits | ItemFlag.WIELDED),
    )
    assert Adventurer(Style.ARCHER).decide(facing(*wielded, reach=7)) == Fire(18)
    assert Adventurer(Style.FIGHTER).decide(facing(*wielded, reach=7)) == Wield(0)


def test_a_ring_is_put_on_once() -> None:
    assert Adventurer().decide(replace(view(), inventory=(RING,))) == PutOn(3)
    worn = replace(RING, traits=int(ItemFlag.RING | ItemFlag.PUT_ON))
    assert not isinstance(
        Adventurer().decide(replace(view(), inventory=(worn, replace(RING, slot=6)))), PutOn
    )


@pytest.mark.parametrize(
    ("length", "cell", "command"), [(2, 19, Fire(19)), (2, 18, Move(1, 0)), (1, 19, Wait())]
)
def test_a_long_weapon_strikes_before_a_foe_is_beside(length: int, cell: int, command: AnyCommand) -> None:
    """Without one, the bot waits for the foe, to strike first."""
    assert Adventurer().decide(facing(KNIFE, cell=cell, length=length)) == command


def test_books_are_not_thrown_and_knives_are() -> None:
    spare = replace(KNIFE, traits=int(ItemFlag.WIELDABLE))
    assert not is_missile(BOOK)
    assert not is_missile(KNIFE)
    assert Adventurer().decide(facing(BOOK, spare, cell=20)) == Throw(0, 20)
    assert pack_of((BOOK, spare)).missiles == 1


@pytest.mark.parametrize("mark", [CreatureFlag.GROWN, CreatureFlag.NAMED])
def test_it_leaves_one_with_a_history_above_it(mark: CreatureFlag) -> None:
    """By the stairs underfoot, also unhurt; not from one of its own level."""
    seen = facing(cell=20, level=2)
    own, foe = seen.creatures
    terrain = bytearray(seen.terrain)
    terrain[seen.cell] = Terrain.STAIRS_DOWN
    marked = replace(foe, marks=foe.marks | int(mark), level=4, hp=40, hp_max=40)
    above = replace(seen, terrain=bytes(terrain), creatures=(own, marked))
    assert Adventurer().decide(above) == Climb(down=True)
    even = replace(above, creatures=(own, replace(marked, level=2, hp=15)))
    assert Adventurer().decide(even) != Climb(down=True)


def test_a_mage_learns_mana_for_its_spells() -> None:
    offered = (LevelGain(GainKind.ATTACK, 60), LevelGain(GainKind.MANA, 400))
    seen = replace(view(gains=offered, level=2), spells=(replace(DART, harms=True),))
    assert Adventurer(Style.MAGE).decide(seen) == Choose(1)
    assert Adventurer(Style.FIGHTER).decide(seen) == Choose(0)


def test_companions_have_different_styles() -> None:
    for seed in range(5):
        assert {draw_style(seed, account, 0) for account in (1, 2, 3)} == set(OWN_MEANS)
    assert len({draw_style(seed, 1, 0) for seed in range(20)}) == 3
