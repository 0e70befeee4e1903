"""ruggrogue's content: the numbers of its players, monsters and things, by level (rules R1-R14, RG.8-RG.20)."""

import pytest

from gloam_server.rules.dice import Dice
from gloam_server.rules.growth import KillValue, award, scale_stat
from gloam_server.world.items.equipment import attack_wielding, defense_wearing
from gloam_server.world.items.starting_kit import give_starting_kit
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature, Item, new_creature
from gloam_server.world.population.spawning import raise_to_level
from support.content.shipped_files import campaign
from support.scenarios.scenario import Scenario

RUGGROGUE = campaign("ruggrogue")

# Level: player's health, attack, defense; monster's health, attack, defense, experience; weapon, armor.
BY_LEVEL = {
    1: (30, 480, 240, 14, 800, 400, 10, 320, 160),
    2: (33, 528, 264, 15, 880, 440, 11, 352, 176),
    3: (36, 576, 288, 17, 960, 480, 12, 384, 192),
    4: (39, 624, 312, 18, 1_040, 520, 13, 416, 208),
    5: (42, 672, 336, 20, 1_120, 560, 14, 448, 224),
    6: (45, 720, 360, 21, 1_200, 600, 15, 480, 240),
    7: (48, 768, 384, 22, 1_280, 640, 16, 512, 256),
    8: (51, 816, 408, 24, 1_360, 680, 17, 544, 272),
    9: (54, 864, 432, 25, 1_440, 720, 18, 576, 288),
    10: (57, 912, 456, 27, 1_520, 760, 19, 608, 304),
    12: (63, 1_008, 504, 29, 1_680, 840, 21, 672, 336),
    15: (72, 1_152, 576, 34, 1_920, 960, 24, 768, 384),
    18: (81, 1_296, 648, 38, 2_160, 1_080, 27, 864, 432),
    20: (87, 1_392, 696, 41, 2_320, 1_160, 29, 928, 464),
    22: (93, 1_488, 744, 43, 2_480, 1_240, 31, 992, 496),
    25: (102, 1_632, 816, 48, 2_720, 1_360, 34, 1_088, 544),
    28: (111, 1_776, 888, 52, 2_960, 1_480, 37, 1_184, 592),
    30: (117, 1_872, 936, 55, 3_120, 1_560, 39, 1_248, 624),
}

MONSTERS = (
    "blob b, bat B, crab c, snake S, goblin g, kobold k, gnome G, orc o, unicorn u, pirate P, lizardman L, ghost G, "
    "skeleton Z, ogre O, naga N, warlock W, demon &, sentinel E, robber R, skateboard kid K, jellybean J, alien A, "
    "dweller D, little helper h, big helper H"
)
WEAPONS = "Knife Club Hatchet Spear Rapier Saber Longsword Crowbar Tonfa Beam_Sword"
ARMOURS = "Jerkin Coat Wooden_Shield Tower_Shield Kite_Shield Studded_Armor Hauberk Platemail Army_Helmet Flak_Jacket"


def grown(kind: str, level: int) -> Creature:
    """Return a creature of a kind that has risen to a level by its experience."""
    scenario = Scenario("#....#", campaign=RUGGROGUE)
    body = new_creature(RUGGROGUE.creatures[kind], 5)
    scenario.level.add(body, 1, Dice(1, 1, 1))
    raise_to_level(TurnContext(scenario.level, Dice(1, 1, 1)), body, level)
    return body


def gear(kind: str, power: int) -> Item:
    return Item(1, kind, RUGGROGUE.items[kind].name, "gray", power=power)


@pytest.mark.rule("R2", "R7", "RG.8")
@pytest.mark.parametrize("level", BY_LEVEL)
def test_the_players_numbers_by_level(level: int) -> None:
    player = grown("player", level)
    assert (player.hp_max, player.attack, player.defence) == BY_LEVEL[level][:3]
    assert (player.level, player.hp, player.points) == (level, player.hp_max, 0)


@pytest.mark.rule("R2", "R8")
@pytest.mark.parametrize("level", BY_LEVEL)
@pytest.mark.parametrize("kind", ["blob", "big_helper"])
def test_the_monsters_numbers_by_level(kind: str, level: int) -> None:
    monster = grown(kind, level)
    worth = KillValue(monster.hp_max, monster.attack, monster.defence, monster.level)
    assert (monster.hp_max, monster.attack, monster.defence) == BY_LEVEL[level][3:6]
    assert award(RUGGROGUE.experience, worth, 7) == BY_LEVEL[level][6] == level + 9


@pytest.mark.rule("R2")
@pytest.mark.parametrize("level", [15, 20, 34, 39, 42])
def test_an_award_is_no_rounded_fraction(level: int) -> None:
    assert award(RUGGROGUE.experience, KillValue(1, 1, 1, level), 1) == level + 9


@pytest.mark.rule("R2")
@pytest.mark.parametrize("level", BY_LEVEL)
def test_weapons_and_armours_by_their_level(level: int) -> None:
    assert attack_wielding(RUGGROGUE, gear("knife", level)) == BY_LEVEL[level][7]
    assert attack_wielding(RUGGROGUE, gear("beam_sword", level)) == BY_LEVEL[level][7]
    assert defense_wearing(RUGGROGUE, gear("jerkin", level)) == BY_LEVEL[level][8]
    assert (
        defense_wearing(RUGGROGUE, gear("knife", level)),
        attack_wielding(RUGGROGUE, gear("coat", level)),
    ) == (
        0,
        0,
    )


@pytest.mark.rule("R1")
@pytest.mark.parametrize("level", range(1, 31))
def test_each_level_adds_a_tenth_of_the_first(level: int) -> None:
    assert scale_stat(1_000, 10, level) == 1_000 + 100 * (level - 1)


@pytest.mark.rule("R3")
def test_example_level_six_exact_hundredths() -> None:
    """The example of level six is exact in hundredths."""
    assert BY_LEVEL[6][:3] == (45, 720, 360)
    player = grown("player", 6)
    assert (player.hp_max, player.attack, player.defence) == (45, 720, 360)


@pytest.mark.rule("R4")
@pytest.mark.parametrize("level", [1, 7, 25])
def test_a_geared_player_matches_a_monster(level: int) -> None:
    """A player with gear of their level is a match for a monster."""
    player, monster = grown("player", level), grown("orc", level)
    assert player.attack + attack_wielding(RUGGROGUE, gear("club", level)) == monster.attack
    assert player.defence + defense_wearing(RUGGROGUE, gear("coat", level)) == monster.defence
    assert monster.attack == 2 * monster.defence


@pytest.mark.rule("R12", "RG.9")
def test_monster_level_and_last_above() -> None:
    """A monster for each level and the last for all above."""
    kinds = [kind for kind in RUGGROGUE.creatures.values() if kind.spawns]
    assert ", ".join(f"{kind.name} {kind.glyph}" for kind in kinds) == MONSTERS
    assert [kind.levels for kind in kinds] == [*((n, n) for n in range(1, 25)), (25, 100)]
    assert {(kind.hp, kind.attack, kind.defence, kind.sight) for kind in kinds} == {(14, 800, 400, 8)}
    assert {kind.tasks for kind in kinds} == {("hunt",)}
    assert not any(kind.corpse for kind in RUGGROGUE.creatures.values())


@pytest.mark.rule("RG.8")
def test_the_player() -> None:
    kind = RUGGROGUE.player_kind
    assert (kind.hp, kind.attack, kind.defence, kind.sight, kind.speed) == (30, 480, 240, 8, 1_000)


@pytest.mark.rule("RG.14", "RG.15")
@pytest.mark.parametrize(("group", "names"), [("weapon", WEAPONS), ("armour", ARMOURS)])
def test_ten_weapons_and_ten_armours_of_rising_levels(group: str, names: str) -> None:
    kinds = [kind for kind in RUGGROGUE.items.values() if kind.group == group]
    assert [kind.name.replace(" ", "_") for kind in kinds] == names.split()
    assert [kind.levels for kind in kinds] == sorted(kind.levels or (0, 0) for kind in kinds)
    assert {(kind.attack, kind.defence) for kind in kinds} == {(320, 0) if group == "weapon" else (0, 160)}
    assert all(kind.scales and kind.wieldable is (group == "weapon") for kind in kinds)
    assert all(kind.wearable is (group == "armour") for kind in kinds)


@pytest.mark.rule("RG.12")
def test_the_shares_of_what_is_used_up() -> None:
    used_up = {key: kind.weight for key, kind in RUGGROGUE.items.items() if kind.quaffs or kind.reads}
    assert used_up == {"health_potion": 3, "missile_scroll": 3, "fireball_scroll": 2, "sleep_scroll": 2}


@pytest.mark.rule("RG.16")
def test_what_potions_scrolls_and_rations_do() -> None:
    names = {
        key: (spell.range, spell.radius, spell.target, spell.effects[0].does, spell.effects[0].amount)
        for key, spell in RUGGROGUE.spells.items()
    }
    assert names == {
        "healing": (0, 0, "self", "heal", 20),
        "magic_missile": (6, 0, "creature", "harm", 8),
        "fireball": (6, 3, "cell", "harm", 20),
        "sleep": (6, 1, "cell", "sleep", 36),
    }
    assert RUGGROGUE.spells["healing"].effects[0].or_max == 2
    assert RUGGROGUE.items["ration"].food == 750


@pytest.mark.rule("RG.13", "F44")
def test_life_begins_knife_and_jerkin() -> None:
    """Every life begins with a knife and a jerkin of its own."""
    player = new_creature(RUGGROGUE.player_kind, 5, account=1, food=1_500)
    numbers = iter(range(100, 200))
    give_starting_kit(RUGGROGUE, player, lambda: next(numbers))
    scenario = Scenario("#1.#", campaign=RUGGROGUE)
    assert [(item.kind, item.power, item.bound) for item in player.carried] == [
        ("knife", 1, 5),
        ("jerkin", 1, 5),
    ]
    assert (player.wielded, player.worn) == (100, 101)
    assert scenario["1"].slots == [None] * 26


@pytest.mark.rule("R5", "R14", "RG.18", "RG.19")
def test_the_rules_of_the_whole() -> None:
    rules = RUGGROGUE
    experience = rules.experience
    assert (experience.credit, experience.threshold, experience.heal) == ("last_hit", "compound", "full")
    assert (experience.factor_percent, experience.points_per_level) == (10, 0)
    assert rules.gains_of("player") == ()
    assert (rules.combat.damage, rules.combat.scale, rules.combat.miss_percent) == ("ratio", 100, 10)
    assert (rules.hunger.rule, rules.hunger.start, rules.hunger.max) == ("six_states", 1_500, 1_500)
    assert (rules.hunger.per_action, rules.hunger.per_healing) == (1, 1)
    assert (rules.regeneration.full_turns, rules.regeneration.starving_turns) == (300, 400)
    assert (rules.difficulty.tracked, rules.difficulty.last, rules.difficulty.equal_percent) == (True, 25, 20)
    assert (rules.victory.rule, rules.victory.item, rules.victory.again) == ("use", "present", True)
