"""`gloam-server realms` on a real NATS and a real PostgreSQL: realms are made, listed and retired; a refusal writes nothing."""

import re
from pathlib import Path

import pytest

from gloam_shared.protocol.commands import Wait
from support.client.fake_client import FakeClient
from support.cluster.workers import realms_command, refused
from support.processes.server_process import AS_A_HOST, ServerProcess, run_server_command
from support.storage.clusters import Cluster

pytestmark = [pytest.mark.end_to_end, pytest.mark.thorough]


def test_realms_are_made_played_and_retired(cluster: Cluster, tmp_path: Path) -> None:
    """Two realms are made; one is played, exported, erased, and played on as an import into another one."""
    store = cluster.address("any")
    assert "there is no realm" in realms_command(store, "list")
    made = realms_command(store, "create", "first", "--campaign", "jsrogue", "--seed", "7", "--exact-seed")
    assert "the realm first is made, for port 7373" in made
    assert "for port 7374" in realms_command(store, "create", "second", "--campaign", "rltut", "--seed", "9")
    free = realms_command(store, "list").splitlines()
    assert re.fullmatch(
        r"gloam-server: first: open in no server, port 7373, dungeon [0-9a-f]{8}, campaign jsrogue, seed 7, "
        r"newest entry \d+ of \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC",
        free[0],
    )
    assert "second: open in no server, port 7374" in free[1]
    assert "campaign rltut, seed 9" in free[1]
    assert len(free) == 2

    file = tmp_path / "first.sqlite3"
    first = cluster.address("first")
    with ServerProcess(tmp_path / "data", "--store", first, seed=None, program=AS_A_HOST) as server:
        with FakeClient(server.port, "Anna") as anna:
            number = [anna.do(Wait()) for _ in range(5)][-1]
        assert f"first: open in process {server.process.pid} on " in realms_command(store, "list")
        assert "The realm first is open in another server" in refused(
            store, "retire", "first", str(file), "--yes"
        )
        assert not file.exists()
        assert server.stop() == 0
    assert "confirm it with --yes" in refused(store, "retire", "first", str(file))
    assert not file.exists()
    before = realms_command(store, "list")
    assert before.count("\n") == 2

    assert f"{file} holds the world" in realms_command(store, "retire", "first", str(file), "--yes")
    assert realms_command(store, "list").splitlines() == free[1:]
    imported = run_server_command("import", str(file), "--store", cluster.address("third"))
    assert imported.returncode == 0, imported.stderr
    with ServerProcess(
        tmp_path / "there", "--store", cluster.address("third"), seed=None, program=AS_A_HOST
    ) as server:
        anna.connect(server.port)
        anna.wait_for(lambda: anna.link.joined)
        assert anna.do(Wait()) == number + 1
        anna.leave()
    assert "third: open in no server, no port for workers" in realms_command(store, "list")
    assert "serve the realm third at port 7373" in realms_command(store, "port", "third")
    assert "third: open in no server, port 7373" in realms_command(store, "list")


def test_a_refusal_of_realms_writes_nothing(cluster: Cluster, tmp_path: Path) -> None:
    store = cluster.address("any")
    realms_command(store, "create", "first", "--campaign", "jsrogue", "--seed", "7")
    file = tmp_path / "file.sqlite3"
    file.write_text("the host's")
    before = realms_command(store, "list")
    for words, sentence in (
        (("create", "first", "--campaign", "jsrogue"), "The realm first exists already; name another"),
        (("create", "First!"), '"First!" is no name of a realm'),
        (("create", "pg_gloam"), '"pg_gloam" is no name of a realm'),
        (("create", "a\x1b[2Jb"), "is no name of a realm"),
        (("create", "second", "--campaign", "nowhere"), "nowhere"),
        (("create", "second", "--campaign", "jsrogue", "--port", "7373"), "Port 7373 is the port of the"),
        (("port", "second"), "There is no realm second"),
        (("retire", "second", str(tmp_path / "second"), "--yes"), "There is no realm second"),
        (("retire", "", str(tmp_path / "second"), "--yes"), '"" is no name of a realm'),
        (("retire", "first", str(file), "--yes"), "exists already; name another for the export"),
        (("retire", "first", str(tmp_path / "no" / "file"), "--yes"), "cannot be written"),
    ):
        assert sentence in refused(store, *words)
    assert realms_command(store, "list") == before
    assert file.read_text() == "the host's"
    unknown = run_server_command("realms", "list")
    assert (unknown.returncode, unknown.stdout) == (2, "")
    assert "The cluster is not named; name it with --store" in unknown.stderr


def test_a_retirement_that_was_cut_off_is_finished(cluster: Cluster, tmp_path: Path) -> None:
    """The export is complete, and then the command is killed: no server plays on there, and a second command erases."""
    store = cluster.address("any")
    realms_command(store, "create", "first", "--campaign", "jsrogue", "--seed", "7")
    cluster.postgres.execute("UPDATE first.placement SET port = NULL, state = 'retired'")
    assert "first: exported and not erased yet" in realms_command(store, "list")
    run = run_server_command(
        "run", "--data", str(tmp_path / "data"), "--port", "0", "--store", cluster.address("first")
    )
    assert run.returncode == 2
    assert "The realm first was exported and is being erased" in run.stderr
    again = realms_command(store, "retire", "first", str(tmp_path / "unused"), "--yes")
    assert "was exported before, and is erased now" in again
    assert "there is no realm" in realms_command(store, "list")
    assert "for port 7373" in realms_command(store, "create", "first", "--campaign", "jsrogue", "--seed", "7")
