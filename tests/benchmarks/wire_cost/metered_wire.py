"""A wire that counts what the server sends, plain and as a compressed stream would carry it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple
from unittest import mock

from gloam_shared.protocol.compression import Compressor
from support.server import sim_server
from support.server.transports import Wire


class Sent(NamedTuple):
    """Bytes from the server: plain, and compressed."""

    plain: float
    packed: float

    def __sub__(self, other: "Sent") -> "Sent":
        return Sent(self.plain - other.plain, self.packed - other.packed)

    def each(self, count: int) -> "Sent":
        """Return the share of each of some equal parts."""
        return Sent(self.plain / count, self.packed / count)


@dataclass(slots=True)
class Meter:
    """The bytes of all wires since `metered` began."""

    plain: int = 0
    packed: int = 0

    def read(self) -> Sent:
        """Return what was sent so far."""
        return Sent(self.plain, self.packed)


@contextmanager
def metered() -> Iterator[Meter]:
    """Count what is sent on all wires that begin inside."""
    meter = Meter()

    class MeteredWire(Wire):
        """One connection of a client without the ability to decompress, and what it would get with it."""

        def __init__(self) -> None:
            super().__init__()
            self._compressor = Compressor()

        def write(self, data: bytes) -> None:
            super().write(data)
            meter.plain += len(data)
            meter.packed += len(self._compressor.compress(data))

    with mock.patch.object(sim_server, "Wire", MeteredWire):
        yield meter
