"""Addresses and ports of this machine: one that is not loopback's, which a server sees as a foreign one."""

import os
import secrets
import socket
from typing import Final

import pytest

_BELOW_OUTGOING: Final = range(20_000, 32_000)
_PROCESSES: Final = 16
_OWN: Final = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % _PROCESSES
"""The remainder of this process's ports: each process of a run has ports of its own."""

_GIVEN: Final[set[int]] = set()


def own_address() -> str:
    """Return this machine's own IPv4 address; skips the test where there is none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("203.0.113.1", 9))  # sends nothing: it only chooses a way out
            host = str(probe.getsockname()[0])
        except OSError:
            pytest.skip("this machine has no address but loopback's")
    if host.startswith("127."):
        pytest.skip("this machine has no address but loopback's")
    return host


def free_port() -> int:
    """Return a port that is free now, and that no other test of this run gets.

    It lies below those that the system gives to outgoing connections and to listeners without a port of their own: one of
    these could take it before its server does, and a client that dials it meanwhile may be connected with itself.
    """
    while True:
        port = (
            _BELOW_OUTGOING.start + _PROCESSES * secrets.randbelow(len(_BELOW_OUTGOING) // _PROCESSES) + _OWN
        )
        if port in _GIVEN:
            continue
        try:
            with socket.create_server(("127.0.0.1", port)):
                _GIVEN.add(port)
                return port
        except OSError:
            continue
