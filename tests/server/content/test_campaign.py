"""The shipped numbers, and what kinds offer."""

from collections.abc import Callable

import msgspec
import pytest

from gloam_server.content.campaign_schema import TerrainWords
from gloam_server.content.creatures import CreatureKind
from gloam_shared.appearance import Terrain
from gloam_shared.geometry import DIRECTIONS, ORTHOGONAL
from support.content.shipped_files import campaign, variant


@pytest.mark.rule("JG.6", "JG.7", "JG.8")
@pytest.mark.parametrize(
    ("key", "expected"),
    [
        (
            "human",
            {"glyph": "@", "colour": "white", "hp": 40, "attack": 10, "defence": 0, "sight": 6, "slots": 22},
        ),
        ("fungus", {"glyph": "F", "colour": "green", "hp": 10, "attack": 0, "defence": 0, "speed": 250}),
        ("fungus", {"children": 5, "spread_percent": 2, "tasks": ("spread",), "corpse": False}),
        (
            "bat",
            {"glyph": "B", "colour": "white", "hp": 5, "attack": 4, "speed": 2_000, "tasks": ("wander",)},
        ),
        (
            "newt",
            {"glyph": ":", "colour": "yellow", "hp": 3, "attack": 2, "speed": 1_000, "tasks": ("wander",)},
        ),
        ("kobold", {"glyph": "k", "colour": "white", "hp": 6, "attack": 4, "sight": 5, "slots": 10}),
        ("kobold", {"tasks": ("hunt", "wander"), "level": 1, "corpse": True, "hates": ()}),
    ],
)
def test_creatures_jsrogue_exact_numbers(key: str, expected: dict[str, object]) -> None:
    """The creatures of jsrogue have their exact numbers."""
    kind = msgspec.structs.asdict(campaign().creatures[key])
    assert expected == {field: kind[field] for field in expected}


@pytest.mark.rule("J7.3", "J14.14")
def test_jsrogue_six_levels_and_15_monsters() -> None:
    """Jsrogue has six levels of 100 by 48, and 15 monsters on each."""
    levels = campaign().levels["caves"]
    assert (
        levels.width, levels.height, campaign().depths, levels.monsters, levels.levels_per_depth,
    ) == (100, 48, 7, 15, 1)  # fmt: skip
    assert levels.depths == (1, 6)


@pytest.mark.rule("J14.1", "J14.2", "J14.3", "J14.4", "J14.5")
def test_what_a_point_brings() -> None:
    rules = campaign().experience
    assert (rules.gains.attack, rules.gains.defence, rules.gains.health, rules.gains.sight) == (2, 2, 10, 1)
    assert rules.points_per_level == 1
    assert (
        rules.award, rules.threshold, rules.heal, rules.credit,
    ) == ("worth_minus_level_gap", "square", "full", "killer")  # fmt: skip


@pytest.mark.rule("J14.5")
@pytest.mark.parametrize(
    ("key", "gains"),
    [
        ("human", ("attack", "defence", "health", "sight")),
        ("kobold", ("attack", "defence", "health", "sight")),
        ("bat", ("attack", "defence", "health")),
        ("newt", ("attack", "defence", "health")),
        ("fungus", ("defence", "health")),
    ],
)
def test_only_what_a_creature_has_can_grow(key: str, gains: tuple[str, ...]) -> None:
    assert gains == campaign().gains_of(key)


@pytest.mark.rule("JG.12")
def test_a_corpse_feeds_and_fungi_leave_none() -> None:
    corpse = campaign().items["corpse"]
    assert (corpse.name.format(name="bat"), corpse.glyph, corpse.food) == ("bat corpse", "%", 75)
    assert [kind.corpse for kind in campaign().creatures.values() if kind.key == "fungus"] == [False]


@pytest.mark.rule("JG.16", "JG.17")
@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("apple", {"glyph": "%", "colour": "red", "food": 50, "bites": 1}),
        ("melon", {"glyph": "%", "colour": "lightgreen", "food": 35, "bites": 4}),
        ("pumpkin", {"glyph": "%", "colour": "orange", "food": 50, "attack": 2, "defence": 2}),
        ("pumpkin", {"wieldable": True, "wearable": True}),
        ("corpse", {"glyph": "%", "food": 75, "bites": 1, "found": "never"}),
        ("dagger", {"glyph": ")", "attack": 5, "defence": 0, "wieldable": True, "wearable": False}),
        ("sword", {"glyph": ")", "attack": 10, "defence": 0, "wieldable": True, "wearable": False}),
        ("staff", {"glyph": ")", "attack": 5, "defence": 3, "wieldable": True, "wearable": False}),
        ("tunic", {"glyph": "[", "attack": 0, "defence": 2, "wieldable": False, "wearable": True}),
        ("chainmail", {"glyph": "[", "attack": 0, "defence": 4, "wieldable": False, "wearable": True}),
        ("platemail", {"glyph": "[", "attack": 0, "defence": 6, "wieldable": False, "wearable": True}),
        ("rock", {"glyph": "*", "food": 0, "attack": 0, "wieldable": False, "wearable": False}),
    ],
)
def test_things_jsrogue_exact_numbers(key: str, expected: dict[str, object]) -> None:
    """The things of jsrogue have their exact numbers."""
    kind = msgspec.structs.asdict(campaign().items[key])
    assert expected == {field: kind[field] for field in expected}


@pytest.mark.rule("JG.17", "JG.18")
def test_weapons_and_armor_are_found_once() -> None:
    """Four kinds are common, and weapons and armor are found once."""
    assert [kind.key for kind in campaign().common_items] == ["apple", "melon", "pumpkin", "rock"]
    assert campaign().levels["caves"].items == 15
    assert [kind.key for kind in campaign().unique_items] == [
        "chainmail", "dagger", "platemail", "staff", "sword", "tunic",
    ]  # fmt: skip


@pytest.mark.rule("JG.15")
def test_the_numbers_of_hunger() -> None:
    rules = campaign().hunger
    assert (rules.rule, rules.start, rules.max, rules.per_action) == ("starve_or_choke", 500, 1_000, 1)


def test_players_kind_not_part_random_population() -> None:
    """The players kind is not part of the random population."""
    assert [kind.key for kind in campaign().spawnable] == ["bat", "fungus", "kobold", "newt", "slime"]
    assert campaign().player_kind.key == "human"
    assert campaign().player_kind.picks_points


def test_movement_eight_ways_unless_classic_rule() -> None:
    """Movement is eight ways unless the classic rule is named."""
    assert campaign().directions == DIRECTIONS
    assert variant('movement = "eight"', 'movement = "four"').directions == ORTHOGONAL


@pytest.mark.parametrize(
    "change", [lambda kind: setattr(kind, "hp", 1), lambda kind: setattr(kind, "key", "x")]
)
def test_kinds_cannot_be_changed(change: Callable[[CreatureKind], None]) -> None:
    with pytest.raises(AttributeError):
        change(campaign().creatures["bat"])


def test_terrain_seen_named_order_number() -> None:
    """Every terrain that can be seen may be named in the order of its number."""
    assert [tile.name.lower() for tile in Terrain][1:] == list(TerrainWords.__struct_fields__)
