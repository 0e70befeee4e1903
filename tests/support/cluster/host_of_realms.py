"""The realms of a host as a store would tell them, for servers without a cluster."""

from collections.abc import Callable

from twisted.internet.defer import Deferred, succeed

from gloam_server.storage.host import HostRealm, HostRealms


def host_of(count: int, title: str = "The Cave") -> HostRealms:
    """Return a host with this number of realms, all served; the last one is asked."""
    realms = [HostRealm(f"realm{at:03}", title, 7373 + at, is_served=True) for at in range(count)]
    return HostRealms(realms[-1].name, realms)


def answering(found: HostRealms) -> Callable[[], Deferred[HostRealms]]:
    """Return a reading that is done immediately."""
    return lambda: succeed(found)
