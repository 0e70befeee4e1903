"""Realms move between workers by the host's command: players return there, and each answered command is kept, once."""

from pathlib import Path

import pytest

from gloam_server.cli.processes.moves import move_realm
from gloam_shared.protocol.commands import Wait
from gloam_shared.protocol.messages.login import Joined
from support.client.fake_client import FakeClient
from support.cluster.workers import (
    RealmCrowd,
    WorkerProcess,
    audit,
    create_realm,
    dial_again,
    looking,
    placed,
    realms_command,
    refused,
    wait_for_servers,
    wait_for_worker,
)
from support.processes.addresses import free_port
from support.processes.server_process import AS_A_HOST, ServerProcess
from support.run.waiting import wait_until
from support.storage.clusters import Cluster

pytestmark = [pytest.mark.end_to_end, pytest.mark.thorough]


def test_a_realm_moves_and_a_worker_is_drained(
    cluster: Cluster, started: list[WorkerProcess], tmp_path: Path
) -> None:
    """A realm moves to another worker, back by the drain of that one, and the drained worker takes no more."""
    store, port = cluster.address("any"), free_port()
    create_realm(store, "first", port)
    create_realm(store, "second", free_port())
    with looking(store) as realms:
        started.append(WorkerProcess(tmp_path, store, "alpha"))
        wait_for_servers(realms, "alpha", "alpha")
        started.append(WorkerProcess(tmp_path, store, "beta"))
        wait_for_worker(realms, "beta")
        second = realms.workers.look().holders["second"]
        with FakeClient(port, "Anna") as anna:
            number = [anna.do(Wait()) for _ in range(5)][-1]
            assert "the realm first is at worker beta" in realms_command(
                store, "move", "first", "--to", "beta"
            )
            assert placed(realms) == {"first": "beta", "second": "alpha"}
            dial_again(anna)
            assert anna.of_kind(Joined)[-1].number == number
            number = anna.do(Wait())
            said = realms_command(store, "list")
            assert "first: open in worker beta, process " in said
            assert "worker alpha: 1 of 4 realms\n" in said

            drained = realms_command(store, "drain", "beta")
            assert "the realm first is at worker alpha" in drained
            assert "worker beta has no realm, and takes no more" in drained
            dial_again(anna)
            assert anna.of_kind(Joined)[-1].number == number
            wait_until(
                lambda: "worker beta: 0 of 4 realms, takes no more\n" in realms_command(store, "list"),
                "the drained worker does not tell that it has no realm",
            )
            assert "The worker beta takes no more realms" in refused(store, "move", "first", "--to", "beta")
            assert realms.workers.look().holders["second"] == second  # the same process all the time
        assert started[1].stop() == 0
        started.append(WorkerProcess(tmp_path, store, "gamma"))
        wait_for_worker(realms, "gamma")
        assert realms_command(store, "balance") == "gloam-server: the realm first is at worker gamma\n"
        assert realms_command(store, "balance") == "gloam-server: no move would make the workers more equal\n"
        assert placed(realms) == {"first": "gamma", "second": "alpha"}
        both = (started[0], started[2])
        for each in both:  # at one time, or the second takes the realm of the first
            each.process.terminate()
        assert [each.stop() for each in both] == [0, 0]
        assert placed(realms) == {}


def test_a_move_that_cannot_be_changes_nothing(
    cluster: Cluster, started: list[WorkerProcess], tmp_path: Path
) -> None:
    store, file = cluster.address("any"), tmp_path / "first.sqlite3"
    for realm in ("first", "second", "third"):
        create_realm(store, realm, free_port())
    assert 'There is no worker "alpha"; start one' in refused(store, "move", "first", "--to", "alpha")
    run = ServerProcess(tmp_path / "run", "--store", cluster.address("third"), seed=None, program=AS_A_HOST)
    with looking(store) as realms, run:
        started.append(WorkerProcess(tmp_path, store, "alpha", "--realms", "first,second"))
        expected = {"first": "alpha", "second": "alpha", "third": ""}
        wait_for_servers(realms, "alpha", "alpha", "")
        assert placed(realms) == expected
        alone = refused(store, "drain", "alpha")
        assert "No other worker has room for the realm first of alpha; start another one" in alone
        started.append(WorkerProcess(tmp_path, store, "beta", "--realms", "second,third", "--most", "1"))
        wait_for_worker(realms, "beta")
        holders = realms.workers.look().holders
        for words, sentence in (
            (("drain", "alpha"), "No other worker has room for the realm first of alpha"),
            (("drain", "gamma"), 'There is no worker "gamma"; there are alpha, beta; name one of them.'),
            (("move", "first", "--to", "gamma"), 'There is no worker "gamma"; there are alpha, beta'),
            (("move", "first", "--to", "a\x1b[2Jb"), "There is no worker"),
            (("move", "fourth", "--to", "beta"), "There is no realm fourth"),
            (("move", "First", "--to", "beta"), '"First" is no name of a realm'),
            (("move", "first", "--to", "alpha"), "The worker alpha has the realm first already"),
            (("move", "first", "--to", "beta"), "The worker beta may not serve the realm first"),
            (("move", "third", "--to", "beta"), "The realm third is open in process "),
            (("retire", "first", str(file), "--yes"), "The realm first is open in another server"),
        ):
            assert sentence in refused(store, *words)
        assert placed(realms) == expected
        assert "worker alpha: 2 of 4 realms\n" in realms_command(store, "list")
        assert realms.workers.look().holders == holders  # the same processes still
        assert not file.exists()
        realms_command(store, "move", "second", "--to", "beta")
        run.stop()
        assert "The worker beta has its 1 realms" in refused(store, "move", "third", "--to", "beta")


def test_moves_lose_nothing_that_was_answered(
    cluster: Cluster, started: list[WorkerProcess], tmp_path: Path
) -> None:
    """A realm moves to and fro six times under players who never rest."""
    store, port = cluster.address("any"), free_port()
    create_realm(store, "first", port)
    with looking(store) as realms:
        started.extend(WorkerProcess(tmp_path, store, name) for name in ("alpha", "beta"))
        wait_for_worker(realms, "alpha", "beta")
        wait_until(lambda: placed(realms), "the realm is not served")
        crowd = RealmCrowd("first", port, 4)
        try:
            wait_until(crowd.are_in, "not all players came in")
            for moves in range(1, 7):
                target = "beta" if placed(realms)["first"] == "alpha" else "alpha"
                move_realm(realms, "first", target)
                assert placed(realms) == {"first": target}
                wait_until(lambda moves=moves: crowd.joins() >= 4 * (1 + moves), "not all players returned")  # type: ignore[misc]  # a default binds the value
                wait_until(crowd.are_in, "not all players play")
        finally:
            crowd.end()
        assert [each.stop() for each in started] == [0, 0]
    audit(tmp_path, cluster.address("first"), crowd)


def test_a_worker_that_cannot_start_a_realm_gets_none(
    cluster: Cluster, started: list[WorkerProcess], tmp_path: Path
) -> None:
    """The settings of the realm are wrong at the new worker: the old one is not asked to release it."""
    store, elsewhere = cluster.address("any"), tmp_path / "elsewhere"
    create_realm(store, "first", free_port())
    (elsewhere / "data" / "first").mkdir(parents=True)
    (elsewhere / "data" / "first" / "realm.toml").write_text("views = 2\nstandby = true\n")
    with looking(store) as realms:
        started.append(WorkerProcess(tmp_path, store, "alpha"))
        wait_for_servers(realms, "alpha")
        started.append(WorkerProcess(elsewhere, store, "beta"))
        wait_for_worker(realms, "beta")
        holders = realms.workers.look().holders
        said = refused(store, "move", "first", "--to", "beta")
        assert "The realm first did not start at beta; see that worker's log." in said
        assert realms.workers.look().holders == holders
        assert "needs no standby, because other workers take over" in started[1].log.read_text()
        assert [each.stop() for each in started] == [0, 0]


def test_a_realm_returns_when_its_new_worker_dies(
    cluster: Cluster, started: list[WorkerProcess], tmp_path: Path
) -> None:
    """The worker that released the realm a moment ago takes it again after the lease has ended."""
    store = cluster.address("any")
    create_realm(store, "first", free_port())
    with looking(store) as realms:
        started.append(WorkerProcess(tmp_path, store, "alpha"))
        wait_for_servers(realms, "alpha")
        started.append(WorkerProcess(tmp_path, store, "beta"))
        wait_for_worker(realms, "beta")
        move_realm(realms, "first", "beta")
        started[1].cut_power()
        wait_for_servers(realms, "alpha")
        assert started[0].stop() == 0
