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


def pack_lost(*foes: Creature, view: View | None = None) -> int:
    return danger.health_lost(foes, view or body(), "excess")


def test_a_pack_is_more_dangerous_than_its_members() -> None:
    pack = [foe(), foe(91, away=2), foe(92, away=3)]
    assert pack_lost(*pack) > 2 * pack_lost(pack[0])
    assert lost(body(), *pack) == lost(body(), pack[0]) == pack_lost(pack[0])


def test_each_of_a_pack_has_its_own_word() -> None:
    rat, ogre = foe(hp=3, attack=2), foe(91, away=2, hp=90, attack=30)
    words = [danger.danger_of_fight(one, body(), "excess").word for one in (rat, ogre)]
    assert words == ["easy", "deadly"]
    assert danger.danger_together([rat, ogre], body(), "excess") == ""  # the ogre's word says it


def test_together_counts_only_several_hunters() -> None:
    kobolds = [foe(90 + number, away=1 + number) for number in range(4)]
    assert danger.danger_together(kobolds, body(), "excess") == "deadly"
    assert danger.danger_together(kobolds[:1], body(), "excess") == ""
    asleep = [replace(one, marks=int(CreatureFlag.HOSTILE | CreatureFlag.ASLEEP)) for one in kobolds[1:]]
    assert danger.danger_together([kobolds[0], *asleep], body(), "excess") == ""
    assert danger.danger_together([foe(attack=0), foe(91, attack=0)], body(), "excess") == ""


def test_a_foe_with_a_hard_blow_is_never_easy() -> None:
    """A zombie that dies in two blows, and takes a third of the health by each of its own, was named easy."""
    zombie, slow = foe(hp=6, attack=22), Menace(speed=300)
    assert danger.danger_of_fight(zombie, body(), "excess").word == "even"
    slow_one = replace(zombie, menace=slow)
    assert danger.danger_of_fight(slow_one, body(), "excess").lost < 300
    assert danger.danger_of_fight(slow_one, body(), "excess").word == "even"
    grave = replace(slow_one, attack=36)
    assert danger.danger_of_fight(grave, body(), "excess").word == "dangerous"


def test_far_foes_do_not_count_for_the_next_ten_turns() -> None:
    slow = Menace(speed=100)
    assert pack_lost(foe(), foe(91, away=4, menace=slow)) == pack_lost(foe())


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
    assert pack_lost(first, second, view=broad) < pack_lost(first, second)
    assert lost(broad, first) == lost(body(), first)


def test_half_of_the_health_bars_plans() -> None:
    view = body()
    assert not danger.could_take_half([], view, "excess")
    assert not danger.could_take_half([foe(hp=5, attack=3)], view, "excess")
    assert danger.could_take_half([foe(hp=30, attack=12)], view, "excess")
