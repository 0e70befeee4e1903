"""Databases of PostgreSQL that keep text otherwise than in UTF-8."""

import pytest

from gloam_server.storage.directory import WorldIdentity
from gloam_server.storage.errors import StorageError
from gloam_server.storage.open_store import open_store
from gloam_server.world.transition.version import RULES_VERSION
from support.storage.clusters import Cluster, opened

pytestmark = pytest.mark.thorough


def address(cluster: Cluster, encoding: str) -> str:
    """Return the address of a realm in a new database with an encoding."""
    realm = cluster.realm()
    cluster.postgres.execute(
        f"CREATE DATABASE {realm} WITH ENCODING '{encoding}' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0"
    )
    return f"{cluster.nats.address(realm)},{cluster.postgres.address(database=realm)}"


def test_a_database_without_an_encoding_keeps_names(cluster: Cluster) -> None:
    """PostgreSQL makes it on a machine without a locale. Its text was read as bytes, and no login was answered."""
    at = address(cluster, "SQL_ASCII")
    with opened(at) as store:
        store.directory.create_identity(WorldIdentity("gloam", 7, RULES_VERSION, "ab12", 1_800_000_000))
        store.directory.create_account("Zoë", b"h" * 32, 5)
    with opened(at) as store:
        assert store.directory.account_by_name("zoë") is not None


def test_another_encoding_is_refused(cluster: Cluster) -> None:
    at = address(cluster, "LATIN1")
    with pytest.raises(StorageError, match=r"keeps text of this database in LATIN1, and names need UTF8"):
        open_store(at)
