"""A player plays while a server of NATS ends: no connection is cut, and each answered command is in the journal once."""

import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from gloam_shared.protocol.commands import Wait
from gloam_shared.protocol.messages.login import Error
from support.client.fake_client import FakeClient
from support.cluster.nats_cluster import NatsCluster, nats_cluster
from support.cluster.postgres_server import PostgresServer
from support.processes.server_process import AS_A_HOST, ServerProcess, run_server_command

pytestmark = [pytest.mark.end_to_end, pytest.mark.thorough]

STREAM = "gloam-journal"
PATIENCE_S = 60


@pytest.fixture
def three(tmp_path: Path) -> Iterator[NatsCluster]:
    with nats_cluster(tmp_path / "nats") as running:
        yield running


@pytest.fixture
def postgres() -> Iterator[PostgresServer]:
    made = PostgresServer().start()
    yield made
    made.remove()


def test_play_goes_on_when_servers_of_nats_end(
    three: NatsCluster, postgres: PostgresServer, tmp_path: Path
) -> None:
    """A follower is killed, the leader is killed, the next leader hangs; each is started again before the next fault."""
    address = f"{three.address('gloam')},{postgres.address()}"
    faults = (
        (three.follower, signal.SIGKILL),
        (three.leader, signal.SIGKILL),
        (three.leader, signal.SIGSTOP),
    )
    with ServerProcess(tmp_path / "data", "--store", address, program=AS_A_HOST) as server:
        with FakeClient(server.port, "Anna") as anna:
            numbers = [anna.do(Wait())]
            for chosen, number in faults:
                victim = chosen(STREAM)
                victim.send(number)
                numbers += [anna.do(Wait()) for _ in range(5)]
                victim.send(signal.SIGCONT)
                victim.kill()
                victim.start()
                three.wait_until_whole()
            assert numbers == sorted(set(numbers))
            assert not anna.of_kind(Error)
            anna.leave()
        assert server.stop() == 0
    until = time.monotonic() + PATIENCE_S
    while True:  # the server that was started last may not follow a leader yet
        exported = run_server_command("export", str(tmp_path / "export.sqlite3"), "--store", address)
        if exported.returncode == 0:
            break
        assert "elect a leader" in exported.stderr, exported.stderr
        assert time.monotonic() < until, exported.stderr
    verified = run_server_command("verify", str(tmp_path / "export.sqlite3"))
    assert verified.returncode == 0, verified.stderr
