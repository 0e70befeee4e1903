"""The danger of a creature: in blows and in one word, with everything that it can do."""

import pytest
from msgspec.structs import replace

from gloam_shared.view import danger
from gloam_shared.view.menace import DamageKind, Menace
from gloam_shared.view.view import (
    Creature,
    CreatureFlag,
    InventoryItem,
    ItemFlag,
    Spell,
    Stat,
    View,
)
from support.client.fake_server import level_view

HUNTS = int(CreatureFlag.HOSTILE | CreatureFlag.HOLDS_YOU)


def body(*, hp: int = 40, attack: int = 10, defence: int = 2, mana: int = 0, reach: int = 0) -> View:
    """Return a view of a level with nothing but the player, who has these numbers."""
    view = level_view()
    sheet = list(view.sheet)
    for fact, value in {
        Stat.HP: hp,
        Stat.HP_MAX: 40,
        Stat.ATTACK: attack,
        Stat.DEFENCE: defence,
        Stat.SPEED: 1_000,
        Stat.MANA: mana,
        Stat.REACH: reach,
    }.items():
        sheet[fact] = value
    own = [one for one in view.creatures if one.marks & CreatureFlag.SELF]
    return replace(view, sheet=tuple(sheet), creatures=tuple(own), inventory=(), spells=())


def foe(
    handle: int = 90,
    *,
    away: int = 1,
    hp: int = 12,
    attack: int = 8,
    menace: Menace | None = None,
    marks: int = HUNTS,
) -> Creature:
    cell = body().cell + away
    return Creature(handle, cell, hp, hp, 3, marks, "k", "red", "kobold", attack, 2, menace=menace)


def lost(view: View, *foes: Creature) -> int:
    """Return the lost health, in thousandths, that the first of these foes means."""
    return danger.danger_of_fight(foes[0], replace(view, creatures=(*view.creatures, *foes)), "excess").lost


@pytest.mark.rule("JG.5", "RG.7")
@pytest.mark.parametrize(
    ("damage", "attack", "defence", "mean"),
    [
        ("excess", 10, 0, 550),
        ("excess", 10, 8, 150),
        ("excess", 3, 9, 100),
        ("ratio", 8, 4, 360),
        ("ratio", 8, 8, 270),
        ("ratio", 4, 16, 100),
    ],
)
def test_a_mean_blow_is_that_of_the_campaigns_formula(
    damage: str, attack: int, defence: int, mean: int
) -> None:
    assert mean == danger.mean_hundredths(damage, attack, defence)


def test_blows_rounded_and_no_attack_deals_none() -> None:
    """Blows are rounded up and who has no attack deals none."""
    assert danger.blows_to_kill(550, 11) == 2
    assert danger.blows_to_kill(550, 12) == 3
    assert danger.blows_to_kill(0, 12) is None
    assert danger.blows_to_kill(110, 0) == 1


@pytest.mark.parametrize(
    ("mine", "its", "word"),
    [
        ((40, 10), (10, 0), "harmless"),
        ((40, 10), (5, 4), "easy"),
        ((40, 10), (14, 8), "even"),
        ((40, 10), (30, 9), "dangerous"),
        ((10, 5), (30, 20), "deadly"),
        ((40, 0), (900, 20), "deadly"),
    ],
)
def test_one_word_tells_what_a_fight_costs(mine: tuple[int, int], its: tuple[int, int], word: str) -> None:
    one = foe(hp=its[0], attack=its[1])
    view = body(hp=mine[0], attack=mine[1])
    assert danger.danger_of_fight(one, replace(view, creatures=(*view.creatures, one)), "excess").word == word


@pytest.mark.parametrize(
    "menace",
    [
        Menace(speed=2_000),
        Menace(ranged=14, reach=5),
        Menace(casts=3, magic=24, spell_range=7),
        Menace(casts=1, spell_range=5, binds=40),
    ],
    ids=["speed", "missiles", "spells", "web"],
)
def test_each_means_of_a_foe_makes_it_more_dangerous(menace: Menace) -> None:
    assert lost(body(), foe(menace=menace)) > lost(body(), foe())


def test_a_shooter_hurts_from_afar_and_must_be_reached() -> None:
    slinger = Menace(ranged=8, reach=5)
    assert lost(body(), foe(away=5, menace=slinger)) > lost(body(), foe(menace=slinger))


def test_a_foe_with_spells_alone_is_not_harmless() -> None:
    one = foe(attack=0, menace=Menace(casts=4, magic=60, spell_range=7))
    view = replace(body(), creatures=(*body().creatures, one))
    assert danger.danger_of_fight(one, view, "excess").word == "dangerous"


def test_all_who_hunt_the_player_count_for_each() -> None:
    alone, others = foe(), [foe(91, away=2), foe(92, away=3)]
    assert lost(body(), alone, *others) > 2 * lost(body(), alone)
    asleep = [replace(one, marks=int(CreatureFlag.HOSTILE | CreatureFlag.ASLEEP)) for one in others]
    assert lost(body(), alone, *asleep) == lost(body(), alone)


def test_a_rat_beside_an_ogre_keeps_its_own_word() -> None:
    rat, ogre = foe(hp=3, attack=2), foe(91, away=2, hp=90, attack=30)
    view = replace(body(), creatures=(*body().creatures, rat, ogre))
    assert [each.word for each in danger.dangers([rat, ogre], view, "excess").values()] == ["easy", "deadly"]


def test_far_foes_do_not_count_for_the_next_ten_turns() -> None:
    slow = Menace(speed=100)
    assert lost(body(), foe(), foe(91, away=4, menace=slow)) == lost(body(), foe())


def test_friends_beside_share_the_fight() -> None:
    friend = Creature(80, body().cell - 1, 40, 40, 3, int(CreatureFlag.PLAYER), "@", "white", "Bo", 10, 2)
    assert 2 * lost(body(), foe(), friend) <= lost(body(), foe())
    away = replace(friend, marks=int(CreatureFlag.PLAYER | CreatureFlag.AWAY))
    assert lost(body(), foe(), away) == lost(body(), foe())


def test_the_players_own_means_count() -> None:
    """A bow, stones to throw, and a spell that the mana suffices for each make the same foe less dangerous."""
    far = foe(away=6, hp=30)
    bow = InventoryItem(0, ")", "brown", "bow", int(ItemFlag.WIELDED | ItemFlag.SHOOTS), 0, 0, 0, ranged=9)
    stone = InventoryItem(0, "*", "gray", "stone", 0, 0, 0, 0, thrown=8, count=4)
    dart = Spell("dart", "dart", 3, "creature", 7, 0, "", damage=15)
    plain = lost(body(), far)
    assert lost(replace(body(reach=6), inventory=(bow,)), far) < plain
    assert lost(replace(body(), inventory=(stone,)), far) < plain
    assert lost(replace(body(mana=6), spells=(dart,)), far) < plain
    assert lost(replace(body(mana=2), spells=(dart,)), far) == plain


def with_facts(view: View, **facts: int) -> View:
    sheet = list(view.sheet)
    for name, value in facts.items():
        sheet[Stat[name]] = value
    return replace(view, sheet=tuple(sheet))


FIRE, COLD = int(DamageKind.FIRE), int(DamageKind.COLD)


@pytest.mark.rule("F111")
def test_resistance_of_either_side_changes_the_fight() -> None:
    """Half of the damage for the foe means twice the time, and half of it for the player half of the loss."""
    flame = with_facts(body(), DEALS=FIRE)
    plain, imp = foe(hp=24), foe(hp=24, menace=Menace(resists=(0, 50, -50, 0, 0)))
    assert lost(flame, imp) >= 2 * lost(flame, plain) - 100
    assert lost(with_facts(body(), DEALS=COLD), imp) < lost(flame, plain)
    assert lost(body(), imp) == lost(body(), plain)
    burning = foe(hp=24, menace=Menace(deals=FIRE))
    assert lost(with_facts(body(), RESISTS_FIRE=50), burning) == lost(body(), burning) // 2
    assert lost(with_facts(body(), RESISTS_COLD=50), burning) == lost(body(), burning)


@pytest.mark.rule("F111")
def test_resistance_to_magic_counts_for_both_sides() -> None:
    dart = Spell("dart", "dart", 3, "creature", 7, 0, "", damage=15, deals=FIRE)
    mage = replace(body(mana=6), spells=(dart,))
    far = foe(away=6, hp=30)
    proof = foe(away=6, hp=30, menace=Menace(resists=(0, 75, 0, 0, 0)))
    assert lost(mage, far) < lost(mage, proof)
    caster = foe(menace=Menace(casts=3, magic=24, spell_range=7, magic_deals=COLD))
    assert lost(with_facts(body(), RESISTS_COLD=50), caster) < lost(body(), caster)


@pytest.mark.rule("F111")
def test_the_numbers_of_blows_know_resistances() -> None:
    imp = foe(hp=22, menace=Menace(deals=FIRE, resists=(0, 50, 0, 0, 0)))
    plain = danger.danger_of_fight(imp, replace(body(), creatures=(imp,)), "excess")
    view = with_facts(body(), DEALS=FIRE, RESISTS_FIRE=50)
    known = danger.danger_of_fight(imp, replace(view, creatures=(imp,)), "excess")
    assert (plain.your_blows, known.your_blows) == (5, 10)
    assert known.its_blows is not None
    assert known.its_blows >= 2 * (plain.its_blows or 0) - 1


@pytest.mark.rule("F113", "F108")
@pytest.mark.parametrize(
    "habit",
    [{"MIGHT": 40}, {"PACE": 20}, {"STUNS": 25}, {"PARRIES": 25}, {"LENGTH": 2}],
    ids=["heavy", "quick", "stun", "parry", "reach"],
)
def test_each_habit_of_the_player_makes_a_fight_easier(habit: dict[str, int]) -> None:
    one = foe(away=2, hp=30)
    assert lost(with_facts(body(), **habit), one) < lost(body(), one)


@pytest.mark.rule("F113", "F108")
@pytest.mark.parametrize(
    "menace",
    [Menace(might=40), Menace(pace=20), Menace(parries=25)],
    ids=["heavy", "quick", "parry"],
)
def test_each_habit_of_a_foe_makes_it_more_dangerous(menace: Menace) -> None:
    assert lost(body(), foe(hp=30, menace=menace)) > lost(body(), foe(hp=30))


@pytest.mark.rule("F113")
def test_a_sweep_counts_against_several_foes_alone() -> None:
    broad = with_facts(body(), SWEEPS=50)
    first, second = foe(hp=30), foe(91, away=-1, hp=30)
    assert lost(broad, first, second) < lost(body(), first, second)
    assert lost(broad, first) == lost(body(), first)


def test_half_of_the_health_bars_plans() -> None:
    view = body()
    assert not danger.could_take_half([], view, "excess")
    assert not danger.could_take_half([foe(hp=5, attack=3)], view, "excess")
    assert danger.could_take_half([foe(hp=30, attack=12)], view, "excess")
