"""Addresses and ports of this machine: one that is not loopback's, which a server sees as a foreign one."""

import secrets
import socket
from typing import Final

import pytest

_BELOW_OUTGOING: Final = range(20_000, 32_000)


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
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
        return port


def lasting_port() -> int:
    """Return a free port below those that the system gives to outgoing connections.

    A client that dials one of these while no server listens there may be connected with itself.
    """
    while True:
        port = _BELOW_OUTGOING.start + secrets.randbelow(len(_BELOW_OUTGOING))
        try:
            with socket.create_server(("127.0.0.1", port)):
                return port
        except OSError:
            continue
