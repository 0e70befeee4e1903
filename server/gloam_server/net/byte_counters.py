"""The bytes of all connections since the server started, as plain numbers: counting costs an addition."""

from dataclasses import dataclass


@dataclass(slots=True)
class ByteCounters:
    """Bytes of the protocol, both ways: without what TCP and TLS add."""

    bytes_in: int = 0
    bytes_out: int = 0
