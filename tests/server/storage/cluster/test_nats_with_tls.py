"""TLS and rights between a server and NATS: as the page for hosts says, and each refusal is one sentence."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from gloam_server.storage.errors import StorageError
from gloam_server.storage.journal import Record, WriterClaim
from gloam_server.storage.open_store import open_store
from support.cluster.authority import Authority, make_authority
from support.cluster.nats_cluster import NatsCluster, nats_cluster
from support.cluster.nats_server import NatsServer
from support.storage.clusters import Cluster, opened

pytestmark = pytest.mark.thorough

CLAIM = WriterClaim(1, "ab12", 1_800_000_000)
REALM = "walled"
USERS = f"""
accounts {{
  SYS {{ users: [] }}
  WORLD {{
    jetstream: enabled
    users: [
      {{ user: gloam, password: secret, permissions: {{
        publish: ["gloam.journal.{REALM}", "$JS.API.>", "$KV.gloam-lease.>"], subscribe: ["_INBOX.>"] }} }}
    ]
  }}
}}
system_account: SYS
"""


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return make_authority(tmp_path_factory.mktemp("authority"))


def lines(files: Authority, *, first: bool = False) -> str:
    """Return the settings of TLS; between servers there is no `handshake_first`."""
    begin = "handshake_first: true, " if first else ""
    return f'{begin}cert_file: "{files.certificate}", key_file: "{files.key}", ca_file: "{files.root}"'


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory, authority: Authority) -> Iterator[NatsCluster]:
    settings = f"tls {{ {lines(authority, first=True)} }}\n{USERS}"
    with nats_cluster(tmp_path_factory.mktemp("walled"), settings, lines(authority)) as running:
        yield running


@pytest.fixture
def plain(tmp_path: Path) -> Iterator[NatsServer]:
    made = NatsServer(tmp_path / "plain").start()
    yield made
    made.kill()


def refused(address: str) -> str:
    with pytest.raises(StorageError) as error:
        open_store(address)
    assert "secret" not in str(error.value)
    return str(error.value)


def test_a_user_with_few_rights_plays_over_tls(
    three: NatsCluster, cluster: Cluster, authority: Authority
) -> None:
    address = f"{three.address(REALM, f'ca={authority.root}', 'gloam:secret')},{cluster.postgres.address()}"
    with opened(address) as store:
        store.journal.claim(CLAIM)
        for sequence in range(1, 21):
            store.journal.append([Record(1, sequence, b"%d" % sequence)])
    with opened(address) as store:
        assert [each.sequence for each in store.journal.read(1, 0)] == list(range(1, 21))


def test_another_realm_is_closed_to_the_user(
    three: NatsCluster, cluster: Cluster, authority: Authority
) -> None:
    other = f"{three.address('other', f'ca={authority.root}', 'gloam:secret')},{cluster.postgres.address()}"
    with opened(other) as store, pytest.raises(StorageError, match="permissions violation for publish"):
        store.journal.claim(CLAIM)


def test_a_wrong_password_is_refused(three: NatsCluster, cluster: Cluster, authority: Authority) -> None:
    said = refused(
        f"{three.address(REALM, f'ca={authority.root}', 'gloam:guessed')},{cluster.postgres.address()}"
    )
    assert "Authorization Violation" in said


def test_an_unknown_authority_is_refused(three: NatsCluster, cluster: Cluster) -> None:
    said = refused(f"{three.address(REALM, user='gloam:secret')},{cluster.postgres.address()}")
    assert "certificate verify failed" in said


def test_no_password_goes_to_a_server_without_tls(
    plain: NatsServer, cluster: Cluster, authority: Authority
) -> None:
    """The client would send its password in clear text where a server offers no TLS."""
    address = plain.address(REALM, f"replicas=1&sync=always&ca={authority.root}", "gloam:secret")
    said = refused(f"{address.replace('nats://', 'tls://')},{cluster.postgres.address()}")
    assert "handshake_first: true" in said
