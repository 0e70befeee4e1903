"""The fighting plan strikes, shoots, throws or casts, whichever the estimate of danger says is best."""

import pytest
from msgspec.structs import replace

from gloam_server.autopilot.fighting import next_blow, reason_to_leave
from gloam_server.content.growth.learning import Trait
from gloam_server.content.powers import DAMAGE_TYPES
from gloam_server.views.level_records import LevelRecords
from gloam_server.views.menace import menace_of, spell_damage
from gloam_server.world.model.creature import Lasting
from gloam_shared.appearance import Terrain
from gloam_shared.protocol.commands import Cast, Fight, Fire, Move, Throw, Wait
from gloam_shared.view.menace import DamageKind, Menace
from gloam_shared.view.view import Stat
from support.bots.plan_runs import first
from support.content.campaigns import shipped
from support.scenarios.scenario import E, Scenario


def hall(drawing: str, **letters: str) -> Scenario:
    """Return a scene of the shipped campaign with awake foes, and a player who is unhurt."""
    return Scenario(
        drawing, campaign=shipped("gloam"), seed=1, partition=1, dark=False, trap="dart", **letters
    )


def acts_as(scene: Scenario, letter: str) -> Menace | None:
    """Return the means of a creature without its resistances."""
    menace = menace_of(scene.level, scene[letter])
    plain = None if menace is None else replace(menace, resists=())
    return None if plain == Menace() else plain


def give_bow(scene: Scenario) -> None:
    scene.wield("1", scene.give("1", "short_bow")[0].number)


def test_a_bow_shoots_at_a_foe_that_comes() -> None:
    scene = hall("#1....o#", o="orc")
    give_bow(scene)
    assert first(scene, Fight()) == Fire(scene["o"].cell)


def test_a_bow_strikes_at_hand_if_that_hurts_more() -> None:
    scene = hall("#1o#", o="orc")
    give_bow(scene)
    shot = first(scene, Fight())
    scene.set_stats("1", attack=3_000)
    assert (shot, first(scene, Fight())) == (Fire(scene["o"].cell), Move(*E))


def test_missiles_fly_at_who_comes_not_at_sleepers() -> None:
    scene = hall("#1....o#", o="orc")
    scene.give("1", "rock", "javelin", "potion_healing")
    assert first(scene, Fight()) == Throw(1, scene["o"].cell)  # the javelin hurts more than the rock
    scene.put_to_sleep("o", 50)
    assert first(scene, Fight()) == Move(*E)


def test_nothing_is_thrown_at_hand() -> None:
    scene = hall("#1o#", o="orc")
    scene.give("1", "javelin")
    assert first(scene, Fight()) == Move(*E)


def test_the_weapon_in_hand_is_not_thrown() -> None:
    scene = hall("#1....o#", o="orc")
    scene.wield("1", scene.give("1", "javelin")[0].number)
    assert first(scene, Fight()) == Move(*E)


def test_a_better_spell_is_cast_in_a_costly_fight() -> None:
    scene = hall("#1o#", o="orc")
    scene.give("1", "book_fire")
    scene.set_health("o", hp=30, hp_max=30)
    assert first(scene, Fight()) == Cast("dart", scene["o"].cell)
    scene["1"].mana = 2
    assert first(scene, Fight()) == Move(*E)


def test_mana_is_kept_in_an_easy_fight() -> None:
    scene = hall("#1r#", r="rat")
    scene.give("1", "book_fire")
    scene.set_health("r", hp=2)
    assert first(scene, Fight()) == Move(*E)


def test_little_mana_is_spent_on_an_easy_foe_far_away() -> None:
    """Each of the three spells of the book would kill it."""
    scene = hall("#1.....r#", r="rat")
    scene.give("1", "book_fire")
    scene["1"].mana = 20
    scene.set_health("r", hp=2)
    assert first(scene, Fight()) == Cast("dart", scene["r"].cell)
    scene.set_health("r", hp=9, hp_max=9)
    assert first(scene, Fight()) == Cast("dart", scene["r"].cell)


def test_a_blast_spares_the_player_and_friends() -> None:
    scene = hall("#1..2.o#", o="ogre")
    scene.set_health("o", hp=60, hp_max=60)
    scene.give("1", "book_fire")
    scene["1"].mana = 20
    assert first(scene, Fight()) == Cast("lance", scene["o"].cell)
    scene["1"].mana = 8  # enough for the fireball, not for the lance
    assert first(scene, Fight()) == Cast("dart", scene["o"].cell)


def test_a_spell_is_aimed_within_its_circle() -> None:
    """The range of spells is a circle: a foe seven cells away on both axes is out of it, and is approached."""
    rows = ["#" * 12, *(f"#{'.' * 10}#" for _ in range(10)), "#" * 12]
    rows[1], rows[8] = "#1.........#", "#.......o..#"
    scene = hall("\n".join(rows), o="ogre")
    scene.give("1", "book_fire")
    scene["1"].mana, scene["1"].sight = 20, 20
    assert not isinstance(first(scene, Fight()), Cast)
    scene.level.move(scene["o"], scene["1"].cell + 7)
    assert isinstance(first(scene, Fight()), Cast)


def test_nothing_flies_through_a_wall() -> None:
    scene = hall(
        """
        ######
        #1#o.#
        #....#
        ######
        """,
        o="orc",
    )
    give_bow(scene)
    assert isinstance(first(scene, Fight()), Move | str)


def test_the_rules_accept_each_attack() -> None:
    """A bow, then stones, then spells carry a whole fight: the plan is never refused, and the foe dies."""
    for kit in (["rock"] * 5, ["book_fire"], ["javelin", "rock"]):
        scene = hall("#1.....o#", o="orc")
        scene.set_health("1", hp=300, hp_max=300)
        scene.give("1", *kit)
        done: list[type] = []
        while scene.alive("o") and len(done) < 60:
            action = first(scene, Fight())
            assert not isinstance(action, str), action
            scene.turn(("1", action))
            done.append(type(action))
        assert not scene.alive("o"), kit
        assert {Throw, Cast}.intersection(done)


@pytest.mark.parametrize(
    ("kind", "level", "told"), [("rat", 1, False), ("ogre", 14, True), ("wolf", 14, False)], ids=str
)
def test_leaving_is_better_than_deadly_slow_foes(kind: str, level: int, told: bool) -> None:
    scene = hall("#1..o#", o=kind)
    if level > 1:
        scene.set_stats("o", attack=3_000, defence=1_000)
        scene.set_health("o", hp=90, hp_max=90)
    reason = reason_to_leave(scene.view(), "ratio")
    name = scene["o"].name
    expected = f"{'An' if name[0] in 'aeiou' else 'A'} {name} is deadly: leaving is better. Fight again to fight all the same."
    assert reason == (expected if told else "")


@pytest.mark.parametrize(
    ("kind", "menace"),
    [
        ("orc", None),
        ("slinger", Menace(speed=900, ranged=7, reach=5)),
        ("wolf", Menace(speed=1_100)),
        ("spider", Menace(casts=1, spell_range=5, binds=40)),
        ("newt", Menace(speed=500)),
        ("drummer", Menace(speed=900)),
    ],
)
def test_what_a_kind_can_do_is_in_its_view(kind: str, menace: Menace | None) -> None:
    scene = hall("#1..o#", o=kind)
    assert acts_as(scene, "o") == menace
    seen = next(one for one in scene.view().creatures if one.cell == scene["o"].cell)
    assert seen.menace == menace_of(scene.level, scene["o"])


def test_a_status_effect_changes_what_a_foe_can_do() -> None:
    scene = hall("#1..o#", o="spider")
    scene["o"].lasting.append(Lasting("hush", 0, 20))
    assert acts_as(scene, "o") is None
    scene["o"].lasting.append(Lasting("slowing", 0, 20))
    assert acts_as(scene, "o") == Menace(speed=500)


def test_wands_of_a_foe_count_by_their_charges() -> None:
    """It zaps a wand in each turn, before all spells; one that only digs is no menace."""
    scene = hall("#1....o#", o="warlock")
    plain = menace_of(scene.level, scene["o"])
    [wand] = scene.give("o", "wand_fire")
    wand.charges = 4
    armed = menace_of(scene.level, scene["o"])
    fire = scene.level.campaign.spells[scene.level.campaign.items["wand_fire"].zaps]
    assert plain is not None
    assert armed is not None
    assert armed.magic >= 4 * spell_damage(fire)
    assert armed.casts >= plain.casts
    scene["o"].slots[scene["o"].slots.index(wand)] = None  # an empty wand crumbles
    assert menace_of(scene.level, scene["o"]) == plain
    scene.give("o", "wand_digging")[0].charges = 9
    assert menace_of(scene.level, scene["o"]) == plain


def test_a_silenced_foe_still_zaps() -> None:
    scene = hall("#1....o#", o="warlock")
    scene["o"].lasting.append(Lasting("hush", 0, 20))
    assert acts_as(scene, "o") is None
    scene.give("o", "wand_slowing")[0].charges = 2
    menace = menace_of(scene.level, scene["o"])
    assert menace is not None
    assert (menace.casts, menace.binds > 0) == (2, True)


def test_goods_that_a_foe_throws_are_worth_some_reach() -> None:
    scene = hall("#1....o#", o="goblin")
    assert menace_of(scene.level, scene["o"]) is None
    for count, reach in ((1, 2), (2, 3), (3, 3)):
        scene.give("o", "javelin")
        menace = menace_of(scene.level, scene["o"])
        assert menace is not None
        assert (menace.ranged > 0, menace.reach) == (True, reach), count


@pytest.mark.parametrize("kind", ["orc", "skeleton"])
def test_a_learned_step_back_costs_blows(kind: str) -> None:
    scene = hall("#1..o#", o=kind)
    plain = menace_of(scene.level, scene["o"]) or Menace()
    scene["o"].learned = ["wary"]
    wary = menace_of(scene.level, scene["o"])
    assert wary is not None
    assert wary == replace(plain, speed=plain.speed * 3 // 4)


def test_a_born_retreater_is_as_before() -> None:
    scene = hall("#1..o#", o="archer")
    plain = menace_of(scene.level, scene["o"])
    scene["o"].learned = ["wary"]
    assert menace_of(scene.level, scene["o"]) == plain


def test_what_a_foe_has_learned_counts() -> None:
    """A foe that has learned to hunt approaches in each turn."""
    campaign = shipped("gloam")
    hunter = Trait(key="nose", name="a nose", told="hunts", words="It hunts.", adds=("hunt",))
    scene = Scenario("#1..o#", campaign=replace(campaign, traits={"nose": hunter}), o="newt")
    assert acts_as(scene, "o") == Menace(speed=500)
    scene["o"].level, scene["o"].learned = 2, ["nose"]
    assert acts_as(scene, "o") is None


@pytest.mark.rule("F111")
def test_a_view_tells_damage_and_resistances_of_both() -> None:
    """The kinds of damage have one order in campaigns and on the wire."""
    assert tuple(kind.name.lower() for kind in DamageKind) == DAMAGE_TYPES
    scene = hall("#1..o#", o="demon")
    scene.wield("1", scene.give("1", "flamebrand")[0].number)
    scene["1"].ring = scene.give("1", "ring_embers")[0].number
    view = scene.view()
    seen = next(one for one in view.creatures if one.cell == scene["o"].cell)
    assert seen.menace is not None
    assert (seen.menace.deals, seen.menace.resists[DamageKind.FIRE]) == (DamageKind.FIRE, 75)
    assert (view.fact(Stat.DEALS), view.fact(Stat.RESISTS_FIRE), view.fact(Stat.PACE)) == (1, 50, 15)


@pytest.mark.rule("F113")
def test_a_foes_weapon_with_a_habit_counts() -> None:
    scene = hall("#1..o#", o="orc")
    scene.wield("o", scene.give("o", "spear")[0].number)
    reaches = menace_of(scene.level, scene["o"]) or Menace()
    scene.wield("o", scene.give("o", "war_hammer")[0].number)
    heavy = menace_of(scene.level, scene["o"]) or Menace()
    scene.wield("o", scene.give("o", "mace")[0].number)
    stuns = menace_of(scene.level, scene["o"]) or Menace()
    assert (reaches.reach, heavy.might, heavy.pace, stuns.binds) == (2, 35, -26, 15)


@pytest.mark.rule("F113")
def test_the_plan_strikes_from_as_far_as_it_reaches() -> None:
    scene = hall("#1.o#", o="orc")
    scene.wield("1", scene.give("1", "spear")[0].number)
    assert first(scene, Fight()) == Fire(scene["o"].cell)


@pytest.mark.rule("F111")
def test_the_plan_casts_no_fire_at_what_resists_it() -> None:
    cast = []
    for kind in ("orc", "demon"):
        scene = hall("#1..o#", o=kind)
        scene.set_mana("1", mana=8, mana_max=8)
        scene.set_stats("o", attack=3_000)
        scene["o"].hp = 60
        scene.give("1", "book_fire")
        wanted = first(scene, Fight())
        cast.append(wanted.spell if isinstance(wanted, Cast) else "")
    assert cast == ["fireball", "dart"]


@pytest.mark.parametrize(("kind", "thing"), [("warlock", "wand_fire"), ("goblin", "javelin")])
def test_views_follow_what_a_foe_carries(kind: str, thing: str) -> None:
    """A kept record of the foe changes with its pack, as a fresh view does."""
    scene = hall("#1....o#", o=kind)
    records = LevelRecords(scene.level)
    scene.put_to_sleep("o", 9)
    for _ in range(2):
        records.refresh({})
        fresh = next(one for one in scene.view().creatures if one.cell == scene["o"].cell)
        kept = records.creatures_shown_to(scene["1"], scene.level.field_of_view(scene["1"]), 0)
        assert next(one for one in kept if one.cell == scene["o"].cell).menace == fresh.menace
        scene.give("o", thing)[0].charges = 3 if thing.startswith("wand") else 0
        scene.turn(("1", Wait()))


def test_a_foe_on_unknown_ground_is_gone_to() -> None:
    """A thief in a doorway is seen before the ground under it is."""
    scene = hall("#1..o#", o="orc")
    view = scene.view()
    ground = bytearray(view.terrain)
    ground[scene["o"].cell] = Terrain.UNKNOWN
    assert next_blow(replace(view, terrain=bytes(ground)), "ratio") == Move(*E)
