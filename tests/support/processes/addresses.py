"""Addresses and ports of this machine: one that is not loopback's, which a server sees as a foreign one."""

import socket

import pytest


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
