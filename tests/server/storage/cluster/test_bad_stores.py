"""A store that is no store: one sentence that says what to do, without a password, and nothing is written."""

import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import pytest

from gloam_server.storage.directory import WorldIdentity
from gloam_server.storage.errors import StorageError, StorageFault, StorageFull
from gloam_server.storage.journal import Record, WriterClaim
from gloam_server.storage.open_store import open_store
from gloam_server.storage.snapshots import Snapshot
from gloam_server.world.transition.version import RULES_VERSION
from support.cluster.nats_server import NatsServer
from support.processes.addresses import free_port
from support.storage.clusters import Cluster, opened

IDENTITY = WorldIdentity("gloam", 7, RULES_VERSION, "ab12", 1_800_000_000)
CLAIM = WriterClaim(RULES_VERSION, "ab12", 1_800_000_000)


def refused(address: str) -> str:
    """Return the one sentence with which a store is refused."""
    with pytest.raises(StorageError) as error:
        open_store(address)
    said = str(error.value)
    assert "\n" not in said
    assert said.endswith(".")
    assert "secret" not in said
    return said


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("nats://host", "The store must be like nats://"),
        ("postgresql://host/gloam", "The store must be like nats://"),
        ("world.sqlite3", "The store must be like nats://"),
        ("nats://host,postgresql://a/b,postgresql://c/d", "The store must be like nats://"),
        ("nats://u:secret@host/Realm%20!,postgresql://host/gloam", "The realm in --store must be"),
        ("nats://host/r?replicas=2,postgresql://host/gloam", "replicas is 1, 3 or 5"),
        ("nats://host/r?sync=never,postgresql://host/gloam", "sync is always or relaxed"),
        ("nats://host,tls://host/r,postgresql://host/gloam", "all be nats:// or all be tls://"),
        ("tls://host/r?ca=/no/file,postgresql://host/gloam", "authority /no/file cannot be read (No such"),
        ("nats://host/r?ca=/root.pem,postgresql://host/gloam", "ca in --store is for servers with tls://"),
        ("nats://host/r?speed=9,postgresql://host/gloam", "There is no option speed in --store"),
        ("nats://host/r?speed,postgresql://host/gloam", "The options in --store cannot be read"),
    ],
)
def test_a_wrong_address_is_explained(address: str, words: str) -> None:
    pytest.importorskip("nats")
    assert words in refused(address)


@pytest.mark.thorough
def test_a_server_that_is_not_there_is_named(cluster: Cluster) -> None:
    nowhere = f"nats://u:secret@127.0.0.1:{free_port()}/r?sync=always,{cluster.postgres.address()}"
    assert "NATS does not let this server in" in refused(nowhere)
    nowhere = f"{cluster.nats.address('r')},postgresql://u:secret@127.0.0.1:{free_port()}/gloam"
    assert "PostgreSQL does not let this server in" in refused(nowhere)


@contextmanager
def old_nats() -> Iterator[int]:
    """Yield the port of a server that says that it is of version 2.9."""
    listener = socket.create_server(("127.0.0.1", 0))

    def work() -> None:
        client, _ = listener.accept()
        with client:
            about = {"server_id": "x", "version": "2.9.25", "headers": True, "max_payload": 1 << 20}
            client.sendall(f"INFO {json.dumps(about | {'jetstream': True})}\r\n".encode())
            while data := client.recv(4_096):
                if b"PING" in data:
                    client.sendall(b"PONG\r\n")

    Thread(target=work, daemon=True).start()
    yield listener.getsockname()[1]
    listener.close()


def test_an_old_nats_is_refused(cluster: Cluster) -> None:
    with old_nats() as port:
        said = refused(f"nats://127.0.0.1:{port}/r?sync=always,{cluster.postgres.address()}")
    assert said == "NATS is of version 2.9, and a journal needs 2.11; update its servers."


def test_a_nats_that_may_lose_entries_is_refused(cluster: Cluster, tmp_path: Path) -> None:
    new, realm = NatsServer(tmp_path / "new").start(), cluster.realm()

    def address(options: str) -> str:
        return f"{new.address(realm, options)},{cluster.postgres.address()}"

    try:
        assert "keeps what it confirms through a power cut is not known" in refused(address("replicas=1"))
        assert "accept one copy by replicas=1" in refused(address("sync=always"))
        with opened(address(f"replicas=1&monitor={new.monitor}")) as store:
            assert store.partitions() == []
        said = refused(address("sync=always"))
        assert "The stream gloam-journal in NATS has 1 replicas instead of 3; change it" in said
    finally:
        new.kill()


@pytest.mark.thorough
def test_a_nats_that_syncs_late_is_refused_unless_told(cluster: Cluster, tmp_path: Path) -> None:
    late = NatsServer(tmp_path / "late", sync="2m").start()
    try:
        options = f"replicas=1&monitor={late.monitor}"
        said = refused(f"{late.address('r', options)},{cluster.postgres.address()}")
        assert "may lose in a power cut what it confirmed; set `sync_interval: always` there" in said
        with opened(
            f"{late.address(cluster.realm(), f'{options}&sync=relaxed')},{cluster.postgres.address()}"
        ):
            pass
    finally:
        late.kill()


@pytest.mark.thorough
def test_a_full_nats_writes_nothing_and_goes_on_later(cluster: Cluster, tmp_path: Path) -> None:
    small = NatsServer(tmp_path / "small", room="1MB").start()
    try:
        with opened(f"{small.address(cluster.realm())},{cluster.postgres.address()}") as store:
            store.journal.claim(CLAIM)

            def fill() -> None:
                for sequence in range(1, 100):
                    store.journal.append([Record(1, sequence, b"x" * 50_000)])

            with pytest.raises(StorageFull, match="The storage of NATS is full; nothing is lost"):
                fill()
            written = store.journal.last_sequence(1)
            assert 0 < written < 99
            assert len(list(store.journal.read(1, 0))) == written
    finally:
        small.kill()


@pytest.mark.thorough
def test_a_user_without_rights_is_refused(cluster: Cluster, tmp_path: Path) -> None:
    realm = cluster.realm()
    for role in ("reader", "stranger"):
        cluster.postgres.execute(f"CREATE ROLE {role} LOGIN")
    cluster.postgres.execute("ALTER ROLE reader SET default_transaction_read_only = on")
    cluster.postgres.execute("GRANT CREATE ON DATABASE postgres TO reader")
    for role, words in (
        ("reader", "PostgreSQL only reads"),
        ("stranger", "PostgreSQL does not permit it (permission denied"),
    ):
        said = refused(f"{cluster.nats.address(realm)},{cluster.postgres.address(role)}")
        assert words in said
    users = 'authorization { users: [{ user: u, password: secret, permissions: { publish: "x" } }] }'
    closed = NatsServer(tmp_path / "closed", users).start()
    try:
        said = refused(f"{closed.address(realm, user='u:secret')},{cluster.postgres.address()}")
        assert "NATS has no JetStream for this user" in said
        said = refused(f"{closed.address(realm, user='u:secret2')},{cluster.postgres.address()}")
        assert "NATS does not let this server in" in said
    finally:
        closed.kill()


def state_of(cluster: Cluster, realm: str) -> list[tuple[object, ...]]:
    """Return the rows of a realm that a start could write."""
    tables = ("alembic_version", "realm", "snapshots", "claims", "writer", "written")
    return [row for table in tables for row in cluster.postgres.execute(f"SELECT * FROM {realm}.{table}")]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            "UPDATE {realm}.alembic_version SET version_num = '9999'",
            "The tables in PostgreSQL have version 9999",
        ),
        ("UPDATE {realm}.realm SET rules = 9999", "was played by a newer Gloam (its rules version 9999"),
        (
            "UPDATE {realm}.realm SET seed = '8'",
            "NATS and PostgreSQL have different dungeons under the realm",
        ),
        ("DELETE FROM {realm}.realm", "NATS and PostgreSQL have different dungeons under the realm"),
        ("UPDATE {realm}.snapshots SET sequence = 9", "The journal in NATS lacks records of partition 1"),
        ("UPDATE {realm}.written SET entry = 99999", "the two are not of the same time"),
    ],
)
def test_a_realm_that_is_not_whole_is_refused(cluster: Cluster, change: str, words: str) -> None:
    realm = cluster.realm()
    with opened(cluster.address(realm)) as store:
        store.directory.create_identity(IDENTITY)
        store.journal.claim(CLAIM)
        store.commit(
            [Record(1, 1, b"a")], [lambda: store.snapshots.put([Snapshot(1, 1, 1, b"state", b"hash")])]
        )
    cluster.postgres.execute(change.format(realm=realm))
    before = state_of(cluster, realm)
    assert words in refused(cluster.address(realm))
    assert state_of(cluster, realm) == before


def test_errors_of_postgres_are_explained() -> None:
    psycopg = pytest.importorskip("psycopg")
    explain = pytest.importorskip("gloam_server.storage.postgres.explain").explain_error
    full = explain(psycopg.errors.DiskFull("could not extend file"))
    assert isinstance(full, StorageFull)
    assert str(full).startswith("PostgreSQL is full; nothing is lost")
    refusal = explain(psycopg.errors.CheckViolation("row\nDETAIL: secret"))
    assert isinstance(refusal, StorageFault)
    assert "secret" not in str(refusal)


def test_without_the_libraries_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    for name in [each for each in sys.modules if each.startswith("gloam_server.storage.cluster")]:
        monkeypatch.delitem(sys.modules, name)
    for name in [
        each for each in sys.modules if each.startswith(("psycopg", "gloam_server.storage.postgres"))
    ]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "psycopg", None)
    said = refused("nats://host,postgresql://host/gloam")
    assert "needs psycopg, which is not installed" in said or "needs nats" in said
