"""Workers share the realms of a cluster; when one dies, the others go on with its realms, and nothing that was answered is lost."""

import os
import signal
from pathlib import Path

import pytest

from gloam_shared.protocol.commands import Wait
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
    wait_for_servers,
    wait_for_worker,
)
from support.processes.addresses import free_port
from support.processes.server_process import run_server_command
from support.run.waiting import wait_until
from support.storage.clusters import Cluster

pytestmark = [pytest.mark.end_to_end, pytest.mark.thorough]

REALMS = ("first", "second", "third")


def test_others_take_the_realms_of_a_dead_worker(
    cluster: Cluster, started: list[WorkerProcess], tmp_path: Path
) -> None:
    """Three realms on two workers: all processes of the one with two are killed while players play in all three."""
    store, ports = cluster.address("any"), {realm: free_port() for realm in REALMS}
    for realm, port in ports.items():
        create_realm(store, realm, port)
    with looking(store) as realms:
        alpha = WorkerProcess(tmp_path, store, "alpha", "--most", "2")
        started.append(alpha)
        wait_for_servers(realms, "alpha", "alpha")
        started.append(WorkerProcess(tmp_path, store, "beta", "--most", "3"))
        wait_for_servers(realms, "alpha", "alpha", "beta")
        kept = next(realm for realm, worker in placed(realms).items() if worker == "beta")
        crowds = {realm: RealmCrowd(realm, port, 4) for realm, port in ports.items()}
        try:
            wait_until(lambda: all(crowd.are_in() for crowd in crowds.values()), "not all players came in")
            before = {realm: crowd.joins() for realm, crowd in crowds.items()}
            dials = crowds[kept].dials
            alpha.cut_power()
            wait_for_servers(realms, "beta", "beta", "beta")
            wait_until(
                lambda: all(
                    crowds[realm].joins() >= before[realm] + 4 and crowds[realm].are_in()
                    for realm in REALMS
                    if realm != kept
                ),
                "not all players returned",
            )
            assert crowds[kept].dials == dials
        finally:
            for crowd in crowds.values():
                crowd.end()
        assert started[-1].stop() == 0
        assert placed(realms) == {}
    for realm, crowd in crowds.items():
        audit(tmp_path, cluster.address(realm), crowd)


def test_servers_end_with_their_worker(
    cluster: Cluster, started: list[WorkerProcess], tmp_path: Path
) -> None:
    """The worker alone is killed: its server stops in order, so that the next worker need not wait for the lease to end."""
    store, port = cluster.address("any"), free_port()
    create_realm(store, "first", port)
    with looking(store) as realms:
        started.append(WorkerProcess(tmp_path, store, "alpha"))
        wait_for_servers(realms, "alpha")
        with FakeClient(port, "Anna") as anna:
            started[0].kill()
            wait_for_servers(realms)
            started.append(
                WorkerProcess(tmp_path, store, "alpha")
            )  # the same name, as of a service that is restarted
            wait_for_servers(realms, "alpha")
            dial_again(anna)


def test_a_server_that_is_killed_is_started_again(
    cluster: Cluster, started: list[WorkerProcess], tmp_path: Path
) -> None:
    store, port = cluster.address("any"), free_port()
    create_realm(store, "first", port)
    with looking(store) as realms:
        started.append(WorkerProcess(tmp_path, store, "alpha"))
        wait_for_servers(realms, "alpha")
        holder = realms.workers.look().holders["first"]
        number = int(holder.name.split()[1])
        os.kill(number, signal.SIGKILL)
        wait_until(
            lambda: realms.workers.look().holders.get("first", holder) != holder, "no new server holds it"
        )
        wait_for_servers(realms, "alpha")
        with FakeClient(port, "Anna") as anna:
            assert anna.view.place.depth > 0
        assert started[0].stop() == 0


def test_a_worker_that_cannot_work_says_why(
    cluster: Cluster, started: list[WorkerProcess], tmp_path: Path
) -> None:
    store = cluster.address("any")
    create_realm(store, "first", free_port())
    with looking(store) as realms:
        started.append(WorkerProcess(tmp_path, store, "alpha"))
        wait_for_servers(realms, "alpha")
    data = str(tmp_path / "data")
    for words, sentence in (
        (("--name", "alpha"), "A worker alpha runs already; give this one another name with --name."),
        (("--name", "Alpha!"), "A worker's name is up to 32 small letters"),
        (
            ("--name", "beta", "--realms", "first,nowhere"),
            "There is no realm nowhere; `gloam-server realms list`",
        ),
        (("--name", "beta", "--realms", "No!"), '"No!" is no name of a realm'),
        (
            ("--name", "beta", "--proxy-networks", "all"),
            'proxy_networks must be networks, such as "10.0.0.0/8"',
        ),
        (("--name", "beta", "--proxy-networks", "0.0.0.0/0"), "proxy_networks must not be all addresses"),
    ):
        done = run_server_command("worker", "--data", data, "--store", store, *words)
        assert done.returncode == 2
        assert sentence in done.stderr
        assert done.stderr.count("\n") == 1
    nowhere = run_server_command("worker", "--data", data)
    assert (nowhere.returncode, nowhere.stdout) == (2, "")
    assert "The cluster is not named" in nowhere.stderr


def test_workers_outlive_a_restart_of_nats(
    cluster: Cluster, started: list[WorkerProcess], tmp_path: Path
) -> None:
    """NATS ends for longer than leases last: no server is followed by another one, and players keep their connections."""
    store, port = cluster.address("any"), free_port()
    create_realm(store, "first", port)
    with looking(store) as realms:
        started.append(WorkerProcess(tmp_path, store, "alpha"))
        wait_for_servers(realms, "alpha")
        started.append(WorkerProcess(tmp_path, store, "beta"))
        wait_for_worker(realms, "beta")
        holders = realms.workers.look().holders
    with FakeClient(port, "Anna") as anna:
        anna.do(Wait())
        cluster.nats.kill()
        anna.settle(4)
        cluster.nats.start()
        anna.do(Wait())
        anna.settle(4)
        assert not anna.closed
        assert anna.do(Wait()) == 3
    with looking(store) as realms:
        assert realms.workers.look().holders == holders
        assert sorted(realms.workers.look().workers) == ["alpha", "beta"]
    assert "the realm first is at worker beta" in realms_command(store, "move", "first", "--to", "beta")
    assert [each.stop() for each in started] == [0, 0]
