"""Fake clients over real TCP against a real server process: they join, step, are cut and return; tests/server/play has the rest."""

import os
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from gloam_shared.appearance import Terrain
from gloam_shared.geometry import DIRECTIONS
from gloam_shared.protocol.commands import Move, Wait
from gloam_shared.protocol.framing import frame
from gloam_shared.protocol.messages.login import Error, Joined
from gloam_shared.view.view import Stat
from support.client.fake_client import FakeClient
from support.link.view_processes import view_processes
from support.processes.server_process import ServerProcess, run_server_command

pytestmark = pytest.mark.end_to_end


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    """A jsrogue realm grown from seed 7, on a free port."""
    with ServerProcess(tmp_path / "realm", campaign="jsrogue") as running:
        yield running


def test_a_player_joins_and_stands_in_the_dungeon(server: ServerProcess) -> None:
    with FakeClient(server.port, "Anna") as anna:
        assert anna.of_kind(Joined)[0].life == 1
        assert anna.fact(Stat.HP) == 40
        assert anna.seen("Anna") is not None


def test_two_players_arrive_beside_other(server: ServerProcess) -> None:
    """Two players arrive beside each other and see each other move."""
    with FakeClient(server.port, "Anna") as anna, FakeClient(server.port, "Bert") as bert:
        anna.wait_for(lambda: anna.sees("Bert"))
        assert anna.distance_to("Bert") == 1
        mine, his = anna.seen("Bert"), bert.seen("Bert")
        assert mine is not None
        assert his is not None
        assert mine.handle == his.handle

        before = his.cell
        _step_somewhere(bert)

        assert bert.view.cell != before
        anna.wait_for(lambda: (seen := anna.seen("Bert")) is not None and seen.cell == bert.view.cell)


CROWD = 200


@pytest.mark.thorough
@pytest.mark.parametrize("flags", [(), ("--views", "1")])
def test_a_crowd_that_dials_together_finds_room(tmp_path: Path, flags: tuple[str, ...]) -> None:
    """Players of a process that was killed dial in one moment, in which the other accepts none: the system drops none of them."""
    with ServerProcess(tmp_path / "realm", *flags) as server, ExitStack() as stack:
        [process] = view_processes(server) or [server.process.pid]
        os.kill(process, signal.SIGSTOP)
        stack.callback(os.kill, process, signal.SIGCONT)
        for _ in range(CROWD):
            stack.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=10))


@pytest.mark.thorough
def test_whose_line_is_cut_returns_to_the_same_body(server: ServerProcess) -> None:
    with FakeClient(server.port, "Anna") as anna:
        for _ in range(5):
            _step_somewhere(anna)
        cell, done = anna.view.cell, anna.link.done
        anna.hang_up()
        time.sleep(0.2)
        anna.connect()
        anna.wait_for(lambda: len(anna.of_kind(Joined)) == 2)
        anna.settle()
        again = anna.of_kind(Joined)[-1]
        assert again.life == 1
        assert again.number == done
        assert anna.view.cell == cell


@pytest.mark.thorough
def test_move_thousand_cells_refused(server: ServerProcess) -> None:
    """A move of a thousand cells is refused and the session goes on."""
    with FakeClient(server.port, "Anna") as anna:
        body = bytes.fromhex("94 04 01 00 93 01 cd 03e8 00")
        anna.send_raw(frame(body))
        anna.wait_for(lambda: anna.of_kind(Error))
        assert anna.of_kind(Error)[-1].code == "range"
        _step_somewhere(anna)


@pytest.mark.thorough
@pytest.mark.parametrize("stop", ["kill", "term"])
def test_a_restarted_server_has_the_same_world(tmp_path: Path, stop: str) -> None:
    realm = tmp_path / "realm"
    with ServerProcess(realm, campaign="jsrogue") as server, FakeClient(server.port, "Anna") as anna:
        for _ in range(25):
            _step_somewhere(anna)
        cell, done, terrain = anna.view.cell, anna.link.done, anna.view.terrain
        if stop == "kill":
            server.kill()
        else:
            assert server.stop() == 0
    verified = run_server_command("verify", "--data", str(realm))
    assert verified.returncode == 0, verified.stderr
    with ServerProcess(realm, seed=None) as server, FakeClient(server.port, "Anna") as anna:
        assert anna.view.cell == cell
        assert anna.link.done == done
        assert anna.view.terrain == terrain
    again = run_server_command("verify", "--data", str(realm))
    assert again.returncode == 0, again.stderr


def _step_somewhere(client: FakeClient) -> None:
    """Take a step that the view shows to be free, in an order that wanders; wait where there is none."""
    start = client.link.done % 8
    for turn in range(8):
        dx, dy = DIRECTIONS[(start + turn * 3) % 8]
        cell = client.view.step((dx, dy))
        if cell is not None and client.view.terrain[cell] == Terrain.FLOOR and client.view.at(cell) is None:
            client.do(Move(dx, dy))
            return
    client.do(Wait())
