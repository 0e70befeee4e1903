"""Over real TCP: two players hold the plates of a sealed room, and one alone opens it by its lever."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from gloam_server.content.loader import load
from gloam_server.world.generation import LevelMap, generate_round
from gloam_shared.appearance import WALKABLE, Terrain
from gloam_shared.protocol.commands import Explore, Move, Travel
from support.client.fake_client import FakeClient
from support.content.rooms_campaign import LEVELS, SEALED, SEALED_DEVICES, room_files
from support.processes.server_process import ServerProcess

pytestmark = [pytest.mark.end_to_end, pytest.mark.rule("F175", "F176", "F180")]

PLANS: Final = 80
"""The most plans that lead to a place: each foe in sight ends one."""


def sealed_files() -> dict[str, bytes]:
    """Return a campaign whose levels have no drawn room but the sealed one, and no creatures."""
    levels = LEVELS.replace("monsters = 6", "monsters = 0")
    rooms = SEALED.replace('creature = "rat", ground = "moss"', 'item = "any"')
    return room_files(rooms=rooms, levels=levels, devices=SEALED_DEVICES)


def first_level() -> tuple[int, LevelMap]:
    """Return a seed whose first depth has the sealed room, with its map."""
    campaign = load(sealed_files())
    for seed in range(20):
        level = generate_round(campaign, seed)[0]
        if level.sealed:
            return seed, level
    raise AssertionError("none of 20 seeds has a sealed room on depth 1")


@pytest.fixture(name="place")
def sealed_server(tmp_path: Path) -> Iterator[tuple[ServerProcess, LevelMap]]:
    """Run a server whose first depth has a sealed room."""
    folder = tmp_path / "sealed"
    folder.mkdir()
    for name, raw in sealed_files().items():
        (folder / name).write_bytes(raw)
    seed, level = first_level()
    with ServerProcess(tmp_path / "realm", seed=seed, campaign=f"{folder}/") as server:
        yield server, level


def cells_of(level: LevelMap, kind: str) -> list[int]:
    return [device.cell for device in level.devices if device.kind == kind]


def carry_out(client: FakeClient, plan: Explore | Travel) -> None:
    client.do(plan)
    client.wait_for(lambda: not client.link.pace.plan)


def go_to(client: FakeClient, goal: int) -> None:
    """Explore until a way to a cell is known, and walk there."""
    go_to_one_of(client, [goal])


def go_to_one_of(client: FakeClient, goals: list[int]) -> None:
    """Explore until a way to one of some cells is known, and walk there. A cell may be seen before a way to it is."""
    for plan in range(PLANS):
        view = client.view
        if view.cell in goals:
            return
        known = [cell for cell in goals if view.terrain[cell] in WALKABLE]
        carry_out(client, Travel(known[0]) if known and plan % 2 else Explore(pick_up=False))
    raise AssertionError(f"{client.link.name} never came to one of the cells {goals}")


def test_two_players_hold_the_plates(place: tuple[ServerProcess, LevelMap]) -> None:
    """One plate is not enough. Both together open the seal, it stays open, and each of them sees it."""
    server, level = place
    [gate], [north, south] = cells_of(level, "seal"), cells_of(level, "plate")
    with FakeClient(server.port, "Anna") as anna, FakeClient(server.port, "Bert") as bert:
        go_to(anna, north)
        assert anna.view.terrain[gate] == Terrain.WALL
        go_to(bert, south)
        anna.wait_for(lambda: anna.view.terrain[gate] == Terrain.FLOOR)
        bert.wait_for(lambda: bert.view.terrain[gate] == Terrain.FLOOR)
        go_to(bert, gate)
        assert bert.view.terrain[gate] == Terrain.FLOOR


def test_one_alone_pulls_the_lever(place: tuple[ServerProcess, LevelMap]) -> None:
    server, level = place
    [gate] = cells_of(level, "seal")
    with FakeClient(server.port, "Anna") as anna:
        lever = next(cell for cell in cells_of(level, "lever") if cell not in walled_in(level))
        go_to_one_of(anna, list(level.grid.neighbors(lever)))
        width = anna.view.place.width
        (y, x), (to_y, to_x) = divmod(anna.view.cell, width), divmod(lever, width)
        anna.do(Move(to_x - x, to_y - y))
        go_to(anna, gate)


def walled_in(level: LevelMap) -> set[int]:
    """Return the cells beside what the gates shut off."""
    return {near for cell in level.sealed for near in level.grid.neighbors(cell)}
