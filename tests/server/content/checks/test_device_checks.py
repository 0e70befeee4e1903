"""Devices that could not work, and rooms that could lock a player in: one sentence each, with the solution."""

import pytest

from gloam_server.content.loader import CampaignError, load
from support.content.device_campaign import DEVICES, device_files

ROOM = '''
[sealed]
name = "the treasury"
places = ["{place}"]
drawing = """
##############
#......#######
#.p....##i..##
:......S...l##
#.p....##...##
#......#######
#.b....#######
##############
"""
[sealed.legend]
p = {{ device = "plate", works = "S" }}
b = {{ device = "bell", works = "S" }}
S = {{ device = "seal" }}
l = {{ device = "lever", works = "S" }}
i = {{ item = "any" }}
'''


def files(old: str = "", new: str = "", devices: tuple[str, str] = ("", "")) -> dict[str, bytes]:
    """Return a campaign's files with one room that has devices; a text of the room or of the devices is replaced."""
    place = next(iter(load(device_files()).levels))
    room = ROOM.format(place=place)
    assert old in room
    assert devices[0] in DEVICES
    return device_files(DEVICES.replace(*devices, 1), room.replace(old, new))


def test_a_whole_sealed_room_loads() -> None:
    assert load(files()).rooms["sealed"].legend["S"].device == "seal"


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('device = "plate"', 'device = "plaet"', "did you mean plate?"),
        (
            '"plate", works = "S"',
            '"plate", works = "b"',
            "write the letters of gates or cages of this drawing",
        ),
        ('"plate", works = "S"', '"plate"', "write the letters of gates or cages of this drawing"),
        ('"seal" }', '"seal", works = "S" }', "write the letters of gates or cages"),
        ('"any" }', '"any", works = "S" }', "name a device that works them"),
        ('"seal" }', '"seal", item = "any" }', "nothing else on a device"),
        ('"seal" }', '"seal", percent = 50 }', "a device is always there"),
        ('"seal" }', '"seal", terrain = "water" }', "a device is always there"),
        ('"seal" }', '"cage" }', "write a captive for a cage"),
        ('"any" }', '"any", ground = "fire" }', "write a surface that stays"),
        (
            'l = { device = "lever", works = "S" }',
            'l = { device = "plate", works = "S" }',
            "the room sealed can lock a player in, in row 3, column 10",
        ),
        (
            'b = { device = "bell", works = "S" }',
            'b = { device = "gate" }',
            "that no player alone can open",
        ),
        ('name = "the treasury"', 'name = "the treasury"\nsealed = true', None),
    ],
)
def test_a_fault_is_one_sentence(old: str, new: str, expected: str | None) -> None:
    if expected is None:
        assert load(files(old, new)).rooms["sealed"].sealed
        return
    with pytest.raises(CampaignError) as error:
        load(files(old, new))
    assert expected in str(error.value)
    assert "\n" not in str(error.value)


def test_a_seal_that_only_the_inside_opens_is_refused() -> None:
    """Two plates of one force do not help one player, who cannot reach the lever inside."""
    with pytest.raises(CampaignError, match='has a "S" that no player alone can open from outside'):
        load(files('b = { device = "bell", works = "S" }', 'b = { device = "plate", works = "S" }'))


def test_a_lever_behind_a_gate_counts_if_that_opens() -> None:
    drawing = """
##################
#......##...##...#
#......##.b.##...#
:......G....S...m#
#......##...##..##
#.b....##..l##...#
##################
##################
"""
    legend = """
b = { device = "bell", works = "G" }
G = { device = "gate" }
l = { device = "lever", works = "GS" }
S = { device = "seal" }
m = { device = "lever", works = "S" }
"""
    base = files()["rooms.toml"].decode()
    head, legend_head = base.index("##############"), base.index("[sealed.legend]")
    room = base[:head] + drawing.strip() + '\n"""\n[sealed.legend]\n' + legend
    assert legend_head > head
    assert load(device_files(rooms=room)).rooms["sealed"].legend["m"].works == "S"
    with pytest.raises(CampaignError, match='has a "S" that no player alone'):
        load(device_files(rooms=room.replace('works = "GS"', 'works = "G"')))
    with pytest.raises(CampaignError, match="can lock a player in"):
        load(
            device_files(rooms=room.replace('m = { device = "lever", works = "S" }', 'm = { item = "any" }'))
        )


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('colour = "yellow"', 'colour = "golden"', "devices.toml, plate.colour"),
        ('sign = "_"', 'sign = "é"', "write one printable character that is one column wide"),
        ('spell = "firebolt"', 'spell = "fireblot"', "did you mean firebolt?"),
        ('takes = "iron_key"', 'takes = "iron_kex"', "did you mean iron_key?"),
        ('takes = "iron_key"', "", "name the item that it takes"),
        ('group = "book"', "", "name the item that it takes"),
        ("needs = 2\nstays = true", "needs = 10\nstays = true", "devices.toml, seal.needs"),
        ('mechanism = "plate"', 'mechanism = "pedal"', "devices.toml, plate.mechanism"),
    ],
)
def test_a_fault_of_a_kind_is_one_sentence(old: str, new: str, expected: str) -> None:
    with pytest.raises(CampaignError) as error:
        load(files(devices=(old, new)))
    assert expected in str(error.value)
