"""Drawn rooms that no level could have: one sentence each, with the file, the room and the solution."""

import pytest

from gloam_server.content.loader import CampaignError, load
from support.content.rooms_campaign import LEVELS, room_files

ROOM = '''
[den]
name = "the den"
places = ["caves"]
drawing = """
{drawing}
"""
{legend}
'''

WHOLE = """
##########
#........#
#..a.....:
#........#
#........#
#........#
#........#
##########
""".strip()


def error_of(drawing: str = WHOLE, legend: str = "a = { creature = 'rat' }", **changed: str) -> str:
    """Return the sentence about a campaign with this room."""
    text = ROOM.format(drawing=drawing, legend=f"[den.legend]\n{legend}" if legend else "")
    with pytest.raises(CampaignError) as error:
        load(room_files(rooms=text, **changed))
    sentence = str(error.value)
    assert "\n" not in sentence
    return sentence


def test_whole_room_loads() -> None:
    text = ROOM.format(drawing=WHOLE, legend="[den.legend]\na = { creature = 'rat' }")
    [room] = load(room_files(rooms=text)).rooms.values()
    assert room.grid.size == 80
    assert [(cell.x, cell.y) for cell in room.entrances] == [(9, 2)]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("#........#\n#..a", ".........#\n#..a", 'is not closed: "." stands at its edge, in row 2, column 1'),
        ("##########\n#......", "#####.####\n#......", "is not closed"),
        ("#..a.....:", "#..a.....a", 'is not closed: "a" stands at its edge'),
        ("#........#\n#..a", " #.......#\n#..a", 'is not closed: "." stands at its edge, in row 3, column 2'),
        ("#..a.....:", "#..a.....#", "has no entrance"),
        (
            "#........#\n#........#\n##########",
            "#...######\n#...##.###\n##########",
            "has a cell that cannot be reached on foot, in row 7, column 7",
        ),
        ("#..a.....:", "#..a.....:~", "is not closed"),
        ("#..a.....:", "#..aQ....:", 'has the letter "Q" without an entry: add one to den.legend'),
        ("#..a.....:", "#.:a.....:", "has an opening within, in row 3, column 3"),
        ("##########\n#......", "#####", "has 10 columns and 7 rows: draw 8 to 24 columns and 8 to 14 rows"),
    ],
)
def test_bad_drawing_is_one_sentence(old: str, new: str, expected: str) -> None:
    drawing = WHOLE.replace(old, new, 1)
    if "7 rows" in expected:
        drawing = "\n".join(WHOLE.split("\n")[1:])
    assert f"In rooms.toml, the room den {expected}" in error_of(drawing)


def test_too_large_drawing_is_refused() -> None:
    wide = "\n".join(row[0] + row[1] * 20 + row[1:] for row in WHOLE.split("\n"))
    assert "has 30 columns and 8 rows" in error_of(wide)
    tall = "\n".join([*WHOLE.split("\n")[:4], *["#........#"] * 9, *WHOLE.split("\n")[4:]])
    assert "has 10 columns and 17 rows" in error_of(tall)


def test_room_must_fit_its_level() -> None:
    small = LEVELS.replace("width = 54", "width = 20", 1).replace("height = 30", "height = 11", 1)
    assert "is too large for caves, which has 20 columns and 11 rows: leave 2 free on each side" in error_of(
        levels=small
    )


def test_entrance_must_lead_out() -> None:
    """A step in a corner leads out of the room crosswise only."""
    rows = WHOLE.split("\n")
    rows[0], rows[1], rows[2] = "#########", "#.......:#", "#..a.....#"
    assert "has an entrance that leads nowhere, in row 2, column 9" in error_of("\n".join(rows))


@pytest.mark.parametrize(
    ("legend", "expected"),
    [
        ("a = { creature = 'rot' }", "den.legend.a.creature is 'rot': did you mean rat?"),
        ("a = { creature = 'human' }", "den.legend.a.creature is 'human': write one of"),
        ("a = { people = 'vermins' }", "den.legend.a.people is 'vermins': did you mean vermin?"),
        ("a = { item = 'aple' }", "den.legend.a.item is 'aple': did you mean apple?"),
        ("a = { group = 'weapons' }", "den.legend.a.group is 'weapons': did you mean weapon?"),
        ("a = { creature = 'rat', people = 'vermin' }", "name either a creature or a people"),
        ("a = { item = 'axe', group = 'weapon' }", "name either an item or a group"),
        ("a = { feature = 'trap' }", 'write "trap" together with the spell that it springs'),
        ("a = { spell = 'spike' }", 'write "trap" together with the spell that it springs'),
        ("a = { feature = 'trap', spell = 'spice' }", "den.legend.a.spell is 'spice': did you mean spike?"),
        (
            "a = { creature = 'eel' }",
            "den.legend.a has a creature without a place, because its terrain is floor: write water",
        ),
        (
            "a = { creature = 'rat', terrain = 'water' }",
            "has a creature without a place, because its terrain is water",
        ),
        ("a = { item = 'axe', terrain = 'brazier' }", "has an item or a trap without a place"),
        ("a = { item = 'axe', terrain = 'lava' }", "den.legend.a.terrain is 'lava': write one of"),
        ("a = { itm = 'axe' }", "den.legend.a.itm is not known: did you mean item?"),
        ("a = { levels = 9 }", "den.legend.a.levels is 9: write a whole number from 0 to 5"),
        ("a = {}\nb = {}", "den.legend.b stands nowhere in the drawing: draw it, or remove the entry"),
        ("a = {}\n'.' = {}", "den.legend.. is no letter of its own"),
    ],
)
def test_bad_letter_is_one_sentence(legend: str, expected: str) -> None:
    sentence = error_of(legend=legend)
    assert sentence.startswith("In rooms.toml, ")
    assert expected in sentence


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('places = ["caves"]', 'places = ["cave"]', "den.places[0] is 'cave': did you mean caves?"),
        ('places = ["caves"]', "places = []", "den.places is []: name the kinds of level that may have it"),
        ('places = ["caves"]', 'places = ["caves"]\ndepths = [2, 4]', "let it share a depth with caves"),
        (
            'places = ["caves"]',
            'places = ["caves"]\nwieght = 3',
            "den.wieght is not known: did you mean weight?",
        ),
    ],
)
def test_bad_place_is_one_sentence(old: str, new: str, expected: str) -> None:
    text = ROOM.format(drawing=WHOLE, legend="[den.legend]\na = {}").replace(old, new)
    with pytest.raises(CampaignError) as error:
        load(room_files(rooms=text))
    assert expected in str(error.value)


def test_number_of_rooms_is_in_order() -> None:
    with pytest.raises(CampaignError, match="write the fewest and then the most"):
        load(room_files(levels=LEVELS.replace("[2, 3]", "[3, 2]", 1)))


def test_graves_and_captives_need_their_content() -> None:
    outline = room_files()["campaign.toml"].decode().split("[[epitaphs]]")[0]
    assert "give the campaign epitaphs" in error_of(legend="a = { feature = 'grave' }", campaign=outline)
    tame = room_files()["creatures.toml"].decode().replace('haunts = ["cage"]', "")
    assert 'haunt a "cage"' in error_of(legend="a = { feature = 'captive' }", creatures=tame)


def test_campaign_without_the_file_has_no_rooms() -> None:
    files = room_files()
    del files["rooms.toml"]
    assert load(files).rooms == {}
