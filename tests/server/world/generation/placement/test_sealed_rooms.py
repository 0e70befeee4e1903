"""Sealed rooms and devices on new levels: one of each four depths has a sealed room, and nothing else lies behind its gates."""

from functools import cache

import pytest

from gloam_server.content.campaign import Campaign
from gloam_server.content.loader import load
from gloam_server.world.generation import LevelMap, generate_round
from gloam_server.world.generation.connectivity.regions import find_regions
from gloam_server.world.model.devices.device_changes import forget_unknown_devices
from gloam_server.world.population.respawning import unseen_cells
from gloam_server.world.transition.dungeon import new_dungeon, populate
from gloam_server.world.transition.serialization import serialize_level
from gloam_shared.appearance import Terrain
from support.content.rooms_campaign import ROOMS, SEALED, SEALED_DEVICES, room_files
from support.run.effort import effort

SEEDS = range(effort(2, 12))

MOSS = """
[moss]
name = "moss"
words = "It grows."
sign = ","
unicode = ","
colour = "green"
"""


@cache
def campaign() -> Campaign:
    files = room_files(rooms=ROOMS + SEALED)
    files["devices.toml"], files["surfaces.toml"] = SEALED_DEVICES.encode(), MOSS.encode()
    return load(files)


@cache
def levels(seed: int) -> tuple[LevelMap, ...]:
    return generate_round(campaign(), seed)


@pytest.mark.rule("F180")
@pytest.mark.parametrize("seed", SEEDS)
def test_one_of_four_depths_has_a_sealed_room(seed: int) -> None:
    with_sealed = [any(room.key == "sealed" for room in level.stamped) for level in levels(seed)]
    assert sum(with_sealed[:4]) == 1


@pytest.mark.rule("F180")
@pytest.mark.parametrize("seed", SEEDS)
def test_a_sealed_room_alone_is_cut_off(seed: int) -> None:
    """All other cells are one region without any device, and with its gate open the sealed room belongs to it."""
    for level in levels(seed):
        regions = find_regions(level.terrain, level.grid, campaign().directions)
        assert {frozenset(cells) for cells in regions.cells} - {frozenset(level.sealed)} == {
            frozenset(regions.cells[regions.largest])
        }
        opened = bytearray(level.terrain)
        for device in level.devices:
            if device.kind == "seal":
                assert opened[device.cell] == Terrain.WALL
                opened[device.cell] = Terrain.FLOOR
        assert len(find_regions(bytes(opened), level.grid, campaign().directions).cells) == 1


@pytest.mark.rule("F180")
@pytest.mark.parametrize("seed", SEEDS)
def test_only_what_is_drawn_is_in_a_sealed_room(seed: int) -> None:
    dungeon = new_dungeon(campaign(), seed)
    populate(dungeon)
    for level in dungeon.levels.values():
        devices = level.state.devices
        if devices:
            inside = set(devices.sealed)
            assert [body.kind for body in level.monsters() if body.cell in inside] in ([], ["rat"])
            assert sum(cell in inside for cell, _ in level.items_at()) <= 1
            assert not inside.intersection(level.state.links)
            assert not inside.intersection(unseen_cells(level))
            assert level.state.arrival not in inside


def test_the_ground_of_a_letter_lies_there() -> None:
    laid = [each for level in levels(0) for each in level.surfaces]
    assert len(laid) == sum(room.key == "sealed" for level in levels(0) for room in level.stamped)
    assert {key for _, key in laid} == {"moss"}


def test_a_campaign_without_the_device_opens_its_gates() -> None:
    dungeon = new_dungeon(campaign(), 0)
    level = next(level for level in dungeon.levels.values() if level.state.devices)
    before = serialize_level(level)
    forget_unknown_devices(level)
    assert serialize_level(level) == before
    devices = level.state.devices
    assert devices
    gate = next(cell for cell, device in devices.placed.items() if device.kind == "seal")
    level.campaign = load(room_files())
    forget_unknown_devices(level)
    assert not level.state.devices
    assert level.is_walkable(gate)
