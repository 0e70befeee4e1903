"""A server plays on a real NATS and a real PostgreSQL as on a file; the world moves out of the cluster and in again."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from gloam_shared.protocol.commands import Wait
from gloam_shared.protocol.messages.login import Error, Joined
from support.client.fake_client import FakeClient
from support.cluster.workers import RealmCrowd
from support.processes.server_process import AS_A_HOST, ServerProcess, run_server_command
from support.storage.clusters import Cluster

pytestmark = [pytest.mark.end_to_end, pytest.mark.thorough]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    made = Cluster(tmp_path_factory.mktemp("nats"))
    yield made
    made.close()


def test_a_world_in_a_cluster_moves_out_and_in(cluster: Cluster, tmp_path: Path) -> None:
    """Played, killed, played on, exported, verified, imported into another realm, and played on there: nothing is lost."""
    address, other = cluster.address("first"), cluster.address("second")
    with ServerProcess(tmp_path / "data", "--store", address, program=AS_A_HOST) as server:
        with FakeClient(server.port, "Anna") as anna:
            number = [anna.do(Wait()) for _ in range(8)][-1]
            refused = run_server_command(
                "run", "--data", str(tmp_path / "other"), "--port", "0", "--store", address
            )
            assert refused.returncode == 2
            assert "The realm first is open in another server; stop that one first" in refused.stderr
            server.kill()
            anna.wait_for(lambda: anna.closed)
        assert not list((tmp_path / "data").glob("world.sqlite3*"))
    with ServerProcess(tmp_path / "data", "--store", address, seed=None, program=AS_A_HOST) as server:
        anna.hang_up()
        anna.connect(server.port)
        anna.wait_for(lambda: anna.link.joined)
        assert anna.of_kind(Joined)[-1].number == number
        number = anna.do(Wait())
        assert server.stop() == 0

    file = tmp_path / "export.sqlite3"
    exported = run_server_command("export", str(file), "--store", address)
    assert exported.returncode == 0, exported.stderr
    verified = run_server_command("verify", str(file))
    assert verified.returncode == 0, verified.stderr
    imported = run_server_command("import", str(file), "--store", other)
    assert imported.returncode == 0, imported.stderr
    content = r"(\d+ inputs, content [0-9a-f]{32})"
    assert re.findall(content, exported.stdout) == re.findall(content, imported.stdout)
    again = run_server_command("import", str(file), "--store", other)
    assert (again.returncode, again.stdout) == (2, "")
    assert "The realm second has a dungeon already; name another realm in --store." in again.stderr

    with ServerProcess(tmp_path / "there", "--store", other, seed=None, program=AS_A_HOST) as server:
        anna.hang_up()
        anna.connect(server.port)
        anna.wait_for(lambda: anna.link.joined)
        assert anna.of_kind(Joined)[-1].number == number
        anna.do(Wait())
        assert not anna.of_kind(Error)
        anna.leave()
    back = run_server_command("export", str(tmp_path / "back.sqlite3"), "--store", other)
    assert back.returncode == 0, back.stderr
    verified = run_server_command("verify", str(tmp_path / "back.sqlite3"))
    assert verified.returncode == 0, verified.stderr


def test_a_running_world_is_backed_up(cluster: Cluster, tmp_path: Path) -> None:
    """While others play: each backup is a whole world, and the last one goes into an empty realm and into a folder."""
    address, other, file = cluster.address("third"), cluster.address("fourth"), tmp_path / "1.sqlite3"
    with ServerProcess(tmp_path / "data", "--store", address, program=AS_A_HOST) as server:
        crowd = RealmCrowd("third", server.port, 4)
        try:
            with FakeClient(server.port, "Berta") as berta:
                number = [berta.do(Wait()) for _ in range(5)][-1]
                berta.leave()
            for at in range(2):
                done = run_server_command("backup", str(tmp_path / f"{at}.sqlite3"), "--store", address)
                assert done.returncode == 0, done.stderr
                verified = run_server_command("verify", str(tmp_path / f"{at}.sqlite3"))
                assert verified.returncode == 0, verified.stderr
        finally:
            crowd.end()
        assert all(bot.answered for bot in crowd.bots)
        assert server.stop() == 0
    for words in (
        ("import", str(file), "--store", other),
        ("restore", str(file), "--data", str(tmp_path / "folder")),
    ):
        done = run_server_command(*words)
        assert done.returncode == 0, done.stderr
    for place in (("there", "--store", other), ("folder",)):
        with ServerProcess(tmp_path / place[0], *place[1:], seed=None, program=AS_A_HOST) as server:
            berta.connect(server.port)
            berta.wait_for(lambda: berta.link.joined)
            assert berta.of_kind(Joined)[-1].number == number
            berta.do(Wait())
            berta.hang_up()
