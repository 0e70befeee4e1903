"""The words of danger count what powers change in a fight: wards, grudges, fury, shots caught, and friends beside (rule F163)."""

import pytest
from msgspec.structs import replace

from gloam_server.content.powers import Power
from gloam_server.views.menace import menace_of
from gloam_server.views.projection import project
from gloam_shared.view.danger import Danger, danger_of_fight, health_lost
from gloam_shared.view.menace import DamageKind
from gloam_shared.view.view import Creature, CreatureFlag, Log, View
from support.content.shipped_files import campaign
from support.scenarios.scenario import Scenario

GLOAM = campaign("gloam")
"""The flagship; the powers of the kinds that fight here are replaced."""


def fight(
    *own: Power, foe: str = "orc", theirs: tuple[Power, ...] = (), drawing: str = "#.1...f.#", hp: int = 60
) -> tuple[Danger, Scenario]:
    """Return the danger of an orc for a player with these powers, and the level."""
    kinds = GLOAM.creatures
    world = replace(
        GLOAM,
        creatures=kinds
        | {"human": replace(kinds["human"], powers=own), foe: replace(kinds[foe], powers=theirs)},
    )
    scene = Scenario(drawing, campaign=world, f=foe)
    scene.set_stats("1", attack=900, defence=500)
    scene.set_health("1", hp=hp, hp_max=60)
    scene.set_health("f", hp=60, hp_max=60)
    scene.set_stats("f", attack=1_400, defence=400)
    return danger_of_fight(met(scene), view_of(scene), "ratio"), scene


def view_of(scene: Scenario) -> View:
    return project(scene.level, scene["1"], marks={}, party=(), log=Log())


def met(scene: Scenario) -> Creature:
    """Return the foe as the player sees it."""
    handle = scene.level.handles[scene["f"].number]
    return next(one for one in view_of(scene).creatures if one.handle == handle)


@pytest.mark.rule("F163")
def test_a_ward_makes_its_people_less_dangerous() -> None:
    """Half of the damage is about half of the danger, and more blows to die; other peoples are as before."""
    plain, _ = fight()
    warded, _ = fight(Power("wards", 50, against="orcs"))
    assert plain.lost * 2 // 5 <= warded.lost <= plain.lost * 3 // 5
    assert warded.its_blows is not None
    assert plain.its_blows is not None
    assert warded.its_blows > plain.its_blows
    assert fight(Power("wards", 50, against="wolves"))[0] == plain


@pytest.mark.rule("F163")
@pytest.mark.parametrize("does", ["slays", "bane"])
def test_a_grudge_makes_its_people_less_dangerous(does: str) -> None:
    plain, _ = fight()
    power = replace(Power("slays", 50, against="orcs"), does=does)
    slain, _ = fight(power)
    assert slain.lost < plain.lost
    assert slain.your_blows is not None
    assert plain.your_blows is not None
    assert slain.your_blows < plain.your_blows
    assert fight(replace(power, against="wolves"))[0] == plain


@pytest.mark.rule("F163")
def test_fury_counts_below_a_third_of_health() -> None:
    fury = Power("fury", 60)
    assert fight(fury)[0] == fight()[0]
    assert fight(fury, hp=19)[0].lost < fight(hp=19)[0].lost


@pytest.mark.rule("F163")
def test_the_fury_of_a_foe_counts_for_a_third() -> None:
    assert fight(theirs=(Power("fury", 60),))[0].lost > fight()[0].lost


@pytest.mark.rule("F163")
def test_shots_that_are_caught_are_less_dangerous() -> None:
    plain, scene = fight(foe="slinger")
    caught, other = fight(Power("catches", 50), foe="slinger")
    assert (met(scene).menace, met(other).menace) != (None, None)
    assert met(other).menace.ranged < met(scene).menace.ranged  # type: ignore[union-attr]  # both shoot
    assert caught.lost <= plain.lost


@pytest.mark.rule("F163")
@pytest.mark.parametrize("does", ["company", "guard"])
def test_a_friend_beside_counts_by_their_powers(does: str) -> None:
    """ "Company" is the player's own power, "guard" the friend's; both players here have it. Two cells away it does not count."""
    power = replace(Power("guard", 40), does=does)
    beside, apart = "#.12...f.#", "#2..1..f.#"
    assert fight(power, drawing=beside)[0].lost < fight(drawing=beside)[0].lost
    assert fight(power, drawing=apart)[0].lost == fight(drawing=apart)[0].lost


@pytest.mark.rule("F163")
def test_foes_in_sight_together_are_judged_together() -> None:
    alone, _ = fight()
    _, scene = fight(drawing="#.1...ff.#")
    view = view_of(scene)
    foes = [one for one in view.creatures if one.marks & CreatureFlag.HOLDS_YOU]
    assert danger_of_fight(met(scene), view, "ratio").lost == alone.lost
    assert health_lost(foes, view, "ratio") > alone.lost


@pytest.mark.rule("F163")
def test_a_spell_that_lays_fire_counts_as_damage() -> None:
    """A shaman whose spell only sets the ground on fire was named easy, and killed one in thirty who met it."""
    scene = Scenario("#1...s#", campaign=GLOAM, seed=1, partition=1, dark=False, s="shaman")
    menace = menace_of(scene.level, scene["s"])
    assert menace is not None
    assert menace.casts >= 1
    assert menace.magic == 12 * menace.casts
    assert menace.magic_deals == DamageKind.FIRE
