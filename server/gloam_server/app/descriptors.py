"""Descriptors: every connection costs the process one, and the system grants only so many."""

import logging
import resource
from typing import Final

from gloam_shared import limits

OWN: Final = 64
"""What the server needs for itself: its world, its log, its ports, its threads and libraries."""

_log: Final = logging.getLogger(__name__)


def make_room(connections: int) -> int:
    """Raise the soft limit of descriptors as far as `connections` need it; return for how many of them it is enough.

    One line of the log says what was got.
    """
    wanted = connections + limits.CONNECTIONS_RESERVED + OWN
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    got = wanted if hard == resource.RLIM_INFINITY else min(hard, wanted)
    if soft == resource.RLIM_INFINITY or soft >= got:
        got = soft
    else:
        resource.setrlimit(resource.RLIMIT_NOFILE, (got, hard))
    room = connections
    if got != resource.RLIM_INFINITY:
        room = max(1, min(connections, got - limits.CONNECTIONS_RESERVED - OWN))
    mend = (
        ""
        if room == connections
        else f"; {connections} were wanted: raise the hard limit to {wanted} (ulimit -Hn)"
    )
    _log.log(
        logging.WARNING if mend else logging.INFO,
        "%s descriptors: room for %d connections, and %d kept for who comes back and for the host%s",
        "unlimited" if got == resource.RLIM_INFINITY else got,
        room,
        limits.CONNECTIONS_RESERVED,
        mend,
    )
    return room
