"""The realms of a host, as the server of one of them reads them for players from NATS and PostgreSQL."""

import pytest

from gloam_server.storage.directory import WorldIdentity
from gloam_server.storage.host import HostRealm
from gloam_server.storage.open_store import open_realms
from support.storage.clusters import Cluster, opened

pytestmark = pytest.mark.thorough


def test_realms_are_listed_for_players(cluster: Cluster) -> None:
    """One with a server, one without, one without a port, one that is erased meanwhile, and one of an older server."""
    own, other, private, older = (cluster.realm() for _ in range(4))
    schema = cluster.postgres.execute
    realms = open_realms(cluster.address("any"))
    try:
        for realm in (other, private, older):
            with opened(cluster.address(realm)) as store:
                store.directory.create_identity(WorldIdentity("rltut", 7, 1, "ab12", 5))
        ports = {realm: realms.assign_port(realm, None) for realm in (other, older)}
        schema(f"ALTER TABLE {older}.placement DROP COLUMN title")
        with opened(cluster.address(own)) as store:
            assert store.host is not None
            store.directory.create_identity(WorldIdentity("gloam", 7, 1, "ab12", 5))
            store.host.introduce("The Gloam")

            def listed() -> list[HostRealm]:
                found = store.host.realms() if store.host is not None else None
                assert found is not None
                assert found.own == own
                return [each for each in found.realms if each.name in (own, other, private, older)]

            ours = HostRealm(own, "The Gloam", None, is_served=True)
            old = HostRealm(older, "rltut", ports[older], is_served=False)
            assert listed() == sorted(
                [ours, HostRealm(other, "rltut", ports[other], is_served=False), old], key=_name
            )
            with opened(cluster.address(other)) as there:
                assert there.host is not None
                there.host.introduce("A title")
                served = HostRealm(other, "A title", ports[other], is_served=True)
                assert listed() == sorted([ours, served, old], key=_name)
            schema(f"UPDATE {other}.placement SET state = 'retired'")
            assert listed() == sorted([ours, old], key=_name)
            schema(f"DROP SCHEMA {older} CASCADE")
            assert listed() == [ours]
    finally:
        realms.close()


def _name(realm: HostRealm) -> str:
    return realm.name
