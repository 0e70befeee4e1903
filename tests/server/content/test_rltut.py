"""The campaign rltut: every number of every row, by its ID."""

import msgspec
import pytest

from gloam_server.content.spells import Effect
from gloam_server.rules.dice import Dice
from gloam_server.world.growth.experience import gain_experience
from gloam_server.world.model.context import TurnContext
from gloam_shared.appearance import COLORS
from support.content.shipped_files import campaign
from support.scenarios.scenario import Scenario

RLTUT = campaign("rltut")


def fields(kind: msgspec.Struct, *names: str) -> tuple[object, ...]:
    return tuple(getattr(kind, name) for name in names)


@pytest.mark.rule("TG.1", "TG.2")
def test_five_caves_90_32_way_first() -> None:
    """Five caves of 90 by 32 with a way out on the first."""
    assert RLTUT.depths == 5
    for kind in RLTUT.levels.values():
        assert fields(kind, "generator", "width", "height", "fill_percent", "passes") == (
            "old_caves", 90, 32, 50, 8,
        )  # fmt: skip
        assert fields(kind, "region_min", "stairs_share") == (25, 250)
    assert [RLTUT.levels_at(depth)[0].exit for depth in range(1, 6)] == [True, False, False, False, False]


@pytest.mark.rule("TG.7")
def test_the_player() -> None:
    kind = RLTUT.player_kind
    assert fields(kind, "glyph", "hp", "attack", "defence", "slots", "mana", "sight") == (
        "@", 100, 20, 5, 20, 5, 9,
    )  # fmt: skip
    assert fields(kind, "regeneration", "mana_regeneration", "digs") == (10, 20, True)
    assert (RLTUT.hunger.start, RLTUT.hunger.max) == (666, 1_000)


@pytest.mark.rule("TG.8", "TG.9", "TG.10", "TG.11")
@pytest.mark.parametrize(
    ("key", "glyph", "hp", "attack", "defence", "tasks"),
    [
        ("fungus", "f", 10, 0, 0, ("spread",)),
        ("bat", "b", 15, 5, 0, ("flutter",)),
        ("zombie", "z", 50, 10, 10, ("idle", "hunt", "flutter")),
        ("goblin", "g", 66, 15, 5, ("arm", "shoot", "throw", "hunt", "pick_up", "flutter")),
    ],
    ids=["tg8", "tg9", "tg10", "tg11"],
)
def test_the_creatures(
    key: str, glyph: str, hp: int, attack: int, defence: int, tasks: tuple[str, ...]
) -> None:
    kind = RLTUT.creatures[key]
    assert fields(kind, "glyph", "hp", "attack", "defence", "tasks") == (glyph, hp, attack, defence, tasks)
    assert fields(kind, "sight", "slots", "level") == (9, 20, 1)


@pytest.mark.rule("TG.8")
def test_a_fungus_has_five_children() -> None:
    """A fungus has five children, in one of a hundred turns, up to five cells away."""
    assert fields(RLTUT.creatures["fungus"], "children", "spread_percent", "spread_reach") == (5, 1, 5)


@pytest.mark.rule("TG.9")
def test_a_bat_moves_twice_a_turn() -> None:
    assert [kind.key for kind in RLTUT.creatures.values() if kind.speed != 1_000] == ["bat"]
    assert RLTUT.creatures["bat"].speed == 2_000


@pytest.mark.rule("TG.10")
def test_a_zombie_idles_in_one_of_five_turns() -> None:
    assert RLTUT.creatures["zombie"].idle_percent == 20


@pytest.mark.rule("TG.11")
def test_a_goblin_starts_with_a_weapon_and_armour() -> None:
    assert RLTUT.creatures["goblin"].starts_with == ("any weapon", "any armour")


@pytest.mark.rule("TG.13")
@pytest.mark.parametrize("depth", range(1, 6))
def test_who_lives_on_a_level(depth: int) -> None:
    kind = RLTUT.levels_at(depth)[0]
    assert kind.populace == "counts"
    counts = {share.kind: share.base + share.per_depth * (depth - 1) for share in kind.creatures}
    z = depth - 1
    assert counts == {"fungus": 4, "bat": 10, "zombie": 2 * z + 1, "goblin": 2 * z + 1}


@pytest.mark.rule("TG.14")
@pytest.mark.parametrize("depth", range(1, 6))
def test_what_lies_on_a_level(depth: int) -> None:
    kind = RLTUT.levels_at(depth)[0]
    assert kind.goods == "counts"
    counts = {share.kind or share.group: share.base + share.per_depth * (depth - 1) for share in kind.things}
    assert counts == {
        "rock": 90 * 32 // 50,
        "apple": 1, "baguette": 1, "bread": 1, "armour": 1, "weapon": 2, "potion": depth, "book": depth,
    }  # fmt: skip


@pytest.mark.rule("TG.14", "TG.30")
def test_the_teddy_bear_is_the_prize_to_be_brought_out() -> None:
    assert [item.key for item in RLTUT.unique_items] == ["teddy_bear"]
    assert fields(RLTUT.victory, "rule", "item") == ("escape", "teddy_bear")


@pytest.mark.rule("TG.15")
@pytest.mark.parametrize(
    ("key", "attack", "defence", "ranged", "thrown", "food"),
    [
        ("dagger", 5, 0, 0, 5, 0),
        ("sword", 10, 0, 0, 3, 0),
        ("staff", 5, 3, 0, 3, 0),
        ("bow", 1, 0, 5, 1, 0),
        ("baguette", 3, 0, 0, 1, 100),
    ],
)
def test_the_weapons(key: str, attack: int, defence: int, ranged: int, thrown: int, food: int) -> None:
    kind = RLTUT.items[key]
    assert fields(kind, "attack", "defence", "ranged", "thrown", "food") == (
        attack, defence, ranged, thrown, food,
    )  # fmt: skip
    assert kind.wieldable
    assert not kind.wearable


@pytest.mark.rule("TG.15")
def test_random_weapons_dagger_sword_staff() -> None:
    """Random weapons are dagger sword staff and bow alike."""
    assert {kind.key: kind.weight for kind in RLTUT.items_of("weapon")} == {
        "bow": 10, "dagger": 10, "staff": 10, "sword": 10,
    }  # fmt: skip


@pytest.mark.rule("TG.16")
def test_the_armour() -> None:
    assert {kind.key: kind.defence for kind in RLTUT.items_of("armour")} == {
        "tunic": 2, "chainmail": 4, "platemail": 6,
    }  # fmt: skip
    assert all(kind.wearable and not kind.wieldable for kind in RLTUT.items_of("armour"))


@pytest.mark.rule("TG.17")
def test_food_and_thing_lies_cell() -> None:
    """Food is what it is and one thing lies on a cell."""
    assert (RLTUT.items["apple"].food, RLTUT.items["bread"].food) == (100, 400)
    assert RLTUT.items["corpse"].food_per_hp == 5
    assert not RLTUT.piles


@pytest.mark.rule("TG.18")
def test_hunger() -> None:
    assert fields(RLTUT.hunger, "rule", "per_action", "per_step", "per_dig", "per_blow", "per_point") == (
        "stuffed", 1, 1, 10, 2, 1,
    )  # fmt: skip


@pytest.mark.rule("TG.22")
def test_nine_colours_and_a_draw_of_nine() -> None:
    assert len(RLTUT.appearances) == len(set(RLTUT.appearances)) == 9
    potions = RLTUT.items_of("potion")
    assert {kind.quaffs: kind.weight for kind in potions} == {
        "health": 2, "mana": 2, "slow_health": 1, "poison": 1, "warrior": 1, "archer": 1, "experience": 1,
    }  # fmt: skip
    assert all(kind.looks for kind in potions)


@pytest.mark.rule("TG.22")
@pytest.mark.parametrize(
    ("spell", "effect"),
    [
        ("health", Effect(does="heal", amount=15)),
        ("mana", Effect(does="mana", amount=10)),
        ("slow_health", Effect(does="heal", amount=1, turns=100, word="mending")),
        ("poison", Effect(does="harm", amount=1, turns=20, word="poisoned")),
        ("warrior", Effect(does="strengthen", attack=5, defence=5, turns=20, word="a warrior")),
        ("archer", Effect(does="strengthen", sight=3, turns=20, word="an archer")),
        ("experience", Effect(does="learn", amount=5)),
    ],
)
def test_what_the_potions_bring(spell: str, effect: Effect) -> None:
    assert RLTUT.spells[spell].effects == (effect,)
    assert RLTUT.spells[spell].harms == (spell == "poison")


@pytest.mark.rule("TG.24")
@pytest.mark.parametrize(
    ("spell", "cost", "effect"),
    [
        ("minor_heal", 4, Effect(does="heal", amount=20)),
        ("major_heal", 8, Effect(does="heal", amount=50)),
        ("slow_heal", 12, Effect(does="heal", amount=2, turns=50, word="mending")),
        (
            "inner_strength",
            16,
            Effect(
                does="strengthen", attack=2, defence=2, sight=1, regeneration=10, mana_regeneration=-10,
                percent=25, amount=1, turns=50, word="strong within",
            ),
        ),
        ("blood_to_mana", 1, Effect(does="blood_to_mana")),
        ("blink", 6, Effect(does="blink", amount=5)),
        ("summon_bats", 11, Effect(does="summon", kind="bat", amount=8)),
        ("detect_creatures", 16, Effect(does="detect", turns=75, word="all-aware")),
    ],
)  # fmt: skip
def test_the_spells_of_the_two_books(spell: str, cost: int, effect: Effect) -> None:
    assert RLTUT.spells[spell].cost == cost
    assert RLTUT.spells[spell].effects == (effect,)


@pytest.mark.rule("TG.24")
def test_what_the_books_teach() -> None:
    assert {kind.key: kind.teaches for kind in RLTUT.items_of("book")} == {
        "white_book": ("minor_heal", "major_heal", "slow_heal", "inner_strength"),
        "blue_book": ("blood_to_mana", "blink", "summon_bats", "detect_creatures"),
    }


@pytest.mark.rule("TG.25")
def test_all_grow_back_alike() -> None:
    assert RLTUT.regeneration.rule == "thousandths"
    for kind in RLTUT.creatures.values():
        assert fields(kind, "regeneration", "mana_regeneration", "mana") == (10, 20, 5)


@pytest.mark.rule("TG.26", "T14.6")
def test_the_seven_options() -> None:
    assert msgspec.structs.asdict(RLTUT.experience.gains) == {
        "health": 10, "mana": 5, "attack": 2, "defence": 2, "sight": 1, "regeneration": 5, "mana_regeneration": 5,
    }  # fmt: skip
    assert len(RLTUT.gains_of("human")) == 7


@pytest.mark.rule("T14.7", "TG.8")
@pytest.mark.parametrize("key", sorted(RLTUT.creatures))
def test_every_creature_is_offered_every_option(key: str) -> None:
    """The article draws one of all options for a creature that rises: a fungus may gain attack, which it never uses."""
    assert RLTUT.gains_of(key) == RLTUT.experience.offers


@pytest.mark.rule("T14.7")
def test_a_risen_fungus_draws_from_all_options() -> None:
    drawn = set()
    for seed in range(60):
        scenario = Scenario("#1f#", campaign=RLTUT, seed=seed, f="fungus")
        before = scenario["f"].attack, scenario["f"].sight
        gain_experience(TurnContext(scenario.level, Dice(seed, 1, 1)), scenario["f"], 21)
        drawn.add((scenario["f"].attack - before[0], scenario["f"].sight - before[1]))
    assert {(2, 0), (0, 1), (0, 0)} <= drawn


@pytest.mark.rule("T14.2", "T14.3", "T14.4")
def test_experience_by_the_article() -> None:
    assert fields(RLTUT.experience, "award", "threshold", "heal", "credit", "points_per_level") == (
        "worth_minus_twice_killer", "power_3_2", "twice_level", "killer", 1,
    )  # fmt: skip


def test_all_colours_are_known() -> None:
    colours = [kind.colour for kind in RLTUT.creatures.values()]
    colours += [kind.colour for kind in RLTUT.items.values() if kind.colour]
    assert set(colours) <= set(COLORS)


@pytest.mark.rule("T14.3", "T14.6", "TG.26")
def test_a_level_up_uses_rltuts_words() -> None:
    """The gains of a level are offered in rltut's order and words."""
    rules = RLTUT.experience
    assert rules.told
    assert RLTUT.gains_of("human") == rules.offers
    assert [getattr(rules.words, gain) for gain in ("health", "attack", "defence", "sight")] == [
        "Increased hit points",
        "Increased attack value",
        "Increased defense value",
        "Increased vision",
    ]


@pytest.mark.rule("T14.9")
def test_the_options_stand_by_digit_under_rltuts_title() -> None:
    assert fields(RLTUT.experience.words, "title", "marks") == ("Choose a level up bonus", "digits")


@pytest.mark.rule("TG.3")
def test_the_tiles_have_rltuts_words() -> None:
    assert fields(RLTUT.terrain, "floor", "wall", "stairs_down", "stairs_up") == (
        "a dirt and rock cave floor",
        "a dirt and rock cave wall",
        "a stone staircase that goes down",
        "a stone staircase that goes up",
    )
    assert RLTUT.terrain.exit == ""
