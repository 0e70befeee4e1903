"""The flagship's spells do what their descriptions say, number for number: the numbers are read from the words."""

import re
from typing import Any

import pytest

from gloam_server.rules.dice import Dice
from gloam_server.world.effects.spells import cast_spell
from gloam_server.world.effects.status_effects import add_status
from gloam_server.world.items.equipment import total_attack, total_defense, total_sight, total_speed
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.modifiers import is_afraid, is_silenced
from gloam_server.world.model.surfaces.surface_changes import surface_at
from gloam_shared.appearance import Terrain
from gloam_shared.protocol.commands import Move, Wait
from support.content.shipped_files import campaign
from support.scenarios.scenario import E, Scenario

GLOAM = campaign("gloam")
MUCH = 3_000
POINT = GLOAM.combat.scale
LASTING = sorted(
    key for key, spell in GLOAM.spells.items() if "turns" in spell.words and spell.effects[0].turns > 1
)


def numbers(spell: str) -> list[int]:
    """Return the numbers in the description of a spell, in order."""
    return [int(number) for number in re.findall(r"\d+", GLOAM.spells[spell].words)]


def hall(drawing: str = "#1..a#", *, dark: bool = False) -> Scenario:
    """Return a hall whose letters are awake ogres that cannot strike, and everybody has half of much health."""
    ogres: dict[str, Any] = {letter: "ogre" for letter in "abc" if letter in drawing}
    scenario = Scenario(drawing, campaign=GLOAM, dark=dark, **ogres)
    for name in scenario.named:
        scenario.set_health(name, hp=MUCH // 2, hp_max=MUCH)
        scenario[name].regeneration = 0
        if name in ogres:
            scenario.set_stats(name, attack=0)
    return scenario


def cast(
    scenario: Scenario, spell: str, at: str = "a", caster: str | None = "1", dice: int = 1
) -> dict[str, int]:
    """Cast a spell; return how much health each body gained, losses below 0."""
    before = {name: body.hp for name, body in scenario.named.items()}
    context = TurnContext(scenario.level, Dice(dice, 1, 1))
    cast_spell(context, spell, scenario[caster] if caster else None, scenario[at].cell)
    return {name: body.hp - before[name] for name, body in scenario.named.items() if body.hp != before[name]}


@pytest.mark.parametrize("spell", ["mending", "great_mending", "healing", "great_healing"])
def test_healing_gives_its_health(spell: str) -> None:
    assert cast(hall("#1#"), spell, "1") == {"1": numbers(spell)[0]}


@pytest.mark.parametrize("spell", ["friendly_mending", "kin_mending"])
def test_healing_another_gives_its_health(spell: str) -> None:
    assert cast(hall("#1.2#"), spell, "2") == {"2": numbers(spell)[0]}


@pytest.mark.parametrize(
    "spell",
    [
        *("dart", "missile", "lance", "frost", "drink_light", "striking", "firebolt", "lightning"),
        *("stone_throw", "grave_cold"),
    ],
)
def test_harm_to_one_is_exact_and_never_misses(spell: str) -> None:
    scenario = hall("#1..ab#")
    for dice in range(10):
        assert cast(scenario, spell, dice=dice) == {"a": -numbers(spell)[0]}


def test_a_chill_gives_its_caster_what_it_takes() -> None:
    lost = numbers("chill")[0]
    assert cast(hall(), "chill") == {"1": lost, "a": -lost}


@pytest.mark.parametrize(
    "spell", ["fireball", "firestorm", "breath", "flames", "fire_trap", "falling_stones", "ground_shock"]
)
def test_blast_reaches_all_within_its_radius(spell: str) -> None:
    """A blast reaches all within its radius, its caster too, and no one beyond."""
    harm, radius = numbers(spell)[:2]
    scenario = hall("#a" + "." * (radius - 1) + "b" + "." * (radius - 1) + "1c#")
    assert cast(scenario, spell, "b") == {"a": -harm, "b": -harm, "1": -harm}


def test_spikes_take_their_health() -> None:
    assert cast(hall(), "spike_trap", "1", caster=None) == {"1": -numbers("spike_trap")[0]}


@pytest.mark.parametrize("spell", LASTING)
def test_states_last_as_long_as_the_words_say(spell: str) -> None:
    """They are counted in the actions of the body that has them."""
    mine = GLOAM.spells[spell].target == "self"
    scenario = hall("#1......a#")
    name = "1" if mine else "a"
    cast(scenario, spell, name)
    body = scenario[name]
    assert body.lasting
    start = body.actions
    while body.lasting:
        scenario.turn(("1", Wait()))
    assert body.actions - start == numbers(spell)[-1]


@pytest.mark.parametrize(
    ("spell", "change"), [("venom", -1), ("poison", -1), ("slow_mending", 1), ("regrowth", 1)]
)
def test_health_comes_and_goes_in_each_turn(spell: str, change: int) -> None:
    """One point a turn, for all the turns of the spell; a monster heals by nothing else."""
    scenario = hall("#1......a#")
    cast(scenario, spell, caster=None)
    while scenario["a"].lasting:
        scenario.turn(("1", Wait()))
    assert scenario["a"].hp - MUCH // 2 == change * numbers(spell)[-1]


def test_clarity_restores_its_mana() -> None:
    scenario = hall("#1#")
    scenario.set_mana("1", mana=0, mana_max=100)
    cast(scenario, "clarity", "1")
    assert scenario["1"].mana == numbers("clarity")[0]


@pytest.mark.parametrize(
    "spell",
    [
        *("might", "stoneskin", "sharp_eyes", "haste", "slowing", "curse", "web"),
        *("bellow", "cold_iron", "smother"),
    ],
)
def test_numbers_change_by_what_the_words_say(spell: str) -> None:
    """Attack and defense in points, sight in cells, speed in halves."""

    def numbers_of(body: Creature) -> tuple[int, int, int, int]:
        level = scenario.level
        return (
            total_attack(level, body),
            total_defense(level, body),
            total_sight(level, body),
            total_speed(level, body),
        )

    scenario = hall("#1#")
    before = numbers_of(scenario["1"])
    cast(scenario, spell, "1", caster=None)
    changed = tuple(b - a for a, b in zip(before, numbers_of(scenario["1"]), strict=True))
    said = numbers(spell)
    assert (
        changed
        == {
            "might": (said[0] * POINT, said[1] * POINT, 0, 0) if len(said) > 2 else None,
            "stoneskin": (0, said[0] * POINT, 0, 0),
            "sharp_eyes": (0, 0, said[0], 0),
            "haste": (0, 0, 0, before[3] // 2),
            "slowing": (0, 0, 0, -before[3] // 2),
            "web": (0, 0, 0, -before[3] // 2),
            "curse": (changed[0], changed[1], 0, 0),
            "bellow": (changed[0], changed[1], 0, 0),
            "cold_iron": (0, changed[1], 0, 0),
            "smother": (0, 0, -said[0], 0),
        }[spell]
    )
    assert spell not in ("curse", "bellow") or max(changed[:2]) < 0
    assert spell != "cold_iron" or changed[1] < 0


@pytest.mark.parametrize("spell", ["frost", "web", "frost_trap", "slowing", "grave_cold"])
def test_who_is_slowed_acts_less_often(spell: str) -> None:
    scenario = hall("#1......a#")
    cast(scenario, spell, caster=None)
    for _ in range(6):
        scenario.turn(("1", Wait()))
    assert scenario["a"].actions <= 4


@pytest.mark.parametrize("spell", ["sleep", "gaze", "gas_trap", "slumber"])
def test_sleep_comes_over_those_within_the_radius(spell: str) -> None:
    """Sleep affects all within its radius, the caster too; without one, over one creature."""
    scenario = hall("#b1ac#")
    caster = None if spell == "gas_trap" else "1"
    cast(scenario, spell, "a", caster=caster)
    reach = {"1", "a", "c"} if spell == "sleep" else {"a"}
    assert {name for name, body in scenario.named.items() if body.asleep} == reach


@pytest.mark.parametrize("spell", ["fear", "terror"])
def test_those_in_fear_flee_from_you(spell: str) -> None:
    scenario = hall("#1.ab.c.....#")
    cast(scenario, spell)
    feared = {name for name in "abc" if is_afraid(GLOAM, scenario[name])}
    assert feared == ({"a"} if spell == "terror" else {"a", "b"})
    for name in "bc":
        scenario.level.remove(scenario[name])
    for _ in range(5):
        scenario.turn(("1", Wait()))
    assert scenario.where("a")[0] > 5


@pytest.mark.parametrize("spell", ["hush", "night_tongue"])
def test_the_hushed_cannot_cast(spell: str) -> None:
    scenario = hall()
    cast(scenario, spell)
    assert is_silenced(GLOAM, scenario["a"])


def test_insight_teaches_what_a_few_kills_would() -> None:
    scenario = hall("#1#")
    cast(scenario, "insight", "1")
    assert scenario["1"].experience > 0


def test_a_cure_ends_poison_curses_fear_and_slowness() -> None:
    scenario = hall("#1#")
    context = TurnContext(scenario.level, Dice(1, 1, 1))
    bad = ("poison", "curse", "fear", "frost_trap")
    for spell in (*bad, "might"):
        for effect in range(len(GLOAM.spells[spell].effects)):
            add_status(context, scenario["1"], GLOAM.spells[spell], effect, 0)
    cast(scenario, "cure", "1")
    assert [state.spell for state in scenario["1"].lasting] == ["might"]


def test_the_blood_price_turns_health_into_mana() -> None:
    scenario = hall("#1#")
    scenario.set_mana("1", mana=0, mana_max=100)
    assert cast(scenario, "blood_price", "1") == {"1": -scenario["1"].mana}
    assert scenario["1"].mana > 0


@pytest.mark.parametrize("spell", ["blink", "teleport", "blink_trap", "banishing"])
def test_some_spells_take_a_body_somewhere_else(spell: str) -> None:
    scenario = hall("#a" + "." * 30 + "1" + "." * 30 + "#")
    name = "a" if spell == "banishing" else "1"
    before = scenario.where(name)[0]
    cast(scenario, spell, name, caster=None if spell == "blink_trap" else "1")
    way = abs(scenario.where(name)[0] - before)
    assert 0 < way <= (6 if spell == "blink" else 60)


def test_two_trade_places() -> None:
    scenario = hall()
    cast(scenario, "trade_places")
    assert (scenario.where("1"), scenario.where("a")) == ((4, 0), (1, 0))


@pytest.mark.parametrize("spell", ["striking", "stone_throw"])
def test_some_spells_throw_back(spell: str) -> None:
    scenario = hall("#1a........#")
    cast(scenario, spell)
    assert scenario.where("a")[0] == 2 + numbers(spell)[1]


@pytest.mark.parametrize(
    ("spell", "surface"),
    [
        ("falling_stones", "rubble"),
        ("ember_rain", "fire"),
        ("breath", "fire"),
        ("fire_trap", "fire"),
        ("cinders", "fire"),
        ("foul_air", "marsh_gas"),
        ("foul_breath", "marsh_gas"),
        ("web", "web"),
    ],
)
def test_some_spells_lay_what_they_say(spell: str, surface: str) -> None:
    """It lies on the free cells within the radius around the target, and on no other."""
    scenario = hall("#1...a...#")
    cast(scenario, spell)
    level, at, radius = scenario.level, scenario["a"].cell, GLOAM.spells[spell].radius
    laid = {
        cell
        for cell in range(len(level.terrain))
        if (kind := surface_at(level, cell)) and kind.key == surface
    }
    assert laid == set(range(at - radius, at + radius + 1))


@pytest.mark.parametrize(
    ("spell", "kind", "count"), [("call_wolf", "tame_wolf", 1), ("alarm_trap", "rat", 2)]
)
def test_some_spells_call_creatures(spell: str, kind: str, count: int) -> None:
    scenario = hall("#....#\n#.1..#\n#....#")
    cast(scenario, spell, "1", caster=None if spell == "alarm_trap" else "1")
    come = [body for body in scenario.level.creatures.values() if body.kind == kind]
    assert len(come) == count
    assert all(scenario.level.distance(scenario["1"], body) == 1 for body in come)


def test_detection_shows_every_creature() -> None:
    scenario = hall("#1#a.......................b#")
    assert len(scenario.view().creatures) == 1
    cast(scenario, "detection", "1")
    assert len(scenario.view().creatures) == 3


def test_mapping_shows_the_ways() -> None:
    scenario = hall("####\n#1##\n####\n#..#\n####")
    known = scenario.view().terrain
    cast(scenario, "mapping", "1")
    assert known.count(Terrain.FLOOR) == 1
    assert scenario.view().terrain.count(Terrain.FLOOR) == 3


@pytest.mark.parametrize("spell", ["tunnel", "delving"])
def test_a_way_through_the_rock_is_as_long_as_said(spell: str) -> None:
    scenario = Scenario("#" * 16 + "\n#1" + "#" * 14 + "\n" + "#" * 16, campaign=GLOAM)
    context = TurnContext(scenario.level, Dice(1, 1, 1))
    cast_spell(context, spell, scenario["1"], scenario["1"].cell + 1)
    assert scenario.level.terrain.count(Terrain.FLOOR) == 1 + numbers(spell)[0]


def test_daylight_lights_the_place_for_good() -> None:
    scenario = hall("#1..a#", dark=True)
    cast(scenario, "daylight", "1")
    assert not any(scenario.level.dark[scenario["1"].cell : scenario["a"].cell + 1])


@pytest.mark.parametrize(("ring", "least", "most"), [("ring_mending", 3, 14), ("ring_thought", 3, 3)])
def test_rings_bring_what_their_numbers_say(ring: str, least: int, most: int) -> None:
    """In 20 turns: health in two turns of five by chance, mana exactly."""

    def gained(*rings: str) -> int:
        scenario = hall("#1#")
        scenario.set_health("1", hp=1, hp_max=2_000)
        scenario.set_mana("1", mana=0, mana_max=1_000)
        for item in scenario.give("1", *rings):
            scenario["1"].ring = item.number
        for _ in range(20):
            scenario.turn(("1", Wait()))
        return scenario["1"].mana if ring == "ring_thought" else scenario["1"].hp

    assert least <= gained(ring) - gained() <= most


def test_light_feet_spring_no_trap() -> None:
    scenario = Scenario("#1^.#", campaign=GLOAM)
    (ring,) = scenario.give("1", "ring_light_feet")
    scenario["1"].ring = ring.number
    scenario.turn(("1", Move(*E)))
    assert scenario["1"].hp == scenario["1"].hp_max
