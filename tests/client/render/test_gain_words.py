"""The changes of a level-up choice in fights, in words, and the changes of another weapon or armor."""

import pytest
from msgspec import structs
from msgspec.structs import replace

from gloam_client.render.gain_words import gain_words
from gloam_client.render.gear_comparison import comparison, gear_changes
from gloam_client.state.fights import Fights
from gloam_client.state.model import Model
from gloam_shared.view.choices import GainKind, LevelGain
from gloam_shared.view.menace import DamageKind, Menace
from gloam_shared.view.view import Creature, CreatureFlag, InventoryItem, ItemFlag, Spell, Stat, View
from support.client.fake_server import level_view
from support.client.model_in_play import picture, playing, press

KNIFE = InventoryItem(0, ")", "white", "knife", ItemFlag.WIELDABLE | ItemFlag.WIELDED, 3, 1, 0)
SWORD = InventoryItem(1, ")", "white", "sword", ItemFlag.WIELDABLE, 5, 0, 0)
TUNIC = InventoryItem(2, "[", "green", "tunic", ItemFlag.WEARABLE, 0, 2, 0)
APPLE = InventoryItem(3, "%", "red", "apple", ItemFlag.EDIBLE, 0, 0, 50)


def foe(name: str, hp: int, attack: int, defence: int, handle: int = 20) -> Creature:
    return Creature(handle, 0, hp, hp, 3, CreatureFlag.HOSTILE, name[0], "red", name, attack, defence)


def facing(*foes: Creature, damage: str = "excess", met: tuple[Creature, ...] = (), **facts: int) -> Model:
    """Return a client with these foes in sight and these facts on the sheet."""
    view = level_view()
    sheet = list(view.sheet)
    for name, value in facts.items():
        sheet[Stat[name]] = value
    view = replace(view, creatures=(*view.creatures, *foes), sheet=tuple(sheet))
    return structs.replace(
        base := playing(view), fights=Fights(met=met), world=structs.replace(base.world, damage=damage)
    )


def test_attack_is_told_in_blows_to_kill() -> None:
    """An attack of 10 does 5.5 a blow to a foe with 20 health, one of 13 does 7."""
    model = facing(foe("orc", 20, 8, 0), ATTACK=10)
    words = gain_words(model, LevelGain(GainKind.ATTACK, 300))
    assert words == "kills an orc in 3 blows instead of 4"


def test_defence_and_health_are_told_in_blows_taken() -> None:
    model = facing(foe("orc", 20, 8, 0), HP=40, HP_MAX=40, DEFENCE=0)
    assert gain_words(model, LevelGain(GainKind.DEFENCE, 200)) == "an orc kills you in 12 blows instead of 9"
    assert gain_words(model, LevelGain(GainKind.HEALTH, 1_000)) == "an orc kills you in 12 blows instead of 9"


def test_all_gains_of_a_choice_are_told() -> None:
    """A bent's step brings several numbers: the words have both sides of the fight, without what this client cannot count."""
    model = facing(foe("orc", 20, 8, 0), ATTACK=10, HP=40, HP_MAX=40, DEFENCE=0)
    gain = LevelGain(GainKind.ATTACK, 300, (GainKind.HEALTH, 1_000, 99, 5))
    assert gain_words(model, gain) == (
        "kills an orc in 3 blows instead of 4; an orc kills you in 12 blows instead of 9"
    )


@pytest.mark.rule("F111")
def test_a_resistance_is_told_where_it_changes_a_fight() -> None:
    """Against a foe whose damage is of another kind it changes nothing, and nothing is said."""
    imp = replace(foe("imp", 20, 8, 0), menace=Menace(deals=DamageKind.FIRE, resists=(0, 50, 0, 0, 0)))
    gain = LevelGain(GainKind.OTHER, 0, (GainKind.RESIST_FIRE, 5_000))
    here = facing(imp, HP=40, HP_MAX=40, DEFENCE=0, ATTACK=10)
    assert gain_words(here, gain) == "an imp kills you in 18 blows instead of 9"
    assert gain_words(facing(foe("orc", 20, 8, 0), HP=40, HP_MAX=40, DEFENCE=0), gain) == ""
    burning = facing(imp, HP=40, ATTACK=10, DEALS=DamageKind.FIRE)
    assert gain_words(burning, LevelGain(GainKind.ATTACK, 300)) == "kills an imp in 6 blows instead of 8"


def test_a_foe_for_whom_it_matters_is_named_first() -> None:
    """A rat dies at the first blow either way; the orc met before does not."""
    rat, orc = foe("rat", 1, 2, 0), foe("orc", 20, 8, 0)
    model = facing(rat, met=(orc,), ATTACK=10)
    assert "an orc in 3 blows" in gain_words(model, LevelGain(GainKind.ATTACK, 300))
    assert gain_words(facing(rat, ATTACK=10), LevelGain(GainKind.ATTACK, 300)) == (
        "kills a rat in 1 blow as before"
    )


def test_fractions_count_where_the_formula_has_them() -> None:
    model = facing(foe("orc", 20, 8, 2), damage="ratio", ATTACK=10)
    assert gain_words(model, LevelGain(GainKind.ATTACK, 60)) == "kills an orc in 3 blows as before"
    model = facing(foe("orc", 22, 8, 2), damage="ratio", ATTACK=10)
    assert gain_words(model, LevelGain(GainKind.ATTACK, 60)) == "kills an orc in 3 blows instead of 4"


def test_mana_is_told_in_casts() -> None:
    model = facing(MANA_MAX=8)
    spells = (Spell("heal", "heal", 5, "self", 0, 0, ""), Spell("bolt", "bolt", 3, "cell", 6, 0, ""))
    model = structs.replace(model, view=replace(model.view, spells=spells))
    assert gain_words(model, LevelGain(GainKind.MANA, 400)) == "casts heal 2 times instead of 1"
    assert gain_words(facing(), LevelGain(GainKind.MANA, 400)) == ""


@pytest.mark.parametrize("kind", [GainKind.SIGHT, GainKind.OTHER, 99])
def test_other_gains_are_left_to_their_own_words(kind: int) -> None:
    assert gain_words(facing(foe("orc", 20, 8, 0)), LevelGain(kind, 100)) == ""


def test_without_a_foe_nothing_is_claimed() -> None:
    assert gain_words(facing(), LevelGain(GainKind.ATTACK, 100)) == ""
    assert gain_words(facing(foe("jelly", 20, 0, 0)), LevelGain(GainKind.DEFENCE, 100)) == ""


def offered(size: tuple[int, int]) -> str:
    model = facing(foe("orc", 20, 8, 0), ATTACK=10, POINTS=1)
    gains = (LevelGain(GainKind.ATTACK, 300), LevelGain(GainKind.SIGHT, 100))
    choices = ("Attack (+3, from 10 to 13)", "Sight (+1)")
    model = structs.replace(
        model,
        view=replace(model.view, choices=choices, gains=gains),
        surface=structs.replace(model.surface, size=size),
    )
    return picture(press(model, "+")[0])


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_each_option_says_what_it_changes(size: tuple[int, int]) -> None:
    assert "a - Attack (+3, from 10 to 13)  kills an orc in 3 blows instead of 4" in offered(size)


def test_a_narrow_window_tells_it_of_the_marked_option() -> None:
    screen = offered((60, 20))
    assert "Kills an orc in 3 blows instead of 4. Remaining" in screen
    assert "a - Attack (+3, from 10 to 13) " in screen


SAME = "no change (3 attack, 1 defense of its own)"


def with_gear(*things: InventoryItem) -> View:
    return replace(level_view(), inventory=things)


def test_a_weapon_is_compared_with_the_wielded_one() -> None:
    view = with_gear(KNIFE, SWORD, TUNIC, APPLE)
    assert gear_changes(view, SWORD) == "+2 attack, -1 defense (5 attack of its own)"
    assert (
        comparison(view, SWORD)
        == "Wielded instead of the knife: +2 attack, -1 defense (5 attack of its own)."
    )
    assert comparison(view, TUNIC) == "Worn: +2 defense."
    assert gear_changes(view, KNIFE) == gear_changes(view, APPLE) == ""
    assert gear_changes(view, replace(KNIFE, slot=5, traits=int(ItemFlag.WIELDABLE))) == SAME


def test_the_inventory_shows_the_comparison() -> None:
    model, _ = press(playing(with_gear(KNIFE, SWORD)), "i")
    assert "b - sword  +2 attack, -1 defense (5 attack of its own)" in picture(model)
    model, _ = press(model, "b")
    assert "Wielded instead of the knife: +2 attack, -1 defense (5 attack of its own)." in picture(model)
