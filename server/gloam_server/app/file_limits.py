"""Descriptors: every connection costs the process one, and the system limits their number."""

import logging
import resource
from typing import Final, NamedTuple

from gloam_server.net.reactor import ACCEPTS_MAX
from gloam_shared import limits

OWN: Final = 64
"""The server's own need: its world, log, ports, threads and libraries, and clients that are turned away."""

OWN_LEAST: Final = 18 + 2 * ACCEPTS_MAX
"""The minimum: 17 are open while it is idle, and some are accepted before those turned away are closed."""

_log: Final = logging.getLogger(__name__)


class FileLimits(NamedTuple):
    """The numbers of connections for which there are descriptors.

    `reserved` is for players who return and for the host's commands, `turned_away` for clients that get
    the message that there is no room, `proxied` for connections that wait for a proxy's header.
    """

    connections: int
    reserved: int
    turned_away: int
    proxied: int


def raise_file_limit(connections: int, *, proxied: bool = False) -> FileLimits:
    """Raise the soft limit of descriptors as far as `connections` need it; return the resulting limits.

    One log line reports the result.
    """
    waiting = limits.PROXY_HEADERS_MAX if proxied else 0
    wanted = connections + limits.CONNECTIONS_RESERVED + waiting + OWN
    got = _raise_soft_limit(wanted)
    found = split_limit(wanted if got == resource.RLIM_INFINITY else got, connections, proxied=proxied)
    mend = (
        ""
        if found.connections == connections
        else f"; {connections} were wanted: raise the hard limit to {wanted} (ulimit -Hn)"
    )
    _log.log(
        logging.WARNING if mend else logging.INFO,
        "%s descriptors: room for %d connections, and %d kept for returning players and for the host%s",
        "unlimited" if got == resource.RLIM_INFINITY else got,
        found.connections,
        found.reserved,
        mend,
    )
    return found


def split_limit(descriptors: int, connections: int, *, proxied: bool = False) -> FileLimits:
    """Divide a number of descriptors among the purposes; each gets a part if they are few."""
    own = min(OWN, max(OWN_LEAST, descriptors // 3))
    rest = max(0, descriptors - own)
    part = rest // (3 if proxied else 2)
    reserved = min(limits.CONNECTIONS_RESERVED, part)
    waiting = min(limits.PROXY_HEADERS_MAX, max(1, part)) if proxied else 0
    room = max(1, min(connections, rest - reserved - waiting))
    return FileLimits(room, reserved, min(limits.TURNED_AWAY_MAX, max(1, own - OWN_LEAST)), waiting)


def _raise_soft_limit(wanted: int) -> int:
    """Raise the soft limit to the wanted number, or as far as possible; return the result."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    got = wanted if hard == resource.RLIM_INFINITY else min(hard, wanted)
    if soft == resource.RLIM_INFINITY or soft >= got:
        return soft
    resource.setrlimit(resource.RLIMIT_NOFILE, (got, hard))
    return got
