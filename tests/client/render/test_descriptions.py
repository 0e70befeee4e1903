"""The content of a cell and the nature of an item, in words and numbers."""

import pytest
from msgspec.structs import replace

from gloam_client.render import descriptions
from gloam_shared.appearance import TERRAIN_LOOKS, Terrain
from gloam_shared.geometry import Grid
from gloam_shared.view.menace import DamageKind, Menace
from gloam_shared.view.place import Look
from gloam_shared.view.view import Creature, CreatureFlag, InventoryItem, Item, ItemFlag, Stat, View
from support.client.fake_server import level_view

START = level_view()
RAT = Creature(20, START.cell + 2, 3, 5, 1, CreatureFlag.HOSTILE, "r", "brown", "rat", 2, 1)


def seen(*creatures: Creature) -> View:
    return replace(START, creatures=(*START.creatures, *creatures))


@pytest.mark.rule("JG.22", "TG.29")
def test_a_creature_has_glyph_name_and_numbers() -> None:
    text = descriptions.describe_creature(RAT, seen(RAT))
    assert text.startswith("r - A rat (level: 1, attack: 2, defense: 1, hp: 3/5), hostile.")


def test_a_foe_is_judged_in_a_word_and_in_blows() -> None:
    assert "Easy: it kills you in about 27 blows, you it in 1." in descriptions.describe_creature(
        RAT, seen(RAT)
    )
    ogre = replace(RAT, name="ogre", hp=90, attack=60)
    assert "Deadly: it kills you in about 2 blows, you it in 18." in descriptions.describe_creature(
        ogre, seen(ogre)
    )
    fungus = replace(RAT, name="fungus", attack=0)
    assert "Harmless: it has no attack; you kill it in about 1 blow." in descriptions.describe_creature(
        fungus, seen(fungus)
    )


@pytest.mark.rule("F111")
def test_a_look_says_whose_damage_is_less_or_more() -> None:
    imp = replace(RAT, menace=Menace(deals=DamageKind.VENOM, resists=(0, 50, -50, 0, 10)))
    sheet = list(START.sheet)
    for kind, told in (
        (DamageKind.FIRE, "Your fire hurts it less."),
        (DamageKind.COLD, "Your cold hurts it more."),
        (DamageKind.LIGHT, ""),
        (DamageKind.BLOW, ""),
    ):
        sheet[Stat.DEALS] = kind
        text = descriptions.describe_creature(imp, replace(seen(imp), sheet=tuple(sheet)))
        assert text.endswith(f"in {'1' if kind != DamageKind.FIRE else '2'}. {told}".rstrip()), text
    sheet[Stat.RESISTS_VENOM] = 25
    text = descriptions.describe_creature(imp, replace(seen(imp), sheet=tuple(sheet)))
    assert text.endswith("Its venom hurts you less.")


@pytest.mark.rule("A73")
@pytest.mark.parametrize("kind", [-6, -1, 5, 1_000])
def test_an_unknown_kind_of_damage_has_no_words(kind: int) -> None:
    imp = replace(RAT, menace=Menace(deals=kind, magic=1, magic_deals=kind, resists=(50, 50, 50, 50, 50)))
    sheet = list(START.sheet)
    sheet[Stat.DEALS] = kind
    text = descriptions.describe_creature(imp, replace(seen(imp), sheet=tuple(sheet)))
    assert "hurts" not in text


def test_friend_not_judged_and_partner_duel() -> None:
    """A friend is not judged and a partner in a duel is."""
    bert = replace(RAT, name="Bert", marks=CreatureFlag.PLAYER, attack=9)
    assert descriptions.describe_creature(bert, seen(bert)).endswith(", a player.")
    rival = replace(bert, marks=CreatureFlag.PLAYER | CreatureFlag.HOSTILE)
    assert "a player, hostile. E" in descriptions.describe_creature(rival, seen(rival))


@pytest.mark.rule("JG.22")
def test_things_are_described_before_creatures() -> None:
    """Items are described before creatures, and creatures before the ground."""
    view = replace(seen(RAT), items=(Item(30, RAT.cell, 1, "%", "red", "apple"),))
    lines = descriptions.describe_cell(view, RAT.cell)
    assert lines[0] == "You see [+2,+0]:"
    assert [words.split(" (")[0] for words in lines[1:]] == [
        "% - An apple.",
        "r - A rat",
        "A cave floor.",
        "2 steps east.",
    ]


def test_a_place_with_a_look_need_be_no_cave() -> None:
    halls = replace(START.place, look=Look("#", ".", ("gray",), ("gray",), "warm"))
    own = START.cell
    for place, words in ((START.place, "A cave floor."), (halls, "A floor.")):
        assert words in descriptions.describe_cell(replace(START, place=place), own)
    named = tuple("an ice cave floor" if each is Terrain.FLOOR else "" for each in Terrain)
    assert "An ice cave floor." in descriptions.describe_cell(replace(START, place=halls), own, named=named)


def test_a_shrine_tells_what_it_does() -> None:
    terrain = bytearray(START.terrain)
    terrain[START.cell + 1] = Terrain.SHRINE
    lines = descriptions.describe_cell(replace(START, terrain=bytes(terrain)), START.cell + 1)
    assert lines[1:3] == ["A shrine.", "A turn of waiting on it makes you whole, once in a life."]


@pytest.mark.rule("RG.25")
def test_remembered_and_unknown_cells_are_described() -> None:
    """A remembered cell is described as remembered, an unknown one as unknown."""
    far = START.cell + 20
    assert descriptions.describe_cell(START, far)[0] == "You recall [+20,+0]:"
    unknown = replace(START, terrain=bytes(len(START.terrain)), sight=bytes(len(START.sight)))
    assert descriptions.describe_cell(unknown, START.cell - 1)[:2] == [
        "At [-1,+0]:",
        "(unknown) You have not seen this place.",
    ]


@pytest.mark.parametrize("terrain", [one for one in Terrain if one is not Terrain.UNKNOWN])
def test_every_terrain_has_words(terrain: Terrain) -> None:
    ground = bytes([terrain]) * len(START.terrain)
    words = TERRAIN_LOOKS[terrain].words
    assert f"{words[:1].upper()}{words[1:]}." in descriptions.describe_cell(
        replace(START, terrain=ground), START.cell + 1
    )


@pytest.mark.rule("JG.21", "TG.29")
def test_a_thing_is_reported_with_its_details() -> None:
    pumpkin = InventoryItem(0, "%", "orange", "pumpkin", ItemFlag.EDIBLE | ItemFlag.WORN, 2, 3, 50)
    assert descriptions.describe_inventory_item(pumpkin) == [
        "It's a pumpkin (attack +2, defense +3, food 50).",
        "You are wearing it.",
    ]
    assert descriptions.describe_inventory_item(InventoryItem(0, "*", "white", "rock", 0, 0, 0, 0)) == [
        "It's a rock."
    ]


@pytest.mark.rule("TG.29")
def test_weapons_thrown_or_shoot_compared() -> None:
    """Weapons that are thrown or shoot can be compared."""
    bow = InventoryItem(
        0, ")", "brown", "bow", ItemFlag.WIELDABLE | ItemFlag.SHOOTS, 1, 0, 0, thrown=1, ranged=5
    )
    javelin = InventoryItem(1, "/", "white", "javelin", ItemFlag.WIELDABLE, 2, 0, 0, thrown=8)
    assert descriptions.describe_inventory_item(bow)[0] == "It's a bow (attack +1, ranged +5)."
    assert descriptions.describe_inventory_item(javelin)[0] == "It's a javelin (attack +2, thrown +8)."


def test_scroll_tells_aimed() -> None:
    """A scroll tells what it is aimed at and what it does."""
    scroll = InventoryItem(
        0, "?", "red", "fireball scroll", ItemFlag.READABLE, 0, 0, 0, "cell", 6, 3, "It burns."
    )
    assert descriptions.describe_inventory_item(scroll) == [
        "It's a fireball scroll.",
        "It burns.",
        "When read it works at a cell within 6, blast 3.",
    ]


@pytest.mark.rule("A73")
def test_what_a_spell_is_aimed_at_is_made_safe_to_show() -> None:
    assert descriptions.describe_aim("\x1b[2Jcell", 6, 3) == "at a [2Jcell within 6, blast 3"


@pytest.mark.parametrize(
    ("dx", "dy", "expected"),
    [
        (0, 0, "here"),
        (0, -1, "north"),
        (-1, 5, "south"),
        (-2, 5, "south"),
        (-2, 4, "south-west"),
        (-3, 5, "south-west"),
        (7, 1, "east"),
        (7, -4, "north-east"),
        (-9, -4, "west"),
        (-9, -5, "north-west"),
        (1, 1, "south-east"),
    ],
)
def test_winds_reported_nearest_and_step_leads_aslant(dx: int, dy: int, expected: str) -> None:
    """The winds are shown by the nearest and a step leads diagonally as before."""
    grid, here = Grid(100, 100), 50 * 100 + 50
    there = here + dy * 100 + dx
    assert grid.compass(here, there) == expected
    assert grid.towards(here, there) == ((dx > 0) - (dx < 0), (dy > 0) - (dy < 0))


def test_a_look_tells_how_much_a_monster_has_grown() -> None:
    grown = replace(RAT, grown=2)
    assert "hostile, grown by 2 levels." in descriptions.describe_creature(grown, seen(grown))
    assert "grown" not in descriptions.describe_creature(RAT, seen(RAT))
