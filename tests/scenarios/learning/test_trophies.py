"""Trophies with powers: what a named creature leaves fits its people and traits, and works while it is carried (rule F101)."""

import pytest
from msgspec.structs import replace

from gloam_server.content.growth.trophies import fitting_trophies
from gloam_server.content.powers import DAMAGE_TYPES, DamageType
from gloam_server.rules.dice import Dice
from gloam_server.views.own_body import skill_list
from gloam_server.world.ai.stealing import steal_item
from gloam_server.world.combat.attack import resolve_attack
from gloam_server.world.combat.damage import apply_damage, kill_creature
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature, new_creature
from gloam_server.world.model.events import PlayerDied
from gloam_server.world.model.ids import REALM_PARTITION
from gloam_server.world.model.inputs import EnterPlay, Envelope, Output, RecordDeath, RecordTrophy
from gloam_server.world.model.level import Level
from gloam_server.world.transition.dungeon import new_dungeon
from gloam_shared.protocol.commands import Wait
from support.content.campaigns import shipped, with_rules
from support.scenarios.scenario import E, Scenario

GLOAM = with_rules(shipped("gloam"), "learning", leaves_above=0)


def context_of(scenario: Scenario) -> TurnContext:
    return TurnContext(scenario.level, Dice(1, 1, 1))


def harm(
    scenario: Scenario, victim: str, by: str, amount: int = 100, damage_type: DamageType = "blow"
) -> int:
    """Return what is left of damage between two creatures."""
    scenario.set_health(victim, hp=9_000, hp_max=9_000)
    context = context_of(scenario)
    return apply_damage(context, scenario[victim], amount, scenario[by], "test", damage_type=damage_type)


def left_by(kind: str, *learned: str) -> set[str]:
    """Return the trophies that a slain named creature of a kind leaves."""
    scenario = Scenario("#1k.#", campaign=GLOAM, k=kind)
    kobold = scenario["k"]
    kobold.title, kobold.name, kobold.learned = "Skarn", f"Skarn the {kind}", list(learned)
    kobold.level += 4
    scenario.set_health("k", hp=1)
    scenario.set_stats("1", attack=90_000)
    for _ in range(20):
        if scenario.alive("k"):
            scenario.go("1", E)
    return {item.kind for _, item in scenario.level.items_at() if item.kind in GLOAM.trophies}


@pytest.mark.rule("F101")
def test_gloam_has_a_trophy_for_each_people_and_twenty() -> None:
    trophies = GLOAM.trophies.values()
    assert len(trophies) >= 20
    assert {trophy.people for trophy in trophies} - {""} == set(GLOAM.peoples)
    assert all(trophy.powers for trophy in trophies)


@pytest.mark.rule("F101", "F89")
def test_it_leaves_what_fits_traits_before_people() -> None:
    assert left_by("kobold") == {"kobold_tooth"}
    assert left_by("kobold", "hurler") == {"caught_stone"}
    assert left_by("wolf", "keen") == {"wolf_collar"}


@pytest.mark.rule("F101")
def test_both_come_before_one() -> None:
    trophies = {
        key: trophy for key, trophy in GLOAM.trophies.items() if key in ("kobold_tooth", "caught_stone")
    }
    both = GLOAM.trophies["ember_heart"].__class__(
        key="both", name="both", words="Both.", powers=(), people="kobolds", trait="hurler"
    )
    assert fitting_trophies(trophies | {"both": both}, "kobolds", ("hurler",)) == (both,)
    assert fitting_trophies(trophies, "rats", ()) == ()


@pytest.mark.rule("F101")
def test_a_ward_halves_nothing_but_its_people() -> None:
    scenario = Scenario("#1kr.#", campaign=GLOAM, k="kobold", r="rat")
    assert harm(scenario, "1", "k") == 100
    scenario.give("1", "kobold_tooth")
    assert (harm(scenario, "1", "k"), harm(scenario, "1", "r")) == (75, 100)


@pytest.mark.rule("F101")
def test_a_slayer_does_more_damage_to_its_people() -> None:
    scenario = Scenario("#1ok.#", campaign=GLOAM, o="orc", k="kobold")
    scenario.give("1", "orc_tusk")
    assert (harm(scenario, "o", "1"), harm(scenario, "k", "1")) == (120, 100)
    assert harm(scenario, "1", "o") == 100


@pytest.mark.rule("F101", "F111")
@pytest.mark.parametrize("key", sorted(GLOAM.trophies))
def test_each_trophy_works_while_it_is_carried(key: str) -> None:
    """Its power changes damage as its words say, and no longer once it is laid down; two have scenarios of their own."""
    for power in GLOAM.items[key].powers:
        foe = people_of(power.against) if power.does in ("wards", "slays") else "kobold"
        scenario = Scenario("#1f.#", campaign=GLOAM, f=foe)
        victim, by = ("f", "1") if power.does == "slays" else ("1", "f")
        kind: DamageType = "blow"
        if power.does == "resist":
            [kind] = [known for known in DAMAGE_TYPES if known == power.against]
        before = harm(scenario, victim, by, damage_type=kind)
        [trophy] = scenario.give("1", key)
        change = {"wards": -power.percent, "resist": -power.percent, "slays": power.percent}.get(
            power.does, 0
        )
        assert harm(scenario, victim, by, damage_type=kind) == before * (100 + change) // 100
        scenario["1"].slots[scenario["1"].slots.index(trophy)] = None
        assert harm(scenario, victim, by, damage_type=kind) == before
        assert change or power.does in ("catches", "holds"), power


def people_of(people: str) -> str:
    """Return a kind of a people whose body resists no blows."""
    return next(
        kind.key
        for kind in GLOAM.creatures.values()
        if kind.people == people
        and not any(power.does == "resist" and power.against in ("", "blow") for power in kind.powers)
    )


@pytest.mark.rule("F101")
def test_stones_hurt_half_who_catches_them() -> None:
    dealt = []
    for kinds in ((), ("caught_stone",)):
        scenario = Scenario("#1...s#", campaign=GLOAM, s="slinger")
        scenario.set_health("1", hp=90_000, hp_max=90_000)
        scenario.give("1", *kinds)
        context = context_of(scenario)
        dealt.append(
            sum(
                resolve_attack(context, scenario["s"], scenario["1"], 9_000, attack_kind="throws_at")
                for _ in range(50)
            )
        )
    assert 45 <= 100 * dealt[1] // dealt[0] <= 50


@pytest.mark.rule("F101")
def test_thieves_take_nothing_from_a_quick_hand() -> None:
    scenario = Scenario("#1i.#", campaign=GLOAM, i="imp")
    scenario.give("1", "quick_hand", "ration")
    steal_item(context_of(scenario), scenario["i"], scenario["1"])
    assert not scenario["i"].carried
    scenario.set_health("1", hp=9_000, hp_max=9_000)
    for _ in range(30):
        scenario.turn(("1", Wait()))
    assert not scenario["i"].carried


@pytest.mark.rule("F101")
def test_the_line_remembers_what_it_won() -> None:
    """The three newest trophies of a player's lives go on to the heir, carried or not."""
    dungeon = new_dungeon(GLOAM, 5)
    dungeon.apply_input(REALM_PARTITION, EnterPlay(1, "Ann"))
    life = dungeon.realm.lives[1]
    body = dungeon.levels[life.partition].creatures[life.number]
    level = dungeon.levels[life.partition]
    for name in ("Skarn", "Brud", "Vex", "Mog"):
        for output in slay_named(level, body, name):
            if isinstance(output, Envelope) and isinstance(output.input, RecordTrophy):
                dungeon.apply_input(output.to, replace(output.input, source=(1, level.new_id(), 0)))
    won = list(body.statistics.trophies)
    assert [name.partition("'")[0] for name in won] == ["Brud", "Vex", "Mog"]
    assert [skill.name for skill in skill_list(level, body) if skill.kind == "line"] == won
    context = TurnContext(level, Dice(1, 1, 2))
    kill_creature(context, body, None, "hunger")
    [fallen] = [output for output in context.outputs if isinstance(output, PlayerDied)]
    dungeon.apply_input(REALM_PARTITION, RecordDeath(fallen, (1, 9_999_999, 0)))
    dungeon.apply_input(REALM_PARTITION, EnterPlay(1, "Ann"))
    life = dungeon.realm.lives[1]
    heir = dungeon.levels[life.partition].creatures[life.number]
    assert heir is not body
    assert heir.statistics.trophies == won


def slay_named(level: Level, slayer: Creature, title: str) -> list[Output]:
    kind = GLOAM.creatures["kobold"]
    foe = new_creature(kind, level.new_id(), name=f"{title} the kobold")
    foe.title = title
    cell = level.nearest_free_cell(slayer.cell)
    assert cell is not None
    level.add(foe, cell, Dice(1, 1, 1))
    context = TurnContext(level, Dice(1, 1, 1))
    kill_creature(context, foe, slayer, slayer.name)
    return context.outputs
